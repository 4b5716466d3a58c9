package lint

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/sitemap"
)

// wordedByPages are the texts of rules over pages that TestPageTexts words.
var wordedByPages = []string{"found", "limit", "escalated", "unlinked", "redirected", "first",
	"site", "form", "link", "listed", "may-read",
}

// TestTexts checks that the catalog has no text of a rule that is not there, or that no
// rule shows.
func TestTexts(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	for key := range catalog.For(catalog.English).WithPrefix("rule.") {
		id, name, _ := strings.Cut(key, ".")
		_, ofFault := faultArguments[sitemap.FaultKind(id)]
		constant := strings.TrimSuffix(strings.TrimSuffix("rule."+key, ".one"), ".other")
		switch {
		case ruleByID[id] == nil:
			t.Errorf("%s belongs to no rule", key)
		case slices.Contains([]string{"title", "why", "fix"}, name), ofFault && name == "found",
			strings.Contains(code.String(), `"`+constant+`"`),
			name == "found" && strings.Contains(code.String(), `.field("`+id+`"`):
		case slices.Contains(allPageRules, ruleByID[id]) && slices.Contains(wordedByPages,
			strings.TrimSuffix(strings.TrimSuffix(name, ".one"), ".other")):
		default:
			t.Errorf("%s is not used", key)
		}
	}
	for kind := range faultArguments {
		if got := newText("rule."+string(kind)+".found", "<a>").String(); strings.Count(got, "<a>") != 1 {
			t.Errorf("%s is worded %q", kind, got)
		}
	}
}

// TestExamplesOfRules checks that there is no example of a rule that is not there.
func TestExamplesOfRules(t *testing.T) {
	files, err := filepath.Glob("../internal/lintexample/rules/*.txtar")
	if err != nil || len(files) != len(ruleByID) {
		t.Errorf("%d files, want %d: %v", len(files), len(ruleByID), err)
	}
	for _, r := range ruleByID {
		if bad, good := lintexample.Of(r.ID); bad == "" || good == "" {
			t.Errorf("%s has no examples", r.ID)
		}
	}
}

// TestDetails words every sentence that package sitemap gives as the detail of a fault: in English
// as it is, and translated.
func TestDetails(t *testing.T) {
	var code strings.Builder
	files, err := filepath.Glob("../sitemap/*.go")
	for _, name := range files {
		text, readErr := os.ReadFile(name)
		err = errors.Join(err, readErr)
		if !strings.HasSuffix(name, "_test.go") {
			code.Write(text)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	sentences := regexp.MustCompile(`faultAt\(.*, "([^"\n]+ [^"\n]*)"`).FindAllStringSubmatch(code.String(), -1)
	if len(sentences) < 10 {
		t.Errorf("only %d sentences are found", len(sentences))
	}
	for _, match := range sentences {
		detail := match[1]
		for _, d := range namingDetails {
			if d.before == detail {
				detail += "x" + d.after
			}
		}
		text, is := wordDetail(detail).(Text)
		if !is || text.String() != detail || text.In("es") == detail {
			t.Errorf("%q is worded %v, %q in Spanish", detail, text, text.In("es"))
		}
	}
	if got := wordDetail("Not found"); got != "Not found" {
		t.Errorf("what a file says is %v", got)
	}
}
