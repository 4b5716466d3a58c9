package lintreport_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/lint"
)

func TestJUnitSchema(t *testing.T) {
	for _, all := range [][]lint.Finding{nil, findings(),
		{{Rule: relative, Severity: lint.SeverityError, Message: text("of no file")}}} {
		formattest.JUnit(t, write(t, "junit", all))
	}
}

func TestSARIFSchema(t *testing.T) {
	for _, all := range [][]lint.Finding{nil, findings()} {
		formattest.SARIF(t, write(t, "sarif", all))
	}
}

// TestSARIFRules checks that the rule index of every result is right.
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

// TestAnnotations unescapes commands the way GitHub's runner does.
func TestAnnotations(t *testing.T) {
	data := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	property := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	f := lint.Finding{
		Rule: relative, Severity: lint.SeverityWarning, File: "100%,a:b.xml", Line: 7, Column: 2,
		Message: text("50%25: a, b::c"),
	}
	line, _, _ := strings.Cut(string(write(t, "github", []lint.Finding{f})), "\n")
	command, rest, _ := strings.Cut(strings.TrimPrefix(line, "::"), " ")
	properties, message, _ := strings.Cut(rest, "::")
	if command != "warning" || data.Replace(message) != f.Message.String()+"\n"+relative.Fix().String() {
		t.Errorf("%s says %q", command, data.Replace(message))
	}
	got := map[string]string{}
	for pair := range strings.SplitSeq(properties, ",") {
		name, value, _ := strings.Cut(pair, "=")
		got[name] = property.Replace(value)
	}
	title := relative.Title().String() + " [loc-relative]"
	want := map[string]string{"file": f.File, "line": "7", "col": "2", "title": title}
	if !maps.Equal(got, want) {
		t.Errorf("properties %v, want %v", got, want)
	}
}
