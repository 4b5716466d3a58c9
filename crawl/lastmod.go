package crawl

import (
	"net/http"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// A LastModSource says how the date of a page's last change is known. The names
// are stable.
type LastModSource string

const (
	LastModJSONLD      LastModSource = "json-ld"       // dateModified
	LastModMeta        LastModSource = "meta"          // article:modified_time
	LastModMicrodata   LastModSource = "microdata"     // itemprop=dateModified
	LastModTimeElement LastModSource = "time"          // a time element of the content
	LastModHeader      LastModSource = "last-modified" // the header
	LastModContent     LastModSource = "content"       // the main content is not that of the crawl before
	// LastModResponseTime stands without a date: the header gives the time of the answer.
	LastModResponseTime LastModSource = "time-of-answer"
	// LastModRefuted stands without a date: the page had none and now gives one from
	// after the crawl that saw it as it is.
	LastModRefuted LastModSource = "refuted"
)

// LastModSources returns those that give a date, from the most trusted on.
func LastModSources() []LastModSource {
	return []LastModSource{LastModJSONLD, LastModMeta, LastModMicrodata, LastModTimeElement, LastModHeader, LastModContent}
}

const (
	// clockSlack is how much later than the answer a date may be.
	clockSlack = 24 * time.Hour
	// answerSlack is how old a Last-Modified may be, in whole seconds, that was
	// made for the answer: the clock may have moved on in between.
	answerSlack = time.Second
)

// oldestDate is the year of the first web page: an earlier date is that of
// something else, or none.
const oldestDate = 1991

// date finds out when a page was last changed: by the page, by the header, and by
// what an earlier crawl saw. No date is made up. Where the content is that of the
// earlier crawl, its date stays, whatever the page says now; where it is not, a
// date that has stayed the same is not true any more. A page that had no date may
// be given one, but none from after the crawl that saw it as it is.
func (w *worker) date(page *Page, facts *extract.Page, header http.Header) {
	page.LastMod, page.LastModSource = w.claimedDate(page, facts, header)
	before := &w.before.Page
	was, is := content(before), content(page)
	if was == 0 || is == 0 {
		return
	}
	if was == is {
		if !before.LastMod.IsZero() && !w.believes(before.LastModSource) {
			return
		}
		switch {
		case !before.LastMod.IsZero(), page.LastModSource == LastModHeader, before.LastModSource == LastModRefuted:
			page.LastMod, page.LastModSource = before.LastMod, before.LastModSource
		case page.LastMod.Unix() > before.Time.Unix():
			page.LastMod, page.LastModSource = sitemap.Date{}, LastModRefuted
		}
		return
	}
	if w.believes(LastModContent) && (page.LastMod.IsZero() || page.LastMod.Unix() <= before.LastMod.Unix()) {
		page.LastMod, page.LastModSource = sitemap.DateOf(page.Time.UTC().Truncate(time.Second)), LastModContent
	}
}

// content identifies what a page is about: its main content, or the whole of a
// file that is no HTML. 0 is unknown.
func content(page *Page) uint64 {
	if isHTML(page.MediaType) {
		return page.Digest
	}
	return page.Body
}

// believes tells whether the user wants dates of a source.
func (w *worker) believes(source LastModSource) bool {
	return w.options.LastMod == nil || slices.Contains(w.options.LastMod, source)
}

// claimedDate returns the best date that the page and its header give.
func (w *worker) claimedDate(page *Page, facts *extract.Page, header http.Header) (sitemap.Date, LastModSource) {
	if facts != nil {
		at, source, ok := facts.Modified(func(source extract.DateSource, at time.Time) bool {
			return w.believes(LastModSource(source.String())) && plausible(at, page.Time)
		})
		if ok {
			return dateOf(at), LastModSource(source.String())
		}
	}
	modified, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil || !plausible(modified, page.Time) || !w.believes(LastModHeader) {
		return sitemap.Date{}, ""
	}
	if w.answered(header, page.Time).Sub(modified) <= answerSlack {
		return sitemap.Date{}, LastModResponseTime
	}
	return sitemap.DateOf(modified.UTC()), LastModHeader
}

// answered is when the site says that it answered. Many pages come in one second.
func (w *worker) answered(header http.Header, asked time.Time) time.Time {
	text := header.Get("Date")
	if text == "" {
		return asked
	}
	if text != w.answer.text {
		at, err := http.ParseTime(text)
		if err != nil {
			return asked
		}
		w.answer = answer{text, at}
	}
	return w.answer.at
}

// An answer is the Date of a header and what it means.
type answer struct {
	text string
	at   time.Time
}

func dateOf(at extract.Moment) sitemap.Date {
	if at.Day {
		return sitemap.DayOf(at.Time)
	}
	return sitemap.DateOf(at.Time)
}

// plausible tells whether a page can have changed then.
func plausible(at, now time.Time) bool {
	return at.Year() >= oldestDate && at.Before(now.Add(clockSlack))
}
