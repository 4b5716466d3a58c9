package page_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/sitemap"
)

// full returns a page whose facts are all known.
func full() *page.Page {
	lastMod, _ := sitemap.ParseDate("2026-01-02")
	return &page.Page{
		Record: crawl.Record{
			Fetched: true,
			Link: crawl.Link{ID: 7, URL: "https://example.com/ñ?a=1", Role: crawl.RolePage,
				SeededBy: crawl.SeedSitemap | crawl.SeedLog},
			Page: crawl.Page{
				ID: 7, Time: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Status: 404, Reason: crawl.ReasonClientError,
				Detail: crawl.NewDetail(crawl.DetailStatus, "Not Found"), Target: 3, MediaType: "text/html", Size: 15000,
				Duration: 1234567 * time.Microsecond, Title: "日本語のタイトル", LastMod: lastMod,
				LastModSource: crawl.LastModContent, ETag: `"tag"`, LastModified: "Wed, 04 Mar 2026 05:06:07 GMT", Words: 120,
				Language: "ja", Conflict: crawl.NewDetail(crawl.DetailConflict, "https://a.example/", "https://b.example/"),
				Reused: true, RenderReason: render.ReasonNoText,
				Rendered: &crawl.Rendered{Failure: crawl.NewDetail(crawl.DetailRenderEmpty)},
				Facts: &crawl.Facts{
					Description: "=A description", H1: "A heading", Images: 9, ImagesWithoutAlt: 3,
					OpenGraph: crawl.OpenGraphTitle | crawl.OpenGraphImage, OpenGraphType: "article", JSONLD: "Article, Person",
					NeedsScript: true,
				},
			},
		},
		Numbers:   page.Numbers{Counted: true, Depth: 2, Before: 3, Linked: 12, Links: 34},
		TargetURL: "https://example.com/target",
		Figures: page.Figures{
			Index: page.IndexNo, IndexReason: "crawled", IndexDate: "2026-03-02", EngineCrawl: "2026-02-03",
			Google: page.Search{Known: true, Clicks: 1200, Impressions: 34000, Position: 4250, Period: "2026-01-01/2026-03-31"},
			Bing:   page.Search{Known: true, Impressions: 5, Position: 12000, Period: "2026-03-02"},
			Joined: map[string]string{"owner": "=Ana", "sessions": "12"},
		},
	}
}

const (
	conflict = "the Link header names https://a.example/ as canonical, the link element https://b.example/"
	noText   = "no text, also after its scripts ran"
)

