package extract

import (
	"iter"
	"strings"
	"time"
)

// Directives are the instructions for search engines in a robots meta element or an
// X-Robots-Tag header (developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
// The zero value has none. Directives that only limit how a result looks, such as
// max-image-preview, are ignored; max-snippet:0 is the same as nosnippet.
type Directives struct {
	NoIndex, NoFollow, NoArchive, NoSnippet, NoImageIndex, NoTranslate bool
	// Index and Follow are said in words, which only matters where they contradict.
	Index, Follow bool
	// IndexIfEmbedded lifts NoIndex for the page as part of another.
	IndexIfEmbedded bool
	// UnavailableAfter is the time from which NoIndex applies; zero means never.
	UnavailableAfter time.Time
}

// Merge adds the directives of other: the more restrictive wins.
func (d *Directives) Merge(other Directives) {
	d.NoIndex = d.NoIndex || other.NoIndex
	d.NoFollow = d.NoFollow || other.NoFollow
	d.NoArchive = d.NoArchive || other.NoArchive
	d.NoSnippet = d.NoSnippet || other.NoSnippet
	d.NoImageIndex = d.NoImageIndex || other.NoImageIndex
	d.NoTranslate = d.NoTranslate || other.NoTranslate
	d.Index = d.Index || other.Index
	d.Follow = d.Follow || other.Follow
	d.IndexIfEmbedded = d.IndexIfEmbedded || other.IndexIfEmbedded
	if u := other.UnavailableAfter; !u.IsZero() && (d.UnavailableAfter.IsZero() || u.Before(d.UnavailableAfter)) {
		d.UnavailableAfter = u
	}
}

// Robots holds the directives for every robot and those for single ones.
type Robots struct {
	All  Directives
	Bots []BotDirectives
}

// BotDirectives are the directives for one robot; its name is in lower case.
type BotDirectives struct {
	Bot string
	Directives
}

// For returns the directives for a robot with a product token: those for all robots
// and its own.
func (r *Robots) For(bot string) Directives {
	d := r.All
	for _, b := range r.Bots {
		if strings.EqualFold(b.Bot, bot) {
			d.Merge(b.Directives)
		}
	}
	return d
}

// maxBots is the maximum number of robots that one page or header can name.
const maxBots = 100

// bot returns the directives of the robot with that name, in lower case.
func (r *Robots) bot(name string) *Directives {
	for i := range r.Bots {
		if r.Bots[i].Bot == name {
			return &r.Bots[i].Directives
		}
	}
	if len(r.Bots) >= maxBots {
		return new(Directives)
	}
	r.Bots = append(r.Bots, BotDirectives{Bot: name})
	return &r.Bots[len(r.Bots)-1].Directives
}

// botNames are the names of meta elements that address one search engine. No standard
// lists them; these are the ones the engines document.
var botNames = newNames([]string{"",
	"googlebot", "googlebot-news", "googlebot-image", "googlebot-video", "bingbot", "msnbot",
	"slurp", "yandex", "yandexbot", "baiduspider", "duckduckbot", "applebot", "naverbot", "yeti",
	"seznambot", "petalbot", "qwantbot", "mojeekbot",
})

// isDirective reports whether a name, in lower case, is that of a directive; other names
// are those of robots.
func isDirective(name string) bool {
	switch name {
	case "all", "none", "index", "noindex", "follow", "nofollow",
		"archive", "noarchive", "nocache", "snippet", "nosnippet",
		"imageindex", "noimageindex", "notranslate", "indexifembedded",
		"max-snippet", "max-image-preview", "max-video-preview",
		"unavailable_after", "noodp", "noydir", "noai", "noimageai",
		"nositelinkssearchbox", "nopagereadaloud":
		return true
	}
	return false
}

