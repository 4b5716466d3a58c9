package crawl

import (
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

const (
	mostImages     = sitemap.MaxImages // of a page that Google reads
	mostAlternates = 1000
	newsAge        = 48 * time.Hour              // of an article in a news sitemap
	longestTitle   = sitemap.MaxVideoTitle       // characters of a video's title
	longestText    = sitemap.MaxVideoDescription // characters of a video's description, and of an article's title
)

// extensions collects what a page tells for its place in the sitemap, or returns
// nil where it tells nothing.
func (w *worker) extensions(next item, page *Page, facts *extract.Page, header http.Header) *sitemap.Extensions {
	resolve := w.resolver(w.documentBase(next, facts))
	found := sitemap.Extensions{
		Videos: videos(page, facts, resolve),
		News:   news(page, facts),
	}
	if w.options.Images {
		found.Images = images(facts, resolve)
	}
	for i := range facts.Links {
		link := &facts.Links[i]
		if link.Kind == extract.KindAlternate && link.Head && len(link.Lang) > 0 && len(found.Alternates) < mostAlternates {
			found.Alternates = appendAlternate(found.Alternates, string(link.Lang), resolve(link.URL))
		}
	}
	for _, link := range extract.ParseLinkHeader(header.Values("Link")) {
		if link.Rel&extract.RelAlternate != 0 && link.Lang != "" && len(found.Alternates) < mostAlternates {
			found.Alternates = appendAlternate(found.Alternates, link.Lang, w.resolver([]byte(next.url))([]byte(link.URL)))
		}
	}
	if found.IsZero() {
		return nil
	}
	return &found
}

// resolver returns a function that makes addresses absolute. What is no http or
// https address becomes empty.
func (w *worker) resolver(document []byte) func([]byte) string {
	return func(link []byte) string {
		if len(link) == 0 {
			return ""
		}
		base, ok := w.baseOf(document)
		if !ok {
			return ""
		}
		address, err := base.AppendResolve(nil, link)
		if err != nil {
			return ""
		}
		return string(address)
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

// images are those that the page shows, each once.
func images(facts *extract.Page, resolve func([]byte) string) (found []sitemap.Image) {
	seen := map[string]bool{}
	for i := range facts.Links {
		link := &facts.Links[i]
		if !link.Shown || len(found) == mostImages {
			continue
		}
		if address := resolve(link.URL); address != "" && !seen[address] {
			seen[address] = true
			found = append(found, sitemap.Image{Loc: address})
		}
	}
	return found
}

// videos are those that have all that a video sitemap requires: a thumbnail, a
// title, a description, and the file or a player.
func videos(page *Page, facts *extract.Page, resolve func([]byte) string) (found []sitemap.Video) {
	add := func(v sitemap.Video) {
		v.Title = cut(v.Title, longestTitle)
		v.Description = cut(v.Description, longestText)
		if v.ThumbnailLoc == "" || v.Title == "" || v.Description == "" || v.ContentLoc == "" && v.Player.Loc == "" {
			return
		}
		found = append(found, v)
	}
	for i := range facts.Videos {
		v := &facts.Videos[i]
		add(sitemap.Video{
			ThumbnailLoc:    resolve(v.Thumbnail),
			Title:           firstText(v.Name, facts.Title),
			Description:     firstText(v.Description, facts.Description, v.Name),
			ContentLoc:      resolve(v.Content),
			Player:          sitemap.VideoPlayer{Loc: resolve(v.Embed)},
			PublicationDate: written(v.Uploaded, page.Time),
			Duration:        seconds(string(v.Duration)),
		})
	}
	if og := &facts.OpenGraph; len(found) == 0 && len(og.Video) > 0 {
		v := sitemap.Video{
			ThumbnailLoc: resolve(og.Image),
			Title:        firstText(og.Title, facts.Title),
			Description:  firstText(og.Description, facts.Description, og.Title),
		}
		if address := resolve(og.Video); isVideoFile(address) {
			v.ContentLoc = address
		} else {
			v.Player.Loc = address
		}
		add(v)
	}
	return found
}

func isVideoFile(address string) bool {
	file, _, _ := strings.Cut(address, "?")
	switch strings.ToLower(path.Ext(file)) {
	case ".mp4", ".m4v", ".webm", ".ogv", ".mov", ".mpg", ".mpeg", ".avi", ".wmv", ".flv", ".m3u8", ".mpd":
		return true
	}
	return false
}

// news is the page as an article, if it is one of the last two days
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
func news(page *Page, facts *extract.Page) []sitemap.News {
	published := facts.Article.Published
	if len(facts.Article.Type) == 0 {
		if string(facts.OpenGraph.Type) != "article" {
			return nil
		}
		published = facts.Dates[extract.DateMeta].Published
	}
	at, err := extract.ParseMoment(published)
	if err != nil || !fresh(at.Time, page.Time) {
		return nil
	}
	return []sitemap.News{{
		PublicationDate:     dateOf(at).String(),
		PublicationLanguage: newsLanguage(page.Language),
		Title:               cut(firstText(facts.Article.Headline, facts.OpenGraph.Title, facts.Title), longestText),
	}}
}

func fresh(published, now time.Time) bool {
	age := now.Sub(published)
	return age < newsAge && age > -clockSlack
}

// withoutOldNews drops an article that has become too old since it was read.
func withoutOldNews(e *sitemap.Extensions, now time.Time) *sitemap.Extensions {
	if e == nil || len(e.News) == 0 {
		return e
	}
	if date, err := sitemap.ParseDate(e.News[0].PublicationDate); err == nil && fresh(date.Time(), now) {
		return e
	}
	rest := *e
	if rest.News = nil; rest.IsZero() {
		return nil
	}
	return &rest
}

// newsLanguage reduces a language to what a news sitemap takes: two or three
// letters, but for Chinese.
func newsLanguage(language string) string {
	language = strings.ToLower(language)
	switch {
	case strings.HasPrefix(language, "zh-tw"), strings.HasPrefix(language, "zh-hant"), strings.HasPrefix(language, "zh-hk"):
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

// language is the lang attribute of a page, cut.
func language(lang []byte) string {
	const longest = 35 // RFC 5646, section 4.4.1
	if len(lang) > longest {
		return ""
	}
	return string(lang)
}

// written is a date as a sitemap has it, or empty for none.
func written(date []byte, now time.Time) string {
	at, err := extract.ParseMoment(date)
	if err != nil || !plausible(at.Time, now) {
		return ""
	}
	return dateOf(at).String()
}

// longestVideo is what a video sitemap takes, in seconds.
const longestVideo = sitemap.MaxVideoSeconds

// seconds reads an ISO 8601 duration of days, hours, minutes and seconds, and
// returns it as a video sitemap has it, or empty.
func seconds(duration string) string {
	rest, found := strings.CutPrefix(duration, "P")
	if !found {
		return ""
	}
	total, inTime := 0.0, false
	for rest != "" {
		if !inTime && rest[0] == 'T' {
			inTime, rest = true, rest[1:]
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' })
		if end <= 0 {
			return ""
		}
		value, err := strconv.ParseFloat(strings.Replace(rest[:end], ",", ".", 1), 64)
		if err != nil {
			return ""
		}
		switch unit := rest[end]; {
		case !inTime && unit == 'D':
			total += value * 86_400
		case inTime && unit == 'H':
			total += value * 3600
		case inTime && unit == 'M':
			total += value * 60
		case inTime && unit == 'S':
			total += value
		default:
			return ""
		}
		rest = rest[end+1:]
	}
	if total < 1 || total > longestVideo {
		return ""
	}
	return strconv.Itoa(int(total))
}

// firstText returns the first text that is not empty without what XML cannot hold
// (XML 1.0, section 2.2).
func firstText(texts ...[]byte) string {
	for _, text := range texts {
		if written := strings.TrimSpace(strings.Map(inXML, string(text))); written != "" {
			return written
		}
	}
	return ""
}

func inXML(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ' '
	case r < ' ', r == 0xfffe, r == 0xffff:
		return -1
	}
	return r
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
