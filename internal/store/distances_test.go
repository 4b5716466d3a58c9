package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// graphFile keeps pages by their links; lead are redirects.
func graphFile(t testing.TB, last crawl.ID, links map[crawl.ID][]crawl.ID, lead map[crawl.ID]crawl.ID) *File {
	t.Helper()
	var c crawl.Commit
	for id := crawl.ID(1); id <= last; id++ {
		c.Found = append(c.Found, crawl.Link{ID: id, URL: fmt.Sprintf("https://example.com/%d", id)})
		page := crawl.Page{ID: id, Status: 200}
		for _, to := range links[id] {
			page.Links = append(page.Links, crawl.Edge{To: to, Kind: crawl.EdgeAnchor})
		}
		if to := lead[id]; to > 0 {
			page.Status, page.Reason, page.Target = 301, crawl.ReasonRedirect, to
		}
		c.Done = append(c.Done, page)
	}
	f, _ := create(t)
	t.Cleanup(func() { closeFile(t, f) })
	if err := f.Append(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDistances(t *testing.T) {
	tests := []struct {
		name   string
		last   crawl.ID
		links  map[crawl.ID][]crawl.ID
		lead   map[crawl.ID]crawl.ID
		depth  []int32
		before []crawl.ID
	}{
		{"empty", 0, nil, nil, []int32{-1}, []crawl.ID{0}},
		{"start alone", 1, nil, nil, []int32{-1, 0}, []crawl.ID{0, 0}},
		{"in the order of the numbers", 3, map[crawl.ID][]crawl.ID{1: {2}, 2: {3}}, nil, []int32{-1, 0, 1, 2}, []crawl.ID{0, 0, 1, 2}},
		{"against the order", 4, map[crawl.ID][]crawl.ID{1: {4}, 4: {3}, 3: {2}}, nil, []int32{-1, 0, 3, 2, 1}, []crawl.ID{0, 0, 3, 4, 1}},
		{"links back and to itself", 2, map[crawl.ID][]crawl.ID{1: {1, 2}, 2: {1, 2}}, nil, []int32{-1, 0, 1}, []crawl.ID{0, 0, 1}},
		{"unreached, although linked", 4, map[crawl.ID][]crawl.ID{1: {2}, 3: {4}, 4: {3}}, nil, []int32{-1, 0, 1, -1, -1}, []crawl.ID{0, 0, 1, 0, 0}},
		{"through a redirect", 4, map[crawl.ID][]crawl.ID{1: {4}, 3: {2}}, map[crawl.ID]crawl.ID{4: 3}, []int32{-1, 0, 3, 2, 1}, []crawl.ID{0, 0, 3, 4, 1}},
		{"a shorter way found late", 5, map[crawl.ID][]crawl.ID{1: {2, 5}, 2: {3}, 3: {4}, 5: {4}}, nil, []int32{-1, 0, 1, 2, 2, 1}, []crawl.ID{0, 0, 1, 2, 5, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			depth, before, err := graphFile(t, test.last, test.links, test.lead).Distances(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(depth, test.depth) || !slices.Equal(before, test.before) {
				t.Errorf("depth %v before %v, want %v and %v", depth, before, test.depth, test.before)
			}
		})
	}
}

// TestDistancesOfAnyGraph compares with a plain breadth-first search.
func TestDistancesOfAnyGraph(t *testing.T) {
	const last = 300
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		links, lead := map[crawl.ID][]crawl.ID{}, map[crawl.ID]crawl.ID{}
		anyID := func() crawl.ID { return 1 + crawl.ID(random.IntN(last)) }
		for range last * 3 / 2 {
			from := anyID()
			links[from] = append(links[from], anyID())
		}
		for range last / 10 {
			lead[anyID()] = anyID()
		}
		want := breadthFirst(last, links, lead)
		depth, before, err := graphFile(t, last, links, lead).Distances(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(depth, want) {
			t.Fatalf("seed %d: depths differ:\n%v\n%v", seed, depth, want)
		}
		for id := crawl.ID(2); id <= last; id++ {
			from := before[id]
			switch {
			case depth[id] == crawl.Unreached && from != 0:
				t.Errorf("seed %d: %d is unreached and lies behind %d", seed, id, from)
			case depth[id] > 0 && (depth[from] != depth[id]-1 || !slices.Contains(links[from], id) && lead[from] != id):
				t.Errorf("seed %d: no link leads from %d to %d", seed, from, id)
			}
		}
	}
}

func breadthFirst(last crawl.ID, links map[crawl.ID][]crawl.ID, lead map[crawl.ID]crawl.ID) []int32 {
	depth := slices.Repeat([]int32{crawl.Unreached}, int(last)+1)
	depth[1] = 0
	for queue := []crawl.ID{1}; len(queue) > 0; queue = queue[1:] {
		for _, to := range append(slices.Clone(links[queue[0]]), lead[queue[0]]) {
			if to > 0 && depth[to] == crawl.Unreached {
				depth[to] = depth[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return depth
}

func TestDistancesOfDamage(t *testing.T) {
	f := graphFile(t, 2, map[crawl.ID][]crawl.ID{1: {77}}, nil)
	if _, _, err := f.Distances(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("a link to nowhere: %v", err)
	}
}
