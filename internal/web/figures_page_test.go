package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// searchConsole writes an archive with three exports of Search Console: the indexed pages of a month, one that is not
// indexed, and the searches. It returns its path.
func searchConsole(t *testing.T, site string) string {
	t.Helper()
	days := "Date,Not indexed,Indexed,Impressions\n"
	for day := 1; day <= 28; day++ {
		days += fmt.Sprintf("2026-11-%02d,%d,%d,10\n", day, 40-day, day/2)
	}
	var text bytes.Buffer
	out := zip.NewWriter(&text)
	for _, file := range [][2]string{
		{"pages/Chart.csv", days}, {"pages/Metadata.csv", "Property,Value\nSitemap,All known pages\n"},
		{"pages/Critical issues.csv", "Reason,Source,Validation,Pages\nNot found (404),Website,Not Started,9\n" +
			"Crawled - currently not indexed,Google systems,N/A,3\n"},
		{"reason/Table.csv", "URL,Last crawled\n" + site + "/shop/,2026-11-20\n"},
		{"reason/Metadata.csv", "Property,Value\nSitemap,All known pages\nIssue,Crawled - currently not indexed\n"},
		{"searches/Pages.csv", "Top pages,Clicks,Impressions,CTR,Position\n" + site + "/,12345,1234567,1%,3.5\n"},
	} {
		entry, err := out.Create(file[0])
		if err == nil {
			_, err = entry.Write([]byte(file[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "127.0.0.1-Coverage-2026-11-28.zip")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFiguresForm adds an export with the form, narrow and wide, with and without scripts, and looks at the chart.
func TestFiguresForm(t *testing.T) {
	t.Parallel()
	script := programtest.AxeScript(t)
	wrong := filepath.Join(t.TempDir(), strings.Repeat("wrong", 10)+".csv")
	if err := os.WriteFile(wrong, []byte("name,color\nchair,red\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		look          look
		said, alerted string
	}{
		"narrow":    {look{width: 320, language: "es"}, "14 indexadas y 12 sin indexar", "así que no se ha añadido ningún archivo"},
		"wide":      {look{width: 1440}, "14 indexed and 12 not indexed", "so no file was added"},
		"no script": {look{noScript: true}, "14 indexed and 12 not indexed", "so no file was added"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _ := newApplication(t, nil)
			site := newTarget(t, false)
			export := searchConsole(t, site.URL)
			crawlSite(t, server, site.URL)
			result := crawlSite(t, server, site.URL)
			path := "/sites/" + strings.TrimPrefix(site.URL, "http://")
			b := newTab(t, server, path, test.look)
			check := func(where string) {
				if !test.look.noScript {
					b.check(script, where, test.look)
					b.isNarrow()
				}
			}
			b.click("#figures ~ details summary")
			check("the form")
			b.upload("#file", wrong)
			b.follow(".form .primary")
			b.sees("#figures ~ details [role=alert]", test.alerted)
			check("a wrong file")
			b.upload("#file", export)
			b.follow(".form .primary")
			b.sees("#figures ~ .card", test.said)
			b.sees(".time-chart", "14")
			check("the files were read")
			b.open(path)
			b.click("#figures ~ details summary")
			check("the chart of a site")
			b.open(result)
			b.sees(".time-chart", "14")
			check("the chart of a result")
			b.open(result + "/pages?sort=-impressions")
			b.sees("#list tbody tr", "234")
			check("the list of pages")
		})
	}
}
