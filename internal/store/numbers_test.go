package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
)

// linked is a crawl with random links, redirects and folders.
func linked(random *rand.Rand, pages int) crawl.Commit {
	var c crawl.Commit
	for id := crawl.ID(1); id <= crawl.ID(pages); id++ {
		link := crawl.Link{ID: id, URL: fmt.Sprintf("https://example.com/%d/%d/p%d", random.IntN(3), random.IntN(4), id)}
		p := crawl.Page{ID: id, Status: 200, MediaType: "text/html", Title: strings.Repeat("x", random.IntN(9))}
		switch random.IntN(9) {
		case 0:
			link.URL, link.Role = fmt.Sprintf("https://other.example/%d", id), crawl.RoleExternal
		case 1:
			p.Status, p.Reason = 404, crawl.ReasonClientError
		case 2:
			p.Status, p.Reason, p.Target = 301, crawl.ReasonRedirect, crawl.ID(1+random.IntN(pages))
		}
		for range random.IntN(6) {
			kinds := []crawl.EdgeKind{crawl.EdgeAnchor, crawl.EdgeImage, crawl.EdgeAlternate, crawl.EdgePagination}
			p.Links = append(p.Links, crawl.Edge{To: crawl.ID(1 + random.IntN(pages)), Kind: kinds[random.IntN(len(kinds))]})
		}
		c.Found, c.Done = append(c.Found, link), append(c.Done, p)
	}
	return c
}

// pagesLinking returns the pages that link to each URL, by a plain reading of the rules.
func pagesLinking(c *crawl.Commit, depth []int32) map[crawl.ID]map[crawl.ID]bool {
	to := map[crawl.ID]map[crawl.ID]bool{}
	add := func(from, target crawl.ID) {
		if to[target] == nil {
			to[target] = map[crawl.ID]bool{}
		}
		to[target][from] = true
	}
	for i := range c.Done {
		for _, e := range c.Done[i].Links {
			if e.To != c.Done[i].ID && (e.Kind == crawl.EdgeAnchor || e.Kind == crawl.EdgeImage) {
				add(c.Done[i].ID, e.To)
			}
		}
	}
	hasLinks := maps.Clone(to)
	for i := range c.Done {
		p := &c.Done[i]
		if p.Reason == crawl.ReasonRedirect && (hasLinks[p.ID] != nil || depth[p.ID] != page.Unreached) {
			add(p.ID, p.Target)
		}
	}
	return to
}

