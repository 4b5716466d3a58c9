package app

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

const example = "../../docs/mapa.yaml"

// crawlTable is the table of a front end, which adds settings of its own.
func crawlTable(s *CrawlSettings) []Setting {
	return append(s.All(), Setting{Name: "format", Value: new(string)})
}

func lintTable() []Setting { return NewLintSettings().All() }

// TestConfigExample keeps the example valid, and has it show every setting.
func TestConfigExample(t *testing.T) {
	file, err := new(App).ReadConfig(example, crawlTable(NewCrawlSettings()))
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Sites) != 3 {
		t.Fatalf("%d sites", len(file.Sites))
	}
	shown := map[string]bool{}
	for _, site := range file.Sites {
		settings := NewCrawlSettings()
		if err := file.ApplyCrawl(crawlTable(settings), site); err != nil {
			t.Error(err)
		}
		settings.Access.CookieFile, settings.Access.CAFile = "", "" // would be read
		if _, err := settings.Options(&url.URL{}); err != nil {
			t.Error(err)
		}
		if _, err := settings.Publish.options(); err != nil {
			t.Error(err)
		}
		for _, assigned := range [][]assignment{file.all, site.settings} {
			for _, a := range assigned {
				shown[a.name] = true
			}
		}
	}
	showsAll(t, crawlTable(NewCrawlSettings()), shown)
}

// showsAll fails for every setting that the example lacks.
func showsAll(t *testing.T, settings []Setting, shown map[string]bool) {
	t.Helper()
	for _, s := range settings {
		if !shown[s.Name] && !s.CommandLineOnly {
			t.Errorf("the example does not show %s", s.Name)
		}
	}
}

// TestConfigExampleLint does the same for the settings of lint.
func TestConfigExampleLint(t *testing.T) {
	file, err := new(App).ReadConfig(example, crawlTable(NewCrawlSettings()))
	if err != nil {
		t.Fatal(err)
	}
	settings := NewLintSettings()
	if err := file.ApplyLint(settings.All()); err != nil {
		t.Error(err)
	}
	options, err := settings.Options()
	if err != nil {
		t.Error(err)
	}
	if want := lint.EngineGoogle | lint.EngineBing; options.Engines != want {
		t.Errorf("engines %v, want %v", options.Engines, want)
	}
	shown := map[string]bool{}
	for _, a := range file.sections[sectionLint] {
		shown[a.name] = true
	}
	showsAll(t, lintTable(), shown)
}

// TestConfigHostile reads files that are not configurations.
func TestConfigHostile(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nexclude: [*b,*b,*b,*b]\n"
	for _, text := range []string{
		bomb, "- x", "exclude: *missing", "? [a]\n: b", "\x00", "rate: {a: {b: c}}",
		strings.Repeat("[", 100_000),
	} {
		name := filepath.Join(t.TempDir(), ConfigName)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := new(App).ReadConfig(name, crawlTable(NewCrawlSettings()))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%.40q: error %v", text, err)
		}
	}
}
