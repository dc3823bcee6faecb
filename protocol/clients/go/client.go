// Package blitzweb hosts a blitzweb daemon: it starts the process, calls its tools, answers its questions, and notices
// when it is gone. The protocol is described in protocol/README.md; types.go is generated from its schema.
//
// A Client is safe for use by many goroutines at once.
package blitzweb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

const shutdownTime = 2 * time.Second // the daemon promises to be done by then

// Options say which daemon to start, and what the host makes of what it says.
type Options struct {
	Command []string // "blitzweb serve" if empty
	Dir     string   // where it runs; here if empty
	Env     []string // as in os/exec: this process's if nil

	// Initialize is what the daemon is told first. The version, the host's process, and whether it can approve are filled
	// in.
	Initialize InitializeParams

	// Approve asks a person, and may take as long as the person does. It runs on a goroutine of its own; its context
	// ends when the question needs no answer any more. An error denies the call and is told to the model.
	// Without it the daemon refuses what would have to be asked.
	Approve func(ctx context.Context, question ApprovalRequestParams) (ApprovalRequestResult, error)

	// Notify hears every notification but approval/resolved, one after the other; params decode as the method's type.
	Notify func(method string, params json.RawMessage)

	// Log hears the daemon's log, line by line.
	Log func(line string)
}

// Client is one daemon that runs.
type Client struct {
	options Options
	link    *link
	hello   InitializeResult
	done    chan struct{} // closed when the daemon is gone; err says why
	closed  sync.Once

	mu        sync.Mutex
	err       error
	closing   bool
	maxLine   int
	nextID    int64
	pending   map[int64]chan<- message
	questions map[string]context.CancelFunc

	notices *notices
}

// message is a line of either side.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Start starts a daemon and opens the conversation. The context bounds the start alone.
func Start(ctx context.Context, options Options) (*Client, error) {
	if len(options.Command) == 0 {
		options.Command = []string{"blitzweb", "serve"}
	}
	link, err := startLink(options.Command, options.Dir, options.Env, options.Log)
	if err != nil {
		return nil, err
	}
	client := &Client{
		options: options, link: link, done: make(chan struct{}),
		pending: map[int64]chan<- message{}, questions: map[string]context.CancelFunc{},
		notices: newNotices(options.Notify),
	}
	go client.read()
	if err := client.open(ctx); err != nil {
		client.Close()
		return nil, err
	}
	return client, nil
}

func (c *Client) open(ctx context.Context) error {
	params := c.options.Initialize
	params.ProtocolVersion = ProtocolVersion
	params.Host.PID = os.Getpid()
	params.Capabilities.Approvals = c.options.Approve != nil
	if err := c.Call(ctx, MethodInitialize, params, &c.hello); err != nil {
		return err
	}
	c.mu.Lock()
	c.maxLine = c.hello.Limits.MaxLineBytes
	c.mu.Unlock()
	return c.notify(ctx, MethodInitialized, nil)
}

// Hello returns what the daemon said first: its version, the tools on offer, the settings, warnings.
func (c *Client) Hello() InitializeResult { return c.hello }

// Done is closed when the daemon is gone, or the client closed; Err then says why.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err returns nil while the daemon runs, ErrClosed after Close, and a *DaemonError if it ended by itself.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Restart ends what is left of this daemon, and starts another one with the same options.
func (c *Client) Restart(ctx context.Context) (*Client, error) {
	c.Close() // how the old one ended does not matter any more
	return Start(ctx, c.options)
}

// Close ends the daemon as a host should: shutdown, exit, and by force if it does not go. Calls that run are cancelled.
// It returns an error if the daemon did not end well, and nil if it had ended before. It does not wait for functions
// of the host: what Notify has not heard yet it still hears.
func (c *Client) Close() error {
	var err error
	c.closed.Do(func() {
		gone := c.Err() != nil
		c.mu.Lock()
		c.closing = true
		c.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
		defer cancel()
		if c.Call(ctx, MethodShutdown, nil, nil) == nil {
			c.notify(ctx, MethodExit, nil)
		}
		err = c.link.close()
		<-c.done
		if code := c.link.exit().ExitCode(); err == nil && code > 0 && !gone {
			err = fmt.Errorf("blitzweb: the daemon ended with exit code %d", code)
		}
	})
	<-c.done
	return err
}

