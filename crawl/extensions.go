package crawl

import (
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

const (
	maxImages     = sitemap.MaxImages // of a page; Google reads no more
	maxAlternates = 1000
	maxExtensions = 512 << 10      // bytes of the extensions of a page; more are dropped
	newsAge       = 48 * time.Hour // of an article in a news sitemap, at most
)

// extensions collects the images, videos, news and alternates of a page for the
// sitemap, or returns nil without any.
func (w *worker) extensions(x *extracted, header http.Header) *sitemap.Extensions {
	resolve := w.resolveFrom(x.base)
	found := sitemap.Extensions{
		Videos: videos(&x.page, x.html, resolve),
		News:   news(&x.page, x.html),
	}
	if w.options.Images {
		found.Images = images(x.html, resolve)
	}
	found.Alternates = w.alternates(x, header)
	cutExtensions(&found)
	if found.IsZero() {
		return nil
	}
	return &found
}

// resolveFrom returns a function that makes links absolute, and counts what that adds to
// them. It returns "" for empty links and for links that are not valid.
func (w *worker) resolveFrom(base []byte) func([]byte) string {
	return func(link []byte) string {
		if len(link) == 0 {
			return ""
		}
		address := w.resolver.absolute(base, link)
		w.expands += expansionOf(len(address), len(link))
		return string(address)
	}
}

// alternates returns the versions in other languages that the page and its header name,
// each once.
func (w *worker) alternates(x *extracted, header http.Header) (found []sitemap.Alternate) {
	seen := map[sitemap.Alternate]bool{}
	add := func(language, address string) {
		one := sitemap.Alternate{Hreflang: language, Href: address}
		if address != "" && !seen[one] {
			seen[one] = true
			found = append(found, one)
		}
	}
	resolve := w.resolveFrom(x.base)
	for i := range x.html.Links {
		link := &x.html.Links[i]
		if link.Kind == extract.KindAlternate && link.Head && len(link.Lang) > 0 && len(found) < maxAlternates {
			add(string(link.Lang), resolve(link.URL))
		}
	}
	resolve = w.resolveFrom(w.pageURL)
	for _, link := range extract.ParseLinkHeader(header.Values("Link")) {
		if link.Rel&extract.RelAlternate != 0 && link.Lang != "" && len(found) < maxAlternates {
			add(link.Lang, resolve([]byte(link.URL)))
		}
	}
	return found
}

// cutExtensions drops the extensions after the first maxExtensions bytes.
func cutExtensions(e *sitemap.Extensions) {
	room := maxExtensions
	e.Images = fitting(e.Images, &room, imageWeight)
	e.Videos = fitting(e.Videos, &room, videoWeight)
	e.Alternates = fitting(e.Alternates, &room, alternateWeight)
}

// fitting returns the first elements of a list, as many as there is room for, and takes
// their weights off.
func fitting[T any](list []T, room *int, weight func(*T) int) []T {
	for i := range list {
		if *room -= weight(&list[i]); *room < 0 {
			return list[:i:i]
		}
	}
	return list
}

// images returns the images that the page shows, each once.
func images(html *extract.Page, resolve func([]byte) string) (found []sitemap.Image) {
	seen := map[string]bool{}
	for i := range html.Links {
		link := &html.Links[i]
		if !link.Shown || len(found) == maxImages {
			continue
		}
		if address := resolve(link.URL); address != "" && !seen[address] {
			seen[address] = true
			found = append(found, sitemap.Image{Loc: address})
		}
	}
	return found
}

// news returns the page as an article if it was published in the last two days
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
func news(page *Page, html *extract.Page) []sitemap.News {
	published := html.Article.Published
	if len(html.Article.Type) == 0 {
		if string(html.OpenGraph.Type) != "article" {
			return nil
		}
		published = html.Dates[extract.DateMeta].Published
	}
	at, err := extract.ParseMoment(published)
	if err != nil || !isRecent(at.Time, page.Time) {
		return nil
	}
	return []sitemap.News{{
		PublicationDate:     dateOf(at).String(),
		PublicationLanguage: newsLanguage(page.Language),
		Title:               cut(firstText(html.Article.Headline, html.OpenGraph.Title, html.Title), maxText),
	}}
}

func isRecent(published, now time.Time) bool {
	age := now.Sub(published)
	return age < newsAge && age > -clockSlack
}

// withoutOldNews removes an article that has become too old since it was read.
func withoutOldNews(e *sitemap.Extensions, now time.Time) *sitemap.Extensions {
	if e == nil || len(e.News) == 0 {
		return e
	}
	if date, err := sitemap.ParseDate(e.News[0].PublicationDate); err == nil && isRecent(date.Time(), now) {
		return e
	}
	rest := *e
	if rest.News = nil; rest.IsZero() {
		return nil
	}
	return &rest
}

// newsLanguage shortens a language to the form of a news sitemap: two or three
// letters, or zh-cn and zh-tw for Chinese.
func newsLanguage(language string) string {
	language = strings.ToLower(language)
	switch {
	case strings.HasPrefix(language, "zh-tw"), strings.HasPrefix(language, "zh-hant"),
		strings.HasPrefix(language, "zh-hk"):
		return "zh-tw"
	case language == "zh", strings.HasPrefix(language, "zh-"):
		return "zh-cn"
	}
	primary, _, _ := strings.Cut(language, "-")
	if len(primary) < 2 || len(primary) > 3 {
		return ""
	}
	return primary
}

// language returns the lang attribute of a page, or "" if it is too long.
func language(lang []byte) string {
	const longest = 35 // RFC 5646, section 4.4.1
	if len(lang) > longest {
		return ""
	}
	return string(lang)
}