// ParseRobotsHeader parses the values of the X-Robots-Tag headers of a response.
// Names are matched in any case. The name of a robot, followed by a colon, applies to
// the rest of the same header. Repeated headers are combined, and unknown directives
// are ignored.
func ParseRobotsHeader(values []string) Robots {
	var r Robots
	for _, value := range values {
		into := &r.All
		for d := range splitDirectives(value) {
			if d.hasValue && !isDirective(d.name) {
				into = r.bot(d.name)
				continue
			}
			into.Merge(d.meaning())
		}
	}
	return r
}

// parseDirectives reads the content of a robots meta element.
func parseDirectives(content []byte) Directives {
	var all Directives
	for d := range splitDirectives(string(content)) {
		all.Merge(d.meaning())
	}
	return all
}

// directive is one item of a list: a name in lower case, perhaps with a value.
type directive struct {
	name, value string
	hasValue    bool
}

func (d directive) meaning() Directives {
	switch d.name {
	case "index":
		return Directives{Index: true}
	case "follow":
		return Directives{Follow: true}
	case "all":
		return Directives{Index: true, Follow: true}
	case "noindex":
		return Directives{NoIndex: true}
	case "nofollow":
		return Directives{NoFollow: true}
	case "none":
		return Directives{NoIndex: true, NoFollow: true}
	case "noarchive", "nocache":
		return Directives{NoArchive: true}
	case "nosnippet":
		return Directives{NoSnippet: true}
	case "max-snippet":
		return Directives{NoSnippet: d.value == "0"}
	case "noimageindex":
		return Directives{NoImageIndex: true}
	case "notranslate":
		return Directives{NoTranslate: true}
	case "indexifembedded":
		return Directives{IndexIfEmbedded: true}
	case "unavailable_after":
		at, _ := ParseDate([]byte(d.value)) // an invalid date is ignored
		return Directives{UnavailableAfter: at}
	}
	return Directives{}
}

// maxDirectives is the maximum length of a list in bytes; the rest is ignored.
const maxDirectives = 8 << 10

const robotsSeparators = ", ;\t\n\f\r"

// splitDirectives splits a list at commas and at white space, which some pages
// use instead. The date of unavailable_after may contain both.
func splitDirectives(list string) iter.Seq[directive] {
	return func(yield func(directive) bool) {
		for rest := list[:min(len(list), maxDirectives)]; ; {
			rest = strings.TrimLeft(rest, robotsSeparators+":")
			if rest == "" {
				return
			}
			var d directive
			if d, rest = cutDirective(rest); !yield(d) {
				return
			}
		}
	}
}

// cutDirective returns the directive at the beginning of list, and the rest.
func cutDirective(list string) (directive, string) {
	end := strings.IndexAny(list, robotsSeparators+":")
	if end < 0 {
		end = len(list)
	}
	d := directive{name: strings.ToLower(list[:end])}
	list = strings.TrimLeft(list[end:], " \t\n\f\r")
	if strings.HasPrefix(list, ":") {
		d.hasValue = true
		list = strings.TrimLeft(list[1:], " \t\n\f\r")
		if isDirective(d.name) {
			end := valueEnd(d.name, list)
			d.value = strings.TrimSpace(list[:end])
			list = list[end:]
		}
	}
	return d, list
}

// valueEnd returns where the value at the beginning of list ends.
func valueEnd(name, list string) int {
	if name != "unavailable_after" {
		if end := strings.IndexAny(list, robotsSeparators); end >= 0 {
			return end
		}
		return len(list)
	}
	for end := 0; ; end++ {
		comma := strings.IndexByte(list[end:], ',')
		if comma < 0 {
			return len(list)
		}
		if end += comma; beginsDirective(list[end+1:]) {
			return end
		}
	}
}

// beginsDirective reports whether list begins with a directive, or with the name
// of a robot and a colon, and not with the rest of a date.
func beginsDirective(list string) bool {
	list = strings.TrimLeft(list, " \t")
	end := strings.IndexAny(list, robotsSeparators+":")
	if end < 0 {
		end = len(list)
	}
	if end == 0 {
		return false
	}
	return isDirective(strings.ToLower(list[:end])) ||
		!isDigit(list[0]) && strings.HasPrefix(strings.TrimLeft(list[end:], " \t"), ":")
}
