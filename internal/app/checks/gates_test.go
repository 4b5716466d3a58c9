package checks

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// TestGateNames checks that each value of --fail-on means one thing.
func TestGateNames(t *testing.T) {
	names := GateNames()
	if len(names) < 20 {
		t.Fatalf("only %d gates", len(names))
	}
	all := slices.Concat(names, choices, RuleIDs())
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			t.Errorf("%s has two meanings", all[i])
		}
	}
	for _, name := range names {
		var severity lint.Severity
		if severity.UnmarshalText([]byte(name)) == nil || sets[name] != nil {
			t.Errorf("%s is a severity or a set", name)
		}
		if _, err := lint.LookupRule(name); err == nil {
			t.Errorf("%s is a rule", name)
		}
	}
}

// gatePage returns a listed page.
func gatePage(id crawl.ID, path string) (crawl.Link, crawl.Page) {
	url := "https://site.example" + path
	link := crawl.Link{ID: id, URL: url, From: min(id-1, 1)}
	facts := &crawl.Facts{Description: "About " + path, H1: "Heading of " + path}
	return link, crawl.Page{ID: id, Time: time.UnixMilli(int64(id)), Status: 200, MediaType: "text/html",
		Title: "Title of " + path, Facts: facts}
}

// gateFile returns a finished crawl of a start page and a page that edit changes.
func gateFile(t *testing.T, edit func(*crawl.Page)) *store.File {
	t.Helper()
	about := crawl.Meta{Start: "https://site.example/", Options: "{}"}
	f, err := store.Create(filepath.Join(t.TempDir(), "crawl.sqlite"), about)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	start, home := gatePage(1, "/")
	link, page := gatePage(2, "/a")
	home.Links = []crawl.Edge{{To: 2, Kind: crawl.EdgeAnchor, Text: "A"}}
	edit(&page)
	commit := crawl.Commit{Found: []crawl.Link{start, link}, Done: []crawl.Page{home, page}}
	if err := cmp.Or(f.Append(t.Context(), commit), f.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGates(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(*crawl.Page)
		want []string // of the gates below
	}{
		{"nothing", func(*crawl.Page) {}, nil},
		{"noindex", func(p *crawl.Page) { p.Reason = crawl.ReasonNoIndex }, []string{"left-sitemap"}},
		{"not found", func(p *crawl.Page) { p.Status, p.Reason, p.Facts, p.Title = 404, crawl.ReasonClientError, nil, "" },
			[]string{"newly-broken"}},
		{"other title", func(p *crawl.Page) { p.Title = "Other" }, []string{"title-changed"}},
		{"no title", func(p *crawl.Page) { p.Title = "" }, []string{"title-lost", "title-changed"}},
		{"no description", func(p *crawl.Page) { p.Facts.Description = "" }, []string{"description-lost"}},
		{"no heading", func(p *crawl.Page) { p.Facts.H1 = "" }, []string{"heading-lost"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			changes, err := compare.Crawls(t.Context(), gateFile(t, func(*crawl.Page) {}), gateFile(t, test.edit))
			if err != nil {
				t.Fatal(err)
			}
			defer changes.Close()
			gates, err := NewGates([]string{"left-sitemap", "newly-broken", "removed", "moved", "title-lost", "title-changed",
				"description-lost", "heading-lost"})
			if err != nil {
				t.Fatal(err)
			}
			failed, err := gates.Run(t.Context(), changes, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, failure := range failed {
				got = append(got, failure.Name)
				if failure.Count != 1 || !slices.Equal(failure.Examples, []string{"https://site.example/a"}) {
					t.Errorf("%+v", failure)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q fail, want %q", got, test.want)
			}
		})
	}
}

// TestGatesCountLossesOnce counts a loss that is both among the changes and in the crawl file once.
func TestGatesCountLossesOnce(t *testing.T) {
	now := gateFile(t, func(p *crawl.Page) { p.Reason = crawl.ReasonNoIndex })
	changes, err := compare.Crawls(t.Context(), gateFile(t, func(*crawl.Page) {}), now)
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Close()
	for want, path := range []string{1: "/a", 2: "/old"} {
		if path == "" {
			continue
		}
		loss := &store.Loss{URL: "https://site.example" + path, Kind: "left-sitemap", Decision: "noindex"}
		if err := now.AddLosses(func(yield func(*store.Loss, error) bool) { yield(loss, nil) }); err != nil {
			t.Fatal(err)
		}
		failed, err := Gates{gateNamed("left-sitemap")}.Run(t.Context(), changes, now)
		if err != nil || len(failed) != 1 || failed[0].Count != want {
			t.Errorf("%d losses: %s, %v", want, fmt.Sprint(failed), err)
		}
	}
}

func TestUnknownGate(t *testing.T) {
	if _, err := NewGates([]string{"left-site"}); err == nil {
		t.Error("an unknown gate is accepted")
	}
}
