package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

func testEdges(t *testing.T, s Store) {
	var want []crawl.PageEdge
	for _, record := range sampleRecords() {
		for _, edge := range record.Page.Links {
			want = append(want, crawl.PageEdge{From: record.Link.ID, Edge: edge})
		}
	}
	equal(t, "edges", collect(t, s.Edges(t.Context())), want)
}

func testReferrers(t *testing.T, s Store) {
	records := sampleRecords()
	dead := func(id crawl.ID) bool { return id == 3 }
	equal(t, "referrers", collect(t, s.Referrers(t.Context(), dead)), []crawl.Referrer{
		{Target: 3, From: 1, URL: "https://example.com/", Edge: records[0].Page.Links[0]},
		{Target: 3, From: 3, URL: "https://example.com/missing", Edge: records[2].Page.Links[0]},
	})
}

// testShingles appends a page with shingles alone.
func testShingles(t *testing.T, s Store) {
	alone := crawl.Page{ID: 7, Status: 200, Shingles: []uint32{1, 2}}
	if err := s.Append(t.Context(), crawl.Commit{Done: []crawl.Page{alone}}); err != nil {
		t.Fatal(err)
	}
	equal(t, "shingles", collect(t, s.Shingles(t.Context())), []crawl.PageShingles{
		{ID: 1, URL: "https://example.com/", Shingles: []uint32{3, 1<<32 - 2}},
		{ID: 7, URL: "https://example.com/waiting", Shingles: alone.Shingles},
	})
}

// testAnchors appends pages that were read as HTML to their end, and others.
func testAnchors(t *testing.T, s Store) {
	want := []crawl.PageAnchors{{ID: 1, URL: "https://example.com/", Anchors: []uint32{0, 7, 1<<32 - 1}}}
	var commit crawl.Commit
	for i, test := range []struct {
		page crawl.Page
		read bool
	}{
		{crawl.Page{Status: 200, MediaType: "text/html"}, true},
		{crawl.Page{Status: 200, MediaType: "application/xhtml+xml", Anchors: []uint32{5}}, true},
		{crawl.Page{Status: 200, Anchors: []uint32{6}}, true}, // without a media type
		{crawl.Page{Status: 200, MediaType: "text/html", Reason: crawl.ReasonNoIndex, Anchors: []uint32{7}}, true},
		{crawl.Page{Status: 200, MediaType: "text/html", Reason: crawl.ReasonCanonical, Target: 1, Anchors: []uint32{8}},
			true},
		{crawl.Page{Status: 200, MediaType: "text/html", Reason: crawl.ReasonNoList, Anchors: []uint32{9}}, true},
		{crawl.Page{Status: 200, MediaType: "text/html", Reason: crawl.ReasonTooLarge, Anchors: []uint32{10}}, false},
		{crawl.Page{Status: 404, MediaType: "text/html", Reason: crawl.ReasonClientError, Anchors: []uint32{11}}, false},
		{crawl.Page{Status: 200, MediaType: "application/pdf"}, false},
	} {
		link := crawl.Link{ID: crawl.ID(8 + i), URL: fmt.Sprintf("https://example.com/%d", i)}
		test.page.ID = link.ID
		commit.Found, commit.Done = append(commit.Found, link), append(commit.Done, test.page)
		if test.read {
			want = append(want, crawl.PageAnchors{ID: link.ID, URL: link.URL, Anchors: test.page.Anchors})
		}
	}
	if err := s.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	equal(t, "anchors", collect(t, s.Anchors(t.Context())), want)
}

// testIteratorsStop leaves every iterator at its first item, after which the store
// must answer the next call.
func testIteratorsStop(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	ctx := t.Context()
	for name, items := range iterators(s, ctx) {
		count := 0
		for err := range items {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			count++
			break
		}
		if count != 1 {
			t.Errorf("%s yields nothing", name)
		}
	}
	s.append(crawl.Commit{Found: []crawl.Link{{ID: 8, URL: "https://example.com/8"}}})
}

