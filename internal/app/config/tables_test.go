package config_test

import (
	"errors"
	"net/url"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	appdiff "github.com/mapatools/mapa/internal/app/diff"
	applint "github.com/mapatools/mapa/internal/app/lint"
	applist "github.com/mapatools/mapa/internal/app/list"
	appreport "github.com/mapatools/mapa/internal/app/report"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
)

// TestTables sets and copies every setting, so that none has a type that cannot be
// read, and keeps names unique.
func TestTables(t *testing.T) {
	for name, table := range map[string][]setting.Setting{
		"crawl": appcrawl.NewSettings().All(), "lint": applint.NewSettings().All(), "list": applist.NewSettings().All(),
		"diff": appdiff.NewSettings().All(), "report": appreport.NewSettings().All(), "build": build.NewSettings().All(),
		"announce": appannounce.NewSettings().Table(), "watch": appwatch.NewSettings().All(),
	} {
		seen := map[string]bool{}
		for i := range table {
			s := &table[i]
			if seen[s.Name] || s.Name == "" || s.HasFlag() && s.Help == "" {
				t.Errorf("%s: %q is repeated or lacks a text", name, s.Name)
			}
			seen[s.Name] = true
			text := "1"
			if _, isMap := s.Value.(*map[string]int); isMap {
				text = "x=1"
			}
			if _, isMap := s.Value.(*map[string]string); isMap {
				text = "x=1"
			}
			if _, isTime := s.Value.(*time.Duration); isTime {
				text = "1s"
			}
			if err := s.Assign([]string{text}, false); err != nil {
				t.Errorf("%s: %s: %v", name, s.Name, err)
			}
			target := setting.Setting{Name: s.Name, Value: reflect.New(reflect.TypeOf(s.Value).Elem()).Interface()}
			setting.Override([]setting.Setting{target}, table, []string{s.Name})
			if !reflect.DeepEqual(target.Value, s.Value) {
				t.Errorf("%s: %s: copied %v of %v", name, s.Name, target.Value, s.Value)
			}
		}
	}
}

// TestOverride copies what was named and nothing else.
func TestOverride(t *testing.T) {
	from, to := appcrawl.NewSettings(), appcrawl.NewSettings()
	from.Access.Rate, from.Access.User, from.Scope.Include = crawl.PerSecond(1), "a:b", []string{"x"}
	setting.Override(to.All(), from.All(), []string{"rate", "include", "help"})
	if to.Access.Rate != crawl.PerSecond(1) || !slices.Equal(to.Scope.Include, []string{"x"}) || to.Access.User != "" {
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
