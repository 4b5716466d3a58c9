package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// A summary is what a crawl found, for programs by its JSON.
type summary struct {
	Pages     int     `json:"pages"`
	Listed    int     `json:"listed"`
	Broken    int     `json:"broken"`
	Redirects int     `json:"redirects"`
	Blocked   int     `json:"blocked"`
	Requests  int     `json:"requests"`
	Bytes     int64   `json:"bytes"`
	Seconds   float64 `json:"seconds"`

	Reasons map[crawl.Reason]int64 `json:"reasons"`
	Traps   map[string]int         `json:"traps,omitempty"`
	Anchors int                    `json:"broken_anchors"`
	Limit   string                 `json:"limit,omitempty"`
	Sitemap string                 `json:"sitemap"`
	Files   []string               `json:"files"`
	Refused string                 `json:"refused,omitempty"`

	results results
}

func newSummary(p crawl.Progress, r results) *summary {
	reasons := maps.Clone(r.Reasons)
	delete(reasons, crawl.Listed)
	if p.Sessions > 0 {
		r.Traps["links with a session identifier, taken for one page each"] += p.Sessions
	}
	s := &summary{
		Pages: p.Pages, Listed: r.Published.Pages, Broken: r.Dead, Redirects: p.Redirects, Blocked: p.Blocked,
		Requests: p.Requests, Bytes: p.Bytes, Seconds: p.Elapsed.Round(time.Millisecond).Seconds(),
		Reasons: reasons, Traps: r.Traps, Anchors: r.Anchors, Limit: p.Limit, Sitemap: r.sitemap(), Files: r.Files, results: r,
	}
	if r.Refused != nil {
		s.Refused = r.Refused.Error()
	}
	return s
}

func (s *summary) writeJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(s)
}

// reasonTexts say to people why addresses are not in the sitemap.
var reasonTexts = []struct {
	reason crawl.Reason
	text   string
}{
	{crawl.Redirect, "lead on to another address"},
	{crawl.RedirectLoop, "redirect to themselves"},
	{crawl.Canonical, "name another page as the canonical one"},
	{crawl.Duplicate, "are another page at one more address, byte for byte"},
	{crawl.Variant, "are another page but for parameters of the address"},
	{crawl.NoIndex, "ask search engines not to list them (noindex)"},
	{crawl.Robots, "are closed to crawlers by robots.txt"},
	{crawl.ClientError, "do not exist (4xx)"},
	{crawl.ServerError, "fail on the server (5xx)"},
	{crawl.Unreachable, "do not answer"},
	{crawl.Inconclusive, "refuse a crawler, perhaps not people (401, 403, 429)"},
	{crawl.NotAPage, "are no pages"},
	{crawl.NofollowOnly, "are linked with nofollow only"},
	{crawl.Excluded, "are left out by a pattern"},
	{crawl.Unlisted, "match --no-list"},
	{crawl.SoftNotFound, "show the site's page for missing pages with status 200"},
	{crawl.Truncated, "are too large to be read whole"},
	{crawl.Limit, "lie beyond a limit"},
	{crawl.Trap, "are endless parts of the site"},
}

func (s *summary) writeText(w io.Writer, folder string, options crawl.Options) error {
	var t strings.Builder
	r := s.results
	if s.Refused != "" {
		fmt.Fprintf(&t, "%s fetched in %.1f s, %s for the sitemap, which is left as it was\n", plural(s.Pages, "page"), s.Seconds, plural(s.Listed, "page"))
	} else {
		fmt.Fprintf(&t, "%s fetched in %.1f s, %s in the sitemap:\n  %s\n", plural(s.Pages, "page"), s.Seconds, plural(s.Listed, "page"), strings.Join(s.Files, "\n  "))
	}
	if s.Broken > 0 {
		fmt.Fprintf(&t, "\n%s, with every page that links there in %s/broken.csv:\n", plural(s.Broken, "broken address"), folder)
		for _, b := range r.Broken {
			fmt.Fprintf(&t, "  %s (%s)\n    on %s\n", printable(b.URL), printable(b.Why), printable(b.Page))
		}
		if more := s.Broken - len(r.Broken); more > 0 {
			fmt.Fprintf(&t, "  and %d more\n", more)
		}
	}
	if s.Anchors > 0 {
		fmt.Fprintf(&t, "\n%s to a place of a page that is not there, also in %s/broken.csv\n", plural(s.Anchors, "link"), folder)
	}
	first := true
	for _, line := range reasonTexts {
		if n := s.Reasons[line.reason]; n > 0 {
			if first {
				t.WriteString("\nNot in the sitemap:\n")
				first = false
			}
			fmt.Fprintf(&t, "  %7d %s\n", n, line.text)
		}
	}
	for _, trap := range slices.Sorted(maps.Keys(s.Traps)) {
		fmt.Fprintf(&t, "          %s: %d\n", trap, s.Traps[trap])
	}
	if r.Left > 0 {
		fmt.Fprintf(&t, "  %7d have an address that no sitemap may hold\n", r.Left)
	}
	if r.Dropped > 0 {
		fmt.Fprintf(&t, "\n%s of images, videos, news or languages left out, since the sitemap may not hold them\n", plural(r.Dropped, "mention"))
	}
	if options.IgnoreRobots {
		t.WriteString("\nrobots.txt was ignored, as asked.\n")
	}
	if s.Limit != "" {
		fmt.Fprintf(&t, "\nThe crawl ended at --%s.\n", s.Limit)
	}
	if s.Pages == 1 {
		t.WriteString("\n" + onlyHome(s) + "\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// onlyHome says why nothing but the home page was found.
func onlyHome(s *summary) string {
	switch {
	case s.Reasons[crawl.OutOfScope] > 0:
		return "Only the first page was found: all of its links lead to other sites. --subdomains takes in the hosts below this one."
	case s.Reasons[crawl.Robots] > 0:
		return "Only the first page was found: robots.txt forbids the others."
	case s.Reasons[crawl.NofollowOnly] > 0:
		return "Only the first page was found: its links say nofollow."
	case s.Reasons[crawl.Excluded] > 0:
		return "Only the first page was found: the patterns leave out the others."
	}
	return "Only the first page was found: it has no links. Pages that are made by scripts alone cannot be seen without a browser."
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