// values are the facts of full in JSON, in CSV, and for people in the panel or mapa why; "" where a fact is not.
var values = map[string][3]string{
	"id":                 {"7"},
	"url":                {`"https://example.com/ñ?a=1"`, "https://example.com/ñ?a=1"},
	"decision":           {`"client-error"`, "client-error", "Not found"},
	"listed":             {"false"},
	"detail":             {`"Not Found"`, "Not Found", "Not Found"},
	"target":             {`"https://example.com/target"`, "https://example.com/target", "https://example.com/target"},
	"conflict":           {`"` + conflict + `"`, conflict, conflict},
	"role":               {`"page"`, "page"},
	"status":             {"404", "404", "404 Not Found"},
	"depth":              {"2", "2", "2"},
	"linked_from":        {"12", "12", "12"},
	"links":              {"34"},
	"seed_sources":       {`["sitemap","log"]`, "sitemap,log", "sitemap, access log"},
	"time":               {`"2026-03-04T05:06:07Z"`, "2026-03-04T05:06:07Z", "4 March 2026, 05:06 UTC"},
	"duration_ms":        {"1234.567", "1234.567", "1.2 s"},
	"media_type":         {`"text/html"`, "text/html", "text/html"},
	"size":               {"15000", "15000", "15 KB"},
	"title":              {`"日本語のタイトル"`, "日本語のタイトル", "日本語のタイトル (16)"},
	"language":           {`"ja"`, "ja", "ja"},
	"words":              {"120", "120", "120"},
	"lastmod":            {`"2026-01-02"`, "2026-01-02", "2026-01-02 (content)"},
	"lastmod_source":     {`"content"`, "content"},
	"rendered":           {"false", "", "not to the end: no text without JavaScript; " + noText},
	"render_reason":      {`"no-text"`},
	"render_failure":     {`"` + noText + `"`},
	"reused":             {"true", "yes", "since the previous crawl (304)"},
	"title_length":       {"16", "16"},
	"description":        {`"=A description"`, "'=A description", "=A description (14)"},
	"description_length": {"14"},
	"h1":                 {`"A heading"`, "A heading", "A heading"},
	"images_without_alt": {"3", "3", "3"},
	"open_graph":         {`["title","image"]`, "title,image", "title, image"},
	"og_type":            {`"article"`, "article", "article"},
	"json_ld":            {`"Article, Person"`, "Article, Person", "Article, Person"},
	"needs_script":       {"true", "yes"},
	"index_state":        {`"not-indexed"`, "not-indexed", "not indexed (Crawled - currently not indexed)"},
	"index_reason":       {`"crawled"`, "crawled"},
	"index_date":         {`"2026-03-02"`, "2026-03-02", "2026-03-02"},
	"engine_crawl":       {`"2026-02-03"`, "2026-02-03", "2026-02-03"},
	"clicks":             {"1200", "1200", "1,200"},
	"impressions":        {"34000", "34000", "34,000"},
	"position":           {"4.25", "4.25", "4.25"},
	"search_period":      {`"2026-01-01/2026-03-31"`, "2026-01-01/2026-03-31", "2026-01-01/2026-03-31"},
	"bing_clicks":        {"0", "0", "0"},
	"bing_impressions":   {"5", "5", "5"},
	"bing_position":      {"12", "12", "12"},
	"bing_period":        {`"2026-03-02"`, "2026-03-02", "2026-03-02"},
	"joined":             {`{"owner":"=Ana","sessions":"12"}`, "", "owner: =Ana; sessions: 12"},
	"etag":               {`"\"tag\""`, "", `"tag"`},
	"last_modified":      {`"Wed, 04 Mar 2026 05:06:07 GMT"`, "", "Wed, 04 Mar 2026 05:06:07 GMT"},
}

// TestFacts compares every fact of a page in every output with a value written by hand.
func TestFacts(t *testing.T) {
	p, c := full(), catalog.For(catalog.English)
	var members map[string]json.RawMessage
	encoded, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(encoded, &members)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, encoded)
	}
	cells, header := p.AppendCells(nil, c), page.CSVHeader()
	if len(cells) != len(header) {
		t.Fatalf("%d cells, %d names", len(cells), len(header))
	}
	for _, f := range page.In(page.JSON) {
		want, known := values[f.Key]
		if !known {
			t.Errorf("%s: no value is known here", f.Key)
			continue
		}
		if got := string(members[f.Key]); got != want[0] {
			t.Errorf("%s in JSON is %s, want %s", f.Key, got, want[0])
		}
		cell, shown := "", ""
		if at := slices.Index(header, f.Key); at >= 0 {
			cell = cells[at]
		}
		if f.In&(page.Panel|page.Why) != 0 {
			shown = f.Words(c, p)
		}
		if cell != want[1] || shown != want[2] {
			t.Errorf("%s is %q in CSV and %q for people, want %q and %q", f.Key, cell, shown, want[1], want[2])
		}
	}
	for key := range members {
		if page.Named(key) != nil {
			continue
		}
		t.Errorf("%s is in JSON and not in the table", key)
	}
	for key := range values {
		if page.Named(key) == nil {
			t.Errorf("%s is not in the table", key)
		}
	}
}

// TestUnknown has no fact that is not known in any output.
func TestUnknown(t *testing.T) {
	p := &page.Page{Record: crawl.Record{Link: crawl.Link{ID: 1, URL: "https://example.com/"}}}
	encoded, err := json.Marshal(p)
	want := `{"id":1,"url":"https://example.com/","decision":"waiting","listed":false,"role":"page"}`
	if err != nil || string(encoded) != want {
		t.Errorf("JSON is %s, %v", encoded, err)
	}
	for i, cell := range p.AppendCells(nil, catalog.For(catalog.English)) {
		key := page.CSVHeader()[i]
		if !slices.Contains([]string{"url", "decision", "role"}, key) && cell != "" {
			t.Errorf("%s is %q", key, cell)
		}
	}
}

