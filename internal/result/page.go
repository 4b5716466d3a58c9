package result

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// maxPath is the number of steps of a path from the start. Longer ones are left out.
const maxPath = 1000

// Page returns what is known of a URL, by its number. The error wraps ErrNotFound when
// there is none.
func (r *Result) Page(ctx context.Context, id int64) (_ *PageDetails, err error) {
	defer r.explain(&err)
	n, err := r.numbers(ctx, id)
	if err != nil {
		return nil, err
	}
	details := &PageDetails{}
	path, err := r.path(ctx, id, n)
	if err != nil {
		return nil, err
	}
	url := ""
	err = r.files.use(ctx, func(file *crawlReader) error {
		page, record, err := file.page(ctx, id, n)
		if err != nil {
			return err
		}
		url = record.Link.URL
		details.Page, details.Time = page, record.Page.Time
		details.ETag, details.LastModified = format.Plain(record.Page.ETag), format.Plain(record.Page.LastModified)
		if from := record.Link.From; from > 0 {
			ref, err := file.ref(from)
			if err != nil {
				return err
			}
			details.FoundOn = &ref
		}
		if details.Path, err = file.steps(ctx, path); err != nil {
			return err
		}
		details.Findings, err = file.findingsOf(ctx, crawl.ID(id))
		return err
	})
	if err != nil {
		return nil, err
	}
	details.Previous, err = r.previousOf(ctx, url)
	return details, err
}

const selectBlock = "select numbers from number_block where first = ?"

// numbers returns the numbers of a URL.
func (r *Result) numbers(ctx context.Context, id int64) (*numbers, error) {
	var block []byte
	err := r.blocks.QueryRowContext(ctx, id-id%blockLength).Scan(&block)
	at := id % blockLength * numbersSize
	switch {
	case isNotFound(err), err == nil && (id < 1 || len(block) < int(at)+numbersSize):
		return nil, fmt.Errorf("page %d: %w", id, ErrNotFound)
	case err != nil:
		return nil, err
	}
	n := &numbers{}
	if n.read(block[at:]); n.flags&flagPresent == 0 {
		return nil, fmt.Errorf("page %d: %w", id, ErrNotFound)
	}
	return n, nil
}

// path returns the URLs from the start to a URL, or none when no links lead there.
func (r *Result) path(ctx context.Context, id int64, n *numbers) ([]int64, error) {
	if n.depth < 0 {
		return nil, nil
	}
	path := []int64{id}
	for n.before > 0 {
		if len(path) == maxPath {
			return nil, nil
		}
		id = int64(n.before)
		path = append(path, id)
		var err error
		if n, err = r.numbers(ctx, id); err != nil {
			return nil, err
		}
	}
	slices.Reverse(path)
	return path, nil
}

// steps returns the steps of a path.
func (f *crawlReader) steps(ctx context.Context, path []int64) ([]Step, error) {
	var steps []Step
	var before *crawl.Record
	for _, id := range path {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		record, _, err := f.Page(crawl.ID(id))
		if err != nil {
			return nil, err
		}
		ref, err := f.ref(crawl.ID(id))
		if err != nil {
			return nil, err
		}
		step := report.StepFrom(before, &record)
		steps = append(steps, Step{Ref: ref, By: step.By, Text: format.Plain(step.Text)})
		before = &record
	}
	return steps, nil
}

// previousOf returns the state of a URL in the previous crawl, or nil.
func (r *Result) previousOf(ctx context.Context, url string) (previous *Previous, err error) {
	if r.previous == nil {
		return nil, nil
	}
	err = r.previous.use(ctx, func(file *crawlReader) error {
		record, known, err := file.PageByURL(url)
		if err != nil || !known {
			return err
		}
		page := &record.Page
		previous = &Previous{
			Time: page.Time, Decision: format.Plain(report.DecisionName(report.DecisionOf(&record))), Status: page.Status,
			Title: format.Plain(page.Title), LastMod: page.LastMod.String(),
		}
		return nil
	})
	return previous, err
}

// FindRef looks up the first of some URLs that the crawl in a folder found, and returns false when
// it found none. It reads a few rows of the crawl file, and needs no tables for queries. The
// errors are those of package store.
func FindRef(folder string, urls []string) (ref Ref, known bool, err error) {
	file, err := store.OpenReader(filepath.Join(folder, crawlName))
	if err != nil {
		return Ref{}, false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for _, url := range urls {
		record, known, err := file.PageByURL(url)
		if err != nil {
			return Ref{}, false, err
		}
		if known {
			ref, err = (&crawlReader{file}).ref(record.Link.ID)
			return ref, err == nil, err
		}
	}
	return Ref{}, false, nil
}

// FindPage returns the number of the first of some URLs that the crawl found, or else of a URL
// with the same normalized key as one of them, for which it reads all URLs. It returns false
// when there is none.
func (r *Result) FindPage(
	ctx context.Context, urls []string, key urlnorm.KeyOptions,
) (id int64, known bool, err error) {
	err = r.files.use(ctx, func(file *crawlReader) error {
		for _, url := range urls {
			record, found, err := file.PageByURL(url)
			if err != nil || found {
				id, known = int64(record.Link.ID), found
				return err
			}
		}
		record, found, err := report.FindLike(ctx, file, urls, key)
		id, known = int64(record.Link.ID), found
		return err
	})
	return id, known, err
}
