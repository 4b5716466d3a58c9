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
	"internal/anchor":     0,
	"internal/agents":     0,
	"access":              1,
	"internal/atomicfile": 1,
	"internal/prometheus": 1,
	"internal/http1":      1,
	"internal/fetch":      1,
	"internal/websub":     1,
	"internal/statefile":  1,
	"internal/tempfile":   1,
	"internal/partition":  1,
	"internal/folder":     1,
	"internal/documents":  1,
	"internal/sqlite":     1,
	"internal/lastmod":    1,
	"source":              1,
	"announce":            1,
	"sitemap/sitemaphttp": 1,
	"crawl/render":        1,
	"internal/content":    1,
	"crawl":               2,
	"lint":                2,
	"watch":               2,
	"internal/repair":     2,
	"internal/page":       3,
	"internal/store":      3,
	"internal/figures":    3,
	"internal/journal":    3,
	"internal/jobs":       3,
	"watch/sqlitestore":   3,
	"internal/ledger":     3,
	"internal/answers":    3,
	"internal/browser":    3,
	"internal/report":     3,
	"internal/view":       3,
	"internal/result":     3,
	"internal/lintreport": 3,
	"internal/publish":    3,
	"internal/compare":    3,
	"internal/insight":    3,
	"internal/sourcedir":  3,
	"internal/app":        4,
	"internal/cli":        5,
	"internal/web":        5,
	"internal/mcp":        5,
	"cmd/mapa":            6,
	"examples/shop":       6,
	"internal/sitepages":  6,

	// The XML scanner below the sitemap package.
	"sitemap/internal/swar":    0,
	"sitemap/internal/window":  0,
	"sitemap/internal/xmltext": 0,
	"sitemap/internal/xmlscan": 0,
	"sitemap/internal/layout":  0,

	// When the quotas of providers begin.
	"announce/internal/calendar": 0,

	// The examples of the lint rules, and the parts of the linter that know no rules.
	"internal/lintexample":  1,
	"lint/internal/pageset": 2,
	"lint/internal/sample":  2,
	"lint/internal/scan":    2,
	"lint/linttest":         3,

	// What the commands share, below them.
	"internal/app/setting":    4,
	"internal/app/config":     4,
	"internal/app/addresses":  4,
	"internal/app/access":     4,
	"internal/app/scope":      4,
	"internal/app/crawlfile":  4,
	"internal/app/outputs":    4,
	"internal/app/baseline":   4,
	"internal/app/ruleset":    4,
	"internal/app/checks":     4,
	"internal/app/figures":    4,
	"internal/app/problems":   4,
	"internal/app/httpserver": 4,

	// One package a command: see commands.
	"internal/app/crawl":        4,
	"internal/app/links":        4,
	"internal/app/build":        4,
	"internal/app/build/dedupe": 4,
	"internal/app/lint":         4,
	"internal/app/announce":     4,
	"internal/app/watch":        4,
	"internal/app/list":         4,
	"internal/app/diff":         4,
	"internal/app/report":       4,
	"internal/app/why":          4,
	"internal/app/robots":       4,

	// On top of the commands: what classifies their errors, and the server.
	"internal/app/cause":   4,
	"internal/app/service": 4,
}

// commands are the packages in internal/app that do what one command asks for. None imports
// another.
var commands = []string{"crawl", "build", "lint", "announce", "watch", "list", "diff", "report", "why", "robots"}

// isCommand reports whether a package does what one command asks for.
func isCommand(pkg string) bool {
	name, inside := strings.CutPrefix(pkg, "internal/app/")
	return inside && slices.Contains(commands, name)
}

// aboveCommands are the packages in internal/app that import those of commands.
var aboveCommands = []string{"internal/app/cause", "internal/app/service"}

func inApplication(pkg string) bool {
	return pkg == "internal/app" || strings.HasPrefix(pkg, "internal/app/")
}

