package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/testsite"
)

// exact returns the result that the truth describes.
func exact(truth []testsite.Route) result {
	r := result{listed: map[string]string{}, canonical: map[string]string{}, pages: len(truth)}
	for _, route := range truth {
		switch route.Reason {
		case "":
			r.listed[route.Path] = route.Title
		case "canonical":
			r.canonical[route.Path] = route.Canonical
		}
	}
	return r
}

func TestCompare(t *testing.T) {
	site, err := newSite(options{topics: 1}, "plain")
	if err != nil {
		t.Fatal(err)
	}
	var printed string
	for _, route := range site.Truth() {
		if route.Reason == "canonical" {
			printed = route.Path
		}
	}
	for name, test := range map[string]struct {
		change func(*result)
		want   []string
	}{
		"exact":      {func(*result) {}, nil},
		"missing":    {func(r *result) { delete(r.listed, "/help") }, []string{"/help: not listed"}},
		"not found":  {func(r *result) { r.listed["/nowhere"] = "" }, []string{"/nowhere: must not be listed"}},
		"moved":      {func(r *result) { r.listed["/start"] = "" }, []string{"/start: must not be listed"}},
		"unknown":    {func(r *result) { r.listed["/else"] = "" }, []string{"/else: must not be listed"}},
		"title":      {func(r *result) { r.listed["/"] = "Notes" }, []string{"/: another title"}},
		"canonical":  {func(r *result) { r.canonical[printed] = "/" }, []string{printed + ": another canonical link"}},
		"not needed": {func(r *result) { clear(r.canonical) }, nil},
	} {
		found := exact(site.Truth())
		test.change(&found)
		if got := compare(found, site.Truth()).all(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestReadCrawlee(t *testing.T) {
	dir := t.TempDir()
	const lines = `{"url":"http://a/x","page":"http://a/x?y=1","title":"X","canonical":"http://a/x?y=1"}
{"url":"http://a/p","page":"http://a/p","title":"P","canonical":"http://a/x"}
{"url":"http://a/d","page":"http://a/d","title":"D","canonical":"http://a/d","robots":"noindex"}
{"url":"http://a/n","page":"http://a/n","title":"Page not found"}
`
	if err := os.WriteFile(filepath.Join(dir, pagesFile), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readCrawlee(t.Context(), dir)
	if err != nil || got.pages != 4 || !maps.Equal(got.listed, map[string]string{"/x?y=1": "X"}) ||
		!maps.Equal(got.canonical, map[string]string{"/p": "/x"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}
