package config_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
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
)

// tables are the settings of the commands that read mapa.yaml.
func tables() config.Tables {
	return config.Tables{
		Crawl: slices.Concat(appcrawl.NewSettings().All(), new(appcrawl.JobSettings).All(), []setting.Setting{format}),
		Sections: map[string][]setting.Setting{
			build.Section: build.NewSettings().All(), applint.Section: applint.NewSettings().All(),
			applinks.Section:    applinks.NewSettings().All(),
			appannounce.Section: appannounce.NewSettings().Table(), appwatch.Section: appwatch.NewSettings().All(),
		},
	}
}

// tableOf returns the settings of a section. That of crawl has no name.
func tableOf(section string) []setting.Setting {
	if section == "" {
		return tables().Crawl
	}
	return tables().Sections[section]
}

// assign reads a mapa.yaml, found or named, that gives a setting a value.
func assign(t *testing.T, name, section, key, value string) error {
	t.Helper()
	text := fmt.Sprintf("%s: %s\n", key, value)
	if section != "" {
		text = section + ":\n  " + text
	}
	if err := os.WriteFile(config.DefaultName, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := tableOf(section)
	file, err := config.Read(new(app.App), name, tables())
	if err != nil {
		return err
	}
	if section == "" {
		return apply(file.Crawl(config.Site{}), settings)
	}
	return apply(file.Section(section), settings)
}

// valid returns a value that a setting takes.
func valid(s *setting.Setting) string {
	switch s.Value.Type() {
	case "bool":
		return "true"
	case "duration":
		return "1s"
	case "NAME=N", "NAME=VALUE":
		return "{x: 1}"
	case "entries":
		return "[{}]"
	}
	return "1"
}

// TestFoundSettings goes over every setting of a mapa.yaml: in a file that is only found, its
// risk decides what it may say, and in one that is named it may say all.
func TestFoundSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, section := range slices.Concat([]string{""}, slices.Collect(maps.Keys(tables().Sections))) {
		table := tableOf(section)
		for i := range table {
			s := &table[i]
			if s.CommandLineOnly {
				continue
			}
			allowed, refused := []string{valid(s)}, []string(nil)
			switch {
			case s.Risk&setting.RiskOutside != 0:
				allowed, refused = nil, allowed
			case s.Risk&(setting.RiskFile|setting.RiskSource) != 0:
				allowed = []string{"x", "./x/y", "'-'"}
				if s.Name != "output" { // which needs a name
					allowed = append(allowed, "''")
				}
				refused = []string{"../x", "/proc/self/environ", ".git/config", "x/.env"}
			}
			for _, value := range allowed {
				if err := assign(t, "", section, s.Name, value); err != nil {
					t.Errorf("found: %s: %s: %v", s.Name, value, err)
				}
			}
			for _, value := range refused {
				err := assign(t, "", section, s.Name, value)
				wrong, ok := errors.AsType[*config.Error](err)
				if !ok || wrong.Line == 0 || !strings.Contains(err.Error(), s.Name) ||
					!strings.HasSuffix(err.Error(), ": if you trust the file, use --config mapa.yaml") {
					t.Errorf("found: %s: %s: error %v", s.Name, value, err)
				}
				if err := assign(t, config.DefaultName, section, s.Name, value); err != nil {
					t.Errorf("named: %s: %s: %v", s.Name, value, err)
				}
			}
		}
	}
}

// TestFoundSites keeps a found mapa.yaml from crawling a folder elsewhere, and from being a
// link itself.
func TestFoundSites(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, folder := range []string{"co/site", "co/.git", "private"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../private", "co/linked"); err != nil {
		t.Skip(err)
	}
	t.Chdir("co")
	for _, test := range []struct {
		config, typed string
		line          int // that is refused, or 0
	}{
		{"url: ./site\nbase-url: https://a.example/", "", 0},
		{"url: https://a.example/", "", 0},
		{"url: ../private\nbase-url: https://a.example/", "", 1},
		{"url: " + top + "/private", "", 1},
		{"url: ./linked", "", 1},
		{"url: ./.git", "", 1},
		{"sites: [https://a.example/, https://b.example/, ../private]", "", 1},
		{"sites:\n- https://a.example/\n- max-pages: 1\n  url: ./linked", "", 4},
		{"url: ../private", "https://a.example/", 0},
	} {
		if err := os.WriteFile(config.DefaultName, []byte(test.config), 0o600); err != nil {
			t.Fatal(err)
		}
		err := checkSites(t, test.typed)
		wrong, _ := errors.AsType[*config.Error](err)
		if (err != nil) != (test.line > 0) || wrong != nil && wrong.Line != test.line {
			t.Errorf("%s %q: %v, want line %d", test.config, test.typed, err, test.line)
		}
	}
	if err := os.Rename(config.DefaultName, "../private/other.yaml"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../private/other.yaml", config.DefaultName); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Read(new(app.App), "", tables()); err == nil {
		t.Error("a link to a file elsewhere was read")
	}
	if _, err := config.Read(new(app.App), config.DefaultName, tables()); err != nil {
		t.Error(err)
	}
}

