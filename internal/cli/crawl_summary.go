package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
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

	Reasons    map[crawl.Reason]int64 `json:"reasons"`
	Traps      map[string]int         `json:"traps,omitempty"`
	Anchors    int                    `json:"broken_anchors"`
	Limit      crawl.Limit            `json:"limit,omitempty"`
	Unanswered int                    `json:"unanswered,omitempty"`
	Sitemap    string                 `json:"sitemap"`
	Files      []string               `json:"files"`
	Report     string                 `json:"report,omitempty"`
	Refused    string                 `json:"refused,omitempty"`

	cut     string // what cut the crawl off; mostly empty
	results results
}

func newSummary(p crawl.Progress, r results, cut error) *summary {
	reasons := maps.Clone(r.Reasons)
	delete(reasons, crawl.ReasonListed)
	if p.SessionLinks > 0 {
		r.Traps["links with a session identifier, taken for one page each"] += p.SessionLinks
	}
	if p.OverLinkLimit > 0 {
		r.Traps[crawl.TrapLinks.Detail()] += p.OverLinkLimit
	}
	s := &summary{
		Pages: p.Pages, Listed: r.Published.Pages, Broken: r.Dead, Redirects: p.Redirects, Blocked: p.Blocked,
		Requests: p.Requests, Bytes: p.Bytes, Seconds: p.Elapsed.Round(time.Millisecond).Seconds(),
		Reasons: reasons, Traps: r.Traps, Anchors: r.Anchors, Limit: p.Limit, Unanswered: p.Unanswered, Sitemap: r.sitemap(), Files: r.Files, Report: r.Report, results: r,
	}
	if cut != nil {
		s.cut = cutWords(cut, &p)
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

// unmentioned are the reasons that a summary need not give: good pages, and what
// is no part of the site.
var unmentioned = []crawl.Reason{crawl.ReasonListed, crawl.ReasonAdded, crawl.ReasonOutOfScope, report.Waiting}

func (s *summary) writeText(w io.Writer, folder string, options crawl.Options) error {
	var t strings.Builder
	r := s.results
	if s.Refused != "" {
		fmt.Fprintf(&t, "%s fetched in %.1f s, %s for the sitemap, which is left as it was\n", format.Plural(s.Pages, "page"), s.Seconds, format.Plural(s.Listed, "page"))
	} else {
		fmt.Fprintf(&t, "%s fetched in %.1f s, %s in the sitemap:\n  %s\n", format.Plural(s.Pages, "page"), s.Seconds, format.Plural(s.Listed, "page"), strings.Join(s.Files, "\n  "))
	}
	if s.Broken > 0 {
		fmt.Fprintf(&t, "\n%s, with every page that links there in %s/broken.csv:\n", format.Plural(s.Broken, "broken address"), folder)
		for _, b := range r.Broken {
			fmt.Fprintf(&t, "  %s (%s)\n    on %s\n", printable(b.URL), printable(b.Why), printable(b.Page))
		}
		if more := s.Broken - len(r.Broken); more > 0 {
			fmt.Fprintf(&t, "  and %d more\n", more)
		}
	}
	if s.Anchors > 0 {
		fmt.Fprintf(&t, "\n%s to a place of a page that is not there, also in %s/broken.csv\n", format.Plural(s.Anchors, "link"), folder)
	}
	first := true
	for _, e := range report.Explanations {
		if n := s.Reasons[e.Reason]; n > 0 && !slices.Contains(unmentioned, e.Reason) {
			if first {
				t.WriteString("\nNot in the sitemap:\n")
				first = false
			}
			fmt.Fprintf(&t, "  %7d %s\n", n, e.Brief)
		}
	}
	for _, trap := range slices.Sorted(maps.Keys(s.Traps)) {
		fmt.Fprintf(&t, "          %s: %d\n", trap, s.Traps[trap])
	}
	if r.Left > 0 {
		fmt.Fprintf(&t, "  %7d with an address that no sitemap may hold\n", r.Left)
	}
	if r.Dropped > 0 {
		fmt.Fprintf(&t, "\n%s of images, videos, news or languages left out, since the sitemap may not hold them\n", format.Plural(r.Dropped, "mention"))
	}
	if options.IgnoreRobots {
		t.WriteString("\nrobots.txt was ignored, as asked.\n")
	}
	if s.Limit != "" {
		fmt.Fprintf(&t, "\nThe crawl ended at --%s.\n", s.Limit)
	}
	if s.cut != "" {
		fmt.Fprintf(&t, "\nThe crawl was cut off: %s.\n", s.cut)
	}
	fmt.Fprintf(&t, "\nAll of it to look at, and why each page is or is not in the sitemap:\n  %s\n", cmp.Or(r.Report, "mapa report "+folder+" --format html -o "+reportName))
	if s.Pages == 1 && s.Limit == "" && s.cut == "" {
		t.WriteString("\n" + onlyHome(s) + "\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// onlyHome says why nothing but the home page was found.
func onlyHome(s *summary) string {
	switch {
	case s.Reasons[crawl.ReasonRobots] > 0:
		return "Only the first page was found: robots.txt forbids the others."
	case s.Reasons[crawl.ReasonNofollow] > 0:
		return "Only the first page was found: its links say nofollow."
	case s.Reasons[crawl.ReasonExcluded] > 0:
		return "Only the first page was found: the patterns leave out the others."
	case s.Reasons[crawl.ReasonCanonical] > 0:
		return "Only the first page was found: it names a page of another site as the canonical one."
	case s.Reasons[crawl.ReasonOutOfScope] > 0:
		return "Only the first page was found: all of its links lead to other sites. --subdomains takes in the hosts below this one."
	}
	return "Only the first page was found: it has no links. Pages that are made by scripts alone cannot be seen without a browser."
}
