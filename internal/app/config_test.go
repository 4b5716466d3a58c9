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

func apply(section Section, settings []Setting) error { return section.Apply(settings) }

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
		if err := apply(file.Crawl(site), crawlTable(settings)); err != nil {
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

// TestConfigExampleWatch does the same for the settings of watch, and lets only a file that
// is named run a command.
func TestConfigExampleWatch(t *testing.T) {
	file, err := new(App).ReadConfig(example, crawlTable(NewCrawlSettings()))
	if err != nil {
		t.Fatal(err)
	}
	settings := NewWatchSettings()
	if err := apply(file.Section(SectionWatch), settings.All()); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, a := range file.sections[SectionWatch] {
		shown[a.name] = true
	}
	shown["exec"] = true // excludes webhook
	showsAll(t, settings.All(), shown)
	name := filepath.Join(t.TempDir(), ConfigName)
	if err := os.WriteFile(name, []byte("watch:\n  exec: cat\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err = new(App).ReadConfig(name, nil); err == nil {
		err = apply(file.Section(SectionWatch), settings.All())
	}
	if err != nil || settings.Exec != "cat" {
		t.Errorf("the command is %q, error %v", settings.Exec, err)
	}
	t.Chdir(filepath.Dir(name))
	if file, err = new(App).ReadConfig("", nil); err == nil {
		err = apply(file.Section(SectionWatch), settings.All())
	}
	if err == nil {
		t.Error("a file that nobody named runs a command")
	}
}

// TestConfigExampleBuild does the same for the settings of build, and lets only a file that is
// named choose a database.
func TestConfigExampleBuild(t *testing.T) {
	file, err := new(App).ReadConfig(example, crawlTable(NewCrawlSettings()))
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
	for _, a := range file.sections[SectionBuild] {
		shown[a.name] = true
	}
	showsAll(t, settings.All(), shown)
	t.Chdir(t.TempDir())
	for _, text := range []string{"sql: postgres://evil.example/", "output: ../public", "robots-txt: /tmp/robots.txt"} {
		if err := os.WriteFile(ConfigName, []byte("build:\n  "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if file, err = new(App).ReadConfig("", nil); err == nil {
			err = apply(file.Section(SectionBuild), NewBuildSettings().All())
		}
		if err == nil {
			t.Errorf("a file that nobody named sets %s", text)
		}
		if file, err = new(App).ReadConfig(ConfigName, nil); err == nil {
			err = apply(file.Section(SectionBuild), NewBuildSettings().All())
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
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
	for _, a := range file.sections[SectionLint] {
		shown[a.name] = true
	}
	showsAll(t, lintTable(), shown)
}

// TestConfigExampleAnnounce does the same for the settings of announce.
func TestConfigExampleAnnounce(t *testing.T) {
	file, err := new(App).ReadConfig(example, crawlTable(NewCrawlSettings()))
	if err != nil {
		t.Fatal(err)
	}
	settings := NewAnnounceSettings()
	if err := apply(file.Section(SectionAnnounce), settings.Settings()); err != nil {
		t.Error(err)
	}
	if err := settings.check(); err != nil {
		t.Error(err)
	}
	shown := map[string]bool{}
	for _, a := range file.sections[SectionAnnounce] {
		shown[a.name] = true
	}
	showsAll(t, settings.Settings(), shown)
}

// TestConfigSecrets reads secrets from the environment in a file that is named, and from
// nowhere in one that is only found.
func TestConfigSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "announce:\n  bing-key: $MY_BING\n  baidu-token: $UNSET\n"
	if err := os.WriteFile(ConfigName, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &App{LookupEnv: func(name string) (string, bool) {
		text, found := map[string]string{"MY_BING": "from-MY_BING"}[name]
		return text, found
	}}
	read := func(name string) (credentials, error) {
		file, err := a.ReadConfig(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		settings := NewAnnounceSettings()
		if err := apply(file.Section(SectionAnnounce), settings.Settings()); err != nil {
			t.Fatal(err)
		}
		return a.credentials(&settings.Credentials)
	}
	if c, err := read(ConfigName); err != nil || c.bing != "from-MY_BING" || c.baidu != "" {
		t.Errorf("%+v, error %v", c, err)
	}
	if c, err := read(""); err == nil || strings.Contains(err.Error(), "MY_BING") {
		t.Errorf("%+v, error %v", c, err)
	}
	if flag := Find(NewAnnounceSettings().Settings(), "bing-key"); !flag.Secret {
		t.Error("a secret can be given on the command line")
	}
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
