package crawl

import (
	"net/http"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// LastModSource says how the date of a page's last change is known. The names are
// stable.
type LastModSource string

// The sources of dates.
const (
	LastModJSONLD      LastModSource = "json-ld"       // dateModified
	LastModMeta        LastModSource = "meta"          // article:modified_time
	LastModMicrodata   LastModSource = "microdata"     // itemprop=dateModified
	LastModTimeElement LastModSource = "time"          // a time element that the page marks as its own date
	LastModHeader      LastModSource = "last-modified" // the header
	LastModContent     LastModSource = "content"       // the main text differs from that of the previous crawl
	LastModGit         LastModSource = "git"           // the last commit that changed the page's file in a folder
	LastModFile        LastModSource = "mtime"         // the time of the page's file in a folder
	// LastModResponseTime means no date: the header gives the time of the response.
	LastModResponseTime LastModSource = "time-of-answer"
)

// LastModSources returns the sources that give a date, the most trusted first.
func LastModSources() []LastModSource {
	return []LastModSource{LastModJSONLD, LastModMeta, LastModMicrodata, LastModTimeElement, LastModHeader, LastModContent}
}

const (
	// clockSlack is how far in the future a date may be: a day begins up to 14 hours
	// before it does in UTC.
	clockSlack = 14 * time.Hour
	// responseSlack is how much older than the response a Last-Modified may be that
	// was made for the response: the clock may advance in between.
	responseSlack = time.Second
)

// firstYear is the year of the first web page. An earlier date is not one of a page.
const firstYear = 1991

// dateFinder finds when pages were last changed. It belongs to one goroutine.
type dateFinder struct {
	sources  []LastModSource                             // to use; nil means all
	modified func(url string) (time.Time, LastModSource) // Local.LastModified
	url      string                                      // of the page
	response responseDate
}

// responseDate is the Date field of a response and its meaning.
type responseDate struct {
	text string
	at   time.Time
}

// maxFresh is how old the date of a page is at least at the time of the answer that counts although nothing else has
// changed: scripts of servers print the date of today.
const maxFresh = 24 * time.Hour

// find sets the date of the last change: the one that the page gives, of its file or its header, or what an earlier
// crawl found. No date is made up. docs/changes.md has the rules. Without an earlier crawl, its page is nil. Where only
// one of the two was rendered, isComparable is false.
func (d *dateFinder) find(page, earlier *Page, isComparable bool, html *extract.Page, header http.Header) {
	given, givenSource := d.given(page, html)
	other, otherSource := d.other(page, header)
	page.Given = given
	if page.LastMod, page.LastModSource = given, givenSource; given.IsZero() {
		page.LastMod, page.LastModSource = other, otherSource
	}
	if earlier == nil {
		return
	}
	var diff content.Difference
	if isComparable {
		diff = differenceOf(page, earlier)
		diff.Moved = hasMoved(given, earlier)
	}
	diff.Dated = !given.IsZero()
	diff.Fresh = diff.Moved && page.Time.Sub(given.Time()) < maxFresh
	diff.Old = d.keptDates(page, earlier, other, otherSource)
	diff.New = datesOf(page)
	switch {
	case diff.Moved:
	case !other.IsZero() && other.Unix() > earlier.Time.Unix():
		diff.New.LastMod, diff.New.Source = other.String(), string(otherSource)
	case d.uses(LastModContent):
		diff.New.LastMod = sitemap.DateOf(page.Time.UTC().Truncate(time.Second)).String()
		diff.New.Source = string(LastModContent)
	}
	updated, dates := diff.Decide(0, false)
	page.setDates(dates)
	if diff.Updated = updated; diff.Moved || diff.Changed() != 0 {
		page.Difference = &diff
	}
}

// keptDates are the dates of a page that has not changed: those of the earlier crawl, unless the user does not want
// their source. A page without one gets that of its file, where it was older than that crawl.
func (d *dateFinder) keptDates(page, earlier *Page, other sitemap.Date, source LastModSource) content.Dates {
	kept := datesOf(earlier)
	switch isOld := other.Unix() <= earlier.Time.Unix(); {
	case !earlier.LastMod.IsZero() && !d.uses(earlier.LastModSource):
		kept = datesOf(page)
	case earlier.LastMod.IsZero() && source != LastModHeader && !other.IsZero() && isOld:
		kept.LastMod, kept.Source = other.String(), string(source)
	}
	return kept
}

// hasMoved reports whether a date that the page gives is another one than in an earlier crawl.
func hasMoved(given sitemap.Date, earlier *Page) bool {
	before := earlier.Given
	if earlier.Content.Version == 0 && earlier.LastModSource.isGiven() {
		before = earlier.LastMod // that crawl did not record it
	}
	isKnown := earlier.Content.Version != 0 || !before.IsZero()
	return isKnown && !given.IsZero() && !SameDate(given, before) && !SameDate(given, earlier.LastMod)
}

// isGiven reports whether a date is one that a page gives as its own.
func (s LastModSource) isGiven() bool {
	switch s {
	case LastModJSONLD, LastModMeta, LastModMicrodata, LastModTimeElement:
		return true
	}
	return false
}

// IsOfFile reports whether a date is that of the file of a page, or of its header.
func (s LastModSource) IsOfFile() bool {
	return s == LastModHeader || s == LastModGit || s == LastModFile
}

// SameDate reports whether two dates of a page say the same: a time and its day do.
func SameDate(a, b sitemap.Date) bool {
	if a.IsZero() || b.IsZero() {
		return a.IsZero() && b.IsZero()
	}
	if a.Precision() > sitemap.PrecisionDay && b.Precision() > sitemap.PrecisionDay {
		return a.Time().Equal(b.Time())
	}
	const layout = "2006-01-02"
	first, second := a.Time(), b.Time()
	return first.Format(layout) == second.Format(layout) || first.UTC().Format(layout) == second.UTC().Format(layout)
}

// datesOf returns the dates of a page.
func datesOf(p *Page) content.Dates {
	return content.Dates{LastMod: p.LastMod.String(), Source: string(p.LastModSource), Given: p.Given.String()}
}

// setDates sets the dates of a page. Their texts are those of dates.
func (p *Page) setDates(dates content.Dates) {
	p.LastMod, _ = sitemap.ParseDate(dates.LastMod)
	p.Given, _ = sitemap.ParseDate(dates.Given)
	p.LastModSource = LastModSource(dates.Source)
}

// uses reports whether the user wants dates from a source.
func (d *dateFinder) uses(source LastModSource) bool {
	return d.sources == nil || slices.Contains(d.sources, source)
}

// given returns the best date that the page gives as its own.
func (d *dateFinder) given(page *Page, html *extract.Page) (sitemap.Date, LastModSource) {
	if html == nil {
		return sitemap.Date{}, ""
	}
	at, source, ok := html.Modified(func(source extract.DateSource, at time.Time) bool {
		return d.uses(LastModSource(source.String())) && isPlausible(at, page.Time)
	})
	if !ok {
		return sitemap.Date{}, ""
	}
	return dateOf(at), LastModSource(source.String())
}

// other returns the date of the file of the page, or of its header.
func (d *dateFinder) other(page *Page, header http.Header) (sitemap.Date, LastModSource) {
	if d.modified != nil {
		if at, source := d.modified(d.url); !at.IsZero() && isPlausible(at, page.Time) && d.uses(source) {
			return sitemap.DateOf(at.UTC()), source
		}
	}
	modified, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil || !isPlausible(modified, page.Time) || !d.uses(LastModHeader) {
		return sitemap.Date{}, ""
	}
	if d.responseTime(header, page.Time).Sub(modified) <= responseSlack {
		return sitemap.Date{}, LastModResponseTime
	}
	return sitemap.DateOf(modified.UTC()), LastModHeader
}

// responseTime is the time of the response by the clock of the site. It parses the
// field only when that changes: many pages arrive in one second.
func (d *dateFinder) responseTime(header http.Header, asked time.Time) time.Time {
	text := header.Get("Date")
	if text == "" {
		return asked
	}
	if text != d.response.text {
		at, err := http.ParseTime(text)
		if err != nil {
			return asked
		}
		d.response = responseDate{text, at}
	}
	return d.response.at
}

func dateOf(at extract.Moment) sitemap.Date {
	if at.Day {
		return sitemap.DayOf(at.Time)
	}
	return sitemap.DateOf(at.Time)
}

// isPlausible reports whether a page can have changed at a time.
func isPlausible(at, now time.Time) bool {
	return at.Year() >= firstYear && at.Before(now.Add(clockSlack))
}
