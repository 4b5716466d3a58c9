package lint_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// write writes a file of the test and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// newLinter returns a linter with valid options.
func newLinter(t testing.TB, options lint.Options) *lint.Linter {
	t.Helper()
	linter, err := lint.New(&options)
	if err != nil {
		t.Fatal(err)
	}
	return linter
}

const head = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"

func ids(findings []lint.Finding) (ids []string) {
	for _, f := range findings {
		ids = append(ids, f.Rule.ID)
	}
	return ids
}

// TestEveryFaultHasARule reads the kinds out of the package's source, since a new
// one must not be forgotten here.
func TestEveryFaultHasARule(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../sitemap/fault.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if name, isName := spec.Type.(*ast.Ident); !ok || !isName || name.Name != "FaultKind" {
			return true
		}
		count++
		kind, _ := strconv.Unquote(literal.Value)
		if !slices.ContainsFunc(lint.Rules(), func(r *lint.Rule) bool { return r.ID == kind }) {
			t.Errorf("no rule is called %q", kind)
		}
		return true
	})
	if count < 40 {
		t.Errorf("only %d kinds found in the source", count)
	}
}

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(lint.Rules(), lint.PageRules()) {
		if seen[r.ID] {
			if r.Subject == lint.SubjectSitemap && strings.HasPrefix(r.ID, "hreflang-") {
				continue // it judges crawled pages as well
			}
			t.Errorf("two rules are called %s", r.ID)
		}
		seen[r.ID] = true
		if strings.ToLower(r.ID) != r.ID || strings.ContainsAny(r.ID, " _") {
			t.Errorf("%s: an ID is words in lower case joined by hyphens", r.ID)
		}
		if title := r.Title().String(); strings.HasSuffix(title, ".") || strings.Contains(title, "\n") {
			t.Errorf("%s: title %q", r.ID, title)
		}
		for _, text := range []string{r.Why().String(), r.Fix().String()} {
			if len(text) < 10 || !strings.HasSuffix(text, ".") && !strings.Contains(text, "http") &&
				!strings.Contains(text, ":") {
				t.Errorf("%s: %q is no help", r.ID, text)
			}
		}
		if r.Severity == lint.SeverityOff || !strings.HasPrefix(r.Source, "https://") {
			t.Errorf("%s: severity %v, source %q", r.ID, r.Severity, r.Source)
		}
	}
}

func TestPlaces(t *testing.T) {
	path := write(t, "sitemap.xml",
		head+"<url>\n  <loc>https://example.com/</loc>\n  <lastmod>soon</lastmod>\n</url>\n</urlset>\n")
	found := check(t, lint.Options{}, path)
	if len(found) != 1 {
		t.Fatalf("found\n%s", listed(found))
	}
	f := found[0]
	if f.Line != 4 || f.Column != 3 || f.Element != "lastmod" || f.Evidence != "soon" || f.URL != "https://example.com/" {
		t.Errorf("found %+v", f)
	}
	if want := int64(len(head) + len("<url>\n  <loc>https://example.com/</loc>\n  ")); f.Offset != want {
		t.Errorf("offset %d, want %d", f.Offset, want)
	}
	if f.Source != "  <lastmod>soon</lastmod>" || f.Caret != 3 {
		t.Errorf("source %q, caret %d", f.Source, f.Caret)
	}
}

// TestPlaceInLongLine wants the part of a line that matters, the caret in it.
func TestPlaceInLongLine(t *testing.T) {
	entries := strings.Repeat("<url><loc>https://example.com/a</loc></url>", 2000)
	path := write(t, "sitemap.xml",
		strings.TrimSpace(head)+entries+"<url><loc>https://example.com/b</loc><priority>9</priority></url></urlset>")
	for _, f := range check(t, lint.Options{Only: []string{"priority-range"}}, path) {
		if len(f.Source) > 200 || !strings.HasPrefix(f.Source[f.Caret-1:], "<priority>9") {
			t.Errorf("caret %d in %q", f.Caret, f.Source)
		}
	}
}

