package result

import (
	"encoding/json"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/lint"
)

// All texts in these structs come from the crawled site. They are on one line and
// without characters that act on a display, but may be of any length and say anything.

// A Page is a URL of the crawl as a row of a list.
type Page struct {
	ID       int64  `json:"id"` // numbers the URLs of the crawl, from 1
	URL      string `json:"url"`
	Title    string `json:"title,omitempty"`
	Role     string `json:"role"`             // page, asset or external
	Decision string `json:"decision"`         // "listed", "waiting" or the name of a crawl.Reason
	Target   *Ref   `json:"target,omitempty"` // of a redirect, canonical or duplicate

	Detail       crawl.Detail `json:"-"`                  // evidence for the decision
	DetailText   string       `json:"detail,omitempty"`   // the same in English
	Conflict     crawl.Detail `json:"-"`                  // contradicting canonical URLs
	ConflictText string       `json:"conflict,omitempty"` // the same in English

	Status    int    `json:"status,omitempty"` // HTTP status; 0 without a response
	Reused    bool   `json:"reused,omitempty"` // the response was 304 Not Modified
	MediaType string `json:"media_type,omitempty"`
	// IsRendered says whether the page is as its scripts made it, RenderReason why it was rendered, or
	// why not; both are absent unless the crawl decided. RenderFailure is why it is as the site sent it
	// although it needed rendering.
	IsRendered    *bool              `json:"rendered,omitempty"`
	RenderReason  crawl.RenderReason `json:"render_reason,omitempty"`
	RenderFailure string             `json:"render_failure,omitempty"`
	Rendered      *crawl.Rendered    `json:"-"`
	Duration      time.Duration      `json:"-"`
	DurationMS    float64            `json:"duration_ms,omitempty"` // the same in milliseconds
	Size          int64              `json:"size,omitempty"`        // bytes, decompressed
	LastMod       string             `json:"lastmod,omitempty"`
	LastModSource string             `json:"lastmod_source,omitempty"`

	Depth   int      `json:"depth"`  // links from the start; -1 when no links lead there
	Linked  int      `json:"linked"` // pages that link to it
	Links   int      `json:"links"`  // URLs that it links to
	Sources []string `json:"seed_sources,omitempty"`

	Language    string `json:"language,omitempty"`
	Words       int    `json:"words,omitempty"`        // of the main content
	TitleLength int    `json:"title_length,omitempty"` // columns: a wide character has two
	Facts       *Facts `json:"facts,omitempty"`        // nil unless it was read as HTML
}

// Facts are what an HTML page says about itself. Lengths are in columns: a wide character has two.
type Facts struct {
	Description       string   `json:"description,omitempty"`
	DescriptionLength int      `json:"description_length,omitempty"`
	H1                string   `json:"h1,omitempty"`
	ImagesWithoutAlt  int      `json:"images_without_alt"`
	OpenGraph         []string `json:"open_graph,omitempty"` // names of the properties, without "og:"
	OpenGraphType     string   `json:"og_type,omitempty"`
	JSONLD            string   `json:"json_ld,omitempty"`
	NeedsScript       bool     `json:"needs_script,omitempty"`
}

// A Ref names another URL of the crawl and what was decided about it.
type Ref struct {
	ID       int64  `json:"id"`
	URL      string `json:"url"`
	Decision string `json:"decision"`
	Status   int    `json:"status,omitempty"`
}

// A Part says which part of a list it is.
type Part struct {
	Before   int    `json:"-"`              // rows before it
	Previous string `json:"-"`              // cursor of the part before it; empty for the first part
	Next     string `json:"next,omitempty"` // cursor of the next part; empty at the end
}

// A PageList is a part of the pages that a filter selects.
type PageList struct {
	Pages []Page `json:"pages"`
	Total int64  `json:"total"` // pages that the filter selects
	Part
}

// PageDetails is all that is known of a URL, except for its links.
type PageDetails struct {
	Page
	Time         time.Time `json:"time,omitzero"` // of the request, UTC
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"` // the header, as sent
	FoundOn      *Ref      `json:"found_on,omitempty"`      // the first page that links there
	Path         []Step    `json:"path,omitempty"`          // from the start; empty when no links lead there
	Findings     []Finding `json:"findings,omitempty"`
	Previous     *Previous `json:"previous,omitempty"` // in the previous crawl, if that knows it
}

// A Step is a URL on the path from the start.
type Step struct {
	Ref
	By   string `json:"by,omitempty"`   // redirect, canonical, alternate …; empty for a link
	Text string `json:"text,omitempty"` // of the link
}