// TestNumbers compares the counted facts of random crawls with a plain computation: as the end of a crawl stores them,
// and as a reader of a crawl that did not end counts them.
func TestNumbers(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		c := linked(random, 1+random.IntN(60))
		f, name := create(t)
		if err := f.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if seed%2 == 0 {
			err := f.WriteFindings(func(func(*Finding) error) error { return nil }, func() (any, error) {
				return nil, f.NewCounter().Write(t.Context())
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		closeFile(t, f)
		r, err := OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		depth, before, err := r.Distances(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		want, links := pagesLinking(&c, depth), map[crawl.ID]int{}
		for _, sources := range want {
			for from := range sources {
				if c.Done[from-1].Reason != crawl.ReasonRedirect || len(c.Done[from-1].Links) > 0 {
					links[from]++
				}
			}
		}
		for p, err := range r.ReadPages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			id := p.Link.ID
			got := []any{p.Counted, p.Depth, p.Before, int(p.Linked)}
			equal(t, fmt.Sprintf("%d: numbers of %d", seed, id), got, []any{true, depth[id], before[id], len(want[id])})
			if c.Done[id-1].Reason != crawl.ReasonRedirect {
				equal(t, fmt.Sprintf("%d: links of %d", seed, id), int(p.Links), links[id])
			}
		}
		sources := map[crawl.ID]map[crawl.ID]bool{}
		err = r.InLinks(t.Context(), func(from, to crawl.ID) {
			if sources[to] == nil {
				sources[to] = map[crawl.ID]bool{}
			}
			sources[to][from] = true
		})
		if err != nil || !maps.EqualFunc(sources, want, maps.Equal[map[crawl.ID]bool, map[crawl.ID]bool]) {
			t.Errorf("%d: links %v, want %v, %v", seed, sources, want, err)
		}
		checkPlaces(t, r, &c, seed%2 == 0)
		closeFile(t, r)
	}
}

// checkPlaces compares orders and folders with the URLs.
func checkPlaces(t *testing.T, r *File, c *crawl.Commit, judged bool) {
	t.Helper()
	var byURL page.Query
	if err := byURL.SortBy("url"); err != nil {
		t.Fatal(err)
	}
	ids, err := r.FindPages(t.Context(), &byURL, 0, -1)
	if err != nil || len(ids) != len(c.Found) ||
		!slices.IsSortedFunc(ids, func(a, b crawl.ID) int {
			return cmp.Or(int(c.Found[a-1].Role)-int(c.Found[b-1].Role), strings.Compare(c.Found[a-1].URL, c.Found[b-1].URL))
		}) {
		t.Errorf("in the order of URLs: %v, %v", ids, err)
	}
	folders, err := r.LargestFolders(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		var want Folder
		for i := range c.Found {
			if c.Found[i].Role != crawl.RolePage || !strings.HasPrefix(c.Found[i].URL, folder.URL) {
				continue
			}
			want.Total++
			switch {
			case c.Done[i].Reason == crawl.ReasonListed:
				want.Listed++
			case c.Done[i].Reason == crawl.ReasonClientError && !judged: // no finding says so
				want.Broken++
			}
		}
		equal(t, "folder "+folder.URL, []int64{folder.Total, folder.Listed, folder.Broken},
			[]int64{want.Total, want.Listed, want.Broken})
		var q page.Query
		if err := r.FilterFolder(t.Context(), &q, folder.URL); err != nil {
			t.Fatal(err)
		}
		n, err := r.CountPages(t.Context(), &q)
		equal(t, "URLs in "+folder.URL, []any{n, err}, []any{want.Total, nil})
	}
}

// TestNumbersOfChangedCrawl counts again after the crawl went on.
func TestNumbersOfChangedCrawl(t *testing.T) {
	f, name := create(t)
	s := site{10, 3}
	err := f.Append(t.Context(), s.commit(0))
	if err == nil {
		err = f.NewCounter().Write(t.Context())
	}
	if err == nil {
		err = f.Append(t.Context(), s.commit(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	closeFile(t, f)
	r, err := OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, r)
	n, err := r.CountPages(t.Context(), &page.Query{})
	equal(t, "pages", []any{n, err}, []any{int64(20), nil})
	p, known, err := r.ReadPage(t.Context(), 20)
	equal(t, "page 20", []any{p.Counted, known, err}, []any{true, true, nil})
}

// TestNumbersAfterCancel counts a crawl that did not end again after the first reader gave up.
func TestNumbersAfterCancel(t *testing.T) {
	f, name := create(t)
	if err := f.Append(t.Context(), site{10, 3}.commit(0)); err != nil {
		t.Fatal(err)
	}
	closeFile(t, f)
	r, err := OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, r)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.CountPages(ended, &page.Query{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	n, err := r.CountPages(t.Context(), &page.Query{})
	equal(t, "pages", []any{n, err}, []any{int64(10), nil})
}

// TestFactsInView reads every fact of a page from the view and from the Go table. Some page of the sample must have it.
func TestFactsInView(t *testing.T) {
	f := sampleFile(t)
	if err := f.NewCounter().Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	search := page.Search{Known: true, Clicks: 3, Impressions: 70, Position: 4250, Period: "2026-01-01/2026-03-31"}
	err := f.WriteFigures(t.Context(), func(string) (page.Figures, bool, error) {
		return page.Figures{Index: page.IndexNo, IndexReason: "crawled", IndexDate: "2026-03-02", EngineCrawl: "2026-02-03",
			Google: search, Bing: search, Joined: map[string]string{"owner": "Ana"}}, true, nil
	}, func() (any, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for p, err := range f.ReadPages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, fact := range page.In(page.SQL | page.JSON) {
			want := "<nil>"
			switch {
			case fact.Text != nil && fact.Text(p) != "":
				want = fact.Text(p)
			case fact.Detail != nil && fact.Detail(p) != "":
				want = string(fact.Detail(p))
			case fact.Number != nil:
				if n, known := fact.Number(p); known {
					want = numberInView(fact, n)
				}
			}
			got := ask(t, f, fmt.Sprintf("select %s from page where id = %d", fact.Key, p.Link.ID))
			equal(t, fmt.Sprintf("%s of page %d", fact.Key, p.Link.ID), got, []string{want})
			has[fact.Key] = has[fact.Key] || want != "<nil>" && want != "0"
		}
	}
	for _, fact := range page.In(page.SQL | page.JSON) {
		if !has[fact.Key] {
			t.Errorf("no page of the sample has %s", fact.Key)
		}
	}
}

// numberInView returns a number as the view has it.
func numberInView(f *page.Fact, n int64) string {
	switch f.Kind {
	case page.Milliseconds, page.Decimal:
		return fmt.Sprint(float64(n) / 1000)
	case page.Set:
		var names []string
		for i, name := range f.Names {
			if n&(1<<i) != 0 {
				names = append(names, name)
			}
		}
		return strings.Join(names, ",")
	case page.Time:
		return time.UnixMilli(n).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return fmt.Sprint(n)
}
