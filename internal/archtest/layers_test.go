// Package archtest checks that the code keeps to ARCHITECTURE.md, and that the
// documents name what exists.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mapatools/mapa/"

// layer is the layer of every package. A package imports only from lower layers;
// siblings lists the exceptions.
var layer = map[string]int{
	"sitemap":             0,
	"robots":              0,
	"internal/urlnorm":    0,
	"internal/extract":    0,
	"internal/spelling":   0,
	"internal/format":     0,
	"internal/catalog":    0,
	"internal/bitset":     0,
	"internal/atomicfile": 1,
	"internal/prometheus": 1,
	"internal/http1":      1,
	"internal/retryafter": 1,
	"internal/fetch":      1,
	"internal/robotsfile": 1,
	"internal/websub":     1,
	"internal/statefile":  1,
	"internal/tempfile":   1,
	"internal/partition":  1,
	"internal/dedupe":     1,
	"internal/folder":     1,
	"internal/sqlitecode": 1,
	"source":              1,
	"announce":            1,
	"sitemap/sitemaphttp": 1,
	"crawl":               2,
	"lint":                2,
	"watch":               2,
	"internal/repair":     2,
	"internal/store":      3,
	"internal/journal":    3,
	"internal/jobs":       3,
	"watch/sqlitestore":   3,
	"internal/ledger":     3,
	"internal/report":     3,
	"internal/result":     3,
	"internal/lintreport": 3,
	"internal/publish":    3,
	"internal/compare":    3,
	"internal/app":        4,
	"internal/cli":        5,
	"internal/web":        5,
	"internal/mcp":        5,
	"cmd/mapa":            6,
	"examples/shop":       6,

	// The XML scanner below the sitemap package.
	"sitemap/internal/swar":    0,
	"sitemap/internal/window":  0,
	"sitemap/internal/xmltext": 0,
	"sitemap/internal/xmlscan": 0,
	"sitemap/internal/layout":  0,

	// The parts of the linter below its façade.
	"lint/internal/run":     2,
	"lint/internal/rules":   2,
	"lint/internal/rule":    2,
	"lint/internal/live":    2,
	"lint/internal/pageset": 2,
	"lint/internal/scan":    2,
	"lint/internal/scope":   2,
	"lint/internal/display": 2,
	"lint/linttest":         3,

	// The server on top of the application.
	"internal/app/service": 4,
}

// siblings lists the imports that are allowed inside one layer.
var siblings = map[string][]string{
	"lint":                  {"lint/internal/run", "lint/internal/rules", "lint/internal/rule", "lint/internal/live", "lint/internal/pageset"},
	"lint/internal/run":     {"lint/internal/rules", "lint/internal/rule", "lint/internal/live", "lint/internal/pageset", "lint/internal/scan", "lint/internal/scope", "lint/internal/display"},
	"lint/internal/rules":   {"lint/internal/rule", "lint/internal/live", "lint/internal/pageset", "lint/internal/scan", "lint/internal/scope", "lint/internal/display"},
	"lint/internal/rule":    {"lint/internal/live", "lint/internal/scan", "lint/internal/scope", "lint/internal/display"},
	"lint/internal/live":    {"lint/internal/scan"},
	"lint/internal/pageset": {"lint/internal/scan"},
	"lint/internal/scan":    {"lint/internal/scope"},
	"sitemap": {
		"sitemap/internal/layout", "sitemap/internal/swar", "sitemap/internal/window",
		"sitemap/internal/xmlscan", "sitemap/internal/xmltext",
	},
	"sitemap/internal/layout":  {"sitemap/internal/swar"},
	"sitemap/internal/xmltext": {"sitemap/internal/swar"},
	"sitemap/internal/xmlscan": {"sitemap/internal/xmltext"},
	"internal/extract":         {"internal/urlnorm"},
	"internal/fetch":           {"internal/http1", "internal/retryafter"},
	"source":                   {"internal/http1"},
	"announce":                 {"internal/http1", "internal/websub", "internal/retryafter"},
	"internal/partition":       {"internal/tempfile"},
	"internal/dedupe":          {"internal/partition", "internal/tempfile"},
	"internal/compare":         {"internal/store"},
	"internal/report":          {"internal/compare"},
	"internal/app/service":     {"internal/app"},
	"internal/cli":             {"internal/web", "internal/mcp"},
	"internal/result":          {"internal/compare", "internal/report", "internal/store"},
}

// library lists the third-party modules that a layer-0 package may use: codecs
// and tables, nothing that knows a network.
var library = map[string][]string{
	"sitemap":          {"github.com/klauspost/compress", "golang.org/x/text", "golang.org/x/net/idna"},
	"internal/urlnorm": {"golang.org/x/net/idna", "golang.org/x/text"},
	"internal/catalog": {"golang.org/x/text/language"},
	"internal/extract": {"golang.org/x/text", "golang.org/x/net/html/charset"},

	"sitemap/internal/layout": {"golang.org/x/sys/cpu"},
}

// standalone lists the packages for tests, which belong to no layer.
var standalone = []string{"internal/archtest", "internal/testsite", "internal/testsite/hostile",
	"internal/testsite/database", "internal/testsite/natstest", "crawl/storetest", "watch/storetest",
	"announce/announcetest", "announce/ledgertest", "internal/format/formattest",
	"internal/programtest"}

// emptyNames say nothing about what a package holds.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "types", "model", "models", "misc"}

const maxLines = 700

type source struct {
	pkg, file string
	lines     int
	imports   []string
}

