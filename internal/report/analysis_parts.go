package report

import (
	"context"

	"github.com/mapatools/mapa/crawl"
)

// Summary counts the URLs by what was decided about them.
func (a *Analysis) Summary() crawl.Summary { return a.totals.summary }

// Last returns the largest ID of the crawl.
func (a *Analysis) Last() crawl.ID { return crawl.ID(len(a.web.depth) - 1) }

// InLinks calls each with every pair of a page and another that it links to, each pair
// once, in the order of from; redirects come last. Entry.Linked counts these.
func (a *Analysis) InLinks(ctx context.Context, each func(from, to crawl.ID)) error {
	err := a.pairs.Each(ctx, func(from, to int64) error {
		each(crawl.ID(from), crawl.ID(to))
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range a.web.redirects {
		each(r.from, r.to)
	}
	return nil
}

// Linked returns the number of pages that link to a URL.
func (a *Analysis) Linked(id crawl.ID) uint32 { return a.web.linked[id] }

// Groups returns the pages of each group of a list, which is numbered as in GroupLists:
// the largest group first, and its pages in the order of the IDs.
func (a *Analysis) Groups(list int) [][]crawl.ID { return a.groups[list] }

// A MissingAnchor is an anchor that pages link to and that its page does not have.
type MissingAnchor struct {
	Page     crawl.ID
	Fragment string
	Links    int
	From     []crawl.ID // the first pages that link to it
	Texts    []string   // of the links
}

// MissingAnchors returns the missing anchors that the report shows, the most linked
// first.
func (a *Analysis) MissingAnchors() []MissingAnchor {
	var list []MissingAnchor
	for _, target := range a.broken.anchors {
		anchor := MissingAnchor{Page: target.id, Fragment: target.fragment, Links: target.links}
		for _, source := range target.sources {
			anchor.From, anchor.Texts = append(anchor.From, source.page), append(anchor.Texts, source.text)
		}
		list = append(list, anchor)
	}
	return list
}

// FaultNames returns the names of the kinds of hreflang errors.
func FaultNames() []string { return faultKeys[:] }

// A LanguageFault is an hreflang error, by one of the names in FaultNames.
type LanguageFault struct {
	Page, Other crawl.ID // Other is the version with the error, or 0
	Fault       string
	Language    string
}

// LanguageFaults returns the hreflang errors that the report shows.
func (a *Analysis) LanguageFaults() []LanguageFault {
	var list []LanguageFault
	for _, f := range a.totals.languages.findings {
		list = append(list, LanguageFault{Page: f.page, Other: f.other, Fault: faultKeys[f.fault], Language: f.language})
	}
	return list
}

// OnSite reports whether an outcome is that of a URL that is, or could be, a page of the
// site, and whether that is listed or broken, as the tree of folders counts.
func OnSite(o *crawl.Outcome) (onSite, listed, broken bool) {
	r := crawl.Record{Fetched: o.Fetched, Link: crawl.Link{Reason: o.Reason}, Page: crawl.Page{Reason: o.Reason}}
	return classOf(&r) != classOther, isListed(&r), o.Fetched && r.Page.Broken()
}

// RoleName returns the name of a role: page, asset or external.
func RoleName(role crawl.Role) string { return roles[role%3] }

// TextLength returns the length of a text in characters, as the lists of texts that are
// too long or too short count it.
func TextLength(text string) int { return textLength(text) }

// SharedText returns what the pages of a group of a list share with one of them: a title,
// a description or a heading. For content it is the title of that page.
func SharedText(list string, r *crawl.Record) string {
	switch facts := r.Page.Facts; {
	case list == "descriptions.same" && facts != nil:
		return facts.Description
	case list == "headings.same" && facts != nil:
		return facts.H1
	}
	return r.Page.Title
}
