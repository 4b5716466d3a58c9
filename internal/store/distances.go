package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/crawl"
)

// Distances returns, by ID, how many links each address lies from the start,
// Unreached where none lead there, and the address before it on a shortest
// way, 0 for the start and what is unreached. A redirect and a canonical
// address count as a link. Index 0 stands for no address.
//
// Link.Depth is as the crawl went: addresses of a sitemap have 0 there, although
// links may lead to them too.
func (f *File) Distances(ctx context.Context) (depth []int32, before []crawl.ID, err error) {
	last, err := f.lastID()
	if err != nil {
		return nil, nil, err
	}
	w := &walk{depth: make([]int32, last+1), before: make([]crawl.ID, last+1)}
	for id := range w.depth {
		w.depth[id] = crawl.Unreached
	}
	if last == 0 {
		return w.depth, w.before, nil
	}
	if w.targets, err = f.targets(ctx); err != nil {
		return nil, nil, err
	}
	w.depth[1] = 0
	if err := w.sweep(f.Edges(ctx)); err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.name, err)
	}
	if err := w.finish(ctx, f); err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.name, err)
	}
	return w.depth, w.before, nil
}

func (f *File) lastID() (crawl.ID, error) {
	var last crawl.ID
	err := f.db.query("select coalesce(max(id), 0) from url", func(row row) bool {
		last = crawl.ID(row.number(0))
		return true
	})
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", f.name, err)
	}
	return last, nil
}

// A step leads from one address to another without a link.
type step struct{ from, to crawl.ID }

// targets returns where redirects and canonical links lead, in the order of from.
func (f *File) targets(ctx context.Context) ([]step, error) {
	const text = "select id, target from fetch where target > 0 and reason in ('redirect', 'redirect-loop', 'canonical') order by id"
	var steps []step
	for s, err := range sequence(ctx, f, text, func(r row) step { return step{crawl.ID(r.number(0)), crawl.ID(r.number(1))} }) {
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// A walk finds shortest ways. Since a crawl numbers its addresses about as far
// as they are, one sweep through all links in the order of the pages finds
// nearly all of them; only pages that came nearer after the sweep had passed
// them are looked at once more, the nearest first, so that each is at most once.
type walk struct {
	depth   []int32
	before  []crawl.ID
	targets []step
	again   [][]crawl.ID // by depth: pages whose links must be looked at again
}

func (w *walk) sweep(edges func(func(crawl.PageEdge, error) bool)) error {
	for e, err := range edges {
		if err != nil {
			return err
		}
		if err := w.relax(e.From, e.To, e.From); err != nil {
			return err
		}
	}
	for _, s := range w.targets {
		if err := w.relax(s.from, s.to, crawl.ID(len(w.depth))); err != nil {
			return err
		}
	}
	return nil
}

// relax takes a link as a way to its target when that is shorter. The sweep has
// passed all pages up to passed.
func (w *walk) relax(from, to, passed crawl.ID) error {
	last := crawl.ID(len(w.depth)) - 1
	if from < 1 || to < 1 || from > last || to > last {
		return fmt.Errorf("%w: a link from address %d to %d", ErrDamaged, from, to)
	}
	near := w.depth[from]
	if near == crawl.Unreached || w.depth[to] != crawl.Unreached && w.depth[to] <= near+1 {
		return nil
	}
	w.depth[to], w.before[to] = near+1, from
	if to > passed {
		return nil
	}
	for int(near+1) >= len(w.again) {
		w.again = append(w.again, nil)
	}
	w.again[near+1] = append(w.again[near+1], to)
	return nil
}

// finish looks at the pages again that came nearer, in the order of their depth.
func (w *walk) finish(ctx context.Context, f *File) error {
	for depth := 0; depth < len(w.again); depth++ {
		for _, id := range w.again[depth] {
			if w.depth[id] != int32(depth) {
				continue // came nearer still, and was looked at then
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.leave(f, id); err != nil {
				return err
			}
		}
		w.again[depth] = nil
	}
	return nil
}

// leave follows everything that leads away from a page.
func (w *walk) leave(f *File, id crawl.ID) error {
	edges, _, err := f.linksOf(id)
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	all := crawl.ID(len(w.depth))
	for i := range edges {
		if err := w.relax(id, edges[i].To, all); err != nil {
			return err
		}
	}
	at, leads := slices.BinarySearchFunc(w.targets, id, func(s step, id crawl.ID) int { return int(s.from - id) })
	if leads {
		return w.relax(id, w.targets[at].to, all)
	}
	return nil
}
