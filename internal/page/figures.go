package page

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// Figures are what others say about a URL: search engines, by the exports that a person downloaded, and tables that a
// person joined. A change of them is no change of the page. The zero value is that nobody says anything.
type Figures struct {
	// Index is whether Google has the page in its index, one of IndexStates, or empty where that is not known.
	// IndexReason is why not: one of IndexReasons, or the words of the export. IndexDate is the day of the export,
	// and EngineCrawl that of the last visit of the engine.
	Index, IndexReason, IndexDate, EngineCrawl string

	Google, Bing Search
	// Joined has the other columns of joined tables, by their headings.
	Joined map[string]string
}

// Search are the numbers of a page in the results of a search engine.
type Search struct {
	Known               bool
	Clicks, Impressions int64
	Position            int64  // the average in thousandths; 0 where it is not known
	Period              string // the first and the last day, with a slash between them, or empty
}

// The values of Figures.Index.
const (
	IndexYes = "indexed"
	IndexNo  = "not-indexed"
)

// IndexStates are the values of Figures.Index.
var IndexStates = []string{IndexYes, IndexNo}

// The reasons that rules look at.
const (
	IndexOtherCanonical = "duplicate-other-canonical"
	IndexAlternate      = "alternate-canonical"
)

// IndexReasons are the reasons of Google that have a name, as its Page indexing report lists them
// (https://support.google.com/webmasters/answer/7440203). The catalog has its sentences as index.reason.NAME.
var IndexReasons = []string{
	"server-error", "redirect-error", "blocked-robots", "noindex", "soft-404", "unauthorized", "not-found", "forbidden",
	"other-4xx", "blocked-removal-tool", "crawled", "discovered", IndexAlternate, "duplicate-no-canonical",
	IndexOtherCanonical, "redirect", "indexed-though-blocked", "indexed-without-content",
}

// IndexReasonCode returns the code of the sentence for a reason, if it has a name.
func IndexReasonCode(reason string) (code string, known bool) {
	return "index.reason." + reason, slices.Contains(IndexReasons, reason)
}

// IndexReasonText returns a reason in a language: the sentence of Google, or the words of the export.
func IndexReasonText(c *catalog.Catalog, reason string) string {
	if code, known := IndexReasonCode(reason); known {
		return c.Text(code)
	}
	return format.Plain(reason)
}

func indexReasonWords(c *catalog.Catalog, p *Page) string {
	return IndexReasonText(c, p.Figures.IndexReason)
}

func indexWords(c *catalog.Catalog, p *Page) string {
	if p.Figures.Index == "" {
		return ""
	}
	return c.Text("fact.index_state." + p.Figures.Index)
}

// ofSearch returns a getter of a number of a search engine.
func ofSearch(engine func(*Figures) *Search, number func(*Search) int64) func(*Page) (int64, bool) {
	return func(p *Page) (int64, bool) {
		s := engine(&p.Figures)
		return number(s), s.Known
	}
}

func google(f *Figures) *Search { return &f.Google }
func bing(f *Figures) *Search   { return &f.Bing }

func clicks(s *Search) int64      { return s.Clicks }
func impressions(s *Search) int64 { return s.Impressions }

// positionOf returns the getter of the average position in the results of a search engine.
func positionOf(engine func(*Figures) *Search) func(*Page) (int64, bool) {
	return func(p *Page) (int64, bool) {
		n := engine(&p.Figures).Position
		return n, n > 0
	}
}

// joinedText returns the columns of joined tables as JSON, in the order of their headings, or "".
func joinedText(p *Page) string {
	if len(p.Figures.Joined) == 0 {
		return ""
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(p.Figures.Joined) // strings can be encoded
	return strings.TrimSuffix(text.String(), "\n")
}

func joinedWords(_ *catalog.Catalog, p *Page) string {
	var words []string
	for name, value := range p.Figures.Joined {
		words = append(words, name+": "+value)
	}
	slices.Sort(words)
	return format.Plain(strings.Join(words, "; "))
}
