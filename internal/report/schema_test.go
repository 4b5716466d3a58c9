package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
)

// TestJUnitSchema has xmllint hold reports against what Ant and Jenkins take.
func TestJUnitSchema(t *testing.T) {
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Fatal("xmllint is missing: apt-get install libxml2-utils")
	}
	for _, all := range [][]lint.Finding{nil, findings(), {{Rule: relative, Severity: lint.SeverityError, Message: "of no file"}}} {
		check := exec.Command("xmllint", "--nonet", "--noout", "--schema", filepath.Join("testdata", "junit.xsd"), "-")
		check.Stdin = bytes.NewReader(write(t, "junit", all))
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
		}
	}
}

// A shape says what a value of SARIF must be, in the parts of the schema that Mapa
// uses (https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json).
type shape func(value any) error

// object has the required members and perhaps the others, and none beside.
func object(required, optional map[string]shape) shape {
	return func(value any) error {
		members, ok := value.(map[string]any)
		if !ok {
			return fmt.Errorf("%v is no object", value)
		}
		for name := range required {
			if _, found := members[name]; !found {
				return fmt.Errorf("no %s in %v", name, value)
			}
		}
		for name, member := range members {
			is := required[name]
			if is == nil {
				is = optional[name]
			}
			if is == nil {
				return fmt.Errorf("%s has no place in %v", name, slices.Sorted(maps.Keys(members)))
			}
			if err := is(member); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
}

func list(of shape) shape {
	return func(value any) error {
		items, ok := value.([]any)
		if !ok {
			return fmt.Errorf("%v is no array", value)
		}
		for i, item := range items {
			if err := of(item); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
}

func text(pattern string) shape {
	matches := regexp.MustCompile("^(?:" + pattern + ")$")
	return func(value any) error {
		if s, ok := value.(string); !ok || !matches.MatchString(s) {
			return fmt.Errorf("%v is not %s", value, pattern)
		}
		return nil
	}
}

func atLeast(least float64) shape {
	return func(value any) error {
		if n, ok := value.(float64); !ok || n < least || n != float64(int(n)) {
			return fmt.Errorf("%v is no integer from %v", value, least)
		}
		return nil
	}
}

// reference is a URI reference; absolute, a URI.
func reference(absolute bool) shape {
	return func(value any) error {
		s, _ := value.(string)
		u, err := url.Parse(s)
		if err != nil || s == "" || absolute && !u.IsAbs() || regexp.MustCompile(`[^!-~]`).MatchString(s) {
			return fmt.Errorf("%q is no URI: %w", value, err)
		}
		return nil
	}
}

func sarif() shape {
	type members = map[string]shape
	anyText := text(`(?s).*`)
	message := object(members{"text": anyText}, members{"markdown": anyText})
	level := text("none|note|warning|error")
	properties := func(value any) error {
		bag, ok := value.(map[string]any)
		if tags, found := bag["tags"]; found && ok {
			return list(anyText)(tags)
		}
		return nil
	}
	rule := object(members{"id": text(".+")}, members{
		"name": text("[A-Z][A-Za-z0-9]*"), "shortDescription": message, "fullDescription": message, "help": message,
		"helpUri": reference(true), "defaultConfiguration": object(nil, members{"level": level}), "properties": properties,
	})
	region := object(nil, members{"startLine": atLeast(1), "startColumn": atLeast(1), "snippet": message})
	location := object(nil, members{"physicalLocation": object(
		members{"artifactLocation": object(nil, members{"uri": reference(false)})}, members{"region": region})})
	result := object(members{"message": message}, members{
		"ruleId": text(".+"), "ruleIndex": atLeast(0), "level": level, "locations": list(location),
		"occurrenceCount": atLeast(1), "partialFingerprints": object(nil, members{"primaryLocationLineHash": text("[0-9a-f]{32}")}),
	})
	driver := object(members{"name": text(".+")}, members{"version": text(".+"), "informationUri": reference(true), "rules": list(rule)})
	run := object(members{"tool": object(members{"driver": driver}, nil)}, members{
		"columnKind": text("utf16CodeUnits|unicodeCodePoints"), "results": list(result),
	})
	return object(members{"version": text(`2\.1\.0`), "runs": list(run)}, members{"$schema": reference(true)})
}

func TestSARIFSchema(t *testing.T) {
	for _, all := range [][]lint.Finding{nil, findings()} {
		var log any
		if err := json.Unmarshal(write(t, "sarif", all), &log); err != nil {
			t.Fatal(err)
		}
		if err := sarif()(log); err != nil {
			t.Error(err)
		}
	}
}

// TestCrawlSchemas holds what is told of broken links against the same schemas.
func TestCrawlSchemas(t *testing.T) {
	for name, file := range map[string]crawl.Reader{"sample": sample(t), "nothing": crawlFile(t, nil)} {
		var log any
		if err := json.Unmarshal(told(t, report.WriteSARIF, file), &log); err != nil {
			t.Fatal(err)
		}
		if err := sarif()(log); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		check := exec.Command("xmllint", "--nonet", "--noout", "--schema", filepath.Join("testdata", "junit.xsd"), "-")
		check.Stdin = bytes.NewReader(told(t, report.WriteJUnit, file))
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, said)
		}
	}
}

// TestSARIFRules sees that every result finds its rule by the index.
func TestSARIFRules(t *testing.T) {
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
			}
		}
	}
	if err := json.Unmarshal(write(t, "sarif", findings()), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != len(findings()) {
		t.Errorf("%d results", len(run.Results))
	}
	for _, r := range run.Results {
		if id := run.Tool.Driver.Rules[r.RuleIndex].ID; id != r.RuleID {
			t.Errorf("the rule of %s is %s", r.RuleID, id)
		}
	}
}

// TestAnnotations undoes the escapes as GitHub's runner does.
func TestAnnotations(t *testing.T) {
	data := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	property := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	f := lint.Finding{
		Rule: relative, Severity: lint.SeverityWarning, File: "100%,a:b.xml", Line: 7, Column: 2, Message: "50%25: a, b::c",
	}
	line, _, _ := strings.Cut(string(write(t, "github", []lint.Finding{f})), "\n")
	command, rest, _ := strings.Cut(strings.TrimPrefix(line, "::"), " ")
	properties, message, _ := strings.Cut(rest, "::")
	if command != "warning" || data.Replace(message) != f.Message+"\n"+relative.Cure {
		t.Errorf("%s says %q", command, data.Replace(message))
	}
	got := map[string]string{}
	for pair := range strings.SplitSeq(properties, ",") {
		name, value, _ := strings.Cut(pair, "=")
		got[name] = property.Replace(value)
	}
	want := map[string]string{"file": f.File, "line": "7", "col": "2", "title": relative.Title + " [loc-relative]"}
	if !maps.Equal(got, want) {
		t.Errorf("properties %v, want %v", got, want)
	}
}
