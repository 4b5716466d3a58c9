package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/results"
	"github.com/mapatools/mapa/internal/catalog"
)

// A section is a part of a result, as in the HTML report.
type section struct {
	id    string
	kind  string   // tone of its number
	lists []string // of app.Overview.Lists, without the ID of the section
	// problems is the number of lists that count for the section; the others are
	// information.
	problems int
}

var sections = []section{
	{"broken", "bad", []string{"broken-urls", "missing-anchors"}, 2},
	{"redirects", "warn", []string{"redirects"}, 1},
	{"addresses", "", nil, 0},
	{"duplicates", "", []string{"same", "copies"}, 2},
	{"titles", "", []string{"missing", "same", "long", "short"}, 2},
	{"descriptions", "", []string{"missing", "same", "long", "short"}, 2},
	{"headings", "", []string{"missing", "same", "long"}, 2},
	{"content", "", []string{"no-text", "few-words", "no-alt"}, 3},
	{"sharing", "", []string{"no-open-graph", "some-open-graph", "json-ld"}, 2},
	{"speed", "", []string{"slow", "large"}, 2},
	{"gaps", "warn", []string{"orphans", "broken", "redirects", "noindex", "others", "not-in-sitemap"}, 5},
	{"languages", "warn", nil, 0},
	{"canonical", "", []string{"not-listed", "conflicts", "elsewhere"}, 2},
}

// The lists that do not show pages.
const (
	anchorsList   = "broken.missing-anchors"
	languagesList = "languages"
)

// isGroups reports whether a list shows groups of pages.
func isGroups(list string) bool { return strings.HasSuffix(list, ".same") }

// sectionOf returns the section of a list: addresses for anything else.
func sectionOf(list string) *section {
	id, _, _ := strings.Cut(list, ".")
	for i := range sections {
		if sections[i].id == id {
			return &sections[i]
		}
	}
	return &sections[2]
}

// A partLink leads to a part of a result.
type partLink struct {
	Href, Name string
	Count      int
	Counted    bool
	Kind       string
	Current    bool
}

// listNames are the names of lists that the report shows in another form.
func listName(c *catalog.Catalog, list string) string {
	switch list {
	case "broken.broken-urls":
		return c.Text("script.broken-urls")
	case anchorsList:
		return c.Text("script.missing-anchors")
	case "speed.slow":
		return c.Text("script.slow")
	case "speed.large":
		return c.Text("script.large")
	}
	return c.Text("list." + list)
}

// countOf returns the number of URLs of a list.
func countOf(o *results.Overview, list string) int {
	if list == anchorsList {
		return o.MissingAnchors
	}
	i := slices.IndexFunc(o.Lists, func(n results.NameCount) bool { return n.Name == list })
	if i < 0 {
		return 0
	}
	return o.Lists[i].Count
}

// parts returns the links to the parts of a result. The current one is a section, or
// overview, tree or changes.
func (v *resultFrame) parts(current string) []partLink {
	base := "/crawls/" + v.Crawl.ID
	parts := []partLink{{Href: base, Name: v.texts.Text("section.overview"), Current: current == "overview"}}
	for _, s := range sections {
		p := partLink{Name: v.texts.Text("section." + s.id), Counted: true, Kind: s.kind, Current: current == s.id}
		switch s.id {
		case "addresses":
			p.Href, p.Count = base+"/pages", v.Overview.URLs
		case "languages":
			p.Href, p.Count = base+"/pages?list="+languagesList, countOf(v.Overview, languagesList)
		default:
			for _, list := range s.lists[:s.problems] {
				p.Count += countOf(v.Overview, s.id+"."+list)
			}
			p.Href = base + "/pages?list=" + s.id + "." + v.firstList(&s)
		}
		parts = append(parts, p)
	}
	return append(parts,
		partLink{Href: base + "/tree", Name: v.texts.Text("section.tree"), Current: current == "tree"},
		partLink{Href: base + "/changes", Name: v.texts.Text("web.changes"), Current: current == "changes"})
}

// firstList returns the first list of a section that has entries, or else its first.
func (v *resultFrame) firstList(s *section) string {
	for _, list := range s.lists {
		if countOf(v.Overview, s.id+"."+list) > 0 {
			return list
		}
	}
	return s.lists[0]
}

// listHref returns the address of a list of a result.
func (v *resultFrame) listHref(query url.Values) string {
	if len(query) == 0 {
		return "/crawls/" + v.Crawl.ID + "/pages"
	}
	return "/crawls/" + v.Crawl.ID + "/pages?" + query.Encode()
}