// TestTable checks what every entry of the table must have.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i := range page.Facts {
		f := &page.Facts[i]
		getters := 0
		for _, is := range []bool{f.Text != nil, f.Detail != nil, f.Number != nil} {
			if is {
				getters++
			}
		}
		isNumber := f.Kind >= page.Number
		switch {
		case seen[f.Key]:
			t.Errorf("%s is in the table twice", f.Key)
		case f.In&page.SQL == 0 || f.SQL == "":
			t.Errorf("%s is not in the view", f.Key)
		case f.In != page.SQL && getters != 1, f.In == page.SQL && getters != 0:
			t.Errorf("%s has %d getters", f.Key, getters)
		case getters == 1 && isNumber != (f.Number != nil), getters == 1 && (f.Kind == page.Detail) != (f.Detail != nil):
			t.Errorf("%s has the getter of another kind", f.Key)
		case f.In&page.Choice != 0 && f.In&page.Filter == 0:
			t.Errorf("%s offers choices of no filter", f.Key)
		case strings.HasPrefix(f.SQL, "n.") && (!f.Counted || f.SQL != "n."+f.Key):
			t.Errorf("%s is not counted, but read from the table numbers", f.Key)
		case f.With != "" && page.Named(f.With) == nil:
			t.Errorf("%s goes with %s, which is not in the table", f.Key, f.With)
		case f.Kind == page.Set && len(f.Names) == 0:
			t.Errorf("%s has no names", f.Key)
		}
		seen[f.Key] = true
		for _, language := range catalog.Languages() {
			if f.In&(page.List|page.Panel|page.Why|page.Choice) != 0 && f.Name(catalog.For(language)) == "" {
				t.Errorf("%s has no name in %s", f.Key, language)
			}
		}
	}
}

// TestQueries sorts and filters by every fact that has an order or a filter.
func TestQueries(t *testing.T) {
	for i := range page.Facts {
		f := &page.Facts[i]
		var q page.Query
		if err := q.SortBy("-" + f.Key); (err == nil) != (f.In&page.Sort != 0) {
			t.Errorf("sort by %s: %v", f.Key, err)
		}
		value := "1"
		if len(f.Names) > 0 {
			value = f.Names[0]
		}
		if err := q.Filter(f.Key, value); (err == nil) != (f.In&page.Filter != 0) {
			t.Errorf("filter by %s: %v", f.Key, err)
		}
	}
	var q page.Query
	text, _ := q.SQL("count(*)")
	if want := "select count(*) from numbers n"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	_ = q.SortBy("title")
	if text, _ := q.SQL("n.id"); !strings.Contains(text, "join fetch f") || strings.Contains(text, "join url u") {
		t.Error(text)
	}
}

// TestDecisions explains every decision, and an unknown one by its name.
func TestDecisions(t *testing.T) {
	for _, language := range catalog.Languages() {
		c := catalog.For(language)
		for _, decision := range page.Decisions() {
			e := page.Explain(c, decision)
			if e.Name == "" || e.Brief == "" || e.Plural == "" || e.Singular == "" {
				t.Errorf("%s: %+v", decision, e)
			}
			if back := page.DecisionNamed(page.DecisionName(decision)); back != decision {
				t.Errorf("%s is %s by its name", decision, back)
			}
		}
	}
	const odd = "x\x1b[31m"
	if e := page.Explain(catalog.For(catalog.English), odd); e.Name != `x\x1b[31m` || e.Tone != "" {
		t.Errorf("%+v", e)
	}
}

// BenchmarkAppend writes a page as JSON and as the cells of a table.
func BenchmarkAppend(b *testing.B) {
	p, c := full(), catalog.For(catalog.English)
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		var text []byte
		for b.Loop() {
			text = p.AppendJSON(text[:0])
		}
	})
	b.Run("csv", func(b *testing.B) {
		b.ReportAllocs()
		var cells []string
		for b.Loop() {
			cells = p.AppendCells(cells[:0], c)
		}
	})
}
