package lint

import (
	"net/url"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// A childEntry is a sitemap as an index lists it.
type childEntry struct {
	loc          string
	lastMod      sitemap.Date
	offset       int64
	line, column int
}

// mostChildren bounds in bytes what a run remembers of the entries of indexes; the
// rest is judged by itself only.
const (
	mostChildren = 64 << 20
	childSize    = 128 // beside the address
)

// child remembers the sitemap at hand.
func (c *fileCheck) child(v *visit) {
	if c.set.children.Add(childSize+int64(len(v.entry.Loc))) > mostChildren {
		return
	}
	e := childEntry{loc: string(v.entry.Loc)}
	e.lastMod, _ = v.entry.Date() // the rules about dates report what is wrong with it
	e.offset, e.line, e.column = v.entry.Source().Find("loc", 0)
	c.kept.children = append(c.kept.children, e)
}

// A family knows all files of a run by their location.
type family struct {
	run   *run
	files map[string]*setFile
}

func newFamily(r *run) *family {
	f := &family{run: r, files: map[string]*setFile{}}
	for _, file := range r.set.files {
		f.files[file.location] = file
	}
	return f
}

// of finds the file that an entry of an index leads to, which on disk lies beside
// the index or below; nil where it was not opened.
func (f *family) of(index *setFile, loc string) *setFile {
	if file := f.files[loc]; file != nil {
		return file
	}
	for _, path := range source.PartPaths(index.location, loc) {
		if file := f.files[path]; file != nil {
			return file
		}
	}
	return nil
}

// isAncestor reports whether a file lies on the way from the source to an index.
func (f *family) isAncestor(ancestor, index *setFile) bool {
	for range len(f.files) {
		index = f.files[index.index]
		if index == nil {
			return false
		}
		if index == ancestor {
			return true
		}
	}
	return false
}

// finishIndexes applies the rules about indexes and what they lead to.
func (r *run) finishIndexes(deliver func(Finding) bool) bool {
	f := newFamily(r)
	for _, index := range r.set.files {
		t := &teller{run: r, file: index, counts: map[*Rule]int{}, deliver: deliver}
		seen := map[string]int{}
		for i := range index.children {
			child := &index.children[i]
			f.judge(t, child, seen)
			seen[child.loc] = child.line
		}
		f.judgeDates(t)
		if !t.finish() {
			return false
		}
	}
	return r.judgeWhole(deliver)
}

// judge compares an entry with the file that it leads to.
func (f *family) judge(t *teller, child *childEntry, seen map[string]int) {
	index, file := t.file, f.of(t.file, child.loc)
	if line, twice := seen[child.loc]; twice {
		t.report(childDuplicate, child, "the same sitemap is already on line "+grouped(line))
		return
	}
	f.judgePlace(t, child)
	switch {
	case file == nil:
	case file == index:
		t.report(selfReference, child, "the index lists itself")
	case f.isAncestor(file, index):
		t.report(indexCycle, child, "the listed index lists this index")
	case file.failed != nil && (file.failed == htmlInstead || file.failed == softNotFound || file.failed == rootUnknown || file.failed == emptyBody):
		t.report(childNotSitemap, child, file.failed.Title)
	case file.failed != nil && !file.read:
		t.report(childUnreachable, child, file.failed.Title)
	case file.address == index.address && file.address != "":
		t.report(childRedirects, child, "it redirects to the index itself")
	case file.format == sitemap.FormatIndex:
		t.report(nestedIndex, child, "it is a sitemap index, not a sitemap")
	case isOlder(child.lastMod, file.newest):
		t.report(indexLastModOlder, child, "a page in the sitemap changed on "+file.newest.Format("2006-01-02"))
	}
}

// isOlder compares by days, since indexes often name the day only.
func isOlder(lastMod sitemap.Date, newest time.Time) bool {
	return !lastMod.IsZero() && !newest.IsZero() && lastMod.Time().UTC().Truncate(day).Add(day).Before(newest)
}

const day = 24 * time.Hour

// judgePlace compares the addresses of an index and an entry of it.
func (f *family) judgePlace(t *teller, child *childEntry) {
	origin := t.file.scope.origin
	u, err := url.Parse(child.loc)
	if err != nil || u.Host == "" || origin == nil {
		return
	}
	switch place := t.file.scope; place.departure(u) {
	case otherHost, otherWWW, otherPort:
		if !isVerified(&f.run.options, u) {
			t.report(childOtherSite, child, printable([]byte(u.Host))+" is a different host than "+printable([]byte(origin.Host)))
		}
	case otherPath:
		t.report(childAboveDirectory, child, "it is outside the index's folder "+printable([]byte(folderOf(place.address))))
	}
}

// judgeDates looks at the dates of an index together.
func (f *family) judgeDates(t *teller) {
	if t.file.format != sitemap.FormatIndex {
		return
	}
	dated, now := 0, 0
	for i := range t.file.children {
		if d := t.file.children[i].lastMod; !d.IsZero() {
			dated++
			if age := f.run.options.Now.Sub(d.Time()); age < time.Hour && age > -time.Hour {
				now++
			}
		}
	}
	switch n := len(t.file.children); {
	case n > 0 && dated == 0:
		t.report(indexLastModMissing, nil, "no sitemap in the index has a lastmod")
	case n > 2 && now == n:
		t.report(indexLastModAllNow, nil, "all "+grouped(n)+" sitemaps have a lastmod within one hour of now")
	}
}

// judgeWhole counts what Google and its reports have a limit for.
func (r *run) judgeWhole(deliver func(Finding) bool) bool {
	indexes, pages, first := 0, int64(0), ""
	for _, file := range r.set.files {
		pages += int64(file.pages)
		if file.read && file.format == sitemap.FormatIndex {
			indexes++
		}
		if first == "" {
			first = file.location
		}
	}
	t := &teller{run: r, file: &setFile{location: first}, counts: map[*Rule]int{}, deliver: deliver}
	if indexes > 500 {
		t.report(tooManyIndexes, nil, grouped(indexes)+" sitemap indexes, but Search Console accepts 500 for a site")
	}
	if len(r.set.files) > 1000 {
		t.report(manySitemaps, nil, grouped(len(r.set.files))+" sitemaps, but the Search Console report shows 1,000")
	}
	if indexes > 0 && pages == 0 {
		t.report(setEmpty, nil, "none of the sitemaps lists a page")
	}
	return t.finish()
}

// A teller delivers findings about one file after it was read, and counts them.
type teller struct {
	run     *run
	file    *setFile
	counts  map[*Rule]int
	deliver func(Finding) bool
	ended   bool
}

func (t *teller) report(r *Rule, at *childEntry, message string) {
	severity, applied := t.run.plan.severity[r]
	if !applied || t.ended {
		return
	}
	t.counts[r]++
	if each := t.run.options.MaxPerRule; each > 0 && t.counts[r] > each {
		return
	}
	f := Finding{Rule: r, Severity: severity, File: t.file.location, Message: message}
	if at != nil {
		f.Line, f.Column, f.Offset = at.line, at.column, at.offset
		f.Element, f.Evidence = "loc", printable([]byte(at.loc))
	}
	t.ended = !t.deliver(f)
}

// finish says what was counted and reports whether more is wanted.
func (t *teller) finish() bool {
	for _, r := range Rules() {
		if more := t.counts[r] - t.run.options.MaxPerRule; t.run.options.MaxPerRule > 0 && more > 0 && !t.ended {
			t.ended = !t.deliver(Finding{Rule: r, Severity: t.run.plan.severity[r], File: t.file.location, Message: moreLikeThis(more), More: more})
		}
	}
	return !t.ended
}
