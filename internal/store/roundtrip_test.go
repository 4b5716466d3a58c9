package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

func mustDate(t *testing.T, s string) sitemap.Date {
	t.Helper()
	d, err := sitemap.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// small is a crawl that has one of everything: links that are fetched, left
// and waiting, every field set, and strings from a hostile site.
func small(t *testing.T) []crawl.Commit {
	hostile := "'; drop table url; --\x00\xff\u202e"
	return []crawl.Commit{
		{Found: []crawl.Link{
			{ID: 1, URL: "https://example.com/"},
			{ID: 2, URL: "https://example.com/add", Depth: 1},
		}, Seeds: []crawl.SeedMark{{ID: 1, Source: crawl.SeedStart}, {ID: 1, Source: crawl.SeedLog}, {ID: 2, Source: crawl.SeedSitemap}}},
		{
			Done: []crawl.Page{{
				ID: 1, Time: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC), Status: 200,
				MediaType: "text/html", Size: 15_000, Wire: 4_000, Took: 1234 * time.Microsecond,
				Title: "Start", LastMod: mustDate(t, "2026-03"), LastModSource: "json-ld",
				ETag: `W/"1"`, LastModified: "Wed, 04 Mar 2026 05:06:07 GMT", Digest: 1<<63 | 5,
				Words: 120, Body: 1<<63 | 7, Language: "de-CH", Conflict: hostile,
				Extensions: &sitemap.Extensions{
					Images:     []sitemap.Image{{Loc: "https://example.com/a.png"}},
					Alternates: []sitemap.Alternate{{Hreflang: "fr", Href: "https://example.com/fr/"}},
				},
				Anchors: []uint32{0, 7, 1<<32 - 1},
				Links: []crawl.Edge{
					{To: 3, Kind: crawl.EdgeAnchor, Text: "Missing"},
					{To: 1, Kind: crawl.EdgeAnchor, Fragment: "top"},
					{To: 6, Kind: crawl.EdgeImage, Nofollow: true},
					{To: 4, Kind: crawl.EdgeMedia, Nofollow: true, Fragment: hostile, Text: hostile},
				},
			}},
			Found: []crawl.Link{
				{ID: 3, URL: "https://example.com/missing", Asked: "https://example.com/missing?sid=1", From: 1, Depth: 1},
				{ID: 4, URL: "https://example.com/old?a='b'", From: 1, Depth: 1, Hops: 2},
				{ID: 5, URL: "https://example.com/private", From: 1, Depth: 1, Reason: crawl.ReasonExcluded, Detail: "/private*"},
				{ID: 6, URL: "https://elsewhere.example/a.png", From: 1, Depth: 1, Role: crawl.RoleExternal},
			},
		},
		{
			Done: []crawl.Page{
				{ID: 4, Status: 301, Reason: crawl.ReasonRedirect, Target: 1, Detail: hostile, Title: hostile},
				{ID: 3, Status: 404, Reason: crawl.ReasonClientError, Links: []crawl.Edge{{To: 3, Kind: crawl.EdgeAnchor, Text: "self"}}},
			},
			Found: []crawl.Link{{ID: 7, URL: "https://example.com/waiting", From: 4, Depth: 2, Role: crawl.RoleAsset}},
		},
		{Done: []crawl.Page{{ID: 2, LastMod: mustDate(t, "2026-01-02T03:04:05+02:00")}}},
	}
}

