package compare

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

var asked = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// made is a URL of a made-up crawl. It is fetched if it has a status, or a reason of
// robots.txt or a failed connection.
type made struct {
	path    string
	on      string // path of the page that links there; empty for the start
	status  int
	reason  crawl.Reason
	target  string
	lastMod string
	digest  uint64
	title   string

	rendered *crawl.Rendered
	seeds    crawl.SeedSource
	edit     func(*crawl.Page) // changes the page, if any
}

const origin = "https://example.com"

// writeCrawl writes a crawl file with the pages in order.
func writeCrawl(t testing.TB, name string, pages []made) {
	t.Helper()
	file, err := store.Create(name, crawl.Meta{Start: origin + "/"})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]crawl.ID{}
	for i, p := range pages {
		ids[p.path] = crawl.ID(i + 1)
	}
	var commit crawl.Commit
	for _, p := range pages {
		link := crawl.Link{ID: ids[p.path], URL: origin + p.path, From: ids[p.on]}
		fetched := p.status != 0 || p.reason == crawl.ReasonRobots || p.reason == crawl.ReasonUnreachable
		if !fetched {
			link.Reason = p.reason
		}
		commit.Found = append(commit.Found, link)
		if p.seeds != 0 {
			commit.Seeds = append(commit.Seeds, crawl.Link{ID: link.ID, SeededBy: p.seeds})
		}
		if !fetched {
			continue
		}
		var date sitemap.Date
		if p.lastMod != "" {
			if date, err = sitemap.ParseDate(p.lastMod); err != nil {
				t.Fatal(err)
			}
		}
		done := crawl.Page{
			ID: link.ID, Time: asked, Status: p.status, Reason: p.reason, Target: ids[p.target], LastMod: date, Digest: p.digest,
			Title: p.title, Rendered: p.rendered,
		}
		if p.edit != nil {
			p.edit(&done)
		}
		commit.Done = append(commit.Done, done)
	}
	if err := file.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Finish(t.Context()), file.Close()); err != nil {
		t.Fatal(err)
	}
}

func openCrawl(t testing.TB, pages []made) *Side {
	t.Helper()
	folder := t.TempDir()
	writeCrawl(t, filepath.Join(folder, crawlName), pages)
	return open(t, folder)
}

// openSitemap returns a side of lines with a URL and an optional date.
func openSitemap(t testing.TB, lines ...string) *Side {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, line := range lines {
		address, date, dated := strings.Cut(line, " ")
		text.WriteString("<url><loc>" + address + "</loc>")
		if dated {
			text.WriteString("<lastmod>" + date + "</lastmod>")
		}
		text.WriteString("</url>\n")
	}
	text.WriteString("</urlset>")
	name := filepath.Join(t.TempDir(), "sitemap.xml")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return open(t, name)
}

func open(t testing.TB, location string) *Side {
	t.Helper()
	side, err := Open(t.Context(), location, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := side.Close(); err != nil {
			t.Error(err)
		}
	})
	return side
}