// testIteratorsContext cancels the context before, and while, every iterator runs.
func testIteratorsContext(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	for name, items := range iterators(s, canceled(t)) {
		var errs []error
		for err := range items {
			errs = append(errs, err)
		}
		if len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
			t.Errorf("%s yields the errors %v with a canceled context", name, errs)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var last error
	for _, err := range s.Pages(ctx) {
		if last = err; err == nil {
			cancel()
		}
	}
	cancel()
	if !errors.Is(last, context.Canceled) {
		t.Errorf("pages end with error %v after the context", last)
	}
	if _, err := s.Summary(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("summary: error %v of a canceled context", err)
	}
	if _, _, err := s.Distances(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("distances: error %v of a canceled context", err)
	}
}

// iterators returns the errors that each iterator of a store yields with its items.
func iterators(s Store, ctx context.Context) map[string]iter.Seq[error] {
	all := func(crawl.ID) bool { return true }
	return map[string]iter.Seq[error]{
		"Pages":     errorsOf(s.Pages(ctx)),
		"ByReason":  errorsOf(s.Pages(ctx, crawl.ReasonListed)),
		"Listed":    errorsOf(s.Listed(ctx)),
		"Edges":     errorsOf(s.Edges(ctx)),
		"Referrers": errorsOf(s.Referrers(ctx, all)),
		"Anchors":   errorsOf(s.Anchors(ctx)),
		"Shingles":  errorsOf(s.Shingles(ctx)),
	}
}

func errorsOf[T any](items iter.Seq2[T, error]) iter.Seq[error] {
	return func(yield func(error) bool) {
		for _, err := range items {
			if !yield(err) {
				return
			}
		}
	}
}

// graph is a crawl of pages by their links, redirects and canonicals.
type graph struct {
	last       crawl.ID
	links      map[crawl.ID][]crawl.ID
	redirects  map[crawl.ID]crawl.ID
	canonicals map[crawl.ID]crawl.ID
}

func (g *graph) commit() crawl.Commit {
	var commit crawl.Commit
	for id := crawl.ID(1); id <= g.last; id++ {
		commit.Found = append(commit.Found, crawl.Link{ID: id, URL: fmt.Sprintf("https://example.com/%d", id)})
		page := crawl.Page{ID: id, Status: 200}
		for _, to := range g.links[id] {
			page.Links = append(page.Links, crawl.Edge{To: to, Kind: crawl.EdgeAnchor})
		}
		if to := g.redirects[id]; to > 0 {
			page.Status, page.Reason, page.Target = 301, crawl.ReasonRedirect, to
		} else if to := g.canonicals[id]; to > 0 {
			page.Reason, page.Target = crawl.ReasonCanonical, to
		}
		commit.Done = append(commit.Done, page)
	}
	return commit
}

func testDistances(t *testing.T, b *Backend) {
	type links = map[crawl.ID][]crawl.ID
	type step = map[crawl.ID]crawl.ID
	for _, test := range []struct {
		name     string
		graph    graph
		depth    []int32
		previous []crawl.ID
	}{
		{"empty", graph{}, []int32{-1}, []crawl.ID{0}},
		{"only the start", graph{last: 1}, []int32{-1, 0}, []crawl.ID{0, 0}},
		{"in the order of the IDs", graph{3, links{1: {2}, 2: {3}}, nil, nil}, []int32{-1, 0, 1, 2}, []crawl.ID{0, 0, 1, 2}},
		{"against the order", graph{4, links{1: {4}, 4: {3}, 3: {2}}, nil, nil}, []int32{-1, 0, 3, 2, 1},
			[]crawl.ID{0, 0, 3, 4, 1}},
		{"links back and to itself", graph{2, links{1: {1, 2}, 2: {1, 2}}, nil, nil}, []int32{-1, 0, 1},
			[]crawl.ID{0, 0, 1}},
		{"unreached, although linked", graph{4, links{1: {2}, 3: {4}, 4: {3}}, nil, nil}, []int32{-1, 0, 1, -1, -1},
			[]crawl.ID{0, 0, 1, 0, 0}},
		{"through a redirect", graph{4, links{1: {4}, 3: {2}}, step{4: 3}, nil}, []int32{-1, 0, 2, 1, 1},
			[]crawl.ID{0, 0, 3, 4, 1}},
		{"through a canonical", graph{4, links{1: {4}, 3: {2}}, nil, step{4: 3}}, []int32{-1, 0, 3, 2, 1},
			[]crawl.ID{0, 0, 3, 4, 1}},
		{"from a page that redirects link to", graph{6, links{1: {2, 6}, 2: {4}, 4: {5}}, step{6: 3, 3: 4}, nil},
			[]int32{-1, 0, 1, 1, 1, 2, 1}, []crawl.ID{0, 0, 1, 6, 3, 4, 1}},
		{"redirect loop", graph{3, links{1: {2}}, step{2: 3, 3: 2}, nil}, []int32{-1, 0, 1, 1},
			[]crawl.ID{0, 0, 1, 2}},
		{"a shorter path found late", graph{5, links{1: {2, 5}, 2: {3}, 3: {4}, 5: {4}}, nil, nil},
			[]int32{-1, 0, 1, 2, 2, 1}, []crawl.ID{0, 0, 1, 2, 5, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			depth, previous, err := b.start(t, test.graph.commit()).Distances(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "depth", depth, test.depth)
			equal(t, "previous", previous, test.previous)
		})
	}
}

// testDistancesRandom compares with a search that shortens paths until none can be.
func testDistancesRandom(t *testing.T, b *Backend) {
	for seed := range uint64(20) {
		g := randomGraph(seed)
		store := b.start(t, g.commit())
		var edges []crawl.PageEdge
		depth, previous, err := store.Distances(t.Context(), func(e *crawl.PageEdge) error {
			edges = append(edges, *e)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for want, err := range store.Edges(t.Context()) {
			if err != nil || len(edges) == 0 || edges[0] != want {
				t.Fatalf("seed %d: %v, %v, want %v", seed, err, edges, want)
			}
			edges = edges[1:]
		}
		if len(edges) > 0 {
			t.Fatalf("seed %d: %d edges too many", seed, len(edges))
		}
		if want := g.distances(); !slices.Equal(depth, want) {
			t.Fatalf("seed %d: depths differ:\n%v\n%v", seed, depth, want)
		}
		for id := crawl.ID(2); id <= g.last; id++ {
			from := previous[id]
			links, leads := g.steps(from)[id]
			switch {
			case (depth[id] == crawl.Unreached) != (from == 0):
				t.Errorf("seed %d: %d has the depth %d and comes after %d", seed, id, depth[id], from)
			case from != 0 && (!leads || depth[id] != depth[from]+links):
				t.Errorf("seed %d: no shortest path leads from %d to %d", seed, from, id)
			}
		}
	}
}

func randomGraph(seed uint64) *graph {
	g := &graph{
		last: 300, links: map[crawl.ID][]crawl.ID{}, redirects: map[crawl.ID]crawl.ID{}, canonicals: map[crawl.ID]crawl.ID{},
	}
	random := rand.New(rand.NewPCG(seed, 0))
	anyID := func() crawl.ID { return 1 + crawl.ID(random.IntN(int(g.last))) }
	for range g.last * 3 / 2 {
		from := anyID()
		g.links[from] = append(g.links[from], anyID())
	}
	for range g.last / 10 {
		g.redirects[anyID()] = anyID()
		g.canonicals[anyID()] = anyID()
	}
	return g
}

// steps returns the pages that a page leads to, and how many links it takes.
func (g *graph) steps(from crawl.ID) map[crawl.ID]int32 {
	steps := map[crawl.ID]int32{}
	for _, to := range g.links[from] {
		steps[to] = 1
	}
	if to := g.redirects[from]; to > 0 {
		steps[to] = 0
	} else if to := g.canonicals[from]; to > 0 {
		steps[to] = 1
	}
	return steps
}

func (g *graph) distances() []int32 {
	depth := slices.Repeat([]int32{crawl.Unreached}, int(g.last)+1)
	depth[1] = 0
	for changed := true; changed; {
		changed = false
		for from := crawl.ID(1); from <= g.last; from++ {
			for to, links := range g.steps(from) {
				near := depth[from] + links
				if depth[from] != crawl.Unreached && (depth[to] == crawl.Unreached || depth[to] > near) {
					depth[to], changed = near, true
				}
			}
		}
	}
	return depth
}
