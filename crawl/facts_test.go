package crawl

import (
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

func TestSeconds(t *testing.T) {
	for duration, want := range map[string]string{
		"PT1M30S": "90", "PT2H": "7200", "P0DT1H": "3600", "PT59.9S": "59", "PT0,5M": "30",
		"": "", "90": "", "P1Y": "", "PT": "", "PT0S": "", "PT9H": "", "P1M": "", "PT1": "", "PTM": "", "PT1X": "",
	} {
		if got := seconds(duration); got != want {
			t.Errorf("%s: got %q, want %q", duration, got, want)
		}
	}
}

func TestNewsLanguage(t *testing.T) {
	for language, want := range map[string]string{
		"en": "en", "en-GB": "en", "DE": "de", "fil": "fil", "zh": "zh-cn", "zh-Hans": "zh-cn", "zh-TW": "zh-tw",
		"zh-Hant-HK": "zh-tw",
		"":           "", "x-klingon": "", "english": "",
	} {
		if got := newsLanguage(language); got != want {
			t.Errorf("%s: got %q, want %q", language, got, want)
		}
	}
}

// TestHashBody checks every length around the width of a step, and every bit.
func TestHashBody(t *testing.T) {
	if hashBody(nil) != 0 {
		t.Error("an empty body has a hash")
	}
	seen := map[uint64]bool{}
	for length := 1; length <= 70; length++ {
		body := make([]byte, length)
		for bit := range 8 * length {
			body[bit/8] ^= 1 << (bit % 8)
			if hash := hashBody(body); seen[hash] || hash == 0 {
				t.Fatalf("%d bytes, bit %d: hash %x", length, bit, hash)
			} else {
				seen[hash] = true
			}
			body[bit/8] ^= 1 << (bit % 8)
		}
	}
}

// TestDate tries each source of dates, alone and with an earlier crawl.
func TestDate(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	date := func(text string) sitemap.Date {
		d, err := sitemap.ParseDate(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const (
		jsonLD  = `<script type="application/ld+json">{"@type":"Article","dateModified":"2026-02-01"}</script>`
		meta    = `<meta property="article:modified_time" content="2026-02-02T10:00:00+01:00">`
		future  = `<meta property="article:modified_time" content="2027-02-02">`
		ancient = `<script type="application/ld+json">{"dateModified":"1970-01-01"}</script>`
	)
	sums := func(text uint64) content.Sums { return content.Sums{Version: content.Version, Text: text} }
	before := func(lastMod string, text uint64) *Page {
		p := Page{Status: 200, MediaType: "text/html", Content: sums(text), Time: now.Add(-48 * time.Hour)}
		if lastMod != "" {
			p.LastMod, p.Given, p.LastModSource = date(lastMod), date(lastMod), LastModJSONLD
		}
		return &p
	}
	for name, test := range map[string]struct {
		page, lastModified string
		before             *Page
		believe            []LastModSource
		want               string
		source             LastModSource
	}{
		"json-ld first":         {page: jsonLD + meta, want: "2026-02-01", source: LastModJSONLD},
		"as precise as written": {page: meta, want: "2026-02-02T10:00:00+01:00", source: LastModMeta},
		"future passed over": {page: future, lastModified: "Sun, 01 Feb 2026 10:00:00 GMT", want: "2026-02-01T10:00:00Z",
			source: LastModHeader},
		"epoch passed over":  {page: ancient + meta, want: "2026-02-02T10:00:00+01:00", source: LastModMeta},
		"time of the answer": {lastModified: "Tue, 10 Mar 2026 12:00:00 GMT", source: LastModResponseTime},
		"nothing":            {},
		"narrowed": {page: jsonLD + meta, believe: []LastModSource{LastModMeta},
			want: "2026-02-02T10:00:00+01:00", source: LastModMeta},
		"none wanted":          {page: jsonLD, lastModified: "Sun, 01 Feb 2026 10:00:00 GMT", believe: []LastModSource{}},
		"unchanged gains none": {lastModified: "Mon, 09 Mar 2026 10:00:00 GMT", before: before("", 7)},
		"changed and dated":    {page: jsonLD, before: before("2026-01-01", 8), want: "2026-02-01", source: LastModJSONLD},
		"changed, date stayed": {page: jsonLD, before: before("2026-02-01", 8), want: "2026-03-10T12:00:00Z",
			source: LastModContent},
		"changed without date": {before: before("", 8), want: "2026-03-10T12:00:00Z", source: LastModContent},
	} {
		t.Run(name, func(t *testing.T) {
			var scanner extract.Scanner
			facts := scanner.Scan([]byte(test.page), "text/html; charset=utf-8", extract.Options{})
			header := http.Header{"Date": {"Tue, 10 Mar 2026 12:00:01 GMT"}}
			if test.lastModified != "" {
				header.Set("Last-Modified", test.lastModified)
			}
			dates := dateFinder{sources: test.believe}
			page := Page{Time: now, MediaType: "text/html", Content: sums(7)}
			dates.find(&page, test.before, true, facts, header)
			if page.LastMod.String() != test.want || page.LastModSource != test.source {
				t.Errorf("got %q from %q, want %q from %q", page.LastMod, page.LastModSource, test.want, test.source)
			}
		})
	}
}

// TestStartIsFetched leaves out the start page by a pattern. It is still followed.
func TestStartIsFetched(t *testing.T) {
	start := []byte("https://example.com/")
	matcher := &scopeMatcher{scope: Scope{Include: []*regexp.Regexp{regexp.MustCompile("^/blog/")}}, host: "example.com",
		start: string(start)}
	if reason, _ := matcher.fetchReason(start); reason != ReasonListed {
		t.Errorf("the start is not fetched: %s", reason)
	}
	if reason, _ := matcher.listReason(start); reason != ReasonExcluded {
		t.Errorf("the start is listed: %q", reason)
	}
	if reason, _ := matcher.fetchReason([]byte("https://example.com/shop")); reason != ReasonExcluded {
		t.Errorf("another page is fetched: %q", reason)
	}
}

// everyFact is a page with every fact that is read from elements. All texts are the same.
const everyFact = `<!doctype html><title>Word</title><meta name=description content=Word>
<meta property=og:type content=Word><script type=application/ld+json>{"@type": "Word"}</script>
<h1>Word</h1><img src=a.png><form></form>`

// TestFactsOf checks that every field of Facts comes from the page, and that long texts are cut.
func TestFactsOf(t *testing.T) {
	const most = 4096
	for _, text := range []string{"Word", strings.Repeat("Word", most)} {
		var scanner extract.Scanner
		page := scanner.Scan([]byte(strings.ReplaceAll(everyFact, "Word", text)), "", extract.Options{})
		facts := reflect.ValueOf(factsOf(page)).Elem()
		for i := range facts.NumField() {
			name, value := facts.Type().Field(i).Name, facts.Field(i)
			if len(text) <= most && value.IsZero() && name != "NeedsScript" && name != "Faults" { // need more than the page
				t.Errorf("%s is not read from a page that has it", name)
			}
			if value.Kind() == reflect.String && value.Len() > most {
				t.Errorf("%s has %d bytes", name, value.Len())
			}
		}
	}
}

// TestWeight adds up every text of Facts.
func TestWeight(t *testing.T) {
	empty := new(Facts).weight()
	for i := range reflect.TypeFor[Facts]().NumField() {
		var facts Facts
		field := reflect.ValueOf(&facts).Elem().Field(i)
		if field.Kind() == reflect.String {
			field.SetString("text")
			if facts.weight() != empty+len("text") {
				t.Errorf("%s has no weight", reflect.TypeFor[Facts]().Field(i).Name)
			}
		}
	}
}
