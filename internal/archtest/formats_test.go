package archtest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
)

var (
	fileKind      = regexp.MustCompile(`Kind(\w+)\s+Kind = 0x`)
	fileSpec      = regexp.MustCompile(`Kind: sqlite\.Kind(\w+), Version: (\d+)`)
	recordVersion = regexp.MustCompile(`const recordVersion = (\d+)`)
	sqlComment    = regexp.MustCompile(`--[^\n]*`)
)

// TestFormats records the format of every stored file and of the journal: a line with its version and
// the hash of its tables, or of its encoded records. Another format needs another version, so
// that a program never takes a file for its own. UPDATE_GOLDEN=1 only adds lines.
func TestFormats(t *testing.T) {
	formats := map[string]string{}
	var kinds []string
	walk(t, func(name, text string) {
		folder := path.Dir(name)
		switch {
		case strings.HasSuffix(name, "_test.go"):
		case name == "internal/sqlite/sqlite.go":
			for _, match := range fileKind.FindAllStringSubmatch(text, -1) {
				kinds = append(kinds, strings.ToLower(match[1]))
			}
		case name == "internal/journal/coder.go":
			version := recordVersion.FindStringSubmatch(text)[1]
			formats["journal "+version] = hashOf(t, folder+"/testdata/records.txt")
		case fileSpec.MatchString(text):
			match := fileSpec.FindStringSubmatch(text)
			formats[strings.ToLower(match[1])+" "+match[2]] = hashOf(t, folder+"/*.sql")
		}
	}, ".go")
	for _, kind := range append(kinds, "journal") {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(formats)), func(format string) bool {
			return strings.HasPrefix(format, kind+" ")
		}) {
			t.Errorf("the format %s was not found", kind)
		}
	}
	name := filepath.Join("testdata", "formats.txt")
	record, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	updated, changed := addFormats(string(record), formats)
	for _, format := range changed {
		t.Errorf("the format %q is not the recorded one: raise its version", format)
	}
	formattest.Golden(t, name, []byte(updated))
}

// hashOf returns the hash of files without the comments of SQL.
func hashOf(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", pattern))
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	sum := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(sum, strings.Fields(sqlComment.ReplaceAllString(string(text), "")))
	}
	return fmt.Sprintf("%.8x", sum.Sum(nil))
}

// addFormats adds the formats that a record does not have, and returns those that it has with another hash.
func addFormats(record string, formats map[string]string) (updated string, changed []string) {
	for _, format := range slices.Sorted(maps.Keys(formats)) {
		line := format + " " + formats[format] + "\n"
		switch {
		case strings.Contains("\n"+record, "\n"+line):
		case strings.Contains("\n"+record, "\n"+format+" "):
			changed = append(changed, format)
		default:
			record += line
		}
	}
	return record, changed
}

// TestAddFormats adds a version, and refuses another format under a known one.
func TestAddFormats(t *testing.T) {
	const record = "crawl 1 aa\nindex 1 bb\ncrawl 2 cc\n"
	for format, want := range map[string]struct{ updated, changed string }{
		"crawl 1 aa":  {record, ""},
		"crawl 2 cc":  {record, ""},
		"crawl 2 dd":  {record, "crawl 2"},
		"crawl 1 dd":  {record, "crawl 1"},
		"crawl 3 cc":  {record + "crawl 3 cc\n", ""},
		"crawl 10 aa": {record + "crawl 10 aa\n", ""},
		"wl 1 dd":     {record + "wl 1 dd\n", ""},
	} {
		split := strings.LastIndex(format, " ")
		updated, changed := addFormats(record, map[string]string{format[:split]: format[split+1:]})
		if updated != want.updated || strings.Join(changed, ",") != want.changed {
			t.Errorf("%s: %q, changed %q", format, updated, changed)
		}
	}
}
