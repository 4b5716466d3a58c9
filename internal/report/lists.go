package report

import (
	"unicode"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/format"
)

// Lengths of titles, descriptions and headings, in characters. Search engines cut what
// is longer when they show it; nothing is said with less.
const (
	minTitleLength, maxTitleLength             = 30, 60
	minDescriptionLength, maxDescriptionLength = 70, 160
	maxHeadingLength                           = 70
	// minWords is how many words of main content a page has at least to say something.
	minWords = 50
)

// maxListed limits each list of the report. The counts are exact.
const maxListed = 20_000

// listKind is a list of the URLs with a property. Its texts in the catalogue are
// "list.<id>" for its name and "list.<id>.empty" for a list without URLs.
type listKind struct {
	section, id string
	columns     []string // keys of the columns
	// has reports whether a URL is in the list. It is nil for a list that depends on all
	// URLs: see Analysis.finishLists.
	has func(s *subject) bool
}

// urlList holds the URLs of a list.
type urlList struct {
	*listKind
	total int
	ids   []crawl.ID // at most maxListed
}

// subject is a URL that is looked at for all lists.
type subject struct {
	*crawl.Record
	decision crawl.Reason
	listed   bool
	content  bool // a listed HTML page that was answered with 200
	linked   uint32

	titleLength, descriptionLength, headingLength int
}

// listKinds are the lists in the order of the report.
var listKinds = []listKind{
	{"redirects", "redirects", []string{"url", "chain", "steps", "linked"}, func(s *subject) bool {
		return s.is(crawl.ReasonRedirect, crawl.ReasonRedirectLoop)
	}},
	{"duplicates", "copies", []string{"url", "target", "decision"}, func(s *subject) bool {
		return s.is(crawl.ReasonDuplicate, crawl.ReasonParameterVariant)
	}},
	{"titles", "missing", []string{"url", "linked"}, func(s *subject) bool {
		return s.content && s.titleLength == 0
	}},
	{"titles", "long", []string{"url", "title-length", "linked"}, func(s *subject) bool {
		return s.content && s.titleLength > maxTitleLength
	}},
	{"titles", "short", []string{"url", "title-length", "linked"}, func(s *subject) bool {
		return s.content && s.titleLength > 0 && s.titleLength < minTitleLength
	}},
	{"descriptions", "missing", []string{"url", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.descriptionLength == 0
	}},
	{"descriptions", "long", []string{"url", "description", "description-length"}, func(s *subject) bool {
		return s.hasFacts() && s.descriptionLength > maxDescriptionLength
	}},
	{"descriptions", "short", []string{"url", "description", "description-length"}, func(s *subject) bool {
		return s.hasFacts() && s.descriptionLength > 0 && s.descriptionLength < minDescriptionLength
	}},
	{"headings", "missing", []string{"url", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.headingLength == 0
	}},
	{"headings", "long", []string{"url", "heading", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.headingLength > maxHeadingLength
	}},
	{"content", "no-text", []string{"url", "words", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.Page.Facts.NeedsScript
	}},
	{"content", "few-words", []string{"url", "words", "linked"}, func(s *subject) bool {
		return s.content && s.Page.Words < minWords && (s.Page.Facts == nil || !s.Page.Facts.NeedsScript)
	}},
	{"content", "no-alt", []string{"url", "images", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.Page.Facts.ImagesWithoutAlt > 0
	}},
	{"sharing", "no-open-graph", []string{"url", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.Page.Facts.OpenGraph == 0
	}},
	{"sharing", "some-open-graph", []string{"url", "open-graph", "linked"}, func(s *subject) bool {
		return s.hasFacts() && s.Page.Facts.OpenGraph != 0 && s.Page.Facts.OpenGraph&requiredOpenGraph != requiredOpenGraph
	}},
	{"sharing", "json-ld", []string{"url", "json-ld", "open-graph"}, func(s *subject) bool {
		return s.hasFacts() && s.Page.Facts.JSONLD != ""
	}},
	{"speed", "full", []string{"url", "status", "time", "size"}, func(s *subject) bool {
		return s.answered() && !s.Page.Reused
	}},
	{"speed", "not-modified", []string{"url", "status", "time", "size"}, func(s *subject) bool {
		return s.answered() && s.Page.Reused
	}},
	{"gaps", "orphans", []string{"url", "decision", "named", "linked"}, func(s *subject) bool {
		return s.seeded() && s.listed && !isReached(s.Record, s.linked)
	}},
	{"gaps", "broken", []string{"url", "decision", "named", "linked"}, func(s *subject) bool {
		return s.seeded() && s.Page.Broken()
	}},
	{"gaps", "redirects", []string{"url", "decision", "named", "linked"}, func(s *subject) bool {
		return s.seeded() && s.is(crawl.ReasonRedirect)
	}},
	{"gaps", "noindex", []string{"url", "decision", "named", "linked"}, func(s *subject) bool {
		return s.seeded() && s.is(crawl.ReasonNoIndex)
	}},
	{"gaps", "others", []string{"url", "decision", "named", "linked"}, func(s *subject) bool {
		return s.seeded() && !s.listed && !s.Page.Broken() &&
			!s.is(crawl.ReasonRedirect, crawl.ReasonNoIndex, Waiting)
	}},
	{"gaps", "not-in-sitemap", []string{"url", "linked"}, func(s *subject) bool { // if there is a sitemap
		return s.listed && s.Link.Role == crawl.RolePage && s.Link.SeededBy&crawl.SeedSitemap == 0
	}},
	{"canonical", "not-listed", []string{"url", "target", "target-decision", "source"}, nil},
	{"canonical", "conflicts", []string{"url", "conflict"}, func(s *subject) bool { return s.Page.Conflict != "" }},
	{"canonical", "elsewhere", []string{"url", "target", "target-decision", "source"}, func(s *subject) bool {
		return s.is(crawl.ReasonCanonical)
	}},
}