func TestGroups(t *testing.T) {
	var b strings.Builder
	for i := range 12_490 {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d</loc><changefreq>Daily</changefreq></url>\n", i)
	}
	path := write(t, "sitemap.xml", head+b.String()+"</urlset>")
	for each, want := range map[int]int{0: 11, 3: 4, -1: 12_490} {
		found := check(t, lint.Options{MaxPerRule: each}, path)
		if len(found) != want {
			t.Errorf("each %d: %d findings, want %d", each, len(found), want)
		}
		total := 0
		for _, f := range found {
			total += max(1, f.More)
		}
		if total != 12_490 {
			t.Errorf("each %d: %d findings in all, want 12,490", each, total)
		}
	}
	found := check(t, lint.Options{}, path)
	last := found[len(found)-1]
	if last.Message.String() != "12,480 more like this" || last.More != 12_480 || last.Line != 0 {
		t.Errorf("last %+v", last)
	}
}

// TestOrder checks many files and wants the same findings in the same order
// every time, those of one file together.
func TestOrder(t *testing.T) {
	folder := t.TempDir()
	var files []string
	for i := range 40 {
		path := filepath.Join(folder, fmt.Sprintf("sitemap-%02d.xml", i))
		entries := fmt.Sprintf("<url><loc>https://example.com/%d</loc><priority>2</priority></url>", i%20)
		if err := os.WriteFile(path, []byte(head+strings.Repeat(entries+"\n", 1+i%5)+"</urlset>"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	first := listed(check(t, lint.Options{}, files...))
	for range 5 {
		if again := listed(check(t, lint.Options{}, files...)); again != first {
			t.Fatalf("once\n%s\nthen\n%s", first, again)
		}
	}
	if folder := listed(check(t, lint.Options{}, folder)); folder != first {
		t.Errorf("the folder gives\n%s\nits files\n%s", folder, first)
	}
}

// TestSpill gives the memory of a few pages to many and wants the same findings
// as with enough, and no temporary file left.
func TestSpill(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	folder := t.TempDir()
	for i := range 8 {
		var b strings.Builder
		for j := range 5000 {
			fmt.Fprintf(&b, "<url><loc>https://example.com/%d</loc><lastmod>2024-01-%02d</lastmod></url>\n", i*4000+j, 1+i)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.xml", i)), []byte(head+b.String()+"</urlset>"),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	only := []string{"duplicate-across-files", "conflicting-metadata"}
	enough := check(t, lint.Options{Only: only}, folder)
	little := check(t, lint.Options{Only: only, Memory: 64 << 10}, folder)
	if listed(enough) != listed(little) {
		t.Errorf("with enough memory\n%s\nwith little\n%s", listed(enough), listed(little))
	}
	count := 0
	for _, f := range little {
		count += max(1, f.More)
	}
	if count != 2*7*1000 {
		t.Errorf("%d findings, want 14,000", count)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestPlacesOfTheSet wants the position of the second of two equal pages.
func TestPlacesOfTheSet(t *testing.T) {
	path := write(t, "sitemap.xml",
		head+"<url><loc>https://example.com/a</loc></url>\n  <url><loc>https://example.com/a</loc></url>\n</urlset>\n")
	found := check(t, lint.Options{}, path)
	if len(found) != 1 {
		t.Fatalf("found\n%s", listed(found))
	}
	f := found[0]
	if f.Rule.ID != "duplicate-loc" || f.Line != 3 || f.Column != 3 || f.URL != "https://example.com/a" ||
		f.Message.String() != "https://example.com/a is already listed on line 2" {
		t.Errorf("found %+v", f)
	}
}

// TestConflictNamesValues wants the values that differ, from a file that is read again and
// from one that cannot be.
func TestConflictNamesValues(t *testing.T) {
	listed := func(values string) string { return "<url><loc>https://example.com/a</loc>" + values + "</url>\n" }
	body := head + listed("<lastmod>2024-01-08</lastmod>") + strings.Repeat("<url><loc>https://example.com/</loc></url>\n", 2) +
		listed("<lastmod>2024-02-09</lastmod><changefreq>daily</changefreq>") +
		listed("<lastmod>2024-02-09</lastmod><priority>0.5</priority>") +
		listed("<lastmod>2024-01-08</lastmod><priority>0.5</priority>") + "</urlset>\n"
	want := "https://example.com/a has lastmod 2024-02-09, but 2024-01-08 on line 2\n" +
		"https://example.com/a has lastmod 2024-02-09, but 2024-01-08 on line 2\n"
	only := lint.Options{Only: []string{"conflicting-metadata"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, body)
	}))
	defer server.Close()
	for _, source := range []string{write(t, "sitemap.xml", body), server.URL + "/sitemap.xml"} {
		messages := ""
		for _, f := range check(t, only, source) {
			messages += f.Message.String() + "\n"
		}
		if messages != want {
			t.Errorf("%s: got\n%swant\n%s", source, messages, want)
		}
	}
}

func TestNewChecksOptions(t *testing.T) {
	for want, options := range map[string]lint.Options{
		"did you mean loc-relative?":     {Enable: []string{"loc-relativ"}},
		"did you mean loc-fragment?":     {Only: []string{"loc-fragmen"}},
		"did you mean lastmod-invalid?":  {Disable: []string{"lastmod-invalide"}},
		"did you mean priority-invalid?": {Severity: map[string]lint.Severity{"priority-invald": lint.SeverityError}},
		"unknown engines 0x80":           {Engines: 0x80},
		"unknown severity 9":             {Severity: map[string]lint.Severity{"priority-invalid": 9}},
		"https://example.com/":           {BaseURL: "example.com"},
		"negative":                       {Memory: -1},
	} {
		if linter, err := lint.New(&options); linter != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	if _, err := lint.New(nil); err != nil {
		t.Errorf("no options: %v", err)
	}
}

// TestNewCopiesOptions changes options after New.
func TestNewCopiesOptions(t *testing.T) {
	path := write(t, "sitemap.xml", head+"<url><loc>https://example.com/a</loc><priority>2</priority></url></urlset>")
	options := lint.Options{Only: []string{"priority-range"}}
	linter := newLinter(t, options)
	options.Only[0] = "loc-relative"
	count := 0
	for range linter.Check(t.Context(), path) {
		count++
	}
	if count != 1 {
		t.Errorf("%d findings, want 1", count)
	}
}

// TestRulesAreCopies changes what the package returns.
func TestRulesAreCopies(t *testing.T) {
	spoil := func(r *lint.Rule) {
		r.Severity, r.Overlay = lint.SeverityOff, lint.Overlay{Off: lint.EngineAll}
	}
	path := write(t, "sitemap.xml", head+"<url><loc>https://example.com/a</loc><lastmod>2024</lastmod></url></urlset>")
	all, groups := lint.Rules(), lint.Groups()
	for i := range all {
		spoil(all[i])
		all[i] = nil
	}
	for _, g := range groups {
		for i := range g.Rules {
			spoil(g.Rules[i])
			g.Rules[i] = nil
		}
	}
	r, err := lint.LookupRule("lastmod-year-only")
	if err != nil {
		t.Fatal(err)
	}
	want := r.SeverityUnder(lint.EngineGoogle)
	spoil(r)
	for range 2 {
		found := check(t, lint.Options{Engines: lint.EngineGoogle, Only: []string{r.ID}}, path)
		if len(found) != 1 || found[0].Severity != want || want == lint.SeverityOff {
			t.Fatalf("want severity %v, found\n%s", want, listed(found))
		}
		spoil(found[0].Rule)
	}
}

func TestSelection(t *testing.T) {
	path := write(t, "sitemap.xml",
		head+"<url><loc>https://example.com/a</loc><changefreq>Daily</changefreq><priority>2</priority></url></urlset>")
	for name, c := range map[string]struct {
		options lint.Options
		want    []string
	}{
		"all":                            {lint.Options{}, []string{"changefreq-invalid", "priority-range"}},
		"only":                           {lint.Options{Only: []string{"priority-range"}}, []string{"priority-range"}},
		"only one that the engine lacks": {lint.Options{Only: []string{"priority-ignored"}}, []string{"priority-ignored"}},
		"enabled": {lint.Options{Enable: []string{"priority-ignored", "priority-range"}},
			[]string{"changefreq-invalid", "priority-range", "priority-ignored"}},
		"only and enabled": {lint.Options{Only: []string{"priority-range"}, Enable: []string{"priority-ignored"}},
			[]string{"priority-range", "priority-ignored"}},
		"enabled and disabled": {lint.Options{Enable: []string{"priority-ignored"}, Disable: []string{"priority-ignored"}},
			[]string{"changefreq-invalid", "priority-range"}},
		"disabled": {lint.Options{Disable: []string{"priority-range"}}, []string{"changefreq-invalid"}},
		"both":     {lint.Options{Only: []string{"priority-range"}, Disable: []string{"priority-range"}}, nil},
		"off": {lint.Options{Severity: map[string]lint.Severity{"priority-range": lint.SeverityOff}},
			[]string{"changefreq-invalid"}},
		"google": {lint.Options{Engines: lint.EngineGoogle},
			[]string{"changefreq-invalid", "priority-range", "changefreq-ignored", "priority-ignored"}},
	} {
		if got := ids(check(t, c.options, path)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestOverlays wants the severity of the strictest engine chosen.
func TestOverlays(t *testing.T) {
	path := write(t, "sitemap.xml", head+"<url><loc>https://example.com/a</loc><lastmod>2024</lastmod></url></urlset>")
	for engines, want := range map[lint.Engines]lint.Severity{
		0:                                        lint.SeverityError,
		lint.EngineGoogle:                        lint.SeverityWarning,
		lint.EngineGoogle | lint.EngineYandex:    lint.SeverityWarning,
		lint.EngineAll:                           lint.SeverityError,
		lint.EngineSitemapsOrg | lint.EngineBing: lint.SeverityError,
	} {
		found := check(t, lint.Options{Engines: engines, Only: []string{"lastmod-year-only"}}, path)
		if len(found) != 1 || found[0].Severity != want {
			t.Errorf("%v: found\n%s", engines, listed(found))
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	path := write(t, "sitemap.xml",
		head+strings.Repeat("<url><loc>https://example.com/a</loc><priority>2</priority></url>\n", 10_000)+"</urlset>")
	var last error
	for _, err := range newLinter(t, lint.Options{MaxPerRule: -1}).Check(ctx, path) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("error %v", last)
	}
}

func TestStopEarly(t *testing.T) {
	path := write(t, "sitemap.xml",
		head+strings.Repeat("<url><loc>https://example.com/a</loc><priority>2</priority></url>\n", 10_000)+"</urlset>")
	count := 0
	for range newLinter(t, lint.Options{MaxPerRule: -1}).Check(t.Context(), path) {
		if count++; count == 5 {
			break
		}
	}
	if count != 5 {
		t.Errorf("%d findings after the fifth", count)
	}
}

// TestOrderOfFindings wants what is after the last page before what concerns
// the whole file.
func TestOrderOfFindings(t *testing.T) {
	path := write(t, "sitemap.xml",
		head+"<url><loc>https://example.com/a</loc><priority>0.5</priority></url>\n<url><priority>0.5</priority></url>\n</urlset>\n")
	found := check(t, lint.Options{Engines: lint.EngineGoogle}, path)
	var ids []string
	for _, f := range found {
		ids = append(ids, f.Rule.ID)
	}
	if !slices.Equal(ids, []string{"missing-loc", "priority-ignored"}) {
		t.Errorf("found\n%s", listed(found))
	}
}

// TestUnknownElement wants an unknown element of the protocol's own namespace to be
// reported once, and not as an extension.
func TestUnknownElement(t *testing.T) {
	path := write(t, "sitemap.xml", head+"<url><loc>https://example.com/a</loc><author>me</author></url></urlset>\n")
	found := check(t, lint.Options{}, path)
	if len(found) != 1 || found[0].Rule.ID != "unknown-element" {
		t.Errorf("found\n%s", listed(found))
	}
}

// TestDates wants every fault of a lastmod to be reported once.
func TestDates(t *testing.T) {
	for lastMod, want := range map[string][]string{
		"2024-01-08":                {},
		"2024-01-08T09:30":          {"lastmod-no-zone", "lastmod-no-seconds"},
		"2024-01-08T09:30Z":         {"lastmod-no-seconds"},
		"2024-01-08T09:30:00":       {"lastmod-no-zone"},
		"2024-01-08 09:30:00":       {"lastmod-invalid"},
		"2024-01-08T09:30:00+0100":  {"lastmod-invalid"},
		"2024-01-08Z":               {"lastmod-invalid"},
		"2024-02-30":                {"lastmod-invalid"},
		"2024":                      {"lastmod-year-only"},
		"2009-12-24":                {"lastmod-before-site"},
		"2010-01-01T00:30:00+14:00": {},
		"1970-01-01":                {"lastmod-ancient"},
		"2035-01-01":                {"lastmod-future"},
	} {
		path := write(t, "sitemap.xml",
			head+"<url><loc>https://example.com/a</loc><lastmod>"+lastMod+"</lastmod></url></urlset>")
		ids := []string{}
		for _, f := range check(t, lint.Options{Now: examplesToday, SiteSince: examplesSince}, path) {
			ids = append(ids, f.Rule.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: found %q, want %q", lastMod, ids, want)
		}
	}
}
