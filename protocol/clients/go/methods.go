package blitzweb

import "context"

// ListTools lists the tools on offer, ready to hand to a model.
func (c *Client) ListTools(ctx context.Context, params ToolsListParams) (ToolsListResult, error) {
	return call[ToolsListResult](ctx, c, MethodToolsList, params)
}

// CallTool runs a tool. Refusals and failures that a model can act on are results with IsError.
//
// TimeoutMS is the call's own deadline, and stands still while a person thinks; a deadline of ctx does not.
func (c *Client) CallTool(ctx context.Context, params ToolsCallParams) (ToolsCallResult, error) {
	return call[ToolsCallResult](ctx, c, MethodToolsCall, params)
}

// SearchWeb runs the user's own web search.
func (c *Client) SearchWeb(ctx context.Context, params SearchWebParams) (SearchWebResult, error) {
	return call[SearchWebResult](ctx, c, MethodSearchWeb, params)
}

// SearchSession searches the transcript for the user.
func (c *Client) SearchSession(ctx context.Context, params SearchSessionParams) (SearchSessionResult, error) {
	return call[SearchSessionResult](ctx, c, MethodSearchSession, params)
}

// EndSession forgets the session's page references, approvals and grants.
func (c *Client) EndSession(ctx context.Context, session string) error {
	return c.Call(ctx, MethodSessionEnd, SessionEndParams{Session: session}, nil)
}

// UpdateSettings replaces the user's settings while the daemon runs.
func (c *Client) UpdateSettings(ctx context.Context, settings any) (SettingsUpdateResult, error) {
	return call[SettingsUpdateResult](ctx, c, MethodSettingsUpdate, SettingsUpdateParams{Settings: settings})
}

// CloseBrowser closes a workspace's browser.
func (c *Client) CloseBrowser(ctx context.Context, workspace string) error {
	return c.Call(ctx, MethodBrowserClose, BrowserCloseParams{Workspace: workspace}, nil)
}

// Doctor checks the machine and the settings.
func (c *Client) Doctor(ctx context.Context, params DoctorParams) (DoctorResult, error) {
	return call[DoctorResult](ctx, c, MethodDoctor, params)
}

// Status tells how the daemon is.
func (c *Client) Status(ctx context.Context) (StatusResult, error) {
	return call[StatusResult](ctx, c, MethodStatus, nil)
}

// Ping is answered whatever runs.
func (c *Client) Ping(ctx context.Context) error {
	return c.Call(ctx, MethodPing, nil, nil)
}

func call[R any](ctx context.Context, c *Client, method string, params any) (result R, err error) {
	err = c.Call(ctx, method, params, &result)
	return result, err
}