func sources(t *testing.T) []source {
	t.Helper()
	root := filepath.Join("..", "..")
	var found []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if d.Name() == "testdata" || rel == "bench" || strings.HasPrefix(d.Name(), ".") && rel != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		s := source{pkg: path.Dir(rel), file: rel, lines: strings.Count(string(text), "\n")}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, imported)
		}
		found = append(found, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestLayers(t *testing.T) {
	for _, s := range sources(t) {
		if slices.Contains(standalone, s.pkg) {
			continue
		}
		height, known := layer[s.pkg]
		if !known {
			t.Errorf("%s: package %s has no place in the layer table", s.file, s.pkg)
			continue
		}
		for _, imported := range s.imports {
			if why := refuse(s.pkg, height, imported); why != "" {
				t.Errorf("%s imports %s: %s", s.file, imported, why)
			}
		}
	}
}

// refuse returns why pkg may not import imported, or "" when it may.
func refuse(pkg string, height int, imported string) string {
	if own, inside := strings.CutPrefix(imported, module); inside {
		below, known := layer[own]
		switch {
		case slices.Contains(standalone, own):
			return "only tests may import it"
		case !known:
			return "it has no place in the layer table"
		case below < height || slices.Contains(siblings[pkg], own):
			return ""
		}
		return "layer " + strconv.Itoa(height) + " may not import layer " + strconv.Itoa(below)
	}
	if height > 0 {
		return ""
	}
	if imported == "net" || imported == "net/http" || strings.HasPrefix(imported, "net/http/") {
		return "a pure package knows no network"
	}
	domain, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(domain, ".") {
		return ""
	}
	for _, allowed := range library[pkg] {
		if imported == allowed || strings.HasPrefix(imported, allowed+"/") {
			return ""
		}
	}
	return "a pure package uses the standard library and the codecs listed for it"
}

// TestTable compares the layer table of ARCHITECTURE.md with the layers that are
// checked, and both with the packages that exist.
func TestTable(t *testing.T) {
	var packages []string
	for _, s := range sources(t) {
		packages = append(packages, s.pkg)
	}
	_, table, _ := strings.Cut(read(t, "ARCHITECTURE.md"), "\n## Layers\n")
	table, _, _ = strings.Cut(table, "\n## ")
	documented := readTable(table)
	for pkg, height := range documented {
		if !slices.Contains(packages, pkg) {
			t.Errorf("the layer table of ARCHITECTURE.md names %s, which does not exist", pkg)
		}
		if known, ok := layer[pkg]; !ok || known != height {
			t.Errorf("%s is in layer %d of ARCHITECTURE.md, and in layer %d of this test (listed: %t)", pkg, height, known, ok)
		}
	}
	for pkg := range layer {
		if _, ok := documented[pkg]; !ok {
			t.Errorf("the layer table of ARCHITECTURE.md does not name %s", pkg)
		}
	}
}

// readTable returns the layer of every package in a table whose rows begin with
// the number of a layer and the names of its packages.
func readTable(table string) map[string]int {
	layers := map[string]int{}
	for row := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 3 {
			continue
		}
		number, _, _ := strings.Cut(strings.TrimSpace(cells[1]), " ")
		height, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		for name := range strings.SplitSeq(cells[2], ",") {
			layers[strings.TrimSpace(name)] = height
		}
	}
	return layers
}

func TestReadTable(t *testing.T) {
	got := readTable("| Layer | Packages |\n|---|---|\n| 0 pure | sitemap, internal/x | nothing |\n| 12 | cmd/y |\n")
	if want := map[string]int{"sitemap": 0, "internal/x": 0, "cmd/y": 12}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRefuse(t *testing.T) {
	tests := []struct {
		pkg, imported string
		allowed       bool
	}{
		{"sitemap", "encoding/xml", true},
		{"sitemap", "net/url", true},
		{"sitemap", "net/http", false},
		{"sitemap", module + "robots", false},
		{"sitemap", "github.com/klauspost/compress/gzip", true},
		{"robots", "github.com/klauspost/compress/gzip", false},
		{"internal/extract", module + "internal/urlnorm", true},
		{"crawl", module + "lint", false},
		{"crawl", module + "internal/fetch", true},
		{"cmd/mapa", module + "internal/cli", true},
		{"internal/urlnorm", module + "internal/extract", false},
		{"source", module + "internal/testsite", false},
		{"source", module + "nowhere", false},
	}
	for _, test := range tests {
		why := refuse(test.pkg, layer[test.pkg], test.imported)
		if (why == "") != test.allowed {
			t.Errorf("%s importing %s: allowed %t, reason %q", test.pkg, test.imported, test.allowed, why)
		}
	}
}

func TestNamesAndLengths(t *testing.T) {
	for _, s := range sources(t) {
		if slices.Contains(emptyNames, path.Base(s.pkg)) {
			t.Errorf("%s: the name of package %s says nothing about it", s.file, s.pkg)
		}
		if s.lines > maxLines {
			t.Errorf("%s has %d lines, more than %d", s.file, s.lines, maxLines)
		}
	}
}

// TestFrontEnd keeps the front ends apart from the program: they reach it only through
// package app, its service, the public packages, and those that only format text.
func TestFrontEnd(t *testing.T) {
	allowed := []string{
		"internal/app", "internal/app/service", "internal/catalog", "internal/format", "internal/prometheus",
		"announce", "crawl", "lint", "sitemap", "source", "robots", "watch",
	}
	for _, s := range sources(t) {
		if layer[s.pkg] != layer["internal/cli"] {
			continue
		}
		for _, imported := range s.imports {
			own, inside := strings.CutPrefix(imported, module)
			if inside && !slices.Contains(allowed, own) && !slices.Contains(siblings[s.pkg], own) {
				t.Errorf("%s imports %s: use package app", s.file, imported)
			}
		}
	}
}
