package programtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// AxeScript returns the script of axe-core (https://github.com/dequelabs/axe-core), which
// checks the accessibility of a page. Where it is not installed, AxeScript calls [Missing], but fails the test where a
// browser is: nobody would see that the pages are opened and not checked.
func AxeScript(t testing.TB) string {
	t.Helper()
	SkipShort(t, "it looks at pages in a browser")
	_, file, _, _ := runtime.Caller(0)
	name := filepath.Join(filepath.Dir(file), "..", "..", ".programs", "node_modules", "axe-core", "axe.min.js")
	script, err := os.ReadFile(name)
	if err != nil {
		text := "axe-core is missing: run make programs: " + err.Error()
		if _, err := exec.LookPath("chromium-headless-shell"); err == nil {
			t.Fatal(text)
		}
		Missing(t, text)
	}
	return string(script)
}

// AxeRun is a JavaScript expression for a page that ran [AxeScript]: a promise of the object that
// [CheckAxe] takes as JSON. It applies the rules of WCAG 2 up to level AA, and best practices.
const AxeRun = `axe.run(document, {resultTypes: ["violations"]})` + summary

// AxeColors is [AxeRun] with the rules about colors alone. It is enough where a page was
// checked in another color scheme, and takes a fraction of the time.
const AxeColors = `axe.run(document, {resultTypes: ["violations"], runOnly: ["cat.color"]})` + summary

const summary = `.then((found) => ({
	passes: found.passes.length,
	violations: found.violations.map((v) => ({
		id: v.id, help: v.help,
		nodes: v.nodes.map((n) => ({target: n.target.join(" "), html: n.html, summary: n.failureSummary})),
	})),
}))`

// result is what axe-core found on a page.
type result struct {
	Passes     int // rules that the page follows
	Violations []violation
}

// violation is a rule that a page breaks.
type violation struct {
	ID, Help string
	Nodes    []struct{ Target, HTML, Summary string }
}

// CheckAxe reports an error for every violation in the JSON of [AxeRun]. where names the page.
func CheckAxe(t testing.TB, where string, found []byte) {
	t.Helper()
	var r result
	if err := json.Unmarshal(found, &r); err != nil || r.Passes == 0 {
		t.Errorf("%s: axe-core did not run: %v: %.200q", where, err, found)
	}
	for _, v := range r.Violations {
		t.Errorf("%s: %s", where, v)
	}
}

// String returns the violation with the first elements that it concerns.
func (v violation) String() string {
	const shown = 3
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %d elements\n", v.ID, v.Help, len(v.Nodes))
	for _, node := range v.Nodes[:min(shown, len(v.Nodes))] {
		fmt.Fprintf(&b, "  %s: %s\n    %s\n", node.Target, node.HTML, strings.ReplaceAll(node.Summary, "\n", "\n    "))
	}
	return b.String()
}
