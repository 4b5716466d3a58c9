package source_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// rows returns the rows of a text as the columns of a table, and the errors.
func rows(t *testing.T, text string, options source.RowOptions) (found, faults []string) {
	t.Helper()
	options.Stdin = strings.NewReader(text)
	if options.Base == "" {
		options.Base = "https://example.com/shop/"
	}
	for row, err := range source.Rows(context.Background(), "-", &options) {
		if err != nil {
			faults = append(faults, strings.TrimPrefix(err.Error(), "-: "))
			continue
		}
		line := strings.TrimPrefix(row.Loc, "https://example.com")
		if !row.LastMod.IsZero() {
			line += " " + row.LastMod.String()
		}
		if value, present := row.Priority.Value(); present {
			line += fmt.Sprint(" ", value)
		}
		line += string(row.ChangeFreq)
		if row.Title != "" {
			line += " " + row.Title
		}
		found = append(found, line)
		for _, err := range row.Dropped {
			faults = append(faults, strings.TrimPrefix(err.Error(), "-: "))
		}
	}
	return found, faults
}

const unclosed = "a quotation mark that is not closed, or not followed by a delimiter"

func TestRows(t *testing.T) {
	for _, test := range []struct {
		about, text  string
		want, faults []string
	}{
		{"nothing", "", nil, nil},
		{"text", "# pages\nseats/chair\n /lamp \n?page=2\nhttps://EXAMPLE.com/%7Ea\n../b#c\n",
			[]string{"/shop/seats/chair", "/lamp", "/shop/?page=2", "/~a", "/b"}, nil},
		{"words", "/a\nchair\n```go\nindex.html\n", []string{"/a"}, []string{
			`line 2, column 1: loc: no URL in it: "chair"`, "line 3, column 1: loc: no URL in it: \"```go\"",
			`line 4, column 1: loc: no URL in it: "index.html"`,
		}},
		{"text that is no URL", "two words\nmailto:a@b.example\nexample.com/x\nwww.example.com\nhttps://[\n", nil, []string{
			`line 1, column 1: loc: no URL in it: "two words"`, `line 2, column 1: loc: no URL in it: "mailto:a@b.example"`,
			`line 3, column 1: loc: no http:// or https:// in front of the host: "example.com/x"`,
			`line 4, column 1: loc: no http:// or https:// in front of the host: "www.example.com"`,
			`line 5, column 1: loc: not a valid URL: host missing or malformed: "https://["`,
		}},
		{"bytes that no URL has", "/a\x00b\n  /\xff\n/" + strings.Repeat("x", 3000) + "\n/c\n", []string{"/c"}, []string{
			`line 1, column 3: loc: a control character in it: "/a\x00b"`, `line 2, column 4: loc: not UTF-8: "/\xff"`,
			`line 3, column 1: loc: longer than 2047 characters: "/` + strings.Repeat("x", 59) + `…"`,
		}},
		{"a table", "title;url;lastmod;changefreq;priority\n\"A; \"\"b\"\"\";/a;2026-01-02;DAILY;0.5\r\nx;/b;;;\n;/c\n\n",
			[]string{`/a 2026-01-02 0.5daily A; "b"`, "/b x", "/c"}, nil},
		{"dates", "loc,lastmod\n/a,2026-01-02T03:04+01:00\n/b,2026-01-02 03:04:05.67+02\n/c,2026-01-02 03:04:05\n" +
			"/d,2026-01-02T03:04:05\n/e,2026\n/f,02/01/2026\n/g,9999-01-01\n",
			[]string{"/a 2026-01-02T03:04:00+01:00", "/b 2026-01-02T03:04:05.67+02:00", "/c 2026-01-02", "/d 2026-01-02",
				"/e", "/f", "/g"}, []string{
				`line 6, column 4: lastmod: a date without a day: "2026"`,
				`line 7, column 4: lastmod: not a date: "02/01/2026"`,
				`line 8, column 4: lastmod: in the future: "9999-01-01"`,
			}},
		{"values", "loc,priority,changefreq\n/a,2,\n/b,NaN,\n/c,0,\n/d,,often\n/e,\"0,8\",\n", []string{"/a", "/b", "/c 0", "/d", "/e 0.8"}, []string{
			`line 2, column 4: priority: not a number from 0.0 to 1.0: "2"`,
			`line 3, column 4: priority: not a number from 0.0 to 1.0: "NaN"`,
			`line 5, column 5: changefreq: not one of always, hourly, daily, weekly, monthly, yearly and never: "often"`,
		}},
		{"an open quotation mark", "loc,title\n\"/a,x\n/b,\"y\"\n/c,\"z\"w\n/d,\"two\nlines\"\n\"/e\n",
			[]string{"/b y", "/d two\nlines"}, []string{
				"line 2, column 1: " + unclosed, "line 4, column 4: " + unclosed, "line 7, column 1: " + unclosed,
			}},
		{"many columns", "loc\n" + strings.Repeat(",", 1_000_000) + "\n/a\n" + strings.Repeat(",", 2<<20) + "\n/b,\n/c,d\n",
			[]string{"/a", "/b"}, []string{
				"line 2, column 4097: more columns than the header, or than a table may have",
				"line 4, column 4097: more columns than the header, or than a table may have",
				"line 6, column 4: more columns than the header, or than a table may have",
			}},
		{"a long line", "loc\n" + strings.Repeat("x", 2<<20) + "\n/a\n", []string{"/a"},
			[]string{"line 2: longer than 1 MiB"}},
		{"a table without a header", "https://example.com/a,2026-01-01\nhttps://example.com/b,\n", []string{"/a", "/b"}, nil},
		{"no table", "https://example.com/a,b\n", []string{"/a,b"}, nil},
		{"tabs", "https://example.com/a\tA\n", []string{"/a"}, nil},
		{"JSONL", `{"loc":"/a","lastmod":null,"priority":0.5}` + "\n" + `{"URL":"/b","priority":"0.1","title":"B"}` + "\n" +
			`{"loc":1,` + "\n" + `{"loc":"` + "\xff" + `"}` + "\n" + `{"x":1}`, []string{"/a 0.5", "/b 0.1 B"}, []string{
			"line 3, column 9: not a JSON object", "line 4, column 9: not UTF-8",
			"line 5, column 1: loc: required and missing",
		}},
		{"a log", `h - -` + stamp + `"GET /a?sid=1&utm_x=2&b=3 HTTP/1.1" 200 5` + "\njunk\n" + `h - -` + stamp +
			`"GET /a.css HTTP/1.1" 200 5` + "\n" + `h - -` + stamp + `"GET /b HTTP/1.1" 302 5`, []string{"/a?b=3"},
			[]string{"line 2, column 1: not a line of an access log"}},
		{"a sitemap", `<urlset><url><loc>https://example.com/a</loc><lastmod>2026-01-02</lastmod></url>` +
			`<url><loc>https://example.com/b</loc><priority>x</priority></url><url><loc>https://example.com/c</loc></url></urlset>`,
			[]string{"/a 2026-01-02", "/b", "/c"}, []string{`line 1: priority: not a decimal number from 0.0 to 1.0: "x"`}},
	} {
		t.Run(test.about, func(t *testing.T) {
			found, faults := rows(t, test.text, source.RowOptions{})
			if !slices.Equal(found, test.want) || !slices.Equal(faults, test.faults) {
				t.Errorf("got %q\nand %q,\nwant %q\nand %q", found, faults, test.want, test.faults)
			}
		})
	}
}

