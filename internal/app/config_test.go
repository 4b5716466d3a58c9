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

func apply(section Section, settings []Setting) error { return section.Apply(settings) }

func lintTable() []Setting { return NewLintSettings().All() }

// TestConfigExample keeps the example valid, and has it show every setting.
func TestConfigExample(t *testing.T) {
	file, err := new(App).ReadConfig(example, tables())
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Sites) != 3 {
		t.Fatalf("%d sites", len(file.Sites))
	}
	shown := map[string]bool{}
	for _, site := range file.Sites {
		settings := NewCrawlSettings()
		if err := apply(file.Crawl(site), append(settings.All(), Setting{Name: "format", Value: new(string), Risk: RiskNone})); err != nil {
			t.Error(err)
		}
		settings.Access.CookieFile, settings.Access.CAFile = "", "" // would be read
		if _, err := settings.Options(&url.URL{}); err != nil {
			t.Error(err)
		}
		if _, err := settings.Publish.options(); err != nil {
			t.Error(err)
		}
		for _, name := range file.Assigned(site, "") {
			shown[name] = true
		}
	}
	showsAll(t, tables().Crawl, shown)
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

// TestConfigExampleWatch does the same for the settings of watch, and lets only a file that
// is named run a command.
func TestConfigExampleWatch(t *testing.T) {
	file, err := new(App).ReadConfig(example, tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := NewWatchSettings()
	if err := apply(file.Section(SectionWatch), settings.All()); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(Site{}, SectionWatch) {
		shown[name] = true
	}
	shown["exec"] = true // excludes webhook
	showsAll(t, settings.All(), shown)
	name := filepath.Join(t.TempDir(), ConfigName)
	if err := os.WriteFile(name, []byte("watch:\n  exec: cat\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err = new(App).ReadConfig(name, Tables{}); err == nil {
		err = apply(file.Section(SectionWatch), settings.All())
	}
	if err != nil || settings.Exec != "cat" {
		t.Errorf("the command is %q, error %v", settings.Exec, err)
	}
	t.Chdir(filepath.Dir(name))
	if file, err = new(App).ReadConfig("", Tables{}); err == nil {
		err = apply(file.Section(SectionWatch), settings.All())
	}
	if err == nil {
		t.Error("a file that nobody named runs a command")
	}
}

// TestConfigExampleBuild does the same for the settings of build, and lets only a file that is
// named choose a database.
func TestConfigExampleBuild(t *testing.T) {
	file, err := new(App).ReadConfig(example, tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := NewBuildSettings()
	if err := apply(file.Section(SectionBuild), settings.All()); err != nil {
		t.Error(err)
	}
	if _, err := settings.Publish.options(); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(Site{}, SectionBuild) {
		shown[name] = true
	}
	showsAll(t, settings.All(), shown)
	t.Chdir(t.TempDir())
	for _, text := range []string{"sql: postgres://evil.example/", "output: ../public", "robots-txt: /tmp/robots.txt"} {
		if err := os.WriteFile(ConfigName, []byte("build:\n  "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if file, err = new(App).ReadConfig("", Tables{}); err == nil {
			err = apply(file.Section(SectionBuild), NewBuildSettings().All())
		}
		if err == nil {
			t.Errorf("a file that nobody named sets %s", text)
		}
		if file, err = new(App).ReadConfig(ConfigName, Tables{}); err == nil {
			err = apply(file.Section(SectionBuild), NewBuildSettings().All())
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestConfigExampleLint does the same for the settings of lint.
func TestConfigExampleLint(t *testing.T) {
	file, err := new(App).ReadConfig(example, tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := NewLintSettings()
	if err := apply(file.Section(SectionLint), settings.All()); err != nil {
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
	for _, name := range file.Assigned(Site{}, SectionLint) {
		shown[name] = true
	}
	showsAll(t, lintTable(), shown)
}

// TestConfigExampleAnnounce does the same for the settings of announce.
func TestConfigExampleAnnounce(t *testing.T) {
	file, err := new(App).ReadConfig(example, tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := NewAnnounceSettings()
	if err := apply(file.Section(SectionAnnounce), settings.Settings()); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(Site{}, SectionAnnounce) {
		shown[name] = true
	}
	showsAll(t, settings.Settings(), shown)
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
		_, err := new(App).ReadConfig(name, tables())
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%.40q: error %v", text, err)
		}
	}
}
