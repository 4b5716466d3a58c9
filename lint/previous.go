package lint

import (
	"fmt"

	"github.com/mapatools/mapa/source"
)

// mostLoss is how many percent of its pages a source may lose from one run to the
// next: as many as mapa crawl lets go without asking.
const mostLoss = 30

var setShrank = &Rule{
	ID:    "set-shrank",
	Title: "far fewer pages than in the baseline",
	Why: "More than 30 % of the pages that were listed when the baseline was written are gone, so search engines " +
		"no longer learn of them. The usual cause is a generator that failed halfway. This rule needs --baseline.",
	Cure:     "Check which pages are missing, with mapa diff. If the loss is intended, write a new baseline: --baseline FILE --write-baseline.",
	Severity: SeverityWarning,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      urlset("<!-- the last time there were ten pages -->\n" + `{{repeat 6 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     urlset("<!-- the last time there were ten pages -->\n" + `{{repeat 7 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
}

// withoutFolders returns the files that folders among the sources stand for, and
// of which source each is.
func withoutFolders(sources []string) (files []string, of map[string]string, err error) {
	of = map[string]string{}
	for _, s := range sources {
		found, err := source.ExpandFolders([]string{s})
		if err != nil {
			return nil, nil, err
		}
		for _, file := range found {
			if _, known := of[file]; !known {
				of[file] = s
			}
		}
		files = append(files, found...)
	}
	return files, of, nil
}

// A tally is what a source lists.
type tally struct {
	source string
	first  *setFile
	pages  int
	whole  bool // every file was read to its end
}

// tallies counts the pages of every source that led to a file.
func (r *run) tallies(of map[string]string) (all []*tally) {
	known := map[string]*tally{}
	for _, file := range r.set.files {
		s := of[file.source]
		t := known[s]
		if t == nil {
			t = &tally{source: s, first: file, whole: true}
			known[s] = t
			all = append(all, t)
		}
		t.pages += file.pages
		t.whole = t.whole && file.read && file.failed == nil
	}
	return all
}

// comparePrevious tells the caller how many pages each source lists, and what is
// much less than the last time. It reports whether more is wanted.
func (r *run) comparePrevious(of map[string]string, deliver func(Finding) bool) bool {
	for _, now := range r.tallies(of) {
		if !now.whole {
			continue // what is broken has findings of its own
		}
		if r.options.OnCount != nil {
			r.options.OnCount(now.source, now.pages)
		}
		before := r.options.Previous[now.source]
		if lost := before - now.pages; before > 0 && float64(lost)*100 > mostLoss*float64(before) {
			t := &teller{run: r, file: now.first, counts: map[*Rule]int{}, deliver: deliver}
			t.report(setShrank, nil, fmt.Sprintf("pages in %s: %s now, %s in the baseline, a loss of %.0f %%",
				printable([]byte(now.source)), grouped(now.pages), grouped(before), float64(lost)*100/float64(before)))
			if t.ended {
				return false
			}
		}
	}
	return true
}
