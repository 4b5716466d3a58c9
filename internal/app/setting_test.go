package app

import (
	"errors"
	"net/url"
	"reflect"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

func TestSet(t *testing.T) {
	var text string
	var number int
	var list List
	var texts []string
	var numbers map[string]int
	for _, test := range []struct {
		value  any
		texts  []string
		isList bool
		want   any // nil is an error
	}{
		{&text, []string{"x"}, false, "x"},
		{&text, []string{"x"}, true, nil},
		{&number, []string{"0x10"}, false, 16},
		{&number, []string{"many"}, false, nil},
		{&list, []string{"a,b"}, false, List{"a", "b"}},
		{&list, []string{"a,b"}, true, List{"a,b"}},
		{&texts, []string{"a,b"}, false, []string{"a,b"}},
		{&numbers, []string{"a=1", "b=-1"}, true, map[string]int{"a": 1, "b": -1}},
		{&numbers, []string{"a"}, false, nil},
		{&numbers, []string{"a=x"}, false, nil},
	} {
		s := Setting{Value: test.value}
		err := s.set(test.texts, test.isList)
		got := reflect.ValueOf(test.value).Elem().Interface()
		if (err != nil) != (test.want == nil) || err == nil && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q as %T: %v, %v", test.texts, test.value, got, err)
		}
	}
}

// TestOverride copies what was named and nothing else.
func TestOverride(t *testing.T) {
	from, to := NewCrawlSettings(), NewCrawlSettings()
	from.Access.Rate, from.Access.User, from.Scope.Include = crawl.PerSecond(1), "a:b", []string{"x"}
	Override(to.All(), from.All(), []string{"rate", "include", "help"})
	if to.Access.Rate != crawl.PerSecond(1) || !slices.Equal(to.Scope.Include, []string{"x"}) || to.Access.User != "" {
		t.Errorf("%+v %+v", to.Access, to.Scope)
	}
}

// TestSettingError names settings as the front end does, and leaves values alone.
func TestSettingError(t *testing.T) {
	settings := NewCrawlSettings()
	settings.Scope.Include = []string{"a{2}(%s"}
	_, err := settings.Options(&url.URL{})
	var wrong *SettingError
	if !errors.As(err, &wrong) || wrong.Name != "include" {
		t.Fatal(err)
	}
	if got, want := wrong.Text("--"), "--include: error parsing regexp: missing closing ): `a{2}(%s`"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	settings = NewCrawlSettings()
	settings.Seeds = SeedSettings{Sitemaps: []string{"-"}, Logs: []string{"x", "-"}}
	_, err = settings.Options(&url.URL{})
	if !errors.As(err, &wrong) || wrong.Name != "log" {
		t.Fatal(err)
	}
	if got, want := wrong.Text("--"), "--log: only one of --sitemap, --list and --log can be standard input"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
