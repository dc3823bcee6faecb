// Package conformance has the official Go SDK's client talk to blitzweb mcp, in both eras of the protocol.
package conformance

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const patience = 30 * time.Second

var versions = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

// inEachVersion runs a test with a session of each version. The person answers every form with a decision; without one
// the client shows no forms.
func inEachVersion(t *testing.T, decision string, test func(*testing.T, context.Context, *mcp.ClientSession)) (asked *atomic.Pointer[mcp.ElicitParams]) {
	asked = &atomic.Pointer[mcp.ElicitParams]{}
	options := &mcp.ClientOptions{}
	if decision != "" {
		options.ElicitationHandler = func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked.Store(request.Params)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": decision}}, nil
		}
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, options)
			transport := &mcp.CommandTransport{Command: server(t)}
			session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("version %s was agreed on, not %s", got, version)
			}
			test(t, ctx, session)
			if err := session.Close(); err != nil {
				t.Errorf("the server did not end well: %v", err)
			}
		})
	}
	return asked
}

func server(t *testing.T) *exec.Cmd {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	python := os.Getenv("BLITZWEB_PYTHON")
	if python == "" {
		python = filepath.Join(root, ".venv", "bin", "python")
	}
	config := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(config, []byte("web.allow_private = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "-m", "blitzweb", "mcp", "--config", config, "--state-dir", filepath.Join(t.TempDir(), "state"))
	command.Dir = root
	return command
}

// page serves a text, and counts who came.
func page(t *testing.T) (url string, visits *atomic.Int32) {
	visits = &atomic.Int32{}
	site := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, _ *http.Request) {
		visits.Add(1)
		to.Header().Set("Content-Type", "text/plain")
		io.WriteString(to, "Hello")
	}))
	t.Cleanup(site.Close)
	return site.URL + "/", visits
}

func fetch(t *testing.T, ctx context.Context, session *mcp.ClientSession, url string) *mcp.CallToolResult {
	t.Helper()
	params := &mcp.CallToolParams{Name: "web_fetch", Arguments: map[string]any{"url": url}}
	result, err := session.CallTool(ctx, params)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func textOf(result *mcp.CallToolResult) string {
	var texts []string
	for _, part := range result.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func TestTheToolsAreListed(t *testing.T) {
	inEachVersion(t, "", func(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
		list, err := session.ListTools(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		place := slices.IndexFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "web_fetch" })
		if place < 0 {
			t.Fatalf("web_fetch is not among %+v", list.Tools)
		}
		tool := list.Tools[place]
		if tool.InputSchema == nil || tool.OutputSchema == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%+v", tool)
		}
	})
}

func TestAPageIsReadOnceThePersonAgrees(t *testing.T) {
	url, visits := page(t)
	asked := inEachVersion(t, "once", func(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
		before := visits.Load()
		result := fetch(t, ctx, session, url)
		if result.IsError || !strings.Contains(textOf(result), "Hello") || visits.Load() != before+1 {
			t.Errorf("%s, %d visits", textOf(result), visits.Load()-before)
		}
		var output struct{ Content string }
		encoded, err := json.Marshal(result.StructuredContent)
		if err != nil || json.Unmarshal(encoded, &output) != nil || output.Content != "Hello" {
			t.Errorf("%s, %v", encoded, err)
		}
	})
	if form := asked.Load(); form == nil || !strings.Contains(form.Message, "GET "+url) {
		t.Errorf("the form was %+v", form)
	}
}

func TestAPersonWhoDeniesIsHeard(t *testing.T) {
	url, visits := page(t)
	inEachVersion(t, "deny", func(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
		result := fetch(t, ctx, session, url)
		if !result.IsError || !strings.Contains(textOf(result), "the user declined") {
			t.Errorf("%s", textOf(result))
		}
	})
	if visits.Load() != 0 {
		t.Errorf("%d visits", visits.Load())
	}
}

func TestAClientThatCannotAskIsToldTheSetting(t *testing.T) {
	url, visits := page(t)
	inEachVersion(t, "", func(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
		result := fetch(t, ctx, session, url)
		if !result.IsError || !strings.Contains(textOf(result), "web.allow_domains") {
			t.Errorf("%s", textOf(result))
		}
	})
	if visits.Load() != 0 {
		t.Errorf("%d visits", visits.Load())
	}
}

func TestAnUnknownToolIsAnError(t *testing.T) {
	inEachVersion(t, "", func(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "no_such_tool"})
		if err == nil || !strings.Contains(err.Error(), "no_such_tool") {
			t.Errorf("%v", err)
		}
	})
}

func TestACancelledCallEndsAndTheSessionGoesOn(t *testing.T) {
	release := make(chan struct{})
	came := make(chan struct{}, 1)
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		came <- struct{}{}
		<-release
	}))
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(release) })
	inEachVersion(t, "session", func(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
		stopped, stop := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			_, err := session.CallTool(stopped, &mcp.CallToolParams{Name: "web_fetch", Arguments: map[string]any{"url": site.URL}})
			ended <- err
		}()
		<-came
		stop()
		if err := <-ended; err == nil {
			t.Error("a cancelled call ended well")
		}
		if _, err := session.ListTools(ctx, nil); err != nil {
			t.Error(err)
		}
	})
}
