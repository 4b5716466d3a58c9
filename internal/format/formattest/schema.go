// Package formattest checks reports against the schemas of their formats.
package formattest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

//go:embed junit.xsd
var junitSchema []byte

// JUnit reports an error unless a report is valid for Ant and Jenkins.
func JUnit(t *testing.T, report []byte) {
	t.Helper()
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Fatal("xmllint is missing: apt-get install libxml2-utils")
	}
	schema := filepath.Join(t.TempDir(), "junit.xsd")
	if err := os.WriteFile(schema, junitSchema, 0o666); err != nil {
		t.Fatal(err)
	}
	check := exec.Command("xmllint", "--nonet", "--noout", "--schema", schema, "-")
	check.Stdin = bytes.NewReader(report)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// SARIF reports an error unless a log matches the schema of SARIF 2.1.0.
func SARIF(t *testing.T, log []byte) {
	t.Helper()
	var value any
	if err := json.Unmarshal(log, &value); err != nil {
		t.Fatal(err)
	}
	if err := sarif()(value); err != nil {
		t.Error(err)
	}
}

// Golden compares got with a file. UPDATE_GOLDEN=1 rewrites the file.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; UPDATE_GOLDEN=1 rewrites it: %s", name, firstDifference(string(got), string(want)))
	}
}

// firstDifference returns the first line that differs in two texts.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is now %q, before %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("it has now %d lines, before %d", len(g), len(w))
}

// shape checks a value against a part of the SARIF schema that Mapa uses
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json).
type shape func(value any) error

// object requires some members, allows others and rejects the rest.
func object(required, optional map[string]shape) shape {
	return func(value any) error {
		members, ok := value.(map[string]any)
		if !ok {
			return fmt.Errorf("%v is not an object", value)
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
				return fmt.Errorf("%s is unknown in %v", name, slices.Sorted(maps.Keys(members)))
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
			return fmt.Errorf("%v is not an array", value)
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
			return fmt.Errorf("%v is not an integer from %v", value, least)
		}
		return nil
	}
}

// reference requires a URI reference, or an absolute URI.
func reference(absolute bool) shape {
	return func(value any) error {
		s, _ := value.(string)
		u, err := url.Parse(s)
		if err != nil || s == "" || absolute && !u.IsAbs() || regexp.MustCompile(`[^!-~]`).MatchString(s) {
			return fmt.Errorf("%q is not a URI: %w", value, err)
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
		"occurrenceCount":     atLeast(1),
		"partialFingerprints": object(nil, members{"primaryLocationLineHash": text("[0-9a-f]{32}")}),
	})
	driver := object(members{"name": text(".+")},
		members{"version": text(".+"), "informationUri": reference(true), "rules": list(rule)})
	run := object(members{"tool": object(members{"driver": driver}, nil)}, members{
		"columnKind": text("utf16CodeUnits|unicodeCodePoints"), "results": list(result),
	})
	return object(members{"version": text(`2\.1\.0`), "runs": list(run)}, members{"$schema": reference(true)})
}
