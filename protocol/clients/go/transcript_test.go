package blitzweb

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Plays protocol/transcripts to the real daemon, as their README says.

const (
	recorded    = "127.0.0.1:8765" // where the demo site was when they were recorded
	messageTime = 15 * time.Second // for one message
)

// entry is a line of a transcript; one without From only comments.
type entry struct {
	From    string
	Message any
	Line    *string
	Exit    *int
	Expect  map[string]string
	number  int
}

func TestTheDaemonAnswersAsRecorded(t *testing.T) {
	address := demoSite(t)
	paths, err := filepath.Glob(filepath.Join(repository(t), "protocol", "transcripts", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no transcripts", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			entries := readTranscript(t, path, address)
			state := filepath.Join(t.TempDir(), "state")
			link, err := startLink(realDaemon(t, state), repository(t), withoutProxies(), nil)
			if err != nil {
				t.Fatal(err)
			}
			r := &replay{t: t, link: link, lines: make(chan any), state: state, ids: map[string]any{}}
			go r.read()
			defer link.close()
			r.run(entries)
		})
	}
}

// realDaemon returns the command of a daemon that knows nothing of this person.
func realDaemon(t *testing.T, state string) []string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return pythonModule(t, "blitzweb", "serve", "--config", config, "--state-dir", state)
}

func withoutProxies() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasSuffix(strings.ToLower(name), "_proxy")
	})
}

// demoSite serves the demo site, and returns its address and port.
func demoSite(t *testing.T) string {
	t.Helper()
	command := pythonModule(t, "blitzweb", "demo", "--serve")
	site := exec.Command(command[0], command[1:]...)
	site.Dir = repository(t)
	output, err := site.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := site.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		site.Process.Signal(os.Interrupt)
		site.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal("the demo site does not start: ", err)
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(line, "http://"), "/")
	return address
}

func readTranscript(t *testing.T, path, address string) (entries []entry) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	port := address[strings.LastIndex(address, ":"):]
	text = bytes.ReplaceAll(text, []byte(recorded), []byte(address))
	text = bytes.ReplaceAll(text, []byte("localhost:8765"), []byte("localhost"+port))
	for i, line := range bytes.Split(text, []byte("\n")) {
		one := entry{number: i + 1}
		if len(line) == 0 {
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		if err := decoder.Decode(&one); err != nil {
			t.Fatalf("%s, line %d: %v", path, i+1, err)
		}
		if one.From != "" {
			entries = append(entries, one)
		}
	}
	return entries
}

type replay struct {
	t         *testing.T
	link      *link
	lines     chan any
	state     string
	unmatched []any
	ids       map[string]any // of the daemon's requests: in the transcript → in this run
}

func (r *replay) read() {
	defer close(r.lines)
	r.link.readLines(func(line []byte) error {
		var message any
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.UseNumber()
		err := decoder.Decode(&message)
		r.lines <- message
		return err
	})
}

func (r *replay) run(entries []entry) {
	var exit *int
	for len(entries) > 0 && !r.t.Failed() {
		group := entries[:groupLength(entries)]
		entries = entries[len(group):]
		if group[0].From == "host" {
			r.send(group[0])
			continue
		}
		if last := group[len(group)-1]; last.Exit != nil {
			exit, group = last.Exit, group[:len(group)-1]
		}
		r.collect(group)
		r.compare(group)
	}
	r.link.endInput()
	for message := range r.lines {
		r.unmatched = append(r.unmatched, message)
	}
	for _, message := range r.unmatched {
		if key := keyOf(message); key != "method $/progress" && key != "method log/message" {
			r.t.Errorf("the daemon also sent %v", message)
		}
	}
	<-r.link.ended
	if code := r.link.exit().ExitCode(); exit != nil && code != *exit {
		r.t.Errorf("the daemon ended with %d, not %d", code, *exit)
	}
}

// groupLength counts what the daemon says between two lines of the host; a line of the host stands alone.
func groupLength(entries []entry) int {
	length := 1
	for entries[0].From == "daemon" && length < len(entries) && entries[length].From == "daemon" {
		length++
	}
	return length
}

