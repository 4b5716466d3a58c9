package catalog_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/robots"
)

// sources returns the code, templates and scripts that show texts.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range []string{
		"../report", "../compare", "../publish", "../page", "../view", "../web", "../cli", "../app", "../insight",
		"../lintreport", "../../lint",
	} {
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") ||
				!slices.Contains([]string{".go", ".html", ".tmpl", ".js"}, filepath.Ext(name)) {
				return err
			}
			text, err := os.ReadFile(name)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// TestKeys checks that all languages have the same keys, and that the texts of a key have
// the same verbs in the same order.
func TestKeys(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z]`) // not 30 %, nor %20
	english := catalog.For(catalog.English).WithPrefix("")
	for _, language := range catalog.Languages() {
		texts := catalog.For(language).WithPrefix("")
		for key, text := range texts {
			want, known := english[key]
			if !known {
				t.Errorf("%s: the text %s is not there in English", language, key)
			}
			if got, want := verb.FindAllString(text, -1), verb.FindAllString(want, -1); !slices.Equal(got, want) {
				t.Errorf("%s: %s has the verbs %v, in English %v", language, key, got, want)
			}
			if text == "" || strings.TrimSpace(text) != text {
				t.Errorf("%s: %s is %q", language, key, text)
			}
		}
		for key := range english {
			if _, known := texts[key]; !known {
				t.Errorf("%s: no text %s", language, key)
			}
		}
	}
}

// ending are parts at the end of keys that code adds to a key.
var ending = regexp.MustCompile(`(\.(one|other|text|empty|shared|name|brief|plural|singular))+$`)

// TestUsed checks that every text is used. The last part of a key may be a value of its own,
// such as a reason.
func TestUsed(t *testing.T) {
	code := sources(t)
	for _, file := range []string{
		"crawl/reason.go", "crawl/render/reason.go", "announce/announce.go", "internal/agents/agents.go",
	} {
		values, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		code += string(values)
	}
	for _, key := range slices.Sorted(maps.Keys(catalog.For(catalog.English).WithPrefix(""))) {
		if prefix, _, _ := strings.Cut(key, "."); slices.Contains([]string{"detail", "rule", "http"}, prefix) {
			continue // for TestDetails, lint.TestTexts and TestStatus
		}
		name := strings.TrimPrefix(ending.ReplaceAllString(key, ""), "script.")
		last := name[strings.LastIndexByte(name, '.')+1:]
		used := func(name string) bool { return strings.Contains(code, `"`+name+`"`) }
		code, isFailure := strings.CutPrefix(key, "web.failure.")
		if !used(key) && !used(name) && !used(last) && !(isFailure && used(code)) {
			t.Errorf("the text %s is not used", key)
		}
	}
}

// TestMissing checks that there is a text for every key that code, templates and scripts
// name as a whole.
func TestMissing(t *testing.T) {
	code, texts := sources(t), catalog.For(catalog.English).WithPrefix("")
	found := 0
	for _, use := range []struct{ pattern, prefix, ending string }{
		{`\.Text\("([a-z][^"]+)"[,)]`, "", ""}, {`\btext "([a-z0-9.-]+)"`, "", ""},
		{`(?:\.Plural|\.plural)\("([^"]+)",`, "", ".other"}, {`\btexts "([a-z0-9.-]+)"`, "", ".other"},
		{`\.Notify\("([^"]+)"[,)]`, "", ""},
		{`\bsay\("([^"]+)"[,)]`, "script.", ""}, {`"((?:rule|finding)\.[a-z0-9.-]+[a-z0-9])"`, "", ""},
	} {
		for _, match := range regexp.MustCompile(use.pattern).FindAllStringSubmatch(code, -1) {
			found++
			_, known := texts[use.prefix+match[1]+use.ending]
			if !known && texts[match[1]] == "" && texts[match[1]+".other"] == "" {
				t.Errorf("%s has no text %s", match[0], use.prefix+match[1]+use.ending)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d uses of texts are found", found)
	}
}

// TestDetails renders every detail of a crawl with its arguments in every language, and
// checks that the catalogs have no others.
func TestDetails(t *testing.T) {
	arguments := map[string]int{ // of the codes that have some
		"accepted": 1, "accepted-cause": 1, "conflict": 2, "disallowed": 2, "error": 1, "link-element-back": 1,
		"link-header-back": 1,
		"location":         1, "long-delay": 1, "media-type": 1, "moved": 2, "chained": 1,
		"outside": 1, "pattern": 1, "robots-failed": 1, "robots.answered": 1, "robots.refused": 1, "status": 1,
		"no-browser": 1, "not-found-text": 1, "render-error": 1, "render-failed": 1, "render-script": 1,
		"too-long": 1,
	}
	same := []string{"meta-robots", "meta-refresh"} // in all languages
	codes := []string{"missing-anchor"}             // of package report
	for _, cause := range []robots.Cause{robots.CauseNoRule, robots.CauseNoGroup, robots.CauseRobotsFile} {
		codes = append(codes, "robots."+string(cause)) // of package web
	}
	code, err := os.ReadFile("../../crawl/reason.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`Detail\w+\s+Detail = "([^"]+)"`).FindAllStringSubmatch(string(code), -1) {
		codes = append(codes, match[1])
	}
	for _, kind := range crawl.TrapKinds() {
		if detail := string(kind.Detail()); !slices.Contains(codes, detail) {
			codes = append(codes, detail)
		}
	}
	for kind := fetch.Kind(1); kind.Code() != ""; kind++ {
		codes = append(codes, "failure."+kind.Code())
		if got := catalog.For(catalog.English).Detail("failure."+kind.Code(), nil); got != kind.Error() {
			t.Errorf("%s is %q in English, and %q as an error", kind.Code(), got, kind.Error())
		}
	}
	if known := slices.Sorted(maps.Keys(catalog.For(catalog.English).WithPrefix("detail."))); !slices.Equal(
		known, slices.Sorted(slices.Values(codes))) {
		t.Errorf("the catalog has the details\n%q, and there are\n%q", known, slices.Sorted(slices.Values(codes)))
	}
	for _, code := range codes {
		values := []string{"<first %s>", "<second>"}[:arguments[code]]
		texts := map[string]bool{}
		for _, language := range catalog.Languages() {
			text := catalog.For(language).Detail(code, values)
			texts[text] = true
			for _, value := range values {
				if strings.Count(text, value) != 1 {
					t.Errorf("%s: %s is %q, without %s", language, code, text, value)
				}
			}
			if verbs := strings.Count(catalog.For(language).Text("detail."+code), "%s"); verbs != len(values) {
				t.Errorf("%s: %s has %d arguments, and its text %d", language, code, len(values), verbs)
			}
		}
		onlyValue := len(values) == 1 && texts[values[0]] || code == "robots-failed"
		if len(texts) < len(catalog.Languages()) && !onlyValue && !slices.Contains(same, code) {
			t.Errorf("%s is not translated: %v", code, texts)
		}
	}
}

// TestDetailTexts words details of details, and those that no version of Mapa wrote.
func TestDetailTexts(t *testing.T) {
	for _, c := range []struct{ detail, english, spanish string }{
		{"", "", ""},
		{"disallowed\t3\tDisallow: /a: b", "disallowed by line 3: Disallow: /a: b", "bloqueada por la línea 3: Disallow: /a: b"},
		{"robots.refused\trobots.answered\t503", "disallowed: robots.txt answered 503", "bloqueada: robots.txt respondió 503"},
		{"robots-failed\tfailure.total-timeout", "robots.txt: took too long", "robots.txt: tardó demasiado"},
		{"accepted-cause\tfailure.total-timeout", "accepted failure: took too long", "fallo aceptado: tardó demasiado"},
		{"robots-failed\terror\tx", "robots.txt: x", "robots.txt: x"},
		{"outside\t/%s/", "outside /%s/", "fuera de /%s/"},
		{"status\tNot Found", "Not Found", "Not Found"},
		{"location\tfailure.tls", "failure.tls", "failure.tls"}, // an argument is a detail only where it can be one
		{"robots-failed\trobots-failed\terror\tx", "robots.txt: robots-failed error x", "robots.txt: robots-failed error x"},
		{"robots-failed", "robots-failed", "robots-failed"}, {"loop\tx", "loop x", "loop x"},
		{"conflict\tx", "conflict x", "conflict x"}, {"took too long", "took too long", "took too long"},
		{"nothing\t%d\tb", "nothing %d b", "nothing %d b"},
	} {
		code, arguments := crawl.Detail(c.detail).Split()
		for language, want := range map[catalog.Language]string{catalog.English: c.english, catalog.Spanish: c.spanish} {
			if got := catalog.For(language).Detail(code, arguments); got != want {
				t.Errorf("%s: %q is %q, want %q", language, c.detail, got, want)
			}
		}
		if got := crawl.Detail(c.detail).String(); got != c.english {
			t.Errorf("%q is %q as a string", c.detail, got)
		}
	}
}

func TestMatch(t *testing.T) {
	for header, want := range map[string]catalog.Language{
		"": "en", "es": "es", "es-MX,es;q=0.9,en;q=0.8": "es", "en-GB,es;q=0.5": "en", "de": "en", "de,es;q=0.3": "es",
		"pt": "en", "*": "en", "es;q=0": "en", ";;;": "en", strings.Repeat("x-", 2000): "en",
	} {
		if got := catalog.Match(header); got != want {
			t.Errorf("Match(%.40q) is %s, want %s", header, got, want)
		}
	}
	if got := catalog.For("tlh").Language(); got != catalog.English {
		t.Errorf("the catalog of a language without one is %s", got)
	}
}

// TestForms checks numbers and dates. The grouping is that of CLDR, whose Spanish numbers of
// four digits have no separator.
func TestForms(t *testing.T) {
	at := time.Date(2026, 3, 4, 6, 7, 8, 0, time.FixedZone("", 3600))
	english, spanish := catalog.For(catalog.English), catalog.For(catalog.Spanish)
	for _, test := range []struct {
		form             func(c *catalog.Catalog) string
		english, spanish string
	}{
		{func(c *catalog.Catalog) string { return c.Count(0) }, "0", "0"},
		{func(c *catalog.Catalog) string { return c.Count(-999) }, "-999", "-999"},
		{func(c *catalog.Catalog) string { return c.Count(1234) }, "1,234", "1234"},
		{func(c *catalog.Catalog) string { return c.Count(12345) }, "12,345", "12.345"},
		{func(c *catalog.Catalog) string { return c.Count(-1234567) }, "-1,234,567", "-1.234.567"},
		{func(c *catalog.Catalog) string { return c.Decimal(12345.678, 1) }, "12,345.7", "12.345,7"},
		{func(c *catalog.Catalog) string { return c.Decimal(2.5, 0) }, "2", "2"},
		{func(c *catalog.Catalog) string { return c.Date(at) }, "4 March 2026", "4 de marzo de 2026"},
		{func(c *catalog.Catalog) string { return c.Time(at) }, "4 March 2026, 05:07 UTC",
			"4 de marzo de 2026, 05:07 UTC"},
		{func(c *catalog.Catalog) string {
			return c.In(time.FixedZone("NPT", 20700)).Time(at.Add(15 * time.Hour))
		},
			"5 March 2026, 01:52 NPT", "5 de marzo de 2026, 01:52 NPT"},
		{func(c *catalog.Catalog) string { return c.Bytes(999) }, "999 B", "999 B"},
		{func(c *catalog.Catalog) string { return c.Bytes(1500) }, "2 KB", "2 KB"},
		{func(c *catalog.Catalog) string { return c.Bytes(3_145_728) }, "3.1 MB", "3,1 MB"},
		{func(c *catalog.Catalog) string { return c.Bytes(12_345_678_901) }, "12.3 GB", "12,3 GB"},
		{func(c *catalog.Catalog) string { return c.Duration(40 * time.Millisecond) }, "40 ms", "40 ms"},
		{func(c *catalog.Catalog) string { return c.Duration(2500 * time.Millisecond) }, "2.5 s", "2,5 s"},
		{func(c *catalog.Catalog) string { return c.Duration(200 * time.Second) }, "3 min 20 s", "3 min 20 s"},
		{func(c *catalog.Catalog) string { return c.Duration(2 * time.Hour) }, "2 h", "2 h"},
		{func(c *catalog.Catalog) string { return c.Duration(50*time.Hour + time.Minute) }, "2 d 2 h", "2 d 2 h"},
		{func(c *catalog.Catalog) string { return c.Plural("verdict.pages", 1) }, "1 page", "1 página"},
		{func(c *catalog.Catalog) string { return c.Plural("verdict.pages", 0) }, "0 pages", "0 páginas"},
		{func(c *catalog.Catalog) string { return c.Plural("verdict.pages", 10_000) }, "10,000 pages", "10.000 páginas"},
	} {
		if got := test.form(english); got != test.english {
			t.Errorf("got %q, want %q", got, test.english)
		}
		if got := test.form(spanish); got != test.spanish {
			t.Errorf("got %q, want %q", got, test.spanish)
		}
	}
}

// TestStatus words statuses: those without a text of their own as HTTP does.
func TestStatus(t *testing.T) {
	spanish := catalog.For(catalog.Spanish)
	for status, want := range map[int]string{200: "200 OK", 404: "404, no existe", 599: "599"} {
		if got := spanish.Status(status, http.StatusText(status)); got != want {
			t.Errorf("%d is %q, want %q", status, got, want)
		}
	}
	for key, text := range catalog.For(catalog.English).WithPrefix("http.") {
		status, err := strconv.Atoi(key)
		if err != nil || text != key+" "+http.StatusText(status) {
			t.Errorf("http.%s is %q", key, text)
		}
	}
}

func TestUnknownKey(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a key without a text does not panic")
		}
	}()
	catalog.For(catalog.English).Text("no-such-text")
}

// TestFiles checks that no key is in a file twice, since the second text would silently
// replace the first.
func TestFiles(t *testing.T) {
	for _, language := range catalog.Languages() {
		file, err := os.Open(string(language) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		tokens, seen := json.NewDecoder(file), map[string]bool{}
		if _, err := tokens.Token(); err != nil {
			t.Fatal(err)
		}
		for tokens.More() {
			key, err := tokens.Token()
			if err != nil {
				t.Fatal(err)
			}
			if seen[key.(string)] {
				t.Errorf("%s has two texts %s", file.Name(), key)
			}
			seen[key.(string)] = true
			if _, err := tokens.Token(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
