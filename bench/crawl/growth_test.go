package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/bench/measure"
	"github.com/mapatools/mapa/internal/programtest"
)

func TestMain(m *testing.M) {
	measure.Serve()
	os.Exit(m.Run())
}

// TestMapa crawls small sites as the benchmark does, so that a change of Mapa's flags, summary or crawl file that
// breaks it shows.
func TestMapa(t *testing.T) {
	programtest.Find(t, "nginx", "nginx-light")
	programtest.Find(t, "sqlite3", "sqlite3")
	port, err := freePort(0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(filepath.Join(t.TempDir(), "site"), fewest, port)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.turn(t.Context(), crawlers[0]); err != nil {
		t.Fatal(err)
	}
	text, err := b.reported(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if lines, right := strings.Count(text, " of "), strings.Count(text, " 0 missing, 0 too many, 0 twice"); lines != right {
		t.Errorf("what Mapa found is not the truth: %s", text)
	}
	for name, g := range map[string]*growth{
		"files": b.growth(),
		"small": smallGrowth(t.TempDir(), 500, port),
	} {
		if err := g.prepare(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := g.measure(t.Context(), 1, regexp.MustCompile("")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
