// Package archtest holds the layer table of ARCHITECTURE.md against the code.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mapatools/mapa/"

// layer is the height of every room of the house. A package may import only
// from layers below its own; siblings are the exceptions listed in beside.
var layer = map[string]int{
	"sitemap":             0,
	"robots":              0,
	"internal/urlnorm":    0,
	"internal/extract":    0,
	"internal/spelling":   0,
	"internal/format":     0,
	"internal/atomicfile": 1,
	"internal/fetch":      1,
	"source":              1,
	"announce":            1,
	"crawl":               2,
	"lint":                2,
	"internal/repair":     2,
	"internal/store":      3,
	"watch":               2,
	"internal/report":     3,
	"internal/lintreport": 3,
	"internal/publish":    3,
	"internal/compare":    3,
	"internal/app":        4,
	"internal/cli":        5,
	"internal/web":        5,
	"cmd/mapa":            6,

	"lint/internal/run":      2,
	"lint/internal/rules":    2,
	"lint/internal/rule":     2,
	"lint/internal/live":     2,
	"lint/internal/pageset":  2,
	"lint/internal/scan":     2,
	"lint/internal/scope":    2,
	"lint/internal/tempfile": 2,
	"lint/internal/display":  2,
	"lint/linttest":          3,
}

// beside lists the imports allowed inside one layer.
var beside = map[string][]string{
	"lint":                  {"lint/internal/run", "lint/internal/rules", "lint/internal/rule", "lint/internal/live", "lint/internal/pageset"},
	"lint/internal/run":     {"lint/internal/rules", "lint/internal/rule", "lint/internal/live", "lint/internal/pageset", "lint/internal/scan", "lint/internal/scope", "lint/internal/display"},
	"lint/internal/rules":   {"lint/internal/rule", "lint/internal/live", "lint/internal/pageset", "lint/internal/scan", "lint/internal/scope", "lint/internal/display"},
	"lint/internal/rule":    {"lint/internal/live", "lint/internal/scan", "lint/internal/scope", "lint/internal/display"},
	"lint/internal/live":    {"lint/internal/scan", "lint/internal/tempfile"},
	"lint/internal/pageset": {"lint/internal/scan", "lint/internal/tempfile"},
	"lint/internal/scan":    {"lint/internal/scope"},

	"internal/extract": {"internal/urlnorm"},
	"internal/compare": {"internal/store"},
	"internal/report":  {"internal/compare"},
	"internal/cli":     {"internal/web"},
}

// library lists the third-party modules that a layer-0 package may use: codecs
// and tables, nothing that knows a network.
var library = map[string][]string{
	"sitemap":          {"github.com/klauspost/compress", "golang.org/x/text", "golang.org/x/net/idna", "golang.org/x/sys/cpu"},
	"internal/urlnorm": {"golang.org/x/net/idna", "golang.org/x/text"},
	"internal/extract": {"golang.org/x/text", "golang.org/x/net/html/charset"},
}

// standalone rooms serve tests and belong to no layer.
var standalone = []string{"internal/archtest", "internal/testsite", "internal/format/formattest"}

// drawers are names that say nothing about what a package holds.
var drawers = []string{"util", "utils", "common", "helper", "helpers", "types", "model", "models", "misc"}

const longestFile = 700

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

// refuse says why pkg may not import imported, or nothing when it may.
func refuse(pkg string, height int, imported string) string {
	if own, inside := strings.CutPrefix(imported, module); inside {
		below, known := layer[own]
		switch {
		case slices.Contains(standalone, own):
			return "only tests may import it"
		case !known:
			return "it has no place in the layer table"
		case below < height || slices.Contains(beside[pkg], own):
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
		{"internal/cli", module + "internal/web", true},
		{"internal/web", module + "internal/cli", false},
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
		if slices.Contains(drawers, path.Base(s.pkg)) {
			t.Errorf("%s: package %s is named after nothing", s.file, s.pkg)
		}
		if s.lines > longestFile {
			t.Errorf("%s has %d lines, more than %d", s.file, s.lines, longestFile)
		}
	}
}

// TestFrontEnd keeps the command line a front end: it reaches the program only
// through package app and the public packages.
func TestFrontEnd(t *testing.T) {
	allowed := []string{"internal/app", "internal/format", "crawl", "lint", "sitemap", "source", "robots"}
	for _, s := range sources(t) {
		if s.pkg != "internal/cli" {
			continue
		}
		for _, imported := range s.imports {
			if own, inside := strings.CutPrefix(imported, module); inside && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s: use package app", s.file, imported)
			}
		}
	}
}
