package lintreport_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/lint"
)

// browse opens a page in a headless browser.
func browse(t *testing.T, page []byte) (document, console string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lint.html")
	if err := os.WriteFile(name, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return programtest.Browse(t, name, "")
}

// TestFilters fills in the form of a page, as a browser does when it restores one, and
// wants only the findings that match. Nothing from the texts runs.
func TestFilters(t *testing.T) {
	attack := findings()
	attack = append(attack, lint.Finding{
		Rule: empty, Severity: lint.SeverityWarning, File: "<img src=x onerror=document.documentElement.id='owned'>",
		Message: text("</script><script>document.documentElement.id='owned'</script>"), URL: "javascript:alert(1)",
	})
	page := string(write(t, "html", attack))
	shown := regexp.MustCompile(`<section id="([^"]*)" class="[a-z]*">`)
	for name, c := range map[string]struct {
		before, after string // in the form
		sections      []string
		count         string
	}{
		"nothing": {"", "", []string{"loc-relative", "empty-urlset", "priority-ignored"}, `<output id="shown"></output>`},
		"search":  {`type="search"`, `type="search" value="PRIORITY 0.5"`, []string{"priority-ignored"}, ">1 of 9 findings<"},
		"selects": {`<option>loc-relative</option>`, `<option selected>loc-relative</option>`,
			[]string{"loc-relative"}, ">6 of 9 findings<"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document, console := browse(t, []byte(strings.Replace(page, c.before, c.after, 1)))
			var sections []string
			for _, match := range shown.FindAllStringSubmatch(document, -1) {
				sections = append(sections, match[1])
			}
			if !slices.Equal(sections, c.sections) || !strings.Contains(document, c.count) {
				t.Errorf("shows %v, want %v and %s", sections, c.sections, c.count)
			}
			if console != "" || strings.Contains(document, `id="owned"`) {
				t.Errorf("something ran: %s", console)
			}
		})
	}
}
