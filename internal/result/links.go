package result

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A Direction says which links of a page are meant.
type Direction int

// The directions.
const (
	In  Direction = iota // links to the page
	Out                  // links of the page
)

// A Link is a link to a page or of a page. Links of one page to another are one Link.
type Link struct {
	Ref             // the other end
	Text     string `json:"text,omitempty"` // of the first such link that has one
	Kind     string `json:"kind"`           // anchor, image, redirect …: a crawl.EdgeKind
	Nofollow bool   `json:"nofollow,omitempty"`
}

// A LinkList is a part of the links of a page.
type LinkList struct {
	Links []Link `json:"links"`
	Total int    `json:"total"`
	Part
}

// Links returns a part of the links to a page, or of a page, that visitors can follow. A
// redirect is a link of the kind "redirect".
func (r *Result) Links(
	ctx context.Context, id int64, d Direction, cursor string, limit int,
) (_ *LinkList, err error) {
	defer r.explain(&err)
	var p *page.Page
	err = r.files.use(ctx, func(file *crawlReader) (err error) {
		p, err = file.page(ctx, crawl.ID(id))
		return err
	})
	if err != nil {
		return nil, err
	}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list, limit := &LinkList{Links: []Link{}}, clampLimit(limit)
	if d == Out {
		list.Total = int(p.Links)
		err = r.linksOf(ctx, id, list, int(min(before, maxOut)), limit)
	} else {
		list.Total = int(p.Linked)
		err = r.linksTo(ctx, id, list, before, limit)
	}
	list.Part = newPart(before, len(list.Links), list.Total, limit)
	return list, err
}

// linksTo adds the links of the pages that link to a URL after as many of them.
func (r *Result) linksTo(ctx context.Context, id int64, list *LinkList, before int64, limit int) error {
	var sources []int64
	for source, err := range r.sources(ctx, id) {
		if err != nil {
			return err
		}
		if before--; before >= 0 {
			continue
		}
		if sources = append(sources, source); len(sources) == limit {
			break
		}
	}
	return r.files.use(ctx, func(file *crawlReader) error {
		for _, source := range sources {
			link, err := file.link(ctx, source, id)
			if err != nil {
				return err
			}
			list.Links = append(list.Links, link)
		}
		return nil
	})
}

// link returns the link from one page to another.
func (f *crawlReader) link(ctx context.Context, from, to int64) (Link, error) {
	if err := ctx.Err(); err != nil {
		return Link{}, err
	}
	record, _, err := f.Page(crawl.ID(from))
	if err != nil {
		return Link{}, err
	}
	ref := newRef(crawl.ID(from), &record)
	link := Link{Ref: ref, Kind: crawl.EdgeRedirect.String()}
	found := false
	for i := range record.Page.Links {
		edge := &record.Page.Links[i]
		if edge.To != crawl.ID(to) || !page.IsFollowable(edge.Kind) {
			continue
		}
		if !found || edge.Text != "" {
			link = newLink(ref, edge)
		}
		if found = true; edge.Text != "" {
			break
		}
	}
	return link, nil
}

func newLink(ref Ref, e *crawl.Edge) Link {
	return Link{Ref: ref, Text: format.Plain(e.Text), Kind: e.Kind.String(), Nofollow: e.Nofollow}
}

// maxOut is more than the number of links that any page has.
const maxOut = 1 << 30

// linksOf adds the links of a page after as many of them.
func (r *Result) linksOf(ctx context.Context, id int64, list *LinkList, after, limit int) error {
	return r.files.use(ctx, func(file *crawlReader) error {
		record, known, err := file.Page(crawl.ID(id))
		if err == nil && !known {
			err = fmt.Errorf("page %d: %w", id, ErrNotFound)
		}
		if err != nil {
			return err
		}
		links := followable(&record)
		for i := after; i < len(links) && len(list.Links) < limit; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			ref, err := file.ref(links[i].To)
			if err != nil {
				return err
			}
			list.Links = append(list.Links, newLink(ref, &links[i]))
		}
		return nil
	})
}

// followable returns one link to each other page that visitors can follow, the first that
// has a text.
func followable(r *crawl.Record) []crawl.Edge {
	var links []crawl.Edge
	at := map[crawl.ID]int{}
	for _, e := range r.Page.Links {
		if e.To == r.Link.ID || !page.IsFollowable(e.Kind) {
			continue
		}
		i, known := at[e.To]
		switch {
		case !known:
			at[e.To] = len(links)
			links = append(links, e)
		case links[i].Text == "":
			links[i] = e
		}
	}
	return links
}

// pair is a URL and a page that links to it.
type pair struct{ target, source int64 }

// pairsInBlock is the number of pairs in a block.
const pairsInBlock = 4096

// pairWriter writes pairs, which are added in ascending order.
type pairWriter struct {
	write func(first pair, pairs []byte) error // writes a block
	first pair
	last  pair
	count int
	block []byte
}

// add adds a pair. In a block it is the differences to the pair before: of the target, then of the source if the target
// is the same.
func (w *pairWriter) add(p pair) error {
	if w.count == pairsInBlock {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.count == 0 {
		w.first, w.last = p, pair{}
	}
	step := p.target - w.last.target
	w.block = binary.AppendUvarint(w.block, uint64(step))
	if step > 0 {
		w.last.source = 0
	}
	w.block = binary.AppendUvarint(w.block, uint64(p.source-w.last.source))
	w.last = p
	w.count++
	return nil
}

// flush writes the block.
func (w *pairWriter) flush() error {
	if w.count == 0 {
		return nil
	}
	err := w.write(w.first, w.block)
	w.block, w.count = w.block[:0], 0
	return err
}

// pairReader reads the pairs of a block.
type pairReader struct {
	block []byte
	last  pair
	err   error
}

func (r *pairReader) next() (pair, bool) {
	if len(r.block) == 0 || r.err != nil {
		return pair{}, false
	}
	if step := r.uvarint(); step > 0 {
		r.last = pair{target: r.last.target + step}
	}
	r.last.source += r.uvarint()
	return r.last, r.err == nil
}

func (r *pairReader) uvarint() int64 {
	n, size := binary.Uvarint(r.block)
	if size <= 0 {
		r.err = sqlite.ErrDamaged
		return 0
	}
	r.block = r.block[size:]
	return int64(n)
}

const selectPairs = `select pairs from link_block where id >= coalesce((select id from link_block
where target < ?1 order by target desc, source desc limit 1), 0) order by id`

// sources returns the pages that link to a URL, in ascending order.
func (r *Result) sources(ctx context.Context, target int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := r.index.QueryContext(ctx, selectPairs, target)
		if err != nil {
			yield(0, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var block sql.RawBytes
			if err := rows.Scan(&block); err != nil {
				yield(0, err)
				return
			}
			reader := pairReader{block: block}
			for p, ok := reader.next(); ok; p, ok = reader.next() {
				if p.target > target || p.target == target && !yield(p.source, nil) {
					return
				}
			}
			if reader.err != nil {
				yield(0, reader.err)
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(0, err)
		}
	}
}