func smallFile(t *testing.T) *File {
	t.Helper()
	f, _ := create(t)
	for _, c := range small(t) {
		if err := f.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	f = reopen(t, f, false)
	t.Cleanup(func() { closeFile(t, f) })
	return f
}

// flat returns links and pages of commits, each by ID.
func flat(commits []crawl.Commit) (links []crawl.Link, pages []crawl.Page) {
	for _, c := range commits {
		links = append(links, c.Found...)
		for _, naming := range c.Seeds {
			links[naming.ID-1].SeededBy |= naming.Source
		}
		pages = append(pages, c.Done...)
	}
	slices.SortFunc(pages, func(a, b crawl.Page) int { return int(a.ID - b.ID) })
	return links, pages
}

func collect[T any](t *testing.T, sequence func(func(T, error) bool)) []T {
	t.Helper()
	var all []T
	for one, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func TestMeta(t *testing.T) {
	f, _ := create(t)
	meta := f.Meta()
	equal(t, "meta", meta, crawl.Meta{Start: "https://example.com/", Options: "depth 3", Program: "1.2.3"})
	for _, step := range []struct{ append, finish, finished bool }{
		{finish: false, finished: false},
		{finish: true, finished: true},
		{finish: false, finished: true}, // only read
		{append: true, finished: false},
		{finish: true, finished: true},
	} {
		if step.append {
			if err := f.Append(t.Context(), small(t)[0]); err != nil {
				t.Fatal(err)
			}
		}
		f = reopen(t, f, step.finish)
		if f.Finished() != step.finished {
			t.Errorf("finished is %t after %+v", f.Finished(), step)
		}
		equal(t, "meta after opening", f.Meta(), meta)
	}
	closeFile(t, f)
}

func TestReplay(t *testing.T) {
	f := smallFile(t)
	var got []crawl.Commit
	err := f.Replay(t.Context(), func(c crawl.Commit) error {
		got = append(got, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	links, pages := flat(small(t))
	for i, p := range pages {
		pages[i] = crawl.Page{ID: p.ID, Status: p.Status, Reason: p.Reason, Target: p.Target,
			MediaType: p.MediaType, Size: p.Size, Wire: p.Wire, Digest: p.Digest}
	}
	equal(t, "replay", got, []crawl.Commit{{Done: pages}, {Found: links}})
}

func TestReplayInBatches(t *testing.T) {
	f, _ := create(t)
	defer closeFile(t, f)
	s := site{pages: 2*replayBatch + 1}
	if err := f.Append(t.Context(), s.commit(0)); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	next := crawl.ID(1)
	err := f.Replay(t.Context(), func(c crawl.Commit) error {
		sizes = append(sizes, len(c.Found)-len(c.Done))
		for _, l := range c.Found {
			if l != s.link(next) {
				t.Fatalf("link %+v comes where %d is due", l, next)
			}
			next++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "batches", sizes, []int{-1000, -1000, -1, 1000, 1000, 1})
}

func TestReplayEnds(t *testing.T) {
	f := smallFile(t)
	stop := errors.New("enough")
	calls := 0
	err := f.Replay(t.Context(), func(crawl.Commit) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Replay(ctx, func(crawl.Commit) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of an ended context", err)
	}
}

func TestPages(t *testing.T) {
	f := smallFile(t)
	links, pages := flat(small(t))
	want := make([]crawl.Record, len(links))
	for i, l := range links {
		want[i].Link = l
	}
	for _, p := range pages {
		full := crawl.Record{Link: links[p.ID-1], Page: p, Fetched: true}
		got, known, err := f.PageByURL(full.Link.URL)
		if err != nil || !known {
			t.Fatalf("%s: known %t, error %v", full.Link.URL, known, err)
		}
		equal(t, "page by its address", got, full)
		full.Page.Links, full.Page.Anchors = nil, nil
		want[p.ID-1] = full
	}
	equal(t, "pages", collect(t, f.Pages(t.Context())), want)
	equal(t, "pages by reason",
		collect(t, f.Pages(t.Context(), crawl.ReasonClientError, crawl.ReasonExcluded)), []crawl.Record{want[2], want[4]})
	equal(t, "pages listed", collect(t, f.Pages(t.Context(), crawl.ReasonListed)), []crawl.Record{want[0], want[1]})
	if _, known, err := f.PageByURL("https://example.com/nowhere"); known || err != nil {
		t.Errorf("an unknown address: known %t, error %v", known, err)
	}
}

func TestIterators(t *testing.T) {
	f := smallFile(t)
	ctx := t.Context()
	_, pages := flat(small(t))
	equal(t, "listed", collect(t, f.Listed(ctx)), []crawl.ListedPage{
		{ID: 1, Title: "Start", URL: sitemap.URL{Loc: "https://example.com/", LastMod: mustDate(t, "2026-03"), Extensions: *pages[0].Extensions}},
		{ID: 2, URL: sitemap.URL{Loc: "https://example.com/add", LastMod: mustDate(t, "2026-01-02T03:04:05+02:00")}},
	})
	equal(t, "edges", collect(t, f.Edges(ctx)), []crawl.PageEdge{
		{From: 1, Edge: pages[0].Links[0]}, {From: 1, Edge: pages[0].Links[1]},
		{From: 1, Edge: pages[0].Links[2]}, {From: 1, Edge: pages[0].Links[3]},
		{From: 3, Edge: pages[2].Links[0]},
	})
	dead := func(id crawl.ID) bool { return id == 3 }
	equal(t, "referrers", collect(t, f.Referrers(ctx, dead)), []crawl.Referrer{
		{Target: 3, From: 1, URL: "https://example.com/", Edge: pages[0].Links[0]},
		{Target: 3, From: 3, URL: "https://example.com/missing", Edge: pages[2].Links[0]},
	})
	for range f.Edges(ctx) {
		break // the statement must be free for the next
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range f.Edges(canceled) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of an ended context", err)
		}
	}
}

func TestSummary(t *testing.T) {
	f := smallFile(t)
	summary, err := f.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "summary", summary, crawl.Summary{
		Reasons: map[crawl.Reason]int64{crawl.ReasonListed: 2, crawl.ReasonClientError: 1, crawl.ReasonRedirect: 1, crawl.ReasonExcluded: 1},
		Waiting: 2,
	})
}

func TestRecall(t *testing.T) {
	f := smallFile(t)
	links, pages := flat(small(t))
	want := crawl.PreviousPage{Page: pages[0]}
	for _, e := range pages[0].Links {
		want.Links = append(want.Links, crawl.PreviousLink{URL: cmp.Or(links[e.To-1].Asked, links[e.To-1].URL), Edge: e})
	}
	want.Page.Links = nil
	got := make(chan crawl.PreviousPage)
	for range 4 {
		go func() {
			remembered, _ := f.Lookup("https://example.com/")
			got <- remembered
		}()
	}
	for range 4 {
		equal(t, "recalled", <-got, want)
	}
	for _, page := range pages {
		if page.Target == 0 {
			continue
		}
		url, to := links[page.ID-1].URL, links[page.Target-1].URL
		if remembered, known := f.Lookup(url); !known || remembered.TargetURL != to {
			t.Errorf("%s leads to %q, want %q", url, remembered.TargetURL, to)
		}
	}
	for _, url := range []string{"https://example.com/waiting", "https://example.com/private", "", "x"} {
		if _, known := f.Lookup(url); known {
			t.Errorf("recalled %q, which was not fetched", url)
		}
	}
}

func TestAppendIsWhole(t *testing.T) {
	f, _ := create(t)
	defer closeFile(t, f)
	commits := small(t)
	if err := f.Append(t.Context(), commits[0]); err != nil {
		t.Fatal(err)
	}
	twice := commits[1]
	twice.Done = append(slices.Clone(twice.Done), twice.Done[0])
	if err := f.Append(t.Context(), twice); err == nil || !strings.Contains(err.Error(), "page 1") {
		t.Errorf("error %v of a page done twice", err)
	}
	if s, err := f.Summary(t.Context()); s.Waiting != 2 || len(s.Reasons) != 0 || err != nil {
		t.Errorf("%d addresses wait and %v are decided after a commit that failed, %v", s.Waiting, s.Reasons, err)
	}
	if err := f.Append(t.Context(), commits[1]); err != nil {
		t.Errorf("the next commit: %v", err)
	}
}

// TestUnknownKind reads an edge whose kind has a number that no version wrote.
func TestUnknownKind(t *testing.T) {
	for _, number := range []uint64{uint64(len(crawl.EdgeKinds())), 256, 1 << 40} {
		blob := binary.AppendUvarint([]byte{2}, number<<flagBits)
		if edges, err := readEdges(blob); !errors.Is(err, ErrDamaged) || len(edges) > 0 {
			t.Errorf("kind %d is read as %v, error %v", number, edges, err)
		}
	}
}

func FuzzEdges(f *testing.F) {
	f.Add(appendEdges(nil, []crawl.Edge{{To: 3, Kind: crawl.EdgeAnchor, Text: "text", Fragment: "f"}, {To: 1, Kind: crawl.EdgeCanonical}}))
	f.Add([]byte{0x80, 0x80})
	f.Fuzz(func(t *testing.T, blob []byte) {
		edges, err := readEdges(blob)
		if err != nil {
			return
		}
		again, err := readEdges(appendEdges(nil, edges))
		if err != nil || !reflect.DeepEqual(again, edges) {
			t.Errorf("%+v is written and read as %+v, %v", edges, again, err)
		}
	})
}

func TestFinishedIsOneFileWithIndex(t *testing.T) {
	f, name := create(t)
	if err := f.Append(t.Context(), small(t)[0]); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Finish(t.Context()), f.Close()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v beside the one file", entries, err)
	}
	f, err = Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, f)
	equal(t, "indexes", ask(t, f, "select name from sqlite_schema where type = 'index'"), []string{"url_url"})
}

func TestDamagedLinks(t *testing.T) {
	f := smallFile(t)
	if err := f.db.exec("update link set edges = x'0680' where id = 1"); err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range f.Edges(t.Context()) {
		last = err
	}
	if !errors.Is(last, ErrDamaged) || !strings.Contains(last.Error(), "page 1") {
		t.Errorf("error %v of links that are damaged", last)
	}
	if _, _, err := f.PageByURL("https://example.com/"); !errors.Is(err, ErrDamaged) {
		t.Errorf("error %v of a page whose links are damaged", err)
	}
	if _, known := f.Lookup("https://example.com/"); known {
		t.Error("recalled a page whose links are damaged")
	}
}
