package blitzweb

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const patience = 20 * time.Second // for what takes milliseconds

// pythonModule returns a command of the repository's own environment. The stub daemon among them does what the URL
// says.
func pythonModule(t *testing.T, module string, words ...string) []string {
	t.Helper()
	python := os.Getenv("BLITZWEB_PYTHON")
	if python == "" {
		python = filepath.Join(repository(t), ".venv", "bin", "python")
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("there is no daemon: run scripts/setup test, or name a Python that has blitzweb in BLITZWEB_PYTHON")
	}
	return append([]string{python, "-m", module}, words...)
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func start(t *testing.T, options Options) *Client {
	t.Helper()
	if options.Command == nil {
		options.Command = pythonModule(t, "tests.support.stub_daemon")
	}
	options.Dir = repository(t)
	client, err := Start(limited(t), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func fetch(ctx context.Context, client *Client, url string) (ToolsCallResult, error) {
	return client.CallTool(ctx, ToolsCallParams{Name: ToolWebFetch, Arguments: WebFetchArguments{URL: url}})
}

func receive[T any](t *testing.T, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(patience):
		t.Fatal("nothing came")
	}
	return value
}

// logged returns a function for Options.Log, and a channel that is closed when the log holds the text.
func logged(text string) (func(string), <-chan struct{}) {
	seen := make(chan struct{})
	found := false
	return func(line string) {
		if !found && strings.Contains(line, text) {
			found = true
			close(seen)
		}
	}, seen
}

func TestItSaysWhoItIsAndWhatItCan(t *testing.T) {
	approve := func(context.Context, ApprovalRequestParams) (ApprovalRequestResult, error) {
		return ApprovalRequestResult{}, nil
	}
	client := start(t, Options{Approve: approve, Initialize: InitializeParams{Host: HostInfo{Name: "engine"}}})
	var status struct{ Hello InitializeParams }
	if err := client.Call(limited(t), MethodStatus, nil, &status); err != nil {
		t.Fatal(err)
	}
	hello := status.Hello
	if hello.ProtocolVersion != 1 || hello.Host.Name != "engine" || hello.Host.PID != os.Getpid() {
		t.Errorf("initialize was given %+v", hello)
	}
	if !hello.Capabilities.Approvals {
		t.Error("a host that can approve did not say so")
	}
	if client.Hello().Server.Name != "stub" {
		t.Errorf("the daemon said %+v", client.Hello())
	}
}

func TestWithoutApproveItDoesNotSayThatItCan(t *testing.T) {
	client := start(t, Options{})
	var status struct{ Hello InitializeParams }
	if err := client.Call(limited(t), MethodStatus, nil, &status); err != nil {
		t.Fatal(err)
	}
	if status.Hello.Capabilities.Approvals {
		t.Error("a host that cannot approve said that it can")
	}
}

func TestToolsAreListedReadyForAModel(t *testing.T) {
	list, err := start(t, Options{}).ListTools(limited(t), ToolsListParams{})
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != ToolWebFetch {
		t.Fatalf("%+v, %v", list, err)
	}
	var schema struct{ Properties map[string]any }
	if err := json.Unmarshal(list.Tools[0].InputSchema, &schema); err != nil || schema.Properties["url"] == nil {
		t.Errorf("%s, %v", list.Tools[0].InputSchema, err)
	}
}

func TestWhatIsAbsentIsLeftOut(t *testing.T) {
	result, err := fetch(limited(t), start(t, Options{}), "x")
	if want := `{"arguments": {"url": "x"}, "name": "web_fetch"}`; err != nil || result.Text != want {
		t.Errorf("%s was sent, not %s; %v", result.Text, want, err)
	}
}

func TestAnEmptyListIsSent(t *testing.T) {
	arguments := map[string]any{"url": "x"}
	params := ToolsCallParams{Name: ToolWebFetch, Arguments: arguments, Context: CallContext{Tools: []string{}}}
	result, err := start(t, Options{}).CallTool(limited(t), params)
	if err != nil || !strings.Contains(result.Text, `"context": {"tools": []}`) {
		t.Errorf("%s, %v", result.Text, err)
	}
}

func TestTextsKeepTheirLetters(t *testing.T) {
	url := "Øresund 橋 🌉 \u2028 <&>"
	result, err := fetch(limited(t), start(t, Options{}), url)
	var given struct{ Arguments WebFetchArguments }
	if err != nil || json.Unmarshal([]byte(result.Text), &given) != nil || given.Arguments.URL != url {
		t.Errorf("%q, %v", result.Text, err)
	}
}

func TestLongLinesPass(t *testing.T) {
	client := start(t, Options{})
	for url, size := range map[string]int{"large:5": 5 << 20, "large:17": 17 << 20} {
		result, err := fetch(limited(t), client, url)
		if err != nil || len(result.Text) != size {
			t.Errorf("%s: %d bytes, %v", url, len(result.Text), err)
		}
	}
}

func TestALineHasALimit(t *testing.T) {
	long := strings.Repeat("x", 98) + "\n"
	for _, wanted := range []struct {
		text string
		line string
		err  error
	}{
		{long + "y\n", long, nil},
		{"x" + long, "", errLineTooLong},
		{"cut off", "", io.EOF},
	} {
		line, err := readLine(bufio.NewReaderSize(strings.NewReader(wanted.text), 16), len(long))
		if string(line) != wanted.line || err != wanted.err {
			t.Errorf("%q: %q, %v", wanted.text, line, err)
		}
	}
}

func TestAnErrorKeepsCodeReasonAndAdvice(t *testing.T) {
	err := start(t, Options{}).Call(limited(t), "no/such", nil, nil)
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != -32601 || failure.Data.Advice != "look at rpc.discover" {
		t.Errorf("%v", err)
	}
}

func TestAToolsFailureIsAResult(t *testing.T) {
	if result, err := fetch(limited(t), start(t, Options{}), "fail:"); err != nil || !result.IsError {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestACancelledContextCancelsTheCall(t *testing.T) {
	log, waiting := logged("waiting")
	client := start(t, Options{Log: log})
	ctx, cancel := context.WithCancel(limited(t))
	ended := make(chan error)
	go func() {
		_, err := fetch(ctx, client, "wait:")
		ended <- err
	}()
	receive(t, waiting)
	cancel()
	if err := receive(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// The stub does one thing at a time: it answers only if the cancel has reached it.
	if err := client.Ping(limited(t)); err != nil {
		t.Error(err)
	}
}

func TestADeadlineEndsACallThatIsNeverAnswered(t *testing.T) {
	client := start(t, Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := fetch(ctx, client, "hush:"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestAPersonIsAskedAndAnswers(t *testing.T) {
	asked := make(chan ApprovalRequestParams, 1)
	client := start(t, Options{
		Approve: func(_ context.Context, question ApprovalRequestParams) (ApprovalRequestResult, error) {
			asked <- question
			return ApprovalRequestResult{Decision: ApprovalRequestChoiceDeny, Reason: "not now"}, nil
		},
	})
	result, err := fetch(limited(t), client, "ask:")
	if err != nil || !result.IsError || result.Text != `{"decision": "deny", "reason": "not now"}` {
		t.Errorf("%+v, %v", result, err)
	}
	if question := receive(t, asked); question.Key != "web:x" || question.Kind != ApprovalRequestKindNetwork {
		t.Errorf("%+v", question)
	}
}

func TestAnErrorOfApproveDenies(t *testing.T) {
	client := start(t, Options{
		Approve: func(context.Context, ApprovalRequestParams) (ApprovalRequestResult, error) {
			return ApprovalRequestResult{}, errors.New("no screen")
		},
	})
	result, err := fetch(limited(t), client, "ask:")
	if err != nil || result.Text != `{"decision": "deny", "reason": "no screen"}` {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestAResolvedQuestionEndsItsContext(t *testing.T) {
	asked, resolved := make(chan struct{}), make(chan struct{})
	client := start(t, Options{
		Approve: func(ctx context.Context, _ ApprovalRequestParams) (ApprovalRequestResult, error) {
			close(asked)
			<-ctx.Done()
			close(resolved)
			return ApprovalRequestResult{}, ctx.Err()
		},
	})
	ctx, cancel := context.WithCancel(limited(t))
	go fetch(ctx, client, "ask:")
	receive(t, asked)
	cancel()
	receive(t, resolved)
}

func TestOtherRequestsOfTheDaemonAreRefused(t *testing.T) {
	result, err := fetch(limited(t), start(t, Options{}), "method:no/such")
	if err != nil || !strings.Contains(result.Text, "-32601") {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestNotificationsAreHeardInOrder(t *testing.T) {
	heard := make(chan string, 3)
	progress := make(chan ProgressParams, 1)
	client := start(t, Options{Notify: func(method string, params json.RawMessage) {
		if method == MethodProgress {
			var told ProgressParams
			if err := json.Unmarshal(params, &told); err != nil {
				t.Error(err)
			}
			progress <- told
		}
		heard <- method
	}})
	params := ToolsCallParams{Name: ToolWebFetch, Arguments: WebFetchArguments{URL: "steps:"}, ProgressToken: "p"}
	if _, err := client.CallTool(limited(t), params); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{MethodProgress, MethodLogMessage, MethodToolsChanged} {
		if got := receive(t, heard); got != method {
			t.Errorf("%s was heard, not %s", got, method)
		}
	}
	if told := receive(t, progress); told.Token != "p" || told.Total == nil || *told.Total != 2 {
		t.Errorf("%+v", told)
	}
}

func TestANotificationMayCallTheDaemon(t *testing.T) {
	var client *Client
	ready, listed := make(chan struct{}), make(chan error, 1)
	client = start(t, Options{Notify: func(method string, _ json.RawMessage) {
		if method == MethodToolsChanged {
			<-ready
			_, err := client.ListTools(limited(t), ToolsListParams{})
			listed <- err
		}
	}})
	close(ready)
	if _, err := fetch(limited(t), client, "steps:"); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, listed); err != nil {
		t.Error(err)
	}
}

func TestAKilledDaemonEndsTheCallWithAnError(t *testing.T) {
	log, waiting := logged("waiting")
	client := start(t, Options{Log: log})
	ended := make(chan error)
	go func() {
		_, err := fetch(limited(t), client, "wait:")
		ended <- err
	}()
	receive(t, waiting)
	client.link.kill()
	var failure *DaemonError
	if err := receive(t, ended); !errors.As(err, &failure) || failure.ExitCode != -1 {
		t.Errorf("%v", err)
	}
	receive(t, client.Done())
	if err := client.Ping(limited(t)); !errors.As(err, &failure) {
		t.Errorf("a later call ended with %v", err)
	}
}

func TestADaemonThatEndsIsQuoted(t *testing.T) {
	client := start(t, Options{})
	_, err := fetch(limited(t), client, "die:7")
	var failure *DaemonError
	if !errors.As(err, &failure) || failure.ExitCode != 7 || !strings.HasSuffix(err.Error(), "I was told to") {
		t.Errorf("%v", err)
	}
	if err := client.Close(); err != nil {
		t.Errorf("closing what had ended: %v", err)
	}
}

func TestADaemonWhoseChildHoldsThePipesIsMissed(t *testing.T) {
	_, err := fetch(limited(t), start(t, Options{}), "orphan:7")
	var failure *DaemonError
	if !errors.As(err, &failure) || failure.ExitCode != 7 {
		t.Errorf("%v", err)
	}
}

func TestADaemonThatDoesNotSpeakTheProtocolIsEnded(t *testing.T) {
	_, err := fetch(limited(t), start(t, Options{}), "garbage:")
	var failure *DaemonError
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "Traceback") {
		t.Errorf("%v", err)
	}
}

func TestItStartsAgain(t *testing.T) {
	client := start(t, Options{})
	client.link.kill()
	receive(t, client.Done())
	again, err := client.Restart(limited(t))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.Ping(limited(t)); err != nil {
		t.Error(err)
	}
}

func TestACommandThatDoesNotExistIsNamed(t *testing.T) {
	_, err := Start(limited(t), Options{Command: []string{"/no/such/daemon"}})
	if err == nil || !strings.Contains(err.Error(), "/no/such/daemon") {
		t.Errorf("%v", err)
	}
}

func TestAfterCloseNothingRuns(t *testing.T) {
	client := start(t, Options{})
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if err := client.Ping(limited(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := client.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestALineThatTheDaemonWouldNotTakeIsNotSent(t *testing.T) {
	client := start(t, Options{})
	client.maxLine = 1000
	_, err := fetch(limited(t), client, strings.Repeat("x", 1000))
	if err == nil || !strings.Contains(err.Error(), "at most 1000") {
		t.Errorf("%v", err)
	}
}
