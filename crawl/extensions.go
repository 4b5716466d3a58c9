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
	for i := range x.html.Links {
		link := &x.html.Links[i]
		if link.Kind == extract.KindAlternate && link.Head && len(link.Lang) > 0 && len(found.Alternates) < maxAlternates {
			found.Alternates = appendAlternate(found.Alternates, string(link.Lang), resolve(link.URL))
		}
	}
	for _, link := range extract.ParseLinkHeader(header.Values("Link")) {
		if link.Rel&extract.RelAlternate != 0 && link.Lang != "" && len(found.Alternates) < maxAlternates {
			address := w.resolveFrom(w.pageURL)([]byte(link.URL))
			found.Alternates = appendAlternate(found.Alternates, link.Lang, address)
		}
	}
	if found.IsZero() {
		return nil
	}
	return &found
}

// resolveFrom returns a function that makes links absolute. It returns "" for empty
// links and for links that are not valid.
func (w *worker) resolveFrom(base []byte) func([]byte) string {
	return func(link []byte) string {
		if len(link) == 0 {
			return ""
		}
		return string(w.resolver.absolute(base, link))
	}
}

func appendAlternate(to []sitemap.Alternate, language, address string) []sitemap.Alternate {
	if address == "" {
		return to
	}
	for _, there := range to {
		if there.Hreflang == language && there.Href == address {
			return to
		}
	}
	return append(to, sitemap.Alternate{Hreflang: language, Href: address})
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
