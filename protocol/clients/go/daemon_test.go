package blitzweb

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
)

func startReal(t *testing.T, options Options) *Client {
	t.Helper()
	options.Command = realDaemon(t, filepath.Join(t.TempDir(), "state"))
	options.Env = withoutProxies()
	options.Initialize.Settings = map[string]any{"web": map[string]any{"allow_private": true}}
	return start(t, options)
}

func TestAPageIsReadWhenAPersonAgrees(t *testing.T) {
	address := demoSite(t)
	asked := make(chan ApprovalRequestParams, 1)
	client := startReal(t, Options{
		Approve: func(_ context.Context, question ApprovalRequestParams) (ApprovalRequestResult, error) {
			asked <- question
			return ApprovalRequestResult{Decision: ApprovalRequestChoiceOnce}, nil
		},
	})
	result, err := fetch(limited(t), client, "http://"+address+"/robots.txt")
	if err != nil || result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	var output WebFetchOutput
	if err := json.Unmarshal(result.Output, &output); err != nil || output.Status == nil || *output.Status != 200 {
		t.Errorf("%s, %v", result.Output, err)
	}
	if question := receive(t, asked); question.Tool != ToolWebFetch || question.Key != "web:127.0.0.1" {
		t.Errorf("%+v", question)
	}
}

func TestAStoppedTurnEndsTheQuestion(t *testing.T) {
	asked, resolved := make(chan struct{}), make(chan struct{})
	client := startReal(t, Options{
		Approve: func(ctx context.Context, _ ApprovalRequestParams) (ApprovalRequestResult, error) {
			close(asked)
			<-ctx.Done()
			close(resolved)
			return ApprovalRequestResult{}, ctx.Err()
		},
	})
	ctx, cancel := context.WithCancel(limited(t))
	ended := make(chan error)
	go func() {
		_, err := fetch(ctx, client, "https://example.com/")
		ended <- err
	}()
	receive(t, asked)
	cancel()
	if err := receive(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	receive(t, resolved)
}

func TestEveryMethodFitsItsTypes(t *testing.T) {
	client, ctx := startReal(t, Options{}), limited(t)
	try := func(name string, err error) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	tools, err := client.ListTools(ctx, ToolsListParams{})
	try("tools/list", err)
	if len(tools.Tools) == 0 || client.Hello().Limits.MaxCalls == 0 {
		t.Errorf("%+v, %+v", tools, client.Hello())
	}
	status, err := client.Status(ctx)
	try("$/status", err)
	if status.MemoryBytes == 0 {
		t.Errorf("%+v", status)
	}
	found, err := client.SearchSession(ctx, SearchSessionParams{
		Terms: "bridge", Messages: []TranscriptMessage{{Number: 1, Role: "user", Text: "the bridge"}},
	})
	try("search/session", err)
	if found.Matching != 1 {
		t.Errorf("%+v", found)
	}
	updated, err := client.UpdateSettings(ctx, map[string]any{"web": map[string]any{"enabled": false}})
	try("settings/update", err)
	if string(updated.Settings["web"]["enabled"].Value) != "false" {
		t.Errorf("%+v", updated)
	}
	_, err = client.Doctor(ctx, DoctorParams{})
	try("doctor", err)
	try("session/end", client.EndSession(ctx, "s1"))
	try("browser/close", client.CloseBrowser(ctx, "default"))
	try("close", client.Close())
}

func TestARealDaemonThatIsKilledEndsTheCallAndStartsAgain(t *testing.T) {
	asked := make(chan struct{}, 1)
	client := startReal(t, Options{
		Approve: func(ctx context.Context, _ ApprovalRequestParams) (ApprovalRequestResult, error) {
			asked <- struct{}{}
			<-ctx.Done()
			return ApprovalRequestResult{}, ctx.Err()
		},
	})
	ended := make(chan error)
	go func() {
		_, err := fetch(limited(t), client, "https://example.com/")
		ended <- err
	}()
	receive(t, asked)
	client.link.kill()
	var failure *DaemonError
	if err := receive(t, ended); !errors.As(err, &failure) {
		t.Errorf("%v", err)
	}
	again, err := client.Restart(limited(t))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.Ping(limited(t)); err != nil {
		t.Error(err)
	}
}