// requiredOpenGraph are the properties that every page with Open Graph has
// (https://ogp.me/#metadata).
const requiredOpenGraph = crawl.OpenGraphTitle | crawl.OpenGraphType | crawl.OpenGraphImage | crawl.OpenGraphURL

// is reports whether the decision is one of the reasons.
func (s *subject) is(reasons ...crawl.Reason) bool { return containsReason(s.decision, reasons) }

// hasFacts reports whether the facts of a listed HTML page are known.
func (s *subject) hasFacts() bool { return s.content && s.Page.Facts != nil }

// seeded reports whether a page is in a sitemap, a list or a log.
func (s *subject) seeded() bool {
	return s.Link.SeededBy&seedSources != 0 && classOf(s.Record) != classOther
}

// answered reports whether the site answered the request for a page.
func (s *subject) answered() bool {
	return s.Page.Status > 0 && s.Link.Role != crawl.RoleExternal && s.decision != crawl.ReasonOutOfScope
}

// newLists returns all lists, empty.
func newLists() []urlList {
	lists := make([]urlList, len(listKinds))
	for i := range listKinds {
		lists[i].listKind = &listKinds[i]
	}
	return lists
}

// addToLists adds a URL to the lists it belongs to.
func addToLists(lists []urlList, id crawl.ID, of ListSet) {
	for i := range lists {
		l := &lists[i]
		if of&(1<<i) == 0 {
			continue
		}
		if l.total++; len(l.ids) < maxListed {
			l.ids = append(l.ids, id)
		}
	}
}

// listsOf returns the lists of listKinds that a URL belongs to, of those that depend on it
// alone.
func listsOf(r *crawl.Record, linked uint32) (of ListSet) {
	s := subject{Record: r, decision: DecisionOf(r), listed: isListed(r), linked: linked}
	if s.content = isContent(r); s.content {
		s.titleLength = textLength(r.Page.Title)
		if facts := r.Page.Facts; facts != nil {
			s.descriptionLength, s.headingLength = textLength(facts.Description), textLength(facts.H1)
		}
	}
	for i := range listKinds {
		if has := listKinds[i].has; has != nil && has(&s) {
			of |= 1 << i
		}
	}
	return of
}

// isContent reports whether a URL is a listed HTML page that was answered.
func isContent(r *crawl.Record) bool {
	return r.Link.Role == crawl.RolePage && isListed(r) && r.Page.Status/100 == 2 &&
		extract.IsHTML(r.Page.MediaType)
}

// textLength returns the length of a text in characters. Those of Chinese, Japanese and
// Korean count twice: search engines cut texts by their width.
func textLength(text string) int {
	length := 0
	for _, r := range format.Plain(text) {
		length++
		if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) {
			length++
		}
	}
	return length
}