// Call calls any method, and decodes what it answers into result, unless that is nil. A context that ends cancels the
// call in the daemon. The error is an *Error where the daemon answered with one, and a *DaemonError if it is gone.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	id, answer, err := c.expect()
	if err != nil {
		return err
	}
	defer c.forget(id)
	if err := c.send(ctx, method, params, id); err != nil {
		return err
	}
	select {
	case reply := <-answer:
		return reply.into(method, result)
	case <-ctx.Done():
		go c.notify(context.Background(), MethodCancelRequest, CancelRequestParams{ID: id})
		return ctx.Err()
	case <-c.done:
	}
	select { // the answer may have come just before the end
	case reply := <-answer:
		return reply.into(method, result)
	default:
		return c.Err()
	}
}

func (m message) into(method string, result any) error {
	if m.Error != nil {
		return m.Error
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		return fmt.Errorf("blitzweb: the result of %s does not fit: %w", method, err)
	}
	return nil
}

// expect takes a new id, and returns where its answer will come.
func (c *Client) expect() (int64, <-chan message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, nil, c.err
	}
	c.nextID++
	answer := make(chan message, 1)
	c.pending[c.nextID] = answer
	return c.nextID, answer, nil
}

func (c *Client) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

func (c *Client) notify(ctx context.Context, method string, params any) error {
	return c.send(ctx, method, params, nil)
}

func (c *Client) send(ctx context.Context, method string, params, id any) error {
	return c.write(ctx, struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id,omitzero"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitzero"`
	}{"2.0", id, method, params})
}

// write sends one line. The daemon may be slow to read; the context or its end then ends the wait.
func (c *Client) write(ctx context.Context, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("blitzweb: cannot be sent: %w", err)
	}
	c.mu.Lock()
	limit := c.maxLine
	c.mu.Unlock()
	if limit > 0 && len(line) > limit {
		return fmt.Errorf("blitzweb: a line of %d bytes; the daemon takes at most %d", len(line), limit)
	}
	select {
	case c.link.outgoing <- line:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		return c.Err()
	}
}

// read takes the daemon's lines until it is gone, and then ends everything that waits for it.
func (c *Client) read() {
	reason := c.link.readLines(c.take)
	if !errors.Is(reason, io.EOF) {
		c.link.kill() // it does not speak the protocol
	}
	// The output has ended: so has the process, or nobody could talk to it any more.
	c.link.endInput()
	timer := time.AfterFunc(stopTime, c.link.kill)
	<-c.link.ended
	timer.Stop()
	c.link.stdout.Close()
	c.end(c.failure(reason))
}

func (c *Client) failure(reason error) error {
	exit := c.link.exit()
	cause := fmt.Sprintf("the daemon ended: %v", exit)
	if !errors.Is(reason, io.EOF) {
		cause = fmt.Sprintf("the daemon wrote what is no message, and was killed: %v", reason)
	}
	return &DaemonError{Cause: cause, ExitCode: exit.ExitCode(), LastLog: c.link.log()}
}

func (c *Client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		err = ErrClosed
	}
	c.err = err
	for _, cancel := range c.questions {
		cancel()
	}
	close(c.done)
	c.notices.close()
}

// take handles one line. It never blocks on the host's own functions.
func (c *Client) take(line []byte) error {
	if !utf8.Valid(line) {
		return errors.New("it is not UTF-8")
	}
	if line[0] == '[' { // answers to a batch, which this client never sends
		return nil
	}
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("%.120q: %w", line, err)
	}
	switch {
	case m.Method != "" && m.ID != nil:
		c.question(m)
	case m.Method != "":
		c.notice(m)
	default:
		c.answer(m)
	}
	return nil
}

// answer hands an answer to the call that waits for it; one that nobody waits for came too late.
func (c *Client) answer(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var id int64
	if string(m.ID) == "null" && m.Error != nil {
		// A line of ours could not be read, and nobody can tell whose it was: no call may wait for ever.
		for _, waiting := range c.pending {
			deliver(waiting, m)
		}
	} else if json.Unmarshal(m.ID, &id) == nil && c.pending[id] != nil {
		deliver(c.pending[id], m)
	}
}

func deliver(waiting chan<- message, m message) {
	select {
	case waiting <- m:
	default: // answered twice
	}
}

func (c *Client) notice(m message) {
	if m.Method == MethodApprovalResolved {
		var resolved ApprovalResolvedParams
		if json.Unmarshal(m.Params, &resolved) == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			if cancel := c.questions[resolved.ID]; cancel != nil {
				cancel()
			}
		}
		return
	}
	c.notices.add(notice{m.Method, m.Params})
}
