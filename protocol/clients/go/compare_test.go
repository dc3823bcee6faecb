package blitzweb

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Compares what a daemon said with what a transcript has; protocol/transcripts/README.md says what counts as the same.

// Members that differ from run to run, and need only be of the same type.
var volatile = []string{
	"pid", "version", "time", "added", "log_id",
	"uptime_s", "idle_s", "memory_bytes", "threads", "unread_bytes", "dropped",
}

// Texts for people; a program goes by code and reason.
var texts = []string{"error.message", "error.data.advice", "error.data.phase"}

var volatileText = regexp.MustCompile(`\b[0-9a-f]{32}\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`)

func differences(wanted, given any, expect map[string]string, path string) []string {
	rule := ruleFor(path, expect)
	switch {
	case rule == "any":
		return nil
	case kindOf(wanted) != kindOf(given):
		return []string{fmt.Sprintf("%s is %v, not %v", path, given, wanted)}
	case rule == "type" || isVolatile(path):
		return nil
	}
	switch wanted := wanted.(type) {
	case map[string]any:
		return inObjects(wanted, given.(map[string]any), expect, path, rule)
	case []any:
		return inLists(wanted, given.([]any), expect, path, rule)
	}
	if !same(wanted, given, rule) {
		return []string{fmt.Sprintf("%s is %v, not %v", path, given, wanted)}
	}
	return nil
}

func inObjects(wanted, given map[string]any, expect map[string]string, path, rule string) (found []string) {
	for name, value := range wanted {
		place := strings.TrimPrefix(path+"."+name, ".")
		if other, there := given[name]; there {
			found = append(found, differences(value, other, inherited(expect, place, rule), place)...)
		} else if ruleFor(place, expect) != "any" {
			found = append(found, fmt.Sprintf("%s is missing; it was %v", place, value))
		}
	}
	for name, value := range given {
		if _, there := wanted[name]; !there && rule != "contains" {
			found = append(found, fmt.Sprintf("%s.%s is new: %v", path, name, value))
		}
	}
	return found
}

func inLists(wanted, given []any, expect map[string]string, path, rule string) (found []string) {
	if rule == "contains" {
		for _, item := range wanted {
			holds := func(other any) bool { return len(differences(item, other, map[string]string{"": rule}, "")) == 0 }
			if !slices.ContainsFunc(given, holds) {
				found = append(found, fmt.Sprintf("%s does not hold %v", path, item))
			}
		}
		return found
	}
	if len(wanted) != len(given) {
		return []string{fmt.Sprintf("%s has %d items, not %d", path, len(given), len(wanted))}
	}
	for i := range wanted {
		found = append(found, differences(wanted[i], given[i], expect, fmt.Sprintf("%s.%d", path, i))...)
	}
	return found
}

// inherited lets `contains` hold for what is inside too, where nothing else is said.
func inherited(expect map[string]string, place, rule string) map[string]string {
	if _, said := expect[place]; said || rule != "contains" {
		return expect
	}
	wider := map[string]string{place: rule}
	for other, rule := range expect {
		wider[other] = rule
	}
	return wider
}

func ruleFor(path string, expect map[string]string) string {
	if rule, said := expect[path]; said {
		return rule
	}
	for place, rule := range expect {
		if strings.Contains(place, "*") && covers(strings.Split(place, "."), strings.Split(path, ".")) {
			return rule
		}
	}
	return ""
}

func covers(parts, names []string) bool {
	for i := range parts {
		if len(parts) != len(names) || parts[i] != "*" && parts[i] != names[i] {
			return false
		}
	}
	return true
}

func isVolatile(path string) bool {
	last := path[strings.LastIndex(path, ".")+1:]
	ends := func(text string) bool { return strings.HasSuffix(path, text) }
	return slices.Contains(volatile, last) || slices.ContainsFunc(texts, ends)
}

func same(wanted, given any, rule string) bool {
	if text, ok := wanted.(string); ok {
		text = volatileText.ReplaceAllString(text, "(volatile)")
		other := volatileText.ReplaceAllString(given.(string), "(volatile)")
		return text == other || rule == "contains" && strings.Contains(other, text)
	}
	if number, ok := wanted.(json.Number); ok {
		a, _ := number.Float64()
		b, _ := given.(json.Number).Float64()
		return a == b
	}
	return wanted == given
}

func kindOf(value any) string { return fmt.Sprintf("%T", value) }

func TestTheComparisonSeesWhatIsDifferent(t *testing.T) {
	decode := func(text string) (value any) {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	for _, row := range []struct {
		wanted, given string
		expect        map[string]string
		count         int
	}{
		{`{"a": 1}`, `{"a": 1.0}`, nil, 0},
		{`{"a": 1}`, `{"a": "1"}`, nil, 1},
		{`{"a": 1}`, `{"a": 1, "b": 2}`, nil, 1},
		{`{"a": 1}`, `{}`, nil, 1},
		{`{"a": 1}`, `{}`, map[string]string{"a": "any"}, 0},
		{`{"pid": 1}`, `{"pid": 2}`, nil, 0},
		{`{"pid": 1}`, `{"pid": "2"}`, nil, 1},
		{`{"error": {"message": "a"}}`, `{"error": {"message": "b"}}`, nil, 0},
		{`{"a": {"b": [1]}}`, `{"a": {"b": [2, 1], "c": 3}}`, map[string]string{"a": "contains"}, 0},
		{`{"a": {"b": [4]}}`, `{"a": {"b": [2, 1], "c": 3}}`, map[string]string{"a": "contains"}, 1},
		{`{"a": [{"b": 1}]}`, `{"a": [{"b": 2}]}`, map[string]string{"a.*.b": "type"}, 0},
		{`{"a": "at 2026-01-02T03:04:05Z"}`, `{"a": "at 2027-01-02T03:04:05.5Z"}`, nil, 0},
		{`[1, 2]`, `[1]`, nil, 1},
	} {
		found := differences(decode(row.wanted), decode(row.given), row.expect, "")
		if len(found) != row.count {
			t.Errorf("%s and %s: %q", row.wanted, row.given, found)
		}
	}
}
