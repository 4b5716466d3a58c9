package view

import (
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

// A Fact is a fact about a URL with its name: tags, a link and a text, which may be that of a time.
type Fact struct {
	Key, Name string
	Tags      []Tag
	Link      *Link
	Value     string
	Time      time.Time
}

// A PageFinding is what a rule found on a page.
type PageFinding struct {
	Kind, Title, Text, Why, Fix string
	Ignore                      string // address of the form that ignores it, or empty
}

// Links are the links to a page or from it. The first are shown. Next is the address of all, or empty.
type Links struct {
	Slot  string // in or out
	Total int
	Shown []Link
	Next  string
}

// Rest returns the number of links that are not shown.
func (l *Links) Rest() int { return l.Total - len(l.Shown) }

// Facts returns what is known of a URL, in the order of the table of facts, with a link to its target or nil.
func Facts(c *catalog.Catalog, p *page.Page, target *Link) (known []Fact) {
	for _, f := range page.In(page.Panel) {
		one := Fact{Key: f.Key, Name: f.Name(c), Value: f.Words(c, p)}
		switch f.Key {
		case "decision":
			one.Tags, one.Value = []Tag{DecisionTag(c, p.Decision(), p.Page.Status)}, Evidence(c, p)
		case "target":
			one.Link, one.Value = target, ""
		case "time":
			one.Time = p.Page.Time
		}
		if len(one.Tags) > 0 || one.Link != nil || one.Value != "" {
			known = append(known, one)
		}
	}
	return known
}

// DecisionTag names a decision in the language of a catalog, or the status of the response where that says more.
func DecisionTag(c *catalog.Catalog, decision crawl.Reason, status int) Tag {
	e := page.Explain(c, decision)
	tag := Tag{Name: e.Name, Kind: e.Tone, Text: e.Singular}
	if status >= http.StatusBadRequest {
		tag.Name = page.StatusName(c, status)
	}
	return tag
}

// Evidence returns the evidence for a decision, unless the tag or the target says it.
func Evidence(c *catalog.Catalog, p *page.Page) string {
	detail := format.Plain(page.DetailText(c, p, p.Detail()))
	isSaid := strings.HasSuffix(DecisionTag(c, p.Decision(), p.Page.Status).Name, detail)
	if isSaid || p.TargetURL != "" && p.Page.Reason == crawl.ReasonRedirect {
		return ""
	}
	return detail
}
