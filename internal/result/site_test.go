package result

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/anchor"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

const origin = "https://site.example"

// site invents a crawl with some of everything. Another edition has other pages, and
// others of them are broken.
type site struct {
	pages, edition int
}

var firstCrawl = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// random returns what decides about a page: the same in every edition, or in one.
func (s site) random(id int, edition bool) *rand.Rand {
	seed := uint64(0)
	if edition {
		seed = uint64(s.edition)
	}
	return rand.New(rand.NewPCG(uint64(id), seed))
}

func (s site) link(id int) crawl.Link {
	r := s.random(id, false)
	link := crawl.Link{
		ID: crawl.ID(id), From: crawl.ID((id-1)/10 + 1), Depth: 1,
		URL: fmt.Sprintf("%s/section-%d/part-%d/page-%d.html", origin, r.IntN(40), r.IntN(30), id),
	}
	switch kind := r.IntN(100); {
	case id == 1:
		link.URL, link.From = origin+"/", 0
	case kind < 3:
		link.URL, link.Role, link.Reason, link.Detail = fmt.Sprintf("https://other.example/%d", id), crawl.RoleExternal,
			crawl.ReasonOutOfScope, crawl.DetailOtherSite
	case kind < 5:
		link.URL, link.Role = fmt.Sprintf("%s/images/%d.png", origin, id), crawl.RoleAsset
	case kind < 8:
		link.URL += fmt.Sprintf("?a/b=%d", id)
	case kind < 10:
		link.URL = fmt.Sprintf("%s/deep/%d/a/b/c/d/e/f/g/h/i/j/k/l/m/%d", origin, id%7, id)
	case kind < 12:
		link.URL = fmt.Sprintf("%s/secci%%C3%%B3n-%%C3%%B1/%d", origin, id)
	case kind < 14:
		link.Reason, link.Detail = crawl.ReasonExcluded, crawl.NewDetail(crawl.DetailPattern, "/x*")
	}
	return link
}

func (s site) page(link *crawl.Link) (page crawl.Page, fetched bool) {
	id := int(link.ID)
	r, e := s.random(-id, false), s.random(id, true)
	page = crawl.Page{
		ID: link.ID, Time: firstCrawl.Add(time.Duration(s.edition)*time.Hour + time.Duration(id)*time.Millisecond),
		Status: 200, MediaType: "text/html", Size: int64(r.IntN(2 << 20)),
		Duration: time.Duration(r.IntN(1100)) * time.Millisecond,
		Title:    fmt.Sprintf("Page %d about the thing", id), Digest: uint64(id), Body: uint64(id), Words: r.IntN(300),
		Language: "en",
	}
	page.Facts = &crawl.Facts{
		Description: fmt.Sprintf("What page %d says, in a sentence of an average length for a description", id),
		H1:          "Heading", ImagesWithoutAlt: r.IntN(2), OpenGraph: crawl.OpenGraph(r.IntN(32)),
		NeedsScript: r.IntN(50) == 0,
	}
	switch kind := e.IntN(100); {
	case id == 1:
	case link.Reason != crawl.ReasonListed || kind < 2:
		return page, false
	case link.Role == crawl.RoleAsset:
		page.MediaType, page.Reason, page.Title, page.Facts = "image/png", crawl.ReasonNotAPage, "", nil
	case kind < 5:
		page.Status, page.Reason, page.Detail, page.Facts = 404, crawl.ReasonClientError,
			crawl.NewDetail(crawl.DetailStatus, "Not Found"), nil
	case kind < 6:
		page.Status, page.Reason, page.Detail, page.Facts = 0, crawl.ReasonUnreachable,
			crawl.NewDetail(crawl.DetailError, "no <b>answer</b>"), nil
	case kind < 10:
		page.Status, page.Reason, page.Target, page.Facts = 301, crawl.ReasonRedirect, crawl.ID(1+r.IntN(s.pages)), nil
	case kind < 12:
		page.Reason, page.Target = crawl.ReasonCanonical, crawl.ID(1+r.IntN(s.pages))
	case kind < 14:
		page.Reason = crawl.ReasonNoIndex
	case kind < 16:
		page.Status, page.Reason, page.Detail = 0, crawl.ReasonRobots,
			crawl.NewDetail(crawl.DetailDisallowed, "3", "Disallow: /x")
	case kind < 20:
		page.Title = ""
	case kind < 25:
		page.Title, page.Digest = fmt.Sprint("Shared ", r.IntN(1+s.pages/40)), uint64(r.IntN(1+s.pages/30))
	case kind < 28:
		page.Title = "Ünïcode TITLE\x1b[31m\u202e of the <script>alert(1)</script> page"
	case kind < 30:
		page.Extensions = &sitemap.Extensions{Alternates: []sitemap.Alternate{
			{Hreflang: "de", Href: s.link(1 + r.IntN(s.pages)).URL}, {Hreflang: "en", Href: link.URL},
		}}
	case kind < 31:
		page.MediaType, page.Facts = "application/pdf", nil
	}
	s.addLinks(&page, r)
	return page, true
}