// siblings lists the imports that are allowed inside one layer.
var siblings = map[string][]string{
	"lint":                  {"lint/internal/pageset", "lint/internal/sample", "lint/internal/scan"},
	"lint/internal/pageset": {"lint/internal/scan"},
	"lint/internal/sample":  {"lint/internal/scan"},
	"sitemap": {
		"sitemap/internal/layout", "sitemap/internal/swar", "sitemap/internal/window",
		"sitemap/internal/xmlscan", "sitemap/internal/xmltext",
	},
	"sitemap/internal/layout":  {"sitemap/internal/swar"},
	"sitemap/internal/xmltext": {"sitemap/internal/swar"},
	"sitemap/internal/xmlscan": {"sitemap/internal/xmltext"},
	"internal/extract":         {"internal/urlnorm"},
	"internal/fetch":           {"access", "internal/http1"},
	"source":                   {"access", "internal/fetch", "internal/lastmod"},
	"sitemap/sitemaphttp":      {"internal/lastmod"},
	"announce":                 {"access", "internal/fetch", "internal/http1", "internal/websub"},
	"internal/partition":       {"internal/tempfile"},
	"internal/sqlite":          {"internal/statefile"},
	"internal/compare":         {"internal/page", "internal/store"},
	"internal/figures":         {"internal/page", "internal/store"},
	"internal/insight":         {"internal/figures", "internal/page", "internal/store"},
	"internal/report": {"internal/compare", "internal/figures", "internal/insight", "internal/lintreport", "internal/page",
		"internal/store", "internal/view"},
	"internal/cli":    {"internal/web", "internal/mcp"},
	"internal/result": {"internal/compare", "internal/insight", "internal/page", "internal/report", "internal/store"},
	"internal/store":  {"internal/page"},
	"internal/view":   {"internal/page"},
}

// library lists the third-party modules that a layer-0 package may use: codecs
// and tables, nothing that knows a network.
var library = map[string][]string{
	"sitemap":          {"github.com/klauspost/compress", "golang.org/x/text", "golang.org/x/net/idna"},
	"internal/urlnorm": {"golang.org/x/net/idna", "golang.org/x/text"},
	"internal/catalog": {"golang.org/x/text/language"},
	"internal/format":  {"golang.org/x/text/width"},
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
		case isCommand(own) && inApplication(pkg) && !slices.Contains(aboveCommands, pkg):
			return "it is the package of a command: move what both need to one that commands share"
		case below < height || slices.Contains(siblings[pkg], own) || inApplication(own) && inApplication(pkg):
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
	documented := expand(readTable(table))
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
		{"internal/app/build", module + "internal/app/crawl", false},
		{"internal/app", module + "internal/app/crawl", false},
		{"internal/app/build", module + "internal/app/crawlfile", true},
		{"internal/app/service", module + "internal/app/crawl", true},
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

// expand replaces names that end in "/…" by those of all packages below them.
func expand(documented map[string]int) map[string]int {
	all := map[string]int{}
	for name, height := range documented {
		above, isPattern := strings.CutSuffix(name, "/…")
		if !isPattern {
			all[name] = height
			continue
		}
		for pkg := range layer {
			if strings.HasPrefix(pkg, above+"/") {
				all[pkg] = height
			}
		}
	}
	return all
}

// TestFrontEnd keeps the front ends apart from the program: they reach it only through
// the packages in internal/app, the public packages, those that only work on text, and those that answer
// queries about a crawl and decide what pages show.
func TestFrontEnd(t *testing.T) {
	allowed := []string{
		"internal/catalog", "internal/format", "internal/prometheus", "internal/urlnorm",
		"internal/insight", "internal/page", "internal/report", "internal/result", "internal/view",
		"access", "announce", "crawl", "lint", "sitemap", "source", "robots", "watch",
	}
	for _, s := range sources(t) {
		if layer[s.pkg] != layer["internal/cli"] {
			continue
		}
		for _, imported := range s.imports {
			own, inside := strings.CutPrefix(imported, module)
			if inside && !inApplication(own) && !slices.Contains(allowed, own) && !slices.Contains(siblings[s.pkg], own) {
				t.Errorf("%s imports %s: use a package in internal/app", s.file, imported)
			}
		}
	}
}
