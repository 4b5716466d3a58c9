package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/tempfile"
)

// Distances returns, by ID, how many links each URL is from the start ([page.Unreached] when no
// links lead there), and the URL before it on a shortest path (0 for the start and for what is
// unreached). Canonical links count as links, redirects do not. Index 0 is unused.
//
// [crawl.Link].Depth is the order of the crawl: URLs of a sitemap have depth 0 there, even when
// links lead to them too.
//
// Distances reads every link, which takes most of its time: each, unless it is nil, is called with
// those that Edges returns, in that order. Its error ends Distances.
func (f *File) Distances(
	ctx context.Context, each func(*PageEdge) error,
) (depth []int32, previous []crawl.ID, err error) {
	last, err := f.lastID()
	if err != nil {
		return nil, nil, err
	}
	s := &pathSearch{depth: make([]int32, last+1), previous: make([]crawl.ID, last+1), each: each}
	for id := range s.depth {
		s.depth[id] = page.Unreached
	}
	if last == 0 {
		return s.depth, s.previous, nil
	}
	if s.redirects, err = f.redirects(ctx); err != nil {
		return nil, nil, err
	}
	s.depth[1] = 0
	defer s.links.Close()
	for scans := 1; ; scans++ {
		if scans == 1 {
			err = s.scan(f.Edges(ctx))
		} else {
			err = s.scanAgain(ctx)
		}
		if err != nil {
			return nil, nil, f.db.Explain(err)
		}
		visits := len(s.depth) / visitShare
		if scans == maxScans {
			visits = len(s.depth)
		}
		done, err := s.revisit(ctx, f, visits)
		if err != nil {
			return nil, nil, f.db.Explain(err)
		}
		if done {
			break
		}
	}
	return s.depth, s.previous, nil
}

func (f *File) lastID() (crawl.ID, error) {
	var last crawl.ID
	err := f.db.Query("select coalesce(max(id), 0) from url", func(r sqlite.Row) bool {
		last = crawl.ID(r.Number(0))
		return true
	})
	if err != nil {
		return 0, f.db.Explain(err)
	}
	return last, nil
}

// redirect leads from one URL to another without a link of a page.
type redirect struct {
	from, to crawl.ID
	links    int32 // that it counts as
}

// redirects returns the targets of redirects, of canonical links, and of URLs in a trap
// that another one replaces, in the order of from.
func (f *File) redirects(ctx context.Context) ([]redirect, error) {
	const text = `select id, target, reason in ('canonical', 'trap') from fetch
		where target > 0 and reason in ('redirect', 'redirect-loop', 'canonical', 'trap') order by id`
	var all []redirect
	read := func(r sqlite.Row) redirect {
		return redirect{crawl.ID(r.Number(0)), crawl.ID(r.Number(1)), int32(r.Number(2))}
	}
	for one, err := range sequence(ctx, f, text, read) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// When to scan all links again: to visit a page costs as much as to scan many.
const (
	maxScans   = 30
	visitShare = 100 // of the pages are visited before
)

// pathSearch finds shortest paths. A crawl numbers its URLs roughly by their
// distance, so one scan of all links in the order of the pages finds nearly every
// shortest path. Only the pages that became nearer after the scan had passed them
// are visited again, the nearest first, so that each is visited again at most once.
// When they are many, as when a sitemap named the URLs in another order, all links are
// scanned again instead, in a copy without their texts.
type pathSearch struct {
	each      func(*PageEdge) error // as in Distances
	links     tempfile.Pairs
	depth     []int32
	previous  []crawl.ID
	redirects []redirect
	again     [][]crawl.ID // by depth: pages to visit again
}

// scan relaxes every edge and redirect once, and copies the edges.
func (s *pathSearch) scan(edges func(func(PageEdge, error) bool)) error {
	var before PageEdge
	for e, err := range edges {
		if err == nil && s.each != nil {
			err = s.each(&e)
		}
		if err != nil {
			return err
		}
		if e.From == before.From && e.To == before.To {
			continue
		}
		before = e
		if err := s.relax(e.From, e.To, 1, e.From); err != nil {
			return err
		}
		if err := s.links.Add(int64(e.From), int64(e.To)); err != nil {
			return err
		}
	}
	return s.scanRedirects()
}

// scanAgain is scan for the copy.
func (s *pathSearch) scanAgain(ctx context.Context) error {
	s.again = nil
	err := s.links.Each(ctx, func(from, to int64) error {
		return s.relax(crawl.ID(from), crawl.ID(to), 1, crawl.ID(from))
	})
	if err != nil {
		return err
	}
	return s.scanRedirects()
}

func (s *pathSearch) scanRedirects() error {
	for _, r := range s.redirects {
		if err := s.relax(r.from, r.to, r.links, crawl.ID(len(s.depth))); err != nil {
			return err
		}
	}
	return nil
}

// relax makes what counts as some links the path to its target when that path is shorter. The
// scan has passed all pages up to passed.
func (s *pathSearch) relax(from, to crawl.ID, links int32, passed crawl.ID) error {
	last := crawl.ID(len(s.depth)) - 1
	if from < 1 || to < 1 || from > last || to > last {
		return fmt.Errorf("%w: a link from URL %d to %d", sqlite.ErrDamaged, from, to)
	}
	depth := s.depth[from] + links
	if s.depth[from] == page.Unreached || s.depth[to] != page.Unreached && s.depth[to] <= depth {
		return nil
	}
	s.depth[to], s.previous[to] = depth, from
	if to > passed {
		return nil
	}
	for int(depth) >= len(s.again) {
		s.again = append(s.again, nil)
	}
	s.again[depth] = append(s.again[depth], to)
	return nil
}

// revisit visits the pages again that became nearer, in the order of their depth, and
// reports whether it visited all of them: it ends after some visits.
func (s *pathSearch) revisit(ctx context.Context, f *File, visits int) (done bool, err error) {
	for depth := 0; depth < len(s.again); depth++ {
		for i := 0; i < len(s.again[depth]); i++ { // redirects add to it
			id := s.again[depth][i]
			if s.depth[id] != int32(depth) {
				continue // became nearer still, and was visited then
			}
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if visits--; visits < 0 {
				return false, nil
			}
			if err := s.visit(f, id); err != nil {
				return false, err
			}
		}
		s.again[depth] = nil
	}
	return true, nil
}

// visit relaxes the links and the redirect of a page.
func (s *pathSearch) visit(f *File, id crawl.ID) error {
	page := crawl.Page{ID: id}
	if err := f.readLinks(&page); err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	all := crawl.ID(len(s.depth))
	for i := range page.Links {
		if err := s.relax(id, page.Links[i].To, 1, all); err != nil {
			return err
		}
	}
	at, found := slices.BinarySearchFunc(s.redirects, id, func(r redirect, id crawl.ID) int { return int(r.from - id) })
	if found {
		return s.relax(id, s.redirects[at].to, s.redirects[at].links, all)
	}
	return nil
}