func (s site) addLinks(page *crawl.Page, r *rand.Rand) {
	if page.Status != 200 && (page.Reason != crawl.ReasonRedirect || r.IntN(2) == 0) {
		return
	}
	if page.Reason == crawl.ReasonRedirect { // by an element of the page
		page.Links = append(page.Links, crawl.Edge{To: page.Target, Kind: crawl.EdgeRedirect})
	}
	for i := range 10 {
		e := crawl.Edge{To: crawl.ID(1 + r.IntN(s.pages)), Text: fmt.Sprint("link ", i), Kind: crawl.EdgeAnchor}
		switch r.IntN(20) {
		case 0:
			e.To = 1
		case 1:
			e.Fragment = fmt.Sprint("part-", r.IntN(3))
		case 2:
			e.Kind = crawl.EdgeCanonical
		case 3:
			e.Text = ""
		case 4:
			e.To, e.Fragment = page.ID, "part-2"
		}
		page.Links = append(page.Links, e, crawl.Edge{To: e.To, Kind: e.Kind, Text: "again"})
	}
	page.Anchors = []uint32{anchor.Hash("part-0")}
}

// write writes the crawl file of a folder.
func (s site) write(t testing.TB, name string) {
	t.Helper()
	if err := s.create(t.Context(), name); err != nil {
		t.Fatal(err)
	}
}

func (s site) create(ctx context.Context, name string) error {
	file, err := store.Create(name, crawl.Meta{Start: origin + "/", Program: "1.2.3", Options: "{}"})
	if err != nil {
		return err
	}
	for from := 1; from <= s.pages; from += 500 {
		var c crawl.Commit
		for id := from; id < from+500 && id <= s.pages; id++ {
			link := s.link(id)
			c.Found = append(c.Found, link)
			if sources := crawl.SeedSource(s.random(id, false).IntN(32)); id == 1 || sources > crawl.SeedStart && sources < 16 {
				c.Seeds = append(c.Seeds, crawl.Link{ID: link.ID, SeededBy: max(1, sources&^crawl.SeedStart)})
			}
			if page, fetched := s.page(&link); fetched {
				c.Done = append(c.Done, page)
			}
		}
		if err := file.Append(ctx, c); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(file.Finish(ctx), judge(ctx, file), file.Close())
}

// judge applies the rules to a crawl.
func judge(ctx context.Context, file *store.File) error {
	rules, err := new(insight.Options).Rules()
	if err != nil {
		return err
	}
	if err := file.SetNote(store.NoteComparison, insight.Comparison{Compared: true}); err != nil {
		return err
	}
	_, err = insight.Write(ctx, file, rules, &insight.End{}, nil)
	return err
}

// folder returns a folder with two crawls of the site. The second one is open.
func folder(t testing.TB, pages int) string { return folderOf(t, site{pages, 1}) }

// folderOf returns a folder with a crawl of a site, and one of the edition before.
func folderOf(t testing.TB, s site) string {
	t.Helper()
	name := t.TempDir()
	var writing sync.WaitGroup
	for i, file := range []string{previousName, crawlName} {
		writing.Go(func() {
			if err := (site{s.pages, s.edition - 1 + i}).create(t.Context(), filepath.Join(name, file)); err != nil {
				t.Error(err)
			}
		})
	}
	if writing.Wait(); t.Failed() {
		t.FailNow()
	}
	return name
}

func open(t testing.TB, folder string) *Result {
	t.Helper()
	r, err := Open(t.Context(), folder, folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}
