package config_test

import (
	"errors"
	"net/url"
	"slices"
	"testing"

	"github.com/mapatools/mapa/access"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	appdiff "github.com/mapatools/mapa/internal/app/diff"
	applinks "github.com/mapatools/mapa/internal/app/links"
	applint "github.com/mapatools/mapa/internal/app/lint"
	applist "github.com/mapatools/mapa/internal/app/list"
	appreport "github.com/mapatools/mapa/internal/app/report"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
)

// TestTables sets and copies every setting, so that none has a type that cannot be
// read, and keeps names unique.
func TestTables(t *testing.T) {
	for name, tables := range map[string][2][]setting.Setting{
		"crawl":    {appcrawl.NewSettings().All(), appcrawl.NewSettings().All()},
		"build":    {build.NewSettings().All(), build.NewSettings().All()},
		"lint":     {applint.NewSettings().All(), applint.NewSettings().All()},
		"links":    {applinks.NewSettings().All(), applinks.NewSettings().All()},
		"list":     {applist.NewSettings().All(), applist.NewSettings().All()},
		"diff":     {appdiff.NewSettings().All(), appdiff.NewSettings().All()},
		"report":   {appreport.NewSettings().All(), appreport.NewSettings().All()},
		"announce": {appannounce.NewSettings().Table(), appannounce.NewSettings().Table()},
		"watch":    {appwatch.NewSettings().All(), appwatch.NewSettings().All()},
	} {

		seen, table, copied := map[string]bool{}, tables[0], tables[1]
		for i := range table {
			s := &table[i]
			if seen[s.Name] || s.Name == "" || s.HasFlag() && s.Help == "" {
				t.Errorf("%s: %q is repeated or lacks a text", name, s.Name)
			}
			seen[s.Name] = true
			text, found := map[string]string{
				"duration": "1s", "NAME=N": "x=1", "NAME=VALUE": "x=1", "entries": `{"url":["x"],"status":["403","dns"]}`,
			}[s.Value.Type()]
			if !found {
				text = "1"
			}
			if err := s.Value.Set(text); err != nil {
				t.Errorf("%s: %s: %v", name, s.Name, err)
			}
			setting.Override(copied, table, []string{s.Name})
			if got := copied[i].Value.Texts(); !slices.Equal(got, s.Value.Texts()) {
				t.Errorf("%s: %s: copied %q of %q", name, s.Name, got, s.Value.Texts())
			}
		}
	}
}

// TestOverride copies what was named and nothing else.
func TestOverride(t *testing.T) {
	from, to := appcrawl.NewSettings(), appcrawl.NewSettings()
	from.Access.Rate, from.Access.User, from.Scope.Include = access.PerSecond(1), "a:b", []string{"x"}
	setting.Override(to.All(), from.All(), []string{"rate", "include", "help"})
	if to.Access.Rate != access.PerSecond(1) || !slices.Equal(to.Scope.Include, []string{"x"}) || to.Access.User != "" {
		t.Errorf("%+v %+v", to.Access, to.Scope)
	}
}

// TestSettingError names settings as the front end does, and leaves values alone.
func TestSettingError(t *testing.T) {
	settings := appcrawl.NewSettings()
	settings.Scope.Include = []string{"a{2}(%s"}
	_, err := settings.Options(&url.URL{})
	var wrong *setting.Error
	if !errors.As(err, &wrong) || wrong.Name != "include" {
		t.Fatal(err)
	}
	if got, want := wrong.Text("--"), "--include: error parsing regexp: missing closing ): `a{2}(%s`"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	settings = appcrawl.NewSettings()
	settings.Seeds = appcrawl.SeedSettings{Sitemaps: []string{"-"}, Logs: []string{"x", "-"}}
	_, err = settings.Options(&url.URL{})
	if !errors.As(err, &wrong) || wrong.Name != "log" {
		t.Fatal(err)
	}
	if got, want := wrong.Text("--"), "--log: only one of --sitemap, --list and --log can be standard input"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
