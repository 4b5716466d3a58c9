package crawl

import (
	"net/http"
	"slices"
	"time"

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
	// LastModRefuted means no date: the page now gives one that is later than the
	// previous crawl, which found the same content.
	LastModRefuted LastModSource = "refuted"
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

// find sets the date of the last change: from the page, from its header, or from what
// an earlier crawl saw. No date is made up. If the content has not changed since the
// earlier crawl, the earlier date stays even if the page now gives another one. If it has, a date
// that stayed the same is wrong. A page without a date may get one, but not one that
// is later than the crawl that found the same content.
func (d *dateFinder) find(page, earlier *Page, html *extract.Page, header http.Header) {
	page.LastMod, page.LastModSource = d.claimed(page, html, header)
	was, is := contentID(earlier), contentID(page)
	if was == 0 || is == 0 {
		return
	}
	if was != is {
		if d.uses(LastModContent) && (page.LastMod.IsZero() || page.LastMod.Unix() <= earlier.LastMod.Unix()) {
			page.LastMod, page.LastModSource = sitemap.DateOf(page.Time.UTC().Truncate(time.Second)), LastModContent
		}
		return
	}
	if !earlier.LastMod.IsZero() && !d.uses(earlier.LastModSource) {
		return
	}
	switch {
	case !earlier.LastMod.IsZero(), page.LastModSource == LastModHeader, earlier.LastModSource == LastModRefuted:
		page.LastMod, page.LastModSource = earlier.LastMod, earlier.LastModSource
	case page.LastMod.Unix() > earlier.Time.Unix():
		page.LastMod, page.LastModSource = sitemap.Date{}, LastModRefuted
	}
}

// contentID identifies the content of a page: the main text of HTML, the body of other
// files. 0 means unknown.
func contentID(page *Page) uint64 {
	if extract.IsHTML(page.MediaType) {
		return page.Digest
	}
	return page.Body
}

// uses reports whether the user wants dates from a source.
func (d *dateFinder) uses(source LastModSource) bool {
	return d.sources == nil || slices.Contains(d.sources, source)
}

// claimed returns the best date that the page and its header give.
func (d *dateFinder) claimed(page *Page, html *extract.Page, header http.Header) (sitemap.Date, LastModSource) {
	if html != nil {
		at, source, ok := html.Modified(func(source extract.DateSource, at time.Time) bool {
			return d.uses(LastModSource(source.String())) && isPlausible(at, page.Time)
		})
		if ok {
			return dateOf(at), LastModSource(source.String())
		}
	}
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
