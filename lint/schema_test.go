package lint_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/lint"
)

// beyondSchema are the rules whose breach is an error though the schema has
// nothing against it, with what keeps the schema from saying so.
var beyondSchema = map[string]string{
	"bom-conflict":          "a schema sees characters, not bytes",
	"encoding-not-utf8":     "a schema sees characters, not bytes",
	"doctype-present":       "validity under a schema does not forbid it",
	"entity-decl":           "entities are expanded before",
	"too-many-urls":         "the published schema leaves the number to prose",
	"too-large":             "a schema does not count bytes",
	"index-too-many":        "the published schema leaves the number to prose",
	"index-too-large":       "a schema does not count bytes",
	"loc-too-long":          "the schema allows 2,048 characters, the prose less",
	"loc-relative":          "anyURI takes relative references",
	"loc-no-scheme":         "anyURI takes relative references",
	"loc-bad-scheme":        "anyURI takes every scheme",
	"loc-no-host":           "anyURI does not look at the host",
	"loc-unparsable":        "anyURI takes nearly everything",
	"loc-bad-escape":        "anyURI takes nearly everything",
	"loc-newline-inside":    "white space is collapsed before",
	"lastmod-no-zone":       "xsd:dateTime has an optional zone, the W3C's note demands it",
	"lastmod-invalid":       "xsd:date may have a zone and the hour 24, the W3C's note has neither",
	"out-of-scope-host":     "a schema does not compare values",
	"out-of-scope-port":     "a schema does not compare values",
	"out-of-scope-scheme":   "a schema does not compare values",
	"out-of-scope-path":     "a schema does not compare values",
	"www-mismatch":          "a schema does not compare values",
	"http-in-https-sitemap": "a schema does not compare values",
	"ssrf-target":           "a schema does not look at hosts",
	"nested-index":          "a schema sees one file",
	"fetch-fail":            "a schema sees one file",
	"child-unreachable":     "a schema sees one file",
	"child-other-site":      "a schema does not compare values",
	"body-over-ceiling":     "a schema has no such bound",
}

// beyondRules are the samples that no rule is about though the schema refuses them: no
// writer is known to make such attributes and contents.
var beyondRules = map[string]bool{
	"video-uploader-attribute": true, "video-live-space": true, "video-subscription-empty": true,
	"mobile-content": true, "pagemap-template-src-missing": true, "alternate-content": true,
	"alternate-hreflang-empty": true, "alternate-attribute": true, "alternate-rel": true,
}

const largestChecked = 4 << 20 // xmllint takes minutes for more

// ofExtension matches the rules about extensions, which follow Google's
// documentation: it asks for more than the schemas in some places and ignores
// what they refuse in others.
var ofExtension = regexp.MustCompile(`^(image|video|news|hreflang|pagemap|too-many-(images|news))`)

// TestSchemaAgrees holds the rules against the schemas of the protocol and of its
// extensions: what is not valid has an error under EngineSchema, and what is valid has
// none but those of beyondSchema.
func TestSchemaAgrees(t *testing.T) {
	programtest.Find(t, "xmllint", "libxml2-utils")
	folder := t.TempDir()
	names := map[string]string{} // of a file in folder, what it is
	add := func(what string, document []byte) {
		path := filepath.Join(folder, fmt.Sprintf("%04d.xml", len(names)))
		if err := os.WriteFile(path, document, 0o600); err != nil {
			t.Fatal(err)
		}
		names[path] = what
	}
	for _, r := range lint.Rules() {
		bad, good := lintexample.Of(r.ID)
		for kind, example := range map[string]string{"bad": bad, "good": good} {
			text := lintexample.Expand(example, examplesToday)
			if document := []byte(text); !strings.HasPrefix(text, "-- ") && len(document) <= largestChecked &&
				bytes.Contains(document, []byte("<urlset")) {
				add(r.ID+", "+kind, document)
			}
		}
	}
	for _, pattern := range []string{"../sitemap/testdata/schema/good/*.xml", "../sitemap/testdata/schema/bad/*.xml",
		"testdata/writers/*.xml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			document, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			add(path, document)
		}
	}
	valid := validFiles(t, folder)
	for path, what := range names {
		agrees(t, what, path, valid[path])
	}
}

// agrees checks one file.
func agrees(t *testing.T, what, path string, valid bool) {
	t.Helper()
	options := lint.Options{Engines: lint.EngineSchema, Now: examplesToday, Source: exampleOptions(t, nil).Source}
	found := slices.DeleteFunc(check(t, options, path), func(f lint.Finding) bool { return f.File != path })
	errors := 0
	for _, f := range found {
		if f.Severity != lint.SeverityError {
			continue
		}
		errors++
		if _, beyond := beyondSchema[f.Rule.ID]; valid && !beyond && !ofExtension.MatchString(f.Rule.ID) {
			t.Errorf("%s: valid under the schema, but %s", what, &f)
		}
	}
	if !valid && errors == 0 && !beyondRules[strings.TrimSuffix(filepath.Base(what), ".xml")] {
		t.Errorf("%s: not valid under the schema, but found only\n%s", what, listed(found))
	}
}

// validFiles runs xmllint on all files of a folder and returns those that are
// valid.
func validFiles(t *testing.T, folder string) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	arguments := append([]string{"--nonet", "--noout", "--schema", "../sitemap/testdata/schema/all.xsd"}, paths...)
	output, err := exec.CommandContext(t.Context(), "xmllint", arguments...).CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	valid := map[string]bool{}
	for line := range strings.Lines(string(output)) {
		if path, ok := strings.CutSuffix(strings.TrimSpace(line), " validates"); ok {
			valid[path] = true
		}
	}
	if len(valid) == 0 {
		t.Fatalf("xmllint found nothing valid: %s", output)
	}
	return valid
}
