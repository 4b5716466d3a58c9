package insight

import (
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/lint"
)

// maxPages is how many pages with a link to the same URL have a finding each.
const maxPages = 10_000

// A linkTable counts the links to each URL, by ID.
type linkTable struct {
	linked     []uint32     // other pages that link there by a or area elements, or show it in a frame
	first      []crawl.ID   // one of them
	followed   []bool       // one of the links is not nofollow
	used       []bool       // a link of any kind leads there, also by a redirect where that is broken
	leaves     []bool       // the page has a link to another URL
	depths     []int32      // links from the start
	canonicals []target     // that pages name, other than themselves
	named      []crawl.Edge // canonicals and feeds of the start page
	rooms      map[roomKey]int
	redirects  map[crawl.ID]crawl.Position // of the first link to each redirect
}

type roomKey struct {
	rule string
	to   crawl.ID
}

func (t *linkTable) grow(last crawl.ID) {
	t.linked, t.first = make([]uint32, last+1), make([]crawl.ID, last+1)
	t.followed, t.used, t.leaves = make([]bool, last+1), make([]bool, last+1), make([]bool, last+1)
	t.rooms, t.redirects = map[roomKey]int{}, map[crawl.ID]crawl.Position{}
}

// count counts the links of a page to a URL.
func (t *linkTable) count(l *pageLink) {
	t.used[l.to] = t.used[l.to] || l.count > 0
	if l.anchors+l.frames == 0 || l.from == l.to {
		return
	}
	t.leaves[l.from] = true
	if t.linked[l.to]++; t.first[l.to] == 0 {
		t.first[l.to] = l.from
		if l.traits&(isRedirect|isLoop) != 0 {
			t.redirects[l.to] = l.Position
		}
	}
	t.followed[l.to] = t.followed[l.to] || !l.nofollow
}

// room reports whether another page with a link to a URL has a finding of its own.
func (t *linkTable) room(rule string, to crawl.ID) bool {
	t.rooms[roomKey{rule, to}]++
	return t.rooms[roomKey{rule, to}] <= maxPages
}

// passOn counts the links to a redirect as links to where it leads.
func (t *linkTable) passOn(urls *urlTable) {
	for _, redirect := range urls.targets {
		if !urls.has(redirect.from, isRedirect) || t.linked[redirect.from] == 0 {
			continue
		}
		end, _ := urls.follow(redirect.from)
		if end == 0 || end > urls.last || end == t.first[redirect.from] && t.linked[redirect.from] == 1 {
			continue
		}
		t.linked[end] += t.linked[redirect.from]
		if t.first[end] == 0 {
			t.first[end] = t.first[redirect.from]
		}
		t.followed[end] = t.followed[end] || t.followed[redirect.from]
	}
}

// judgeLinked applies the rules about the links to and from each page.
func (j *judge) judgeLinked() error {
	j.totals.linkedRedirects = j.linkedRedirects()
	j.counts.passOn(&j.urls)
	inlinks := j.inlinkCheck()
	deadEnd, deep := j.rules.rule("dead-end"), j.rules.rule("deep-page")
	for id := crawl.ID(1); id <= j.urls.last; id++ {
		j.judgeUnlinked(id)
		if !j.urls.has(id, isListed|isDocument) {
			continue
		}
		if deadEnd != nil && !j.counts.leaves[id] {
			j.report(deadEnd, deadEnd.Severity, id, 0, 1)
		}
		if j.urls.has(id, isStart) {
			continue
		}
		inlinks(id)
		if depth := int(j.counts.depths[id]); deep != nil && depth != page.Unreached {
			if severity, limit := deep.beyond(depth); severity != lint.SeverityOff {
				j.report(deep, severity, id, 0, 1, depth, limit)
			}
		}
	}
	return j.failed
}

// judgeUnlinked reports a URL that fails, unless it is a broken link and counts as that: one of the site for
// which the server fails, or one that only a sitemap, a list or a log names.
func (j *judge) judgeUnlinked(id crawl.ID) {
	moved := j.rules.rule("redirect-internal")
	if _, arguments := j.urls.moved[id].Split(); moved != nil && len(arguments) == 2 && !j.counts.used[id] {
		j.emitFinding(moved, &Finding{Severity: moved.Severity, Page: id, Count: 1,
			Message: messageListedMoved, Arguments: Arguments{arguments[1]}})
	}
	if !j.urls.has(id, isBroken) {
		return
	}
	broken, failing := j.rules.rule(ruleBroken), j.rules.rule("server-error")
	why, level := j.urls.failures[id], j.urls.levels[id]
	switch {
	case broken != nil && j.counts.used[id]:
	case failing != nil && j.urls.has(id, isFailing):
		j.report(failing.at(level), failing.Severity, id, 0, 1, why)
	case broken != nil && j.urls.has(id, isSeeded):
		j.emitFinding(broken.at(level), &Finding{Severity: broken.Escalated, Page: id, Count: 1,
			Message: messageUnlinked, Arguments: Arguments{why}})
	}
}

// inlinkCheck returns the check of the links that lead to a page.
func (j *judge) inlinkCheck() func(crawl.ID) {
	orphan, single, nofollow := j.rules.rule("orphan"), j.rules.rule("single-inlink"), j.rules.rule("nofollow-only")
	return func(id crawl.ID) {
		linked := j.counts.linked[id]
		switch {
		case linked == 0 && orphan != nil:
			j.report(orphan, orphan.Severity, id, 0, 1)
		case linked > 0 && !j.counts.followed[id] && nofollow != nil:
			j.report(nofollow, nofollow.Severity, id, 0, 1)
		}
		if linked == 1 && single != nil {
			j.report(single, single.Severity, id, j.counts.first[id], 1)
		}
	}
}

// linkedRedirects counts the redirects that pages link to.
func (j *judge) linkedRedirects() (n int) {
	for _, redirect := range j.urls.targets {
		if j.urls.has(redirect.from, isRedirect) && j.counts.linked[redirect.from] > 0 {
			n++
		}
	}
	return n
}