// Previous is the state of a URL in the previous crawl.
type Previous struct {
	Time     time.Time `json:"time,omitzero"`
	Decision string    `json:"decision"`
	Status   int       `json:"status,omitempty"`
	Title    string    `json:"title,omitempty"`
	LastMod  string    `json:"lastmod,omitempty"`
}

// A Direction says which links of a page are meant.
type Direction int

// The directions.
const (
	In  Direction = iota // links to the page
	Out                  // links of the page
)

// A Link is a link to a page or of a page. Links of one page to another are one Link.
type Link struct {
	Ref             // the other end
	Text     string `json:"text,omitempty"` // of the first such link that has one
	Kind     string `json:"kind"`           // anchor, image, redirect …: a crawl.EdgeKind
	Nofollow bool   `json:"nofollow,omitempty"`
}

// A LinkList is a part of the links of a page.
type LinkList struct {
	Links []Link `json:"links"`
	Total int    `json:"total"`
	Part
}

// A Tree is a folder with a part of the folders in it.
type Tree struct {
	Folder
	Parent  string   `json:"parent,omitempty"` // URL of the folder above; empty at the top
	Folders []Folder `json:"folders"`
	Part
}

// A Folder counts the URLs of a folder and all below it.
type Folder struct {
	URL     string `json:"url"` // ends in a slash; empty for the folder of all origins
	Name    string `json:"name"`
	Total   int64  `json:"total"`
	Listed  int64  `json:"listed"`
	Broken  int64  `json:"broken"`
	Folders int64  `json:"folders"` // directly in it
}

// A Finding is what a rule found: on one page, or on several that are alike.
type Finding struct {
	Rule     *lint.Rule
	Severity lint.Severity
	Places   int     // pages
	Count    int     // links, images or pages that it is about
	First    []Place // some of the pages; empty for one about the sitemap as a whole
	Other    *Ref    // another URL, with the fragment of a link, or nil
	File     string  // the sitemap, in findings about that
	crawl.Position

	other string // the URL of Other, or of the page itself where the finding is about a link to it
	kept  group
}

// A Place is a page with a finding.
type Place struct {
	Ref
	Text string `json:"text,omitempty"` // of the link, in rules about the target of a link
	crawl.Position
}

// Text returns what is wrong, in the language of a catalog, with the other URL as short returns it.
func (f *Finding) Text(c *catalog.Catalog, short func(url string) string) string {
	found := insight.Finding{
		Rule: f.Rule, OtherURL: short(f.other), Message: f.kept.Message, Arguments: f.kept.Arguments,
	}
	return format.Plain(found.Text(c))
}

// InTemplate reports whether most of the pages of the crawl have the finding.
func (f *Finding) InTemplate(pages int) bool {
	found := insight.Finding{Places: f.Places}
	return found.InTemplate(pages)
}

// MarshalJSON writes the finding for programs, with its text in English.
func (f Finding) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Rule     string        `json:"rule"`
		Severity lint.Severity `json:"severity"`
		Message  string        `json:"message"`
		Pages    int           `json:"pages"`
		Count    int           `json:"count"`
		First    []Place       `json:"first,omitempty"`
		Other    *Ref          `json:"other,omitempty"`
		File     string        `json:"file,omitempty"`
		crawl.Position
		Args insight.Arguments `json:"args,omitempty"`
	}{
		f.Rule.ID, f.Severity, f.Text(catalog.For(catalog.English), whole), f.Places, f.Count, f.First, f.Other, f.File,
		f.Position, f.kept.Arguments,
	})
}

// whole returns a URL as it is.
func whole(url string) string { return url }

// A FindingList is a part of what a rule found.
type FindingList struct {
	Findings []Finding `json:"findings"`
	Total    int       `json:"total"` // those that are alike are one
	Part
}

// A Change is a URL that differs between two crawls.
type Change struct {
	compare.Change
	ID int64 `json:"id,omitempty"` // in the new crawl; 0 for a removed URL
}

// A ChangeList is a part of the changes between two crawls.
type ChangeList struct {
	Changes []Change       `json:"changes"`
	Counts  compare.Counts `json:"counts"`
	Kinds   []KindCount    `json:"kinds"`  // in their order, without those that do not occur
	Unseen  int            `json:"unseen"` // URLs left out because a crawl did not reach them
	Part
}

// A KindCount is the number of changes of a kind.
type KindCount struct {
	Kind  compare.Kind `json:"kind"`
	Count int          `json:"count"`
}