// TestHostFolder writes to no folder elsewhere that is named after the host of a site.
func TestHostFolder(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, folder := range []string{"co/site", "private", "crawls", "co/www.example"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"co/site/index.html": "<title>a</title>", "crawls/crawl.sqlite": "x"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"co/evil.example": "../private", "co/evil.example-8080": "../private", "co/xn--bcher-kva.example": "../private",
		"co/www.example/crawl.sqlite": "../../crawls/crawl.sqlite",
	} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir("co")
	crawl := func(address, base, output string) error {
		s := appcrawl.NewSettings()
		s.BaseURL, s.Output = base, output
		_, err := appcrawl.Run(t.Context(), new(app.App), address, s)
		return err
	}
	build := func(base string) error {
		s := build.NewSettings()
		s.BaseURL, s.Sources = base, []string{"-"}
		_, err := build.Run(t.Context(), (&app.App{Stdin: strings.NewReader("/a\n")}), s)
		return err
	}
	for name, err := range map[string]error{
		"crawl": crawl("https://evil.example/", "", ""), "case": crawl(" HTTPS://EVIL.example", "", ""),
		"host": crawl("evil.example", "", ""), "port": crawl("http://evil.example:8080/", "", ""),
		"crawl file": crawl("https://www.example", "", ""), "site folder": crawl("./site", "https://evil.example/", ""),
		"build": build("https://evil.example/"), "default port": build("https://evil.example:443/"),
		"IDN": build("https://b\u00fccher.example/"),
	} {
		wrong, ok := errors.AsType[*setting.Error](err)
		if !ok || wrong.Name != "output" || !strings.Contains(err.Error(), "is outside the current folder") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := crawl("./site", "https://evil.example/", "evil.example"); err != nil {
		t.Errorf("with the output setting: %v", err)
	}
	if files, err := os.ReadDir("../private"); err != nil || len(files) < 2 {
		t.Errorf("the output setting names no link: %v, %v", files, err)
	}
}

// checkSites combines the settings of each site of a found file, or of the address that was
// typed.
func checkSites(t *testing.T, typed string) error {
	t.Helper()
	file, err := config.Read(new(app.App), "", tables())
	if err != nil {
		t.Fatal(err)
	}
	sites := file.Sites
	if typed != "" {
		sites = []config.Site{file.Site(typed)}
	}
	for _, site := range sites {
		settings := appcrawl.NewSettings().All()
		if err := config.Combine(new(app.App), settings, file.Crawl(site), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// configDocument is the page about mapa.yaml, which ends in tables.
const configDocument = "../../../docs/config.md"

// TestConfigDocument keeps the tables of the page true. UPDATE_GOLDEN=1 rewrites it.
func TestConfigDocument(t *testing.T) {
	text, err := os.ReadFile(configDocument)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "do not edit. -->\n"
	before, _, found := strings.Cut(string(text), mark)
	if !found {
		t.Fatalf("%s has no mark", configDocument)
	}
	want := before + mark + "\n" + riskTable() + "\n## Settings without a flag\n\n" + withoutFlagTable()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(configDocument, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("the tables are not up to date, want\n%s", strings.TrimPrefix(want, before))
	}
}

// sections are those of mapa.yaml, that of crawl first.
var sections = []string{"", build.Section, applint.Section, applinks.Section, appannounce.Section, appwatch.Section}

// withoutFlagTable lists the settings that have no flag.
func withoutFlagTable() string {
	var out strings.Builder
	out.WriteString("| Setting | Command | Meaning |\n|---|---|---|\n")
	for _, section := range sections {
		for _, s := range tableOf(section) {
			if s.FileOnly && s.Help != "" {
				help := strings.ReplaceAll(s.Help, "`", "")
				fmt.Fprintf(&out, "| `%s` | `%s` | %s |\n", s.Name, cmp.Or(section, "crawl"), help)
			}
		}
	}
	return out.String()
}

// riskTable lists the settings with a risk, by section.
func riskTable() string {
	var out strings.Builder
	out.WriteString("| Section | Needs `--config` | Paths below the current folder | Sites without your credentials |\n|---|---|---|---|\n")
	for _, section := range sections {
		cells := map[setting.Risk][]string{}
		if section == "" {
			cells = map[setting.Risk][]string{setting.RiskFile: {"`url`", "`sites`"}, setting.RiskSite: {"`url`", "`sites`"}}
		}
		for _, s := range tableOf(section) {
			if list, is := s.Value.(setting.EntryList); is {
				for _, inner := range list.Table() {
					if inner.Risk&setting.RiskOutside != 0 {
						cells[setting.RiskOutside] = append(cells[setting.RiskOutside], "`"+inner.Name+"` in `"+s.Name+"`")
					}
				}
			}
			for _, column := range []setting.Risk{
				setting.RiskOutside, setting.RiskFile | setting.RiskSource, setting.RiskSite | setting.RiskSource,
			} {
				if s.Risk&column != 0 {
					cells[column&^setting.RiskSource] = append(cells[column&^setting.RiskSource], "`"+s.Name+"`")
				}
			}
		}
		name := "none: `crawl`"
		if section != "" {
			name = "`" + section + "`"
		}
		fmt.Fprintf(&out, "| %s |", name)
		for _, column := range []setting.Risk{setting.RiskOutside, setting.RiskFile, setting.RiskSite} {
			fmt.Fprintf(&out, " %s |", strings.Join(cells[column], ", "))
		}
		out.WriteString("\n")
	}
	return out.String()
}
