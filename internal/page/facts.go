package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/format"
)

// A Kind is the form of a fact.
type Kind uint8

// The kinds. Those from Number on are numbers.
const (
	Text   Kind = iota // of the site
	URL                // of the crawl
	Code               // a name of Mapa, such as that of a decision
	Detail             // a code with arguments: see crawl.Detail
	Number
	Bytes
	Milliseconds // as microseconds
	Decimal      // in thousandths
	Flag         // 0 or 1
	Set          // the sum of the bits of Names
	Time         // in milliseconds since 1970
)

// Outputs is a set of outputs that include a fact.
type Outputs uint16

// The outputs.
const (
	CSV    Outputs = 1 << iota
	JSON           // also JSON lines, the API and language models
	SQL            // the view page of the crawl file
	List           // a column of lists of URLs
	Panel          // all about a URL, for people
	Why            // mapa why
	Filter         // a filter of lists
	Choice         // a filter that offers its values
	Sort           // an order of lists
	Change         // what two crawls are compared by
)

// A Fact is something that is known of a URL. It is read by Text, Detail or Number, by its kind; without any of them
// it is only in the SQL view.
type Fact struct {
	Key  string
	Kind Kind
	In   Outputs
	// Text returns "" where the fact is not known, Detail an empty detail, and Number false.
	Text   func(*Page) string
	Detail func(*Page) crawl.Detail
	Number func(*Page) (int64, bool)
	Names  []string // of a Set, or the values of a Code
	// SQL is the value in the tables url u, fetch f, figure g and numbers n of a crawl file. Counted facts are columns of
	// the table numbers, which lists are filtered and sorted by: there, the others are read from wide rows.
	SQL     string
	Counted bool
	Down    bool // people sort by it from the largest
	// Order is the SQL expression that lists are sorted by; empty means the value. Among is the SQL condition on the URLs
	// that lack the fact where a filter selects those; empty means all.
	Order, Among string
	// With is the key of the fact that people see in parentheses after this one. Word returns the words for people where
	// the kind does not decide them.
	With string
	Word func(*catalog.Catalog, *Page) string
	// Parts are the parts of the content whose sums say whether the fact changed; the others change with their value.
	// Items returns the entries of a fact that is a list.
	Parts content.Parts
	Items func(*Page) []string
}

