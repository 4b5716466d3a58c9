package result

import (
	"context"
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
)

// Links returns a part of the links to a page, or of a page, that visitors can follow. A
// redirect is a link of the kind "redirect".
func (r *Result) Links(
	ctx context.Context, id int64, d Direction, cursor string, limit int,
) (_ *LinkList, err error) {
	defer r.explain(&err)
	n, err := r.numbers(ctx, id)
	if err != nil {
		return nil, err
	}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list, limit := &LinkList{Links: []Link{}}, clampLimit(limit)
	if d == Out {
		list.Total = int(n.links)
		err = r.linksOf(ctx, id, list, int(min(before, maxOut)), limit)
	} else {
		list.Total = int(n.linked)
		err = r.linksTo(ctx, id, list, before, limit)
	}
	list.Part = newPart(before, len(list.Links), list.Total, limit)
	return list, err
}

// linksTo adds the links of the pages that link to a URL after as many of them.
func (r *Result) linksTo(ctx context.Context, id int64, list *LinkList, before int64, limit int) error {
	var sources []int64
	for source, err := range r.values(ctx, inLinks, id, 0) {
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
	ref, err := f.ref(crawl.ID(from))
	link := Link{Ref: ref, Kind: crawl.EdgeRedirect.String()}
	found := false
	for i := range record.Page.Links {
		edge := &record.Page.Links[i]
		if edge.To != crawl.ID(to) || !insight.IsFollowable(edge.Kind) {
			continue
		}
		if !found || edge.Text != "" {
			link = newLink(ref, edge)
		}
		if found = true; edge.Text != "" {
			break
		}
	}
	return link, err
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
		if e.To == r.Link.ID || !insight.IsFollowable(e.Kind) {
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
