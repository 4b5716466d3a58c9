package config_test

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	applinks "github.com/mapatools/mapa/internal/app/links"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/mapatools/mapa/lint"
)

const exampleName = "../../../docs/mapa.yaml"

// off begins a line of the example that is not in force.
var off = regexp.MustCompile(`(?m)^( *)#(- )?([a-z-]+:)`)

// example returns the name of the example with all lines in force.
func example(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(exampleName)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), config.DefaultName)
	if err := os.WriteFile(name, off.ReplaceAll(text, []byte("$1$2$3")), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestConfigExampleFound uses the example as it is, where nobody has named it.
func TestConfigExampleFound(t *testing.T) {
	text, err := os.ReadFile(exampleName)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile(config.DefaultName, text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := config.Read(new(app.App), "", tables())
	if err != nil {
		t.Fatal(err)
	}
	for _, site := range file.Sites {
		settings := appcrawl.NewSettings()
		if err := apply(file.Crawl(site), append(settings.All(), format)); err != nil {
			t.Error(err)
		}
		if _, err := settings.Options(&url.URL{}); err != nil {
			t.Error(err)
		}
		if _, err := settings.Checks.Checker(nil); err != nil {
			t.Error(err)
		}
	}
	for name, settings := range map[string][]setting.Setting{
		build.Section: build.NewSettings().All(), applint.Section: lintTable(),
		appannounce.Section: appannounce.NewSettings().Table(), appwatch.Section: appwatch.NewSettings().All(),
		applinks.Section: applinks.NewSettings().All(),
	} {
		if err := apply(file.Section(name), settings); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func apply(section config.Section, settings []setting.Setting) error { return section.Apply(settings) }

func lintTable() []setting.Setting { return applint.NewSettings().All() }

// format is a setting that the command line adds to those of crawl.
var format = setting.Setting{Name: "format", Value: setting.String(new(string)), Risk: setting.RiskNone}

// TestConfigExample keeps the example valid, and has it show every setting.
func TestConfigExample(t *testing.T) {
	file, err := config.Read(new(app.App), example(t), tables())
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Sites) != 3 {
		t.Fatalf("%d sites", len(file.Sites))
	}
	shown := map[string]bool{}
	for _, site := range file.Sites {
		settings := appcrawl.NewSettings()
		if err := apply(file.Crawl(site), append(settings.All(), format)); err != nil {
			t.Error(err)
		}
		settings.Access.CookieFile, settings.Access.CAFile = "", "" // would be read
		if _, err := settings.Options(&url.URL{}); err != nil {
			t.Error(err)
		}
		if _, err := settings.Publish.Options(); err != nil {
			t.Error(err)
		}
		for _, name := range file.Assigned(site, "") {
			shown[name] = true
		}
	}
	showsAll(t, appcrawl.NewSettings().All(), shown)
}

// showsAll fails for every setting that the example lacks.
func showsAll(t *testing.T, settings []setting.Setting, shown map[string]bool) {
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
	file, err := config.Read(new(app.App), example(t), tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := appwatch.NewSettings()
	if err := apply(file.Section(appwatch.Section), settings.All()); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(config.Site{}, appwatch.Section) {
		shown[name] = true
	}
	shown["exec"] = true // excludes webhook
	showsAll(t, settings.All(), shown)
	name := filepath.Join(t.TempDir(), config.DefaultName)
	if err := os.WriteFile(name, []byte("watch:\n  exec: cat\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err = config.Read(new(app.App), name, tables()); err == nil {
		err = apply(file.Section(appwatch.Section), settings.All())
	}
	if err != nil || settings.Exec != "cat" {
		t.Errorf("the command is %q, error %v", settings.Exec, err)
	}
	t.Chdir(filepath.Dir(name))
	if file, err = config.Read(new(app.App), "", tables()); err == nil {
		err = apply(file.Section(appwatch.Section), settings.All())
	}
	if err == nil {
		t.Error("a file that nobody named runs a command")
	}
}

// TestConfigExampleBuild does the same for the settings of build, and lets only a file that is
// named choose a database.
func TestConfigExampleBuild(t *testing.T) {
	file, err := config.Read(new(app.App), example(t), tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := build.NewSettings()
	if err := apply(file.Section(build.Section), settings.All()); err != nil {
		t.Error(err)
	}
	if _, err := settings.Publish.Options(); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(config.Site{}, build.Section) {
		shown[name] = true
	}
	showsAll(t, settings.All(), shown)
	t.Chdir(t.TempDir())
	for _, text := range []string{"sql: postgres://evil.example/", "output: ../public", "robots-txt: /tmp/robots.txt"} {
		if err := os.WriteFile(config.DefaultName, []byte("build:\n  "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if file, err = config.Read(new(app.App), "", tables()); err == nil {
			err = apply(file.Section(build.Section), build.NewSettings().All())
		}
		if err == nil {
			t.Errorf("a file that nobody named sets %s", text)
		}
		if file, err = config.Read(new(app.App), config.DefaultName, tables()); err == nil {
			err = apply(file.Section(build.Section), build.NewSettings().All())
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestOtherSections lets no section of another command stop the one in use.
func TestOtherSections(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "rate: 5\nbuild:\n  sql: postgres://reader@db/shop\nwatch:\n  exec: cat\n"
	if err := os.WriteFile(config.DefaultName, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := config.Read(new(app.App), "", tables())
	if err == nil {
		err = apply(file.Crawl(config.Site{URL: "https://example.com/"}), appcrawl.NewSettings().All())
	}
	if err != nil {
		t.Error(err)
	}
}

// TestConfigExampleLint does the same for the settings of lint.
func TestConfigExampleLint(t *testing.T) {
	file, err := config.Read(new(app.App), example(t), tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := applint.NewSettings()
	if err := apply(file.Section(applint.Section), settings.All()); err != nil {
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
	for _, name := range file.Assigned(config.Site{}, applint.Section) {
		shown[name] = true
	}
	showsAll(t, lintTable(), shown)
}

// TestConfigExampleLinks does the same for the settings of links.
func TestConfigExampleLinks(t *testing.T) {
	file, err := config.Read(new(app.App), example(t), tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := applinks.NewSettings()
	if err := apply(file.Section(applinks.Section), settings.All()); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(config.Site{}, applinks.Section) {
		shown[name] = true
	}
	showsAll(t, settings.All(), shown)
}

// TestConfigExampleAnnounce does the same for the settings of announce.
func TestConfigExampleAnnounce(t *testing.T) {
	file, err := config.Read(new(app.App), example(t), tables())
	if err != nil {
		t.Fatal(err)
	}
	settings := appannounce.NewSettings()
	if err := apply(file.Section(appannounce.Section), settings.Table()); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, name := range file.Assigned(config.Site{}, appannounce.Section) {
		shown[name] = true
	}
	showsAll(t, settings.Table(), shown)
}

// TestConfigHostile reads files that are not configurations.
func TestConfigHostile(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nexclude: [*b,*b,*b,*b]\n"
	for _, text := range []string{
		bomb, "- x", "exclude: *missing", "? [a]\n: b", "\x00", "rate: {a: {b: c}}",
		strings.Repeat("[", 100_000),
	} {
		name := filepath.Join(t.TempDir(), config.DefaultName)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := config.Read(new(app.App), name, tables())
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%.40q: error %v", text, err)
		}
	}
}