// Facts is the table, in the order of outputs. Nobody may change it.
var Facts = []Fact{
	{Key: "id", Kind: Number, In: JSON | SQL, SQL: "u.id",
		Number: func(p *Page) (int64, bool) { return int64(p.Link.ID), true }},
	{Key: "url", Kind: URL, In: CSV | JSON | SQL | List | Sort, SQL: "u.url", Order: "n.position",
		Text: func(p *Page) string { return p.Link.URL }},
	{Key: "decision", Kind: Code, In: CSV | JSON | SQL | List | Panel | Filter | Choice | Sort | Change, Counted: true,
		SQL:   "iif(f.id is null, coalesce(u.reason, 'waiting'), coalesce(f.reason, 'listed'))",
		Order: decisionOrder(), Names: decisionNames(),
		Text: func(p *Page) string { return DecisionName(p.Decision()) },
		Word: func(c *catalog.Catalog, p *Page) string { return Explain(c, p.Decision()).Name }},
	{Key: "listed", Kind: Flag, In: JSON | SQL,
		SQL:    "f.id is not null and f.reason is null or f.id is null and u.reason is 'added'",
		Number: func(p *Page) (int64, bool) { return flag(IsListed(&p.Record)), true }},
	{Key: "detail", Kind: Detail, In: CSV | JSON | SQL | Why, SQL: "iif(f.id is null, u.detail, f.detail)",
		Detail: (*Page).Detail},
	{Key: "target", Kind: URL, In: CSV | JSON | SQL | Panel | Why | Change,
		SQL:  "(select t.url from url t where t.id = f.target)",
		Text: func(p *Page) string { return p.TargetURL }},
	{Key: "conflict", Kind: Detail, In: CSV | JSON | SQL | Panel | Why | Change, SQL: "f.conflict",
		Detail: func(p *Page) crawl.Detail { return p.Page.Conflict }},
	{Key: "role", Kind: Code, In: CSV | JSON | SQL | Filter, Counted: true,
		SQL: "case u.role when 0 then 'page' when 1 then 'asset' else 'external' end", Names: roles[:],
		Text: func(p *Page) string { return roles[p.Link.Role%3] }},
	{Key: "status", Kind: Number, In: CSV | JSON | SQL | Panel | Why | Filter | Choice | Sort | Change, Counted: true,
		SQL: "nullif(f.status, 0)", Among: "n.requested = 1",
		Number: func(p *Page) (int64, bool) { return positive(p.Page.Status) }, Word: statusWords},
	{Key: "depth", Kind: Number, In: CSV | JSON | SQL | List | Panel | Why | Filter | Choice | Sort, Counted: true,
		SQL:    "n.depth",
		Number: func(p *Page) (int64, bool) { return int64(p.Depth), p.Counted && p.Depth != Unreached }},
	{Key: "linked_from", Kind: Number, In: CSV | JSON | SQL | List | Why | Filter | Sort, Counted: true, Down: true,
		SQL:    "n.linked_from",
		Number: func(p *Page) (int64, bool) { return int64(p.Linked), p.Counted }},
	{Key: "links", Kind: Number, In: JSON | SQL | Filter | Sort | Change, Counted: true, SQL: "n.links",
		Number: func(p *Page) (int64, bool) { return int64(p.Links), p.Counted },
		Parts:  content.PartLinks},
	{Key: "seed_sources", Kind: Set, In: CSV | JSON | SQL | Panel | Why | Filter | Choice, Counted: true,
		SQL:    "u.seed_sources",
		Names:  seedNames,
		Number: func(p *Page) (int64, bool) { return positive(int(p.Link.SeededBy)) }},
	{Key: "time", Kind: Time, In: CSV | JSON | SQL | Panel | Sort, Counted: true, SQL: "f.time_ms",
		Number: func(p *Page) (int64, bool) { return p.Page.Time.UnixMilli(), !p.Page.Time.IsZero() }},
	{Key: "duration_ms", Kind: Milliseconds, In: CSV | JSON | SQL | Panel | Sort, Counted: true,
		SQL:    "nullif(f.duration_us, 0)",
		Number: func(p *Page) (int64, bool) { return positive(int(p.Page.Duration.Microseconds())) }},
	{Key: "media_type", Kind: Text, In: CSV | JSON | SQL | Panel | Why | Filter | Choice | Sort | Change, Counted: true,
		SQL:  "f.media_type",
		Text: func(p *Page) string { return p.Page.MediaType }},
	{Key: "size", Kind: Bytes, In: CSV | JSON | SQL | Panel | Sort, Counted: true, SQL: "nullif(f.size, 0)",
		Number: func(p *Page) (int64, bool) { return positive(int(p.Page.Size)) }},
	{Key: "title", Kind: Text, In: CSV | JSON | SQL | Panel | Why | Sort | Change, SQL: "f.title", With: "title_length",
		Text: func(p *Page) string { return p.Page.Title }},
	{Key: "language", Kind: Text, In: CSV | JSON | SQL | Panel | Sort | Change, SQL: "f.language",
		Text: func(p *Page) string { return p.Page.Language }},
	{Key: "words", Kind: Number, In: CSV | JSON | SQL | Panel | Filter | Sort | Change, Counted: true,
		SQL: "iif(f.images is null, null, f.words)", Number: ofFacts(func(p *Page) int { return p.Page.Words }),
		Parts: content.PartText | content.PartNumbers},
	{Key: "lastmod", Kind: Text, In: CSV | JSON | SQL | Panel | Why | Sort | Change, SQL: "f.lastmod",
		With: "lastmod_source",
		Text: func(p *Page) string { return p.Page.LastMod.String() }, Word: lastModWords},
	{Key: "lastmod_source", Kind: Code, In: CSV | JSON | SQL, SQL: "f.lastmod_source",
		Text: func(p *Page) string { return string(p.Page.LastModSource) }},
	{Key: "rendered", Kind: Flag, In: JSON | SQL | Panel | Why,
		SQL: "iif(f.render_reason is null, null, coalesce(f.rendered ->> '$.failure' is null and f.rendered is not null, 0))",
		Number: func(p *Page) (int64, bool) {
			return flag(p.Page.Rendered.Done()), p.Page.RenderReason != ""
		},
		Word: func(c *catalog.Catalog, p *Page) string { return RenderedText(c, p.Page.RenderReason, p.Page.Rendered) }},
	{Key: "render_reason", Kind: Code, In: JSON | SQL, SQL: "f.render_reason",
		Text: func(p *Page) string { return string(p.Page.RenderReason) }},
	{Key: "render_failure", Kind: Detail, In: JSON | SQL, SQL: "f.rendered ->> '$.failure'",
		Detail: func(p *Page) crawl.Detail {
			if !p.Page.Rendered.Inconclusive() {
				return ""
			}
			return p.Page.Rendered.Failure
		}},
	{Key: "reused", Kind: Flag, In: CSV | JSON | SQL | Panel, SQL: "nullif(f.reused, 0)",
		Number: func(p *Page) (int64, bool) { return 1, p.Page.Reused }},
	{Key: "title_length", Kind: Number, In: CSV | JSON | SQL | Filter | Sort, Counted: true, SQL: "n.title_length",
		Number: func(p *Page) (int64, bool) { return positive(format.Columns(p.Page.Title)) }},
	{Key: "description", Kind: Text, In: CSV | JSON | SQL | Panel | Sort | Change, SQL: "f.description",
		With: "description_length",
		Text: textOfFacts(func(f *crawl.Facts) string { return f.Description })},
	{Key: "description_length", Kind: Number, In: JSON | SQL | Filter | Sort, Counted: true, SQL: "n.description_length",
		Number: func(p *Page) (int64, bool) {
			if p.Page.Facts == nil {
				return 0, false
			}
			return positive(format.Columns(p.Page.Facts.Description))
		}},
	{Key: "h1", Kind: Text, In: CSV | JSON | SQL | Panel | Sort | Change, SQL: "f.h1",
		Text: textOfFacts(func(f *crawl.Facts) string { return f.H1 })},
	{Key: "images", Kind: Number, In: SQL | Change, SQL: "f.images",
		Parts: content.PartPictures, Number: ofFacts(func(p *Page) int { return p.Page.Facts.Images })},
	{Key: "images_without_alt", Kind: Number, In: CSV | JSON | SQL | Panel | Filter | Sort | Change, Counted: true,
		SQL: "f.images_without_alt", Number: ofFacts(func(p *Page) int { return p.Page.Facts.ImagesWithoutAlt })},
	{Key: "open_graph", Kind: Set, In: CSV | JSON | SQL | Panel | Change, SQL: "f.open_graph",
		Names: openGraphNames, Number: openGraphOf,
		Word: func(_ *catalog.Catalog, p *Page) string {
			n, _ := openGraphOf(p)
			return strings.Join(namesOf(n, openGraphNames), ", ")
		}},
	{Key: "og_type", Kind: Text, In: CSV | JSON | SQL | Panel, SQL: "f.og_type",
		Text: textOfFacts(func(f *crawl.Facts) string { return f.OpenGraphType })},
	{Key: "json_ld", Kind: Text, In: CSV | JSON | SQL | Panel | Change, SQL: "f.json_ld",
		Text:  textOfFacts(func(f *crawl.Facts) string { return f.JSONLD }),
		Parts: content.PartData | content.PartPrices, Items: itemTypesOf},
	{Key: "needs_script", Kind: Flag, In: CSV | JSON | SQL | Change, SQL: "nullif(f.needs_script, 0)",
		Number: func(p *Page) (int64, bool) { return 1, p.Page.Facts != nil && p.Page.Facts.NeedsScript }},
	{Key: "index_state", Kind: Code, In: CSV | JSON | SQL | Panel | Why | Filter | Choice | Sort, SQL: "g.index_state",
		Names: IndexStates, With: "index_reason", Word: indexWords,
		Text: func(p *Page) string { return p.Figures.Index }},
	{Key: "index_reason", Kind: Code, In: CSV | JSON | SQL | Filter | Sort, SQL: "g.index_reason", Word: indexReasonWords,
		Text: func(p *Page) string { return p.Figures.IndexReason }},
	{Key: "index_date", Kind: Text, In: CSV | JSON | SQL | Panel | Why, SQL: "g.index_date",
		Text: func(p *Page) string { return p.Figures.IndexDate }},
	{Key: "engine_crawl", Kind: Text, In: CSV | JSON | SQL | Panel | Why | Sort, SQL: "g.engine_crawl",
		Text: func(p *Page) string { return p.Figures.EngineCrawl }},
	{Key: "clicks", Kind: Number, In: CSV | JSON | SQL | Panel | Why | Filter | Sort, SQL: "g.clicks", Down: true,
		Number: ofSearch(google, clicks)},
	{Key: "impressions", Kind: Number, In: CSV | JSON | SQL | Panel | Why | Filter | Sort, SQL: "g.impressions",
		Down: true, Number: ofSearch(google, impressions)},
	{Key: "position", Kind: Decimal, In: CSV | JSON | SQL | Panel | Why | Sort, SQL: "g.position",
		Number: positionOf(google)},
	{Key: "search_period", Kind: Text, In: CSV | JSON | SQL | Panel | Why, SQL: "g.search_period",
		Text: func(p *Page) string { return p.Figures.Google.Period }},
	{Key: "bing_clicks", Kind: Number, In: CSV | JSON | SQL | Panel | Why | Filter | Sort, SQL: "g.bing_clicks",
		Down: true, Number: ofSearch(bing, clicks)},
	{Key: "bing_impressions", Kind: Number, In: CSV | JSON | SQL | Panel | Why | Filter | Sort,
		SQL: "g.bing_impressions", Down: true, Number: ofSearch(bing, impressions)},
	{Key: "bing_position", Kind: Decimal, In: CSV | JSON | SQL | Panel | Why | Sort, SQL: "g.bing_position",
		Number: positionOf(bing)},
	{Key: "bing_period", Kind: Text, In: CSV | JSON | SQL | Panel | Why, SQL: "g.bing_period",
		Text: func(p *Page) string { return p.Figures.Bing.Period }},
	{Key: "joined", Kind: Text, In: JSON | SQL | Panel | Why, SQL: "g.joined", Text: joinedText, Word: joinedWords},
	{Key: "etag", Kind: Text, In: JSON | SQL | Panel, SQL: "f.etag",
		Text: func(p *Page) string { return p.Page.ETag }},
	{Key: "last_modified", Kind: Text, In: JSON | SQL | Panel, SQL: "f.last_modified",
		Text: func(p *Page) string { return p.Page.LastModified }},
	{Key: "found_on", Kind: URL, In: SQL, SQL: "(select t.url from url t where t.id = u.found_on)"},
	{Key: "hops", Kind: Number, In: SQL, SQL: "u.hops"},
	{Key: "requested_url", Kind: URL, In: SQL, SQL: "u.requested_url"},
	{Key: "transferred", Kind: Bytes, In: SQL, SQL: "f.transferred"},
	{Key: "digest", Kind: Text, In: SQL, SQL: "iif(f.digest <> 0, printf('%016x', f.digest), null)"},
	{Key: "parts", Kind: Set, In: SQL | Change, SQL: "f.parts", Names: []string{"form", "video", "password", "viewport"},
		Number: ofFacts(func(p *Page) int { return int(p.Page.Facts.Parts) })},
	{Key: "canonical", Kind: Flag, In: SQL | Change, SQL: "iif(f.images is null, null, f.parts >> 4 & 1)",
		Number: ofFacts(func(p *Page) int { return int(p.Page.Facts.Parts) >> 4 & 1 })},
	{Key: "faults", Kind: Text, In: SQL, SQL: "f.faults"},
	{Key: "extensions", Kind: Text, In: SQL, SQL: "f.extensions"},
	{Key: "hreflang", Kind: Text, In: SQL | Change, Items: hreflangOf,
		SQL: "(select group_concat(a.value ->> 'hreflang' || ' ' || (a.value ->> 'href'), ', ')" +
			" from json_each(f.extensions, '$.alternates') a)",
		Text: func(p *Page) string { return strings.Join(hreflangOf(p), ", ") }},
	{Key: "security", Kind: Set, In: SQL | Change, Names: securityNames,
		SQL:    "iif(f.security & 1, f.security / 2, null)",
		Number: func(p *Page) (int64, bool) { return int64(p.Page.Security / 2), p.Page.Security != 0 }},
	{Key: "certificate_end", Kind: Text, In: SQL, SQL: "f.certificate_end"},
	{Key: "session_links", Kind: Number, In: SQL, SQL: "f.session_links"},
	{Key: "too_many_links", Kind: Flag, In: SQL, SQL: "f.too_many_links"},
	{Key: "render_ms", Kind: Milliseconds, In: SQL, SQL: "(f.rendered ->> '$.duration') / 1000.0"},
	{Key: "before_render", Kind: Text, In: SQL, SQL: "f.rendered -> '$.before'"},
	{Key: "after_render", Kind: Text, In: SQL, SQL: "f.rendered -> '$.after'"},
}

