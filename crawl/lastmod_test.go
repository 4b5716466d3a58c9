package crawl

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// TestDateOrder holds the table of dates in docs/changes.md against the code: each row has an example that gets its
// date, and is the first row that is about it.
func TestDateOrder(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	const earlier, given, file = "2026-01-01", "2026-02-01", "2026-03-09T10:00:00Z"
	meta := func(date string) string { return `<meta property="article:modified_time" content="` + date + `">` }
	examples := []struct {
		begins, want string // of the row
		page, header string
		isChanged    bool
		isStamp      bool
		date         string
	}{
		{begins: "the page gives a date", want: "that date", page: meta(given), date: given},
		{begins: "so, but nothing else differs, and the date is less", want: "the earlier date",
			page: meta("2026-03-10T11:00:00Z"), date: earlier},
		{begins: "so, but nothing else differs, and ten pages", want: "the earlier date", page: meta(given), isStamp: true,
			date: earlier},
		{begins: "the page is updated, and its file", want: "that date", header: "Mon, 09 Mar 2026 10:00:00 GMT",
			isChanged: true, date: file},
		{begins: "the page is updated", want: "the time of the crawl", isChanged: true, date: "2026-03-10T12:00:00Z"},
		{begins: "the page is not updated", want: "the earlier date", header: "Mon, 09 Mar 2026 10:00:00 GMT",
			date: earlier},
	}
	rows := dateRows(t)
	if len(rows) != len(examples) {
		t.Fatalf("%d rows, %d examples", len(rows), len(examples))
	}
	for i, test := range examples {
		if !strings.HasPrefix(rows[i][0], test.begins) || !strings.HasPrefix(rows[i][1], test.want) {
			t.Fatalf("row %d is %q", i+1, rows[i])
		}
		var scanner extract.Scanner
		html := scanner.Scan([]byte(test.page), "text/html", extract.Options{})
		before := Page{Status: 200, MediaType: "text/html", Content: content.Sums{Version: content.Version}}
		before.Time = now.AddDate(0, 0, -2)
		before.LastMod, _ = sitemap.ParseDate(earlier)
		before.LastModSource = LastModHeader
		page := Page{Time: now, MediaType: "text/html", Content: content.Sums{Version: content.Version}}
		if test.isChanged {
			page.Content.Text = 7
		}
		header := http.Header{"Date": {"Tue, 10 Mar 2026 12:00:01 GMT"}}
		if test.header != "" {
			header.Set("Last-Modified", test.header)
		}
		dates := dateFinder{}
		dates.find(&page, &before, true, html, header)
		if test.isStamp {
			_, decided := page.Difference.Decide(0, true)
			page.setDates(decided)
		}
		if got := page.LastMod.String(); got != test.date {
			t.Errorf("%s: %s, want %s", test.begins, got, test.date)
		}
	}
}

// dateRows returns the cells of the table of dates.
func dateRows(t *testing.T) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("../docs/changes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Dates\n")
	for line := range strings.Lines(section) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "| ") {
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			rows = append(rows, cells)
		}
	}
	return slices.Delete(rows, 0, 1) // the heading
}

// TestLaterDates crawls a page several times.
func TestLaterDates(t *testing.T) {
	start := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	meta := func(date string) string { return `<meta property="article:modified_time" content="` + date + `">` }
	type step struct {
		day        int
		page, text string
		want       string
	}
	for name, steps := range map[string][]step{
		"a fresh date counts when it stays": {
			{0, meta("2026-01-01"), "a", "2026-01-01"}, {1, meta("2026-03-11T11:00:00Z"), "a", "2026-01-01"},
			{1, meta("2026-03-11T11:00:00Z"), "a", "2026-01-01"},
			{3, meta("2026-03-11T11:00:00Z"), "a", "2026-03-11T11:00:00Z"}},
		"a date of today never counts": {
			{0, meta("2026-03-10T11:59:00Z"), "a", "2026-03-10T11:59:00Z"},
			{1, meta("2026-03-11T11:59:00Z"), "a", "2026-03-10T11:59:00Z"},
			{9, meta("2026-03-19T11:59:00Z"), "a", "2026-03-10T11:59:00Z"}},
		"text changes and the date stays": {
			{0, meta("2026-01-01"), "a", "2026-01-01"}, {1, meta("2026-01-01"), "b", "2026-03-11T12:00:00Z"},
			{2, meta("2026-01-01"), "b", "2026-03-11T12:00:00Z"}, {3, meta("2026-02-01"), "b", "2026-02-01"}},
		"a date disappears": {
			{0, meta("2026-01-01"), "a", "2026-01-01"}, {1, "", "a", "2026-01-01"},
			{2, meta("2026-01-01"), "a", "2026-01-01"}},
		"a time loses its day and finds it": {
			{0, meta("2026-01-01T10:00:00+02:00"), "a", "2026-01-01T10:00:00+02:00"},
			{1, meta("2026-01-01"), "a", "2026-01-01T10:00:00+02:00"}, {2, meta("2026-01-02"), "a", "2026-01-02"}},
	} {
		t.Run(name, func(t *testing.T) {
			var before *Page
			for i, step := range steps {
				var scanner extract.Scanner
				html := scanner.Scan([]byte(step.page), "text/html", extract.Options{})
				page := &Page{Status: 200, MediaType: "text/html", Time: start.AddDate(0, 0, step.day)}
				page.Content = content.Sums{Version: content.Version, Text: uint64(step.text[0])}
				dates := dateFinder{}
				dates.find(page, before, true, html, http.Header{})
				if got := page.LastMod.String(); got != step.want {
					t.Fatalf("crawl %d: %s, want %s", i+1, got, step.want)
				}
				before = page
			}
		})
	}
}

// TestOtherVersion compares only what an earlier version of the sums has too.
func TestOtherVersion(t *testing.T) {
	sums := func(version uint8, numbers uint64) content.Sums {
		return content.Sums{Version: version, Numbers: numbers}
	}
	page := Page{MediaType: "text/html", Title: "Chairs", Digest: 7, Content: sums(content.Version, 3)}
	for name, test := range map[string]struct {
		earlier Page
		want    content.Parts
	}{
		"without sums":          {Page{Title: "Chairs", Digest: 7}, 0},
		"without sums, changed": {Page{Title: "Chairs", Digest: 8}, content.PartText},
		"of another version":    {Page{Title: "Chairs", Digest: 8, Content: sums(content.Version+1, 0)}, 0},
		"another title":         {Page{Title: "Tables", Content: sums(content.Version+1, 0)}, content.PartTitle},
		"of this version":       {Page{Title: "Chairs", Content: sums(content.Version, 4)}, content.PartNumbers},
	} {
		test.earlier.MediaType = "text/html"
		diff := differenceOf(&page, &test.earlier)
		if got := diff.Changed(); got != test.want {
			t.Errorf("%s: %b, want %b", name, got, test.want)
		}
	}
}
