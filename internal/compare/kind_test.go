package compare

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/sitemap"
)

// TestKinds has what one page was and is, and what that is called.
func TestKinds(t *testing.T) {
	ok := made{path: "/a", on: "/", status: 200, digest: 5}
	with := func(edit func(*made)) made {
		p := ok
		edit(&p)
		return p
	}
	answer := func(status int, reason crawl.Reason) made {
		return with(func(p *made) { p.status, p.reason, p.digest = status, reason, 0 })
	}
	// unlinked is a page that only an earlier crawl names.
	unlinked := func(p made) made {
		p.on, p.seeds = "", crawl.SeedEarlier
		return p
	}
	to := func(status int, target string) made {
		return with(func(p *made) { p.status, p.reason, p.target, p.digest = status, crawl.ReasonRedirect, target, 0 })
	}
	none := made{}
	other := made{path: "/b", on: "/", status: 200, digest: 7}
	for _, test := range []struct {
		name     string
		old, new made
		more     []made // of the new side
		want     string
	}{
		{"nothing", ok, ok, nil, ""},
		{"broken", ok, answer(404, crawl.ReasonClientError), nil, "newly-broken /a status decision"},
		{"server error", ok, answer(500, crawl.ReasonServerError), nil, "newly-broken /a status decision"},
		{"a server error where nothing links to", ok, unlinked(answer(500, crawl.ReasonServerError)), nil,
			"newly-broken /a status decision"},
		{"still broken", answer(404, crawl.ReasonClientError), answer(500, crawl.ReasonServerError), nil,
			"changed /a status decision"},
		{"a new link that is broken", none, answer(404, crawl.ReasonClientError), nil, "newly-broken /a"},
		{"repaired", answer(404, crawl.ReasonClientError), ok, nil, "fixed /a status decision"},
		{"the broken link is gone", answer(404, crawl.ReasonClientError), none, nil, "fixed /a"},
		{"noindex", ok, answer(200, crawl.ReasonNoIndex), nil, "left-sitemap /a decision"},
		{"canonical", ok, with(func(p *made) { p.reason, p.target = crawl.ReasonCanonical, "/" }), nil,
			"left-sitemap /a decision target"},
		{"robots.txt", ok, answer(0, crawl.ReasonRobots), nil, "left-sitemap /a decision"},
		{"a wall", ok, answer(403, crawl.ReasonInconclusive), nil, "left-sitemap /a status decision"},
		{"too many requests", ok, answer(429, crawl.ReasonInconclusive), nil, "changed /a status decision"},
		{"soft 404", ok, with(func(p *made) { p.reason = crawl.ReasonSoft404 }), nil, "left-sitemap /a decision"},
		{"duplicate", ok, with(func(p *made) { p.reason, p.target = crawl.ReasonDuplicate, "/" }), nil,
			"left-sitemap /a decision target"},
		{"no link any more", ok, unlinked(with(func(p *made) { p.reason = crawl.ReasonUnlinked })), nil,
			"left-sitemap /a decision"},
		{"temporary redirect", ok, to(302, "/b"), []made{other}, "left-sitemap /a status decision target"},
		{"permanent redirect", ok, to(301, "/b"), []made{other}, "moved /a status decision target to /b"},
		{"where nothing links to", ok, unlinked(to(308, "/b")), []made{other}, "moved /a status decision target to /b"},
		{"two redirects", ok, to(301, "/c"), []made{other,
			{path: "/c", on: "/a", status: 301, reason: crawl.ReasonRedirect, target: "/b"}},
			"moved /a status decision target to /b"},
		{"to a page that is not listed", ok, to(301, "/b"), []made{{path: "/b", on: "/", status: 200,
			reason: crawl.ReasonNoIndex}}, "left-sitemap /a status decision target"},
		{"renamed", ok, unlinked(answer(404, crawl.ReasonClientError)),
			[]made{{path: "/new", on: "/", status: 200, digest: 5}}, "moved /a status decision to /new"},
		{"renamed, and not asked", ok, none, []made{{path: "/new", on: "/", status: 200, digest: 5}}, "moved /a to /new"},
		{"deleted", ok, unlinked(answer(404, crawl.ReasonClientError)), nil, "removed /a status decision"},
		{"deleted with 410", ok, unlinked(answer(410, crawl.ReasonClientError)), nil, "removed /a status decision"},
		{"not asked", ok, none, nil, "removed /a"},
		{"listed again", answer(200, crawl.ReasonNoIndex), ok, nil, "entered-sitemap /a decision"},
		{"new", none, ok, nil, "new /a"},
		{"new and not listed", none, answer(200, crawl.ReasonNoIndex), nil, ""},
		{"an old redirect is gone", to(301, "/"), none, nil, ""},
		{"excluded", ok, made{path: "/a", on: "/", reason: crawl.ReasonExcluded}, nil, "left out: excluded"},
		{"of a limit", ok, made{path: "/a", on: "/", reason: crawl.ReasonOutOfScope}, nil, "left out: out-of-scope"},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := made{path: "/", status: 200, digest: 1}
			old, new := []made{home}, []made{home}
			for _, one := range test.more {
				if one.path == "/b" {
					old = append(old, one)
				}
				new = append(new, one)
			}
			if test.old.path != "" {
				old = append(old, test.old)
			}
			if test.new.path != "" {
				new = append(new, test.new)
			}
			lines, counts := changes(t, &Comparison{Old: openCrawl(t, old), New: openCrawl(t, new)})
			lines = slices.DeleteFunc(lines, func(line string) bool { return line == "new /new" || line == "new /c" })
			for decision, n := range counts.LeftOut {
				lines = append(lines, "left out: "+decision)
				if n != 1 {
					t.Errorf("%d left out", n)
				}
			}
			if got := fmt.Sprint(lines); got != "["+test.want+"]" {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestMoveToOne takes redirects of many pages to one, or of any to the start page, for no move.
func TestMoveToOne(t *testing.T) {
	for _, test := range []struct {
		target  string
		sources int
		want    Kind
	}{
		{"/hub", maxSources, KindMoved}, {"/hub", maxSources + 1, KindLeftSitemap}, {"/", 1, KindLeftSitemap},
	} {
		site := []made{{path: "/", status: 200, digest: 1}, {path: "/hub", on: "/", status: 200, digest: 2}}
		old, new := slices.Clone(site), slices.Clone(site)
		for i := range test.sources {
			path := fmt.Sprintf("/%c/page", 'a'+i)
			old = append(old, made{path: path, on: "/", status: 200, digest: uint64(10 + i)})
			new = append(new, made{path: path, on: "/", status: 301, reason: crawl.ReasonRedirect, target: test.target})
		}
		_, counts := changes(t, &Comparison{Old: openCrawl(t, old), New: openCrawl(t, new)})
		if *counts.Of(test.want) != test.sources || counts.Total() != test.sources {
			t.Errorf("%+v: %+v", test, counts)
		}
	}
}

// edits change one fact of a page each.
var edits = map[string]func(*crawl.Page){
	"status":             func(p *crawl.Page) { p.Status = 203 },
	"decision":           func(p *crawl.Page) { p.Reason = crawl.ReasonNoIndex },
	"target":             func(p *crawl.Page) { p.Reason, p.Target = crawl.ReasonCanonical, 1 },
	"conflict":           func(p *crawl.Page) { p.Conflict = crawl.DetailLocation },
	"media_type":         func(p *crawl.Page) { p.MediaType = "application/xhtml+xml" },
	"title":              func(p *crawl.Page) { p.Title = "Other" },
	"language":           func(p *crawl.Page) { p.Language = "es" },
	"lastmod":            func(p *crawl.Page) { p.LastMod, _ = sitemap.ParseDate("2026-02-02") },
	"words":              func(p *crawl.Page) { p.Content.Text++; p.Words++ },
	"description":        func(p *crawl.Page) { p.Facts.Description = "" },
	"h1":                 func(p *crawl.Page) { p.Facts.H1 = "Other" },
	"images":             func(p *crawl.Page) { p.Content.Pictures++; p.Facts.Images++ },
	"images_without_alt": func(p *crawl.Page) { p.Facts.ImagesWithoutAlt++ },
	"open_graph":         func(p *crawl.Page) { p.Facts.OpenGraph = crawl.OpenGraphTitle | crawl.OpenGraphImage },
	"json_ld":            func(p *crawl.Page) { p.Content.Data++; p.Facts.JSONLD = "Product, Offer" },
	"needs_script":       func(p *crawl.Page) { p.Facts.NeedsScript = true },
	"links":              func(p *crawl.Page) { p.Content.Links++; p.Links = []crawl.Edge{{To: 1}} },
	"parts":              func(p *crawl.Page) { p.Facts.Parts |= crawl.PartForm },
	"canonical":          func(p *crawl.Page) { p.Facts.Parts &^= crawl.PartCanonical },
	"security":           func(p *crawl.Page) { p.Security |= crawl.SecurityHSTS },
	"hreflang": func(p *crawl.Page) {
		p.Extensions = &sitemap.Extensions{Alternates: []sitemap.Alternate{{Hreflang: "es", Href: origin + "/es"}}}
	},
}

// TestFacts changes each fact that two crawls are compared by: one change with the fact and its values. Two crawls of
// an unchanged page have none.
func TestFacts(t *testing.T) {
	base := func(p *crawl.Page) {
		p.MediaType, p.Title, p.Language, p.Words = "text/html", "Title", "en", 100
		p.LastMod, _ = sitemap.ParseDate("2026-01-01")
		p.Content = content.Sums{Version: 1, Text: 1, Pictures: 2, Links: 3, Data: 4}
		p.Facts = &crawl.Facts{Description: "Text", H1: "Heading", Images: 3, OpenGraph: crawl.OpenGraphTitle,
			JSONLD: "Product", Parts: crawl.PartViewport | crawl.PartCanonical}
		p.Security = crawl.SecurityKnown
		p.Links = []crawl.Edge{{To: 2}}
	}
	open := func(edit func(*crawl.Page)) *Side {
		return openCrawl(t, []made{{path: "/", status: 200}, {path: "/a", on: "/", status: 200, edit: func(p *crawl.Page) {
			base(p)
			edit(p)
		}}})
	}
	old := open(func(*crawl.Page) {})
	same := &Comparison{Old: old, New: open(func(*crawl.Page) {})}
	if got, counts := changes(t, same); got != nil || counts.Unchanged != 2 {
		t.Errorf("an unchanged page: %q, %+v", got, counts)
	}
	for _, fact := range page.In(page.Change) {
		edit := edits[fact.Key]
		if edit == nil {
			t.Errorf("no change of %s is tested", fact.Key)
			continue
		}
		var found []*Change
		counts, err := compareAll(t.Context(), &Comparison{Old: old, New: open(edit)}, func(c *Change) error {
			found = append(found, c)
			return nil
		})
		if err != nil || len(found) != 1 || counts.Total() != 1 {
			t.Errorf("%s: %d changes, %+v, %v", fact.Key, len(found), counts, err)
			continue
		}
		i := slices.IndexFunc(found[0].Facts, func(f FactChange) bool { return f.Fact == fact.Key })
		if i < 0 || !found[0].Facts[i].IsAnswer() && len(found[0].Facts) != 1 {
			t.Errorf("%s: %+v", fact.Key, found[0].Facts)
			continue
		}
		if f := found[0].Facts[i]; f.Old == f.New && len(f.Added)+len(f.Removed) == 0 {
			t.Errorf("%s has no values: %+v", fact.Key, f)
		}
	}
}

// TestAlike shows what more than half of the pages of a pattern have in common as one change.
func TestAlike(t *testing.T) {
	site := func(title func(i int) string, description func(i int) string) *Side {
		pages := []made{{path: "/", status: 200}}
		for i := range 10 {
			pages = append(pages, made{path: fmt.Sprintf("/shop/product-%c", 'a'+i), on: "/", status: 200,
				edit: func(p *crawl.Page) {
					p.Title, p.Facts = title(i), &crawl.Facts{Description: description(i)}
				}})
		}
		return openCrawl(t, pages)
	}
	named := func(end string) func(int) string { return func(i int) string { return fmt.Sprint("Product ", i, end) } }
	text := named(" is good")
	only := func(n int, end string) func(int) string {
		return func(i int) string {
			if i < n {
				return named(end)(i)
			}
			return named(" | Shop")(i)
		}
	}
	old := site(named(" | Shop"), text)
	for _, test := range []struct {
		name string
		new  *Side
		want []string
		lost map[string]int
	}{
		{"the same end", site(named(" | Store"), text), []string{"changed /shop/* (10 of 10) title"}, nil},
		{"the same title", site(func(int) string { return "Shop" }, text), []string{"changed /shop/* (10 of 10) title"},
			map[string]int{"title": 10}},
		{"no description", site(named(" | Shop"), func(int) string { return "" }),
			[]string{"changed /shop/* (10 of 10) description"}, map[string]int{"description": 10}},
		{"more than half", site(only(6, " | Store"), text), []string{"changed /shop/* (6 of 10) title"}, nil},
		{"half", site(only(5, " | Store"), text), []string{"changed /shop/product-a title", "changed /shop/product-b title",
			"changed /shop/product-c title", "changed /shop/product-d title", "changed /shop/product-e title"}, nil},
		{"and another fact of one page", site(named(" | Store"), func(i int) string {
			if i == 3 {
				return "Other"
			}
			return text(i)
		}), []string{"changed /shop/* (10 of 10) title", "changed /shop/product-d description"}, nil},
	} {
		got, counts := changes(t, &Comparison{Old: old, New: test.new})
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if fmt.Sprint(counts.Lost) != fmt.Sprint(test.lost) {
			t.Errorf("%s: lost %v, want %v", test.name, counts.Lost, test.lost)
		}
	}
}

// TestLosses has each page that was lost, also those of one change.
func TestLosses(t *testing.T) {
	site := func(reason crawl.Reason) *Side {
		pages := []made{{path: "/", status: 200}}
		for i := range 10 {
			pages = append(pages, made{path: fmt.Sprintf("/shop/%c", 'a'+i), on: "/", status: 200, reason: reason})
		}
		return openCrawl(t, pages)
	}
	found, err := (&Comparison{Old: site(crawl.ReasonListed), New: site(crawl.ReasonNoIndex)}).Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	rows, losses := 0, 0
	for _, err := range found.Rows(t.Context()) {
		if rows++; err != nil {
			t.Fatal(err)
		}
	}
	for change, err := range found.Losses(t.Context()) {
		if losses++; err != nil || change.New.Decision != "noindex" {
			t.Fatal(change, err)
		}
	}
	if rows != 1 || losses != 10 || found.Counts.LeftBy["noindex"] != 10 {
		t.Errorf("%d rows, %d losses, %+v", rows, losses, found.Counts)
	}
}

// compareAll calls each with all changes in order.
func compareAll(ctx context.Context, c *Comparison, each func(*Change) error) (*Counts, error) {
	changes, err := c.Find(ctx)
	if err != nil {
		return nil, err
	}
	defer changes.Close()
	for change, err := range changes.Rows(ctx) {
		if err == nil {
			err = each(change)
		}
		if err != nil {
			return nil, err
		}
	}
	return &changes.Counts, nil
}
