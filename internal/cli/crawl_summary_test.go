package cli

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestOnlyHome says why one page is all there is, and nothing of it where the
// crawl was not to go on.
func TestOnlyHome(t *testing.T) {
	type reasons = map[crawl.Reason]int64
	for name, test := range map[string]struct {
		summary summary
		want    string
	}{
		"no links":     {summary{}, "it has no links"},
		"other sites":  {summary{Reasons: reasons{crawl.ReasonOutOfScope: 2}}, "lead to other sites"},
		"robots.txt":   {summary{Reasons: reasons{crawl.ReasonOutOfScope: 2, crawl.ReasonRobots: 5}}, "robots.txt forbids"},
		"nofollow":     {summary{Reasons: reasons{crawl.ReasonOutOfScope: 2, crawl.ReasonNofollow: 5}}, "say nofollow"},
		"canonical":    {summary{Reasons: reasons{crawl.ReasonOutOfScope: 1, crawl.ReasonCanonical: 1}}, "the canonical one"},
		"a limit":      {summary{Limit: crawl.LimitBytes, Reasons: reasons{crawl.ReasonOutOfScope: 2}}, ""},
		"interruption": {summary{cut: "interrupted"}, ""},
	} {
		test.summary.Pages = 1
		var text strings.Builder
		if err := test.summary.writeText(&text, "site", crawl.Options{}); err != nil {
			t.Fatal(err)
		}
		_, why, told := strings.Cut(text.String(), "Only the first page was found: ")
		if told != (test.want != "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: %q, want %q", name, text.String(), test.want)
		}
	}
}