// securityNames are the names of the bits of crawl.Security after SecurityKnown.
var securityNames = []string{"nosniff", "csp", "frame", "hsts"}

// itemTypesOf returns the types of the JSON-LD items of a page.
func itemTypesOf(p *Page) []string {
	if p.Page.Facts == nil || p.Page.Facts.JSONLD == "" {
		return nil
	}
	return strings.Split(p.Page.Facts.JSONLD, ", ")
}

// hreflangOf returns the languages that a page is in elsewhere, with the addresses.
func hreflangOf(p *Page) (items []string) {
	if p.Page.Extensions == nil {
		return nil
	}
	for i := range p.Page.Extensions.Alternates {
		alternate := &p.Page.Extensions.Alternates[i]
		items = append(items, alternate.Hreflang+" "+alternate.Href)
	}
	return items
}

// statusWords names a status, and the absence of a response.
func statusWords(c *catalog.Catalog, p *Page) string {
	if p.Page.Status == 0 && IsRequested(&p.Record) {
		return c.Text("filter.status.none")
	}
	return StatusName(c, p.Page.Status)
}

// lastModWords says why a page has no date where a header gives one.
func lastModWords(c *catalog.Catalog, p *Page) string {
	if p.Page.LastModSource == crawl.LastModResponseTime {
		return c.Text("fact.lastmod.none")
	}
	return p.Page.LastMod.String()
}

