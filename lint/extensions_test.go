package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestExtensionExamples sees that bad examples break their rule and good ones
// keep it, and all others of the extensions but those about what one omits.
func TestExtensionExamples(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range Rules() {
		if ids[r.ID] {
			t.Errorf("%s is the ID of two rules", r.ID)
		}
		ids[r.ID] = true
		if r.check == nil {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			bad, good := findings(t, r.Bad), findings(t, r.Good)
			if bad[r.ID] == 0 {
				t.Errorf("the bad example breaks %v", bad)
			}
			if len(good) > 0 {
				t.Errorf("the good example breaks %v", good)
			}
			for id := range bad {
				if id != r.ID {
					t.Logf("the bad example breaks %s as well", id)
				}
			}
		})
	}
}

func findings(t *testing.T, example string) map[string]int {
	t.Helper()
	name, text := "sitemap.xml", expand(example)
	if head, rest, ok := strings.Cut(text, " --\n"); ok && strings.HasPrefix(head, "-- /") {
		name, text = head[4:], rest
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for f, err := range New(Options{Engines: AllEngines}).Check(t.Context(), path) {
		if err != nil {
			t.Fatal(err)
		}
		found[f.Rule.ID]++
	}
	return found
}

var (
	days    = regexp.MustCompile(`\{\{today ?(-?[0-9]*)\}\}`)
	repeats = regexp.MustCompile(`(?s)\{\{repeat ([0-9]+) "(.*?)"\}\}`)
)

func expand(example string) string {
	example = days.ReplaceAllStringFunc(example, func(s string) string {
		n, _ := strconv.Atoi(days.FindStringSubmatch(s)[1])
		return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly)
	})
	return repeats.ReplaceAllStringFunc(example, func(s string) string {
		m := repeats.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1])
		return strings.Repeat(m[2], n)
	})
}
