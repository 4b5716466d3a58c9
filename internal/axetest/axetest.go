// Package axetest checks the accessibility of pages with axe-core
// (https://github.com/dequelabs/axe-core), which `make programs` installs. It is for tests
// that open pages in a browser.
package axetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// Script returns the script of axe-core. Where it is not installed, it calls
// [programtest.Missing].
func Script(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	name := filepath.Join(filepath.Dir(file), "..", "..", ".programs", "node_modules", "axe-core", "axe.min.js")
	script, err := os.ReadFile(name)
	if err != nil {
		programtest.Missing(t, "axe-core is missing: run make programs: "+err.Error())
	}
	return string(script)
}

// Run is a JavaScript expression for a page that ran [Script]: a promise of the object that
// [Check] takes as JSON. It applies the rules of WCAG 2 up to level AA, and best practices.
const Run = `axe.run(document, {resultTypes: ["violations"]})` + summary

// RunColors is [Run] with the rules about colors alone. It is enough where a page was
// checked in another color scheme, and takes a fraction of the time.
const RunColors = `axe.run(document, {resultTypes: ["violations"], runOnly: ["cat.color"]})` + summary

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

// Check reports an error for every violation in the JSON of [Run]. where names the page.
func Check(t testing.TB, where string, found []byte) {
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