// TestRowColumns maps columns to fields by name and by number.
func TestRowColumns(t *testing.T) {
	const table = "id,link,loc\n1,/a,/b\n"
	for _, test := range []struct {
		columns map[string]string
		text    string
		want    []string
	}{
		{nil, table, []string{"/b"}},
		{map[string]string{"loc": "LINK"}, table, []string{"/a"}},
		{map[string]string{"loc": "id", "title": "link"}, table, []string{"/shop/1 /a"}},
		{map[string]string{"title": "1"}, "x\thttps://example.com/a", []string{"/a x"}},
		{map[string]string{"loc": "id"}, `{"loc":"/a","id":7}`, []string{"/shop/7"}},
	} {
		if found, faults := rows(t, test.text, source.RowOptions{Columns: test.columns}); !slices.Equal(found, test.want) {
			t.Errorf("%v: got %q and %q, want %q", test.columns, found, faults, test.want)
		}
	}
	for _, columns := range []map[string]string{{"loc": "page"}, {"image": "id"}} {
		options := &source.RowOptions{Base: "https://example.com/", Columns: columns, Stdin: strings.NewReader(table)}
		for _, err := range source.Rows(context.Background(), "-", options) {
			var missing *source.ColumnError
			if !errors.As(err, &missing) {
				t.Errorf("%v: %v", columns, err)
			}
		}
	}
}

// TestRowsInterrupted ends with its context while standard input waits.
func TestRowsInterrupted(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		io.WriteString(out, "/a\n"+strings.Repeat("# a comment\n", 10_000)+"/b\n")
		cancel()
	}()
	var last error
	for _, err := range source.Rows(ctx, "-", &source.RowOptions{Stdin: in, Base: "https://example.com/"}) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the last error is %v", last)
	}
}

func ExampleRows() {
	table := strings.NewReader("link,updated\n/chair,2026-01-02\n/lamp,yesterday\n")
	options := &source.RowOptions{
		Stdin: table, Base: "https://example.com/", Columns: map[string]string{"loc": "link", "lastmod": "updated"},
	}
	for row, err := range source.Rows(context.Background(), "-", options) {
		if fault := (*source.RowError)(nil); errors.As(err, &fault) {
			fmt.Println(err)
			continue
		} else if err != nil {
			fmt.Println("the rest cannot be read:", err)
			break
		}
		fmt.Printf("%s %q\n", row.Loc, row.LastMod)
		for _, dropped := range row.Dropped {
			fmt.Println(dropped)
		}
	}
	// Output:
	// https://example.com/chair "2026-01-02"
	// https://example.com/lamp ""
	// -: line 3, column 7: lastmod: not a date: "yesterday"
}

// FuzzRows compares rows of a table with what they were written from, whatever comes
// before them.
func FuzzRows(f *testing.F) {
	f.Add("\"open,\n", "a \"b\"\nc")
	f.Add("x,\"y\"z\n", "")
	f.Fuzz(func(t *testing.T, junk, title string) {
		title = strings.ToValidUTF8(strings.ReplaceAll(title, "\r", ""), "")
		junk = strings.ReplaceAll(junk, `"`, "'") // a quotation mark may swallow what follows
		text := "loc,title\n" + junk + "\nhttps://example.com/last,\"" + strings.ReplaceAll(title, `"`, `""`) + "\"\n"
		var last sitemap.URL
		lastTitle := ""
		for row, err := range source.Rows(context.Background(), "-", &source.RowOptions{
			Stdin: strings.NewReader(text), Base: "https://example.com/",
		}) {
			if err == nil {
				last, lastTitle = row.URL, row.Title
			}
		}
		if last.Loc != "https://example.com/last" || lastTitle != title {
			t.Errorf("last row %q %q, want title %q", last.Loc, lastTitle, title)
		}
	})
}
