package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
	"github.com/mapatools/mapa/internal/page"
)

func TestEdges(t *testing.T) {
	var want []PageEdge
	for _, commit := range storetest.Sample() {
		for _, done := range commit.Done {
			for _, edge := range done.Links {
				want = append(want, PageEdge{From: done.ID, Edge: edge})
			}
		}
	}
	slices.SortStableFunc(want, func(a, b PageEdge) int { return int(a.From - b.From) })
	equal(t, "edges", collect(t, sampleFile(t).Edges(t.Context())), want)
}

// TestLinksEnd leaves every iterator over links and hashes at its first item, after which the file answers the next
// call, and ends each with its context.
func TestLinksEnd(t *testing.T) {
	f := sampleFile(t)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for range f.Edges(t.Context()) {
		break
	}
	for range f.Anchors(t.Context()) {
		break
	}
	for range f.Shingles(t.Context()) {
		break
	}
	for _, err := range f.Edges(canceled) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("edges: error %v of a canceled context", err)
		}
	}
	for what, hashes := range map[string]iter.Seq2[PageHashes, error]{
		"anchors": f.Anchors(canceled), "shingles": f.Shingles(canceled),
	} {
		for _, err := range hashes {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v of a canceled context", what, err)
			}
		}
	}
	if _, _, err := f.Distances(canceled, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("distances: error %v of a canceled context", err)
	}
}

// TestShingles appends a page with shingles alone.
func TestShingles(t *testing.T) {
	f := sampleFile(t)
	alone := crawl.Page{ID: 7, Status: 200, Shingles: []uint32{1, 2}}
	if err := f.Append(t.Context(), crawl.Commit{Done: []crawl.Page{alone}}); err != nil {
		t.Fatal(err)
	}
	equal(t, "shingles", collect(t, f.Shingles(t.Context())), []PageHashes{
		{ID: 1, URL: "https://example.com/", Hashes: []uint32{3, 1<<32 - 2}},
		{ID: 7, URL: "https://example.com/waiting", Hashes: alone.Shingles},
	})
}

// TestAnchors appends pages that were read as HTML to their end, and others.
func TestAnchors(t *testing.T) {
	f := sampleFile(t)
	want := []PageHashes{{ID: 1, URL: "https://example.com/", Hashes: []uint32{0, 7, 1<<32 - 1}}}
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
			want = append(want, PageHashes{ID: link.ID, URL: link.URL, Hashes: test.page.Anchors})
		}
	}
	if err := f.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	equal(t, "anchors", collect(t, f.Anchors(t.Context())), want)
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

// file returns a crawl file with the graph.
func (g *graph) file(t *testing.T) *File {
	t.Helper()
	f, _ := create(t)
	t.Cleanup(func() { closeFile(t, f) })
	if err := f.Append(t.Context(), g.commit()); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDistances(t *testing.T) {
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
			depth, previous, err := test.graph.file(t).Distances(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "depth", depth, test.depth)
			equal(t, "previous", previous, test.previous)
		})
	}
}

// TestDistancesRandom compares with a search that shortens paths until none can be.
func TestDistancesRandom(t *testing.T) {
	for seed := range uint64(20) {
		g := randomGraph(seed)
		store := g.file(t)
		var edges []PageEdge
		depth, previous, err := store.Distances(t.Context(), func(e *PageEdge) error {
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
			case (depth[id] == page.Unreached) != (from == 0):
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
	depth := slices.Repeat([]int32{page.Unreached}, int(g.last)+1)
	depth[1] = 0
	for changed := true; changed; {
		changed = false
		for from := crawl.ID(1); from <= g.last; from++ {
			for to, links := range g.steps(from) {
				near := depth[from] + links
				if depth[from] != page.Unreached && (depth[to] == page.Unreached || depth[to] > near) {
					depth[to], changed = near, true
				}
			}
		}
	}
	return depth
}
