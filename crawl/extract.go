package crawl

import (
	"strings"

	"github.com/mapatools/mapa/internal/anchor"
	"github.com/mapatools/mapa/internal/extract"
)

// MaxLinkText is how many bytes of the text of an [Edge] are kept.
const MaxLinkText = 100

// contentKind says how a response is read.
type contentKind uint8

const (
	contentNone      contentKind = iota // not read: an error, a redirect, an image
	contentHTML                         // for its text, links and directives
	contentDocument                     // a PDF and the like: only its header says something
	contentFeed                         // a feed, for its links
	contentUnchanged                    // nothing was sent: everything is from an earlier crawl
)

// extracted is what the extract step returns. The slices in html belong to the
// scanner and the body, and are valid until the next page.
type extracted struct {
	kind         contentKind
	page         Page          // of fetched, with the content
	html         *extract.Page // for contentHTML and, empty, for contentDocument
	base         []byte        // base URL of the page's links
	metaRobots   extract.Directives
	headerRobots extract.Directives

	// For a page that was rendered.

	notFound     uint64   // the digest of the rendered page for missing ones, or 0
	phrase       string   // by which the page says that it is missing since its scripts ran; mostly empty
	scriptTarget string   // the URL of the document in the end
	routes       []string // that scripts opened
	unrendered   Detail   // the request without which the page has no content; mostly empty
	isKnown      bool     // an earlier run, or the crawl before, had the same
}

// extract reads links, text, dates and robots directives from a response.
func (w *worker) extract(f *fetched) extracted {
	x := extracted{kind: contentKindOf(f, &w.options), page: f.page}
	w.pageURL = append(w.pageURL[:0], f.item.url...)
	x.base = w.pageURL
	switch x.kind {
	case contentUnchanged:
		x.page = unchangedPage(&f.page, f.previous)
	case contentDocument:
		x.html = &extract.Page{}
		x.page.Body = hashBody(f.response.Body)
	case contentHTML:
		w.scan(f, &x)
	case contentFeed:
		x.page.Body = hashBody(f.response.Body)
	}
	var robots extract.Robots
	if x.html != nil && !w.options.Scope.IgnoreRobotsHeader {
		robots = extract.ParseRobotsHeader(f.response.Header.Values("X-Robots-Tag"))
		x.headerRobots = robots.For("googlebot")
	}
	if x.kind == contentHTML {
		x.page.Facts.NeedsScript = w.needsScript(&x)
		w.findFaults(&x, f.response.Header)
		if f.item.id == startID || f.item.redirects > 0 {
			w.findCopy(&x)
		}
		if !f.isRendered {
			x.page.Facts.findLateParts(x.html)
		}
		findConflicts(x.page.Facts, x.html.Robots, robots)
	}
	return x
}

// scan reads an HTML page.
func (w *worker) scan(f *fetched, x *extracted) {
	header := f.response.Header
	x.html = w.scanner.Scan(f.response.Body, header.Get("Content-Type"), extract.Options{
		MaxText:  MaxLinkText,
		Shingles: w.options.Shingles,
		MaxLinks: min(w.options.Traps.Links+1, extract.DefaultMaxLinks),
		URL:      f.item.url,
		Time:     w.dates.responseTime(header, f.page.Time),
	})
	x.page.Title = string(x.html.Title)
	if x.html.Words > 0 {
		x.page.Digest = x.html.Digest
	}
	x.page.Words, x.page.Body = x.html.Words, hashBody(f.response.Body)
	x.page.Language, x.page.Facts = language(x.html.Lang), factsOf(x.html)
	x.page.Security = securityOf(header, strings.HasPrefix(f.item.url, "https:"))
	x.page.Shingles = x.html.Shingles
	x.page.Anchors = anchor.HashAll(x.html.Anchors)
	x.metaRobots = x.html.Robots.For("googlebot")
	if len(x.html.Base) > 0 {
		if base := w.resolver.documentBase(w.pageURL, x.html.Base); base != nil {
			x.base = base
		}
	}
	w.sumPictures(x)
}

// unchangedPage returns the page of an earlier crawl as the result of this one.
func unchangedPage(now *Page, earlier Page) Page {
	earlier.ID, earlier.Time, earlier.Duration, earlier.Transferred = now.ID, now.Time, now.Duration, now.Transferred
	earlier.Target, earlier.Links = 0, nil
	earlier.Reused = true
	earlier.Difference = nil
	earlier.RenderReason, earlier.Rendered = "", nil
	earlier.CertificateEnd, earlier.Facts = now.CertificateEnd, earlier.Facts.withoutLooks()
	earlier.Extensions = withoutOldNews(earlier.Extensions, now.Time)
	return earlier
}

func contentKindOf(f *fetched, options *Options) contentKind {
	switch {
	case f.unchanged:
		return contentUnchanged
	case f.response == nil, f.err != nil, f.item.role != RolePage,
		f.response.RedirectTo != "", !hasContent(f.response.Status):
		return contentNone
	case extract.IsHTML(f.page.MediaType):
		return contentHTML
	case options.listsDocuments(f.page.MediaType):
		return contentDocument
	case options.Feeds && isFeed(f.page.MediaType):
		return contentFeed
	}
	return contentNone
}