// openGraphNames are the names of the bits of crawl.OpenGraph.
var openGraphNames = (^crawl.OpenGraph(0)).Names()

func openGraphOf(p *Page) (int64, bool) {
	if p.Page.Facts == nil {
		return 0, false
	}
	return positive(int(p.Page.Facts.OpenGraph))
}

// positive returns a number that is not known where it is 0.
func positive(n int) (int64, bool) { return int64(n), n > 0 }

func flag(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// ofFacts returns a getter of a number that only a page that was read as HTML has.
func ofFacts(number func(*Page) int) func(*Page) (int64, bool) {
	return func(p *Page) (int64, bool) {
		if p.Page.Facts == nil {
			return 0, false
		}
		return int64(number(p)), true
	}
}

// textOfFacts is ofFacts for texts.
func textOfFacts(text func(*crawl.Facts) string) func(*Page) string {
	return func(p *Page) string {
		if p.Page.Facts == nil {
			return ""
		}
		return text(p.Page.Facts)
	}
}

// IsFigure reports whether the fact is one of Figures, which few crawls have.
func (f *Fact) IsFigure() bool { return strings.HasPrefix(f.SQL, "g.") }

// In returns the facts of some outputs, in order.
func In(outputs Outputs) (facts []*Fact) {
	for i := range Facts {
		if Facts[i].In&outputs == outputs {
			facts = append(facts, &Facts[i])
		}
	}
	return facts
}

// counted returns the facts that are columns of the table numbers.
func counted() (facts []*Fact) {
	for i := range Facts {
		if Facts[i].Counted {
			facts = append(facts, &Facts[i])
		}
	}
	return facts
}

// CountedColumns returns the names of the columns of the table numbers that are facts, in order.
func CountedColumns() (names []string) {
	for _, f := range counted() {
		names = append(names, f.Key)
	}
	return names
}

// Named returns the fact with a key, or nil.
func Named(key string) *Fact {
	for i := range Facts {
		if Facts[i].Key == key {
			return &Facts[i]
		}
	}
	return nil
}

// Name returns the name of a fact for people.
func (f *Fact) Name(c *catalog.Catalog) string { return c.Text("fact." + f.Key) }

// Choice returns a value of a filter for people.
func (f *Fact) Choice(c *catalog.Catalog, value string) string {
	switch {
	case value == None:
		return c.Text("filter." + f.Key + ".none")
	case f.Kind == Set:
		return c.Text("fact." + f.Key + "." + value)
	case f.Key == "decision":
		return Explain(c, DecisionNamed(value)).Name
	case f.Key == "index_state":
		return c.Text("fact.index_state." + value)
	case f.Key == "status":
		status, _ := strconv.Atoi(value) // 0 for a range
		return cmp.Or(StatusName(c, status), value)
	}
	return value
}

// Words returns a fact for people, with the one in parentheses after it, or "" where it is not known.
func (f *Fact) Words(c *catalog.Catalog, p *Page) string {
	text := f.words(c, p)
	if f.With != "" && text != "" {
		if more := Named(f.With).words(c, p); more != "" {
			text += " (" + more + ")"
		}
	}
	return text
}

func (f *Fact) words(c *catalog.Catalog, p *Page) string {
	switch {
	case f.Word != nil:
		return f.Word(c, p)
	case f.Text != nil:
		return f.Text(p)
	case f.Detail != nil:
		return DetailText(c, p, f.Detail(p))
	}
	n, known := f.Number(p)
	if !known {
		return ""
	}
	switch f.Kind {
	case Bytes:
		return c.Bytes(n)
	case Milliseconds:
		return c.Duration(time.Duration(n) * time.Microsecond)
	case Decimal:
		return c.CellNumber(float64(n) / 1000)
	case Time:
		return c.Time(time.UnixMilli(n))
	case Flag:
		return c.Text(fmt.Sprint("fact.", f.Key, ".", n))
	case Set:
		names := namesOf(n, f.Names)
		for i, name := range names {
			names[i] = c.Text("fact." + f.Key + "." + name)
		}
		return strings.Join(names, ", ")
	}
	return c.Count(n)
}
