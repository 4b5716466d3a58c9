package report_test

import (
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/internal/store"
)

// TestSchemas checks reports on findings against the schemas of SARIF and JUnit.
func TestSchemas(t *testing.T) {
	for name, file := range map[string]*store.File{"sample": sample(t), "nothing": crawlFile(t, nil)} {
		t.Run(name, func(t *testing.T) {
			formattest.SARIF(t, format(t, findings("sarif"), file))
			formattest.JUnit(t, format(t, findings("junit"), file))
		})
	}
}
