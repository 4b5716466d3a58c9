package report_test

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/report"
)

// TestSchemas checks reports on broken links against the schemas of SARIF and JUnit.
func TestSchemas(t *testing.T) {
	for name, file := range map[string]crawl.Reader{"sample": sample(t), "nothing": crawlFile(t, nil)} {
		t.Run(name, func(t *testing.T) {
			formattest.SARIF(t, format(t, broken(report.ProblemsToSARIF), file))
			formattest.JUnit(t, format(t, broken(report.ProblemsToJUnit), file))
		})
	}
}