func (r *replay) send(one entry) {
	var line []byte
	if one.Line != nil {
		line = []byte(*one.Line)
	} else {
		line, _ = json.Marshal(r.fitted(one.Message))
	}
	select {
	case r.link.outgoing <- line:
	case <-r.link.ended:
	}
}

// fitted exchanges what belongs to the recorded run: the ids of answers, the host's process, its state.
func (r *replay) fitted(value any) any {
	message, ok := value.(map[string]any)
	if !ok {
		return value
	}
	if present, known := r.ids[fmt.Sprint(message["id"])]; known && message["method"] == nil {
		message["id"] = present
	}
	params, _ := message["params"].(map[string]any)
	if message["method"] == MethodInitialize && params != nil {
		if host, _ := params["host"].(map[string]any); host != nil && host["pid"] != nil {
			host["pid"] = os.Getpid()
		}
		if params["state_dir"] != nil {
			params["state_dir"] = r.state
		}
	}
	return message
}

// collect waits until there is a message for each entry.
func (r *replay) collect(group []entry) {
	wanted := map[string]int{}
	for _, one := range group {
		key := keyOf(one.Message)
		wanted[key]++
		for r.count(key) < wanted[key] {
			select {
			case message, more := <-r.lines:
				if !more {
					r.t.Fatalf("line %d: the daemon ended; wanted %s: %v", one.number, key, r.link.log())
				}
				r.unmatched = append(r.unmatched, message)
			case <-time.After(messageTime):
				r.t.Fatalf("line %d: nothing came; wanted %s", one.number, key)
			}
		}
	}
}

func (r *replay) count(key string) (count int) {
	for _, message := range r.unmatched {
		if keyOf(message) == key {
			count++
		}
	}
	return count
}

// compare pairs entries with messages, first those that fit exactly, and reports what differs in the others.
func (r *replay) compare(group []entry) {
	for _, exactly := range []bool{true, false} {
		group = slices.DeleteFunc(slices.Clone(group), func(one entry) bool { return r.pair(one, exactly) })
	}
}

func (r *replay) pair(one entry, exactly bool) bool {
	for i, message := range r.unmatched {
		if keyOf(message) != keyOf(one.Message) {
			continue
		}
		found := differences(comparable(one.Message), comparable(message), one.Expect, "")
		if len(found) > 0 && exactly {
			continue
		}
		for _, difference := range found {
			r.t.Errorf("line %d: %s", one.number, difference)
		}
		r.unmatched = slices.Delete(r.unmatched, i, i+1)
		if asked, _ := one.Message.(map[string]any); asked["method"] != nil && asked["id"] != nil {
			r.ids[fmt.Sprint(asked["id"])] = message.(map[string]any)["id"]
		}
		return true
	}
	return false
}

// keyOf tells messages apart before they are compared.
func keyOf(value any) string {
	switch message := value.(type) {
	case map[string]any:
		if message["method"] != nil {
			return fmt.Sprint("method ", message["method"])
		}
		return fmt.Sprintf("answer %T %v", message["id"], message["id"])
	case []any:
		keys := make([]string, len(message))
		for i, part := range message {
			keys[i] = keyOf(part)
		}
		slices.Sort(keys)
		return "batch " + strings.Join(keys, ", ")
	}
	return "value"
}

// comparable sorts a batch, whose answers may come in any order, and leaves out the ids that the daemon makes up.
func comparable(value any) any {
	if batch, ok := value.([]any); ok {
		byKey := func(a, b any) int { return strings.Compare(keyOf(a), keyOf(b)) }
		return slices.SortedStableFunc(slices.Values(batch), byKey)
	}
	message, ok := value.(map[string]any)
	if !ok || message["method"] == nil {
		return value
	}
	left := without(message, "id")
	if params, ok := left["params"].(map[string]any); ok {
		left["params"] = without(params, "id")
	}
	return left
}

func without(object map[string]any, name string) map[string]any {
	left := map[string]any{}
	for member, value := range object {
		if member != name {
			left[member] = value
		}
	}
	return left
}
