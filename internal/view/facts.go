package view

import (
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
)

// Facts are what a crawl knows about a URL. Lengths are in columns.
type Facts struct {
	Decision Tag
	Detail   string // evidence for the decision, which the tag may show already
	Target   *Link  // of a redirect, canonical or duplicate, or nil
	Conflict string // between canonical URLs

	Status               string // with its usual text, or empty without a response
	Reused               bool   // the response was 304
	Time                 time.Time
	LastMod, LastModFrom string
	Took                 time.Duration
	Size                 int64 // bytes
	MediaType            string
	Rendered             string   // whether, and why; empty unless the crawl decided
	LastModified, ETag   string   // header fields
	Depth                int      // links from the start, or less than 0
	Named                []string // what named the URL besides links: start, sitemap, list or log

	Title, Description             string
	TitleLength, DescriptionLength int
	H1, Language                   string

	HasPage                 bool // the page was read as HTML; otherwise the following are unknown
	Words, ImagesWithoutAlt int
	OpenGraph               []string // names of properties
	OpenGraphType, JSONLD   string
}

// A Fact is a fact about a URL with its name: tags, a link and a text, which may be that of a time.
type Fact struct {
	Key, Name string
	Tags      []Tag
	Link      *Link
	Value     string
	Time      time.Time
}

// Known reports whether there is something to show.
func (f *Fact) Known() bool { return len(f.Tags) > 0 || f.Link != nil || f.Value != "" }

// List returns all facts in their order. Report and application show those that are known.
func (f *Facts) List(c *catalog.Catalog) []Fact {
	decision := Fact{Key: "decision", Value: f.Detail}
	if f.Decision.Name != "" {
		decision.Tags = []Tag{f.Decision}
	}
	if strings.HasSuffix(f.Decision.Name, f.Detail) {
		decision.Value = ""
	}
	facts := []Fact{decision, {Key: "target", Link: f.Target}}
	for _, fact := range []struct{ key, value string }{
		{"conflict", f.Conflict}, {"status", f.status(c)}, {"time", textIf(!f.Time.IsZero(), c.Time(f.Time))},
		{"lastmod", textIf(f.LastMod != "", f.LastMod+" ("+f.LastModFrom+")")},
		{"took", textIf(f.Status != "", c.Duration(f.Took))}, {"size", textIf(f.Size > 0, c.Bytes(f.Size))},
		{"type", f.MediaType}, {"rendered", f.Rendered}, {"modified", f.LastModified}, {"etag", f.ETag},
		{"depth", textIf(f.Depth >= 0, strconv.Itoa(f.Depth))}, {"named", f.named(c)},
		{"title", withLength(c, f.Title, f.TitleLength)},
		{"description", withLength(c, f.Description, f.DescriptionLength)}, {"heading", f.H1}, {"language", f.Language},
		{"words", textIf(f.HasPage, c.Count(int64(f.Words)))},
		{"images", textIf(f.HasPage, c.Count(int64(f.ImagesWithoutAlt)))}, {"open-graph", f.openGraph()},
		{"json-ld", f.JSONLD},
	} {
		facts = append(facts, Fact{Key: fact.key, Value: fact.value})
	}
	for i := range facts {
		facts[i].Name = c.Text("fact." + facts[i].Key)
		if facts[i].Key == "time" {
			facts[i].Time = f.Time
		}
	}
	return facts
}

func textIf(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

func withLength(c *catalog.Catalog, text string, length int) string {
	return textIf(text != "", text+" ("+c.Count(int64(length))+")")
}

func (f *Facts) status(c *catalog.Catalog) string {
	if f.Reused {
		return f.Status + ", " + c.Text("script.not-modified")
	}
	return f.Status
}

// named returns the names of what named the URL. Everybody knows about the start.
func (f *Facts) named(c *catalog.Catalog) string {
	var names []string
	for _, name := range f.Named {
		if name != "start" {
			names = append(names, c.Text("script.named-"+name))
		}
	}
	return strings.Join(names, ", ")
}

// openGraph returns the names of Open Graph properties, with the value of og:type.
func (f *Facts) openGraph() string {
	names := make([]string, len(f.OpenGraph))
	for i, name := range f.OpenGraph {
		if names[i] = name; name == "type" && f.OpenGraphType != "" {
			names[i] += " (" + f.OpenGraphType + ")"
		}
	}
	return strings.Join(names, ", ")
}
