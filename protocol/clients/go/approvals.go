package blitzweb

import (
	"context"
	"encoding/json"
	"fmt"
)

// reply is an answer of the host.
type reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitzero"`
	Error   *Error          `json:"error,omitzero"`
}

// question answers a request of the daemon, on a goroutine: people think, and answers go on meanwhile.
func (c *Client) question(m message) {
	ctx, cancel := context.WithCancel(context.Background())
	var question ApprovalRequestParams
	err := json.Unmarshal(m.Params, &question)
	if m.Method != MethodApprovalRequest || err != nil || c.options.Approve == nil {
		cancel()
		go c.write(context.Background(), refusal(m, err))
		return
	}
	c.mu.Lock()
	c.questions[question.ID] = cancel
	c.mu.Unlock()
	go func() {
		defer c.settled(question.ID, cancel)
		answer, err := c.options.Approve(ctx, question)
		if err != nil {
			answer = ApprovalRequestResult{Decision: ApprovalRequestChoiceDeny, Reason: err.Error()}
		}
		c.write(context.Background(), reply{Version: "2.0", ID: m.ID, Result: answer})
	}()
}

func (c *Client) settled(id string, cancel context.CancelFunc) {
	cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.questions, id)
}

func refusal(m message, err error) reply {
	failure := &Error{Code: -32601, Message: fmt.Sprintf("a host has no method %q", m.Method)}
	failure.Data.Reason = ErrorReasonMethodNotFound
	if err != nil && m.Method == MethodApprovalRequest {
		failure = &Error{Code: -32602, Message: err.Error(), Data: ErrorData{Reason: ErrorReasonInvalidParams}}
	}
	return reply{Version: "2.0", ID: m.ID, Error: failure}
}
