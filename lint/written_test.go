package lint_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/sitemap"
)

// TestWritten makes sure that nothing is wrong, for any engine, with what the writer makes
// of pages that have everything.
func TestWritten(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	languages := []sitemap.Alternate{
		{Hreflang: "en", Href: "https://example.com/en?a=b&c=d"},
		{Hreflang: "ja", Href: "https://example.com/日本"},
		{Hreflang: "x-default", Href: "https://example.com/en?a=b&c=d"},
	}
	pages := []sitemap.URL{
		{
			Loc: "https://example.com/en?a=b&c=d", LastMod: sitemap.DateOf(now.Add(-time.Hour)),
			Extensions: sitemap.Extensions{
				Alternates: languages,
				Images:     []sitemap.Image{{Loc: "https://cdn.example.net/a b.png"}, {Loc: "https://example.com/ü.png?x=1&y=2"}},
				Videos: []sitemap.Video{{
					ThumbnailLoc: "https://example.com/t.jpg", Title: "How to <cook> & eat", Description: "A film",
					ContentLoc: "https://example.com/film.mp4", Player: sitemap.VideoPlayer{Loc: "https://example.com/player?v=1&w=2"},
					Duration: "600", ExpirationDate: "2030-01-02", Rating: "4.5", ViewCount: "12",
					PublicationDate: "2026-01-02T03:04:05Z",
					Tags:            []string{"steak", "summer"}, FamilyFriendly: "yes",
					Restriction:          sitemap.Restriction{Relationship: "allow", List: "DE FR"},
					RequiresSubscription: "no", Uploader: sitemap.Uploader{Name: "Cook", Info: "https://example.com/cook"},
					Platform: sitemap.Restriction{Relationship: "allow", List: "web tv"}, Live: "no",
				}},
				PageMaps: []sitemap.PageMap{{Objects: []sitemap.DataObject{{
					Type: "document", ID: "1", Attributes: []sitemap.DataAttribute{{Name: "author", Value: "Jane & John"}},
				}}}},
			},
		},
		{
			Loc: "https://example.com/日本", LastMod: sitemap.DateOf(now.Add(-2 * time.Hour)),
			Extensions: sitemap.Extensions{
				Alternates: languages,
				News: []sitemap.News{{
					PublicationName: "The Example Times", PublicationLanguage: "en",
					PublicationDate: "2026-03-04T03:04:05+01:00", Title: "Companies A & B merge",
				}},
			},
		},
	}
	path := filepath.Join(t.TempDir(), "sitemap.xml")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := sitemap.NewWriter(file)
	for i := range pages {
		if err := w.Write(&pages[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range check(t, lint.Options{Engines: lint.EngineAll, BaseURL: "https://example.com/", Now: now}, path) {
		if f.Severity > lint.SeverityInfo {
			t.Error(&f)
		}
	}
}
