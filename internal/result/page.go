package result

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// PageDetails is all that is known of a URL, except for its links.
type PageDetails struct {
	*page.Page
	Target   *Ref          // of a redirect, canonical or duplicate, or nil
	FoundOn  *Ref          // the first page that links there, or nil
	Path     []report.Step // from the start; empty when no links lead there
	Findings []insight.Finding
	Previous *page.Page // in the previous crawl, if that knows it
}

// MarshalJSON writes the facts of the URL, and what else is known.
func (d *PageDetails) MarshalJSON() ([]byte, error) {
	return d.Page.MarshalWith(struct {
		FoundOn  *Ref              `json:"found_on,omitempty"`
		Path     []report.Step     `json:"path,omitempty"`
		Findings []insight.Finding `json:"findings,omitempty"`
		Previous *page.Page        `json:"previous,omitempty"`
	}{d.FoundOn, d.Path, d.Findings, d.Previous})
}

// maxPath is the number of steps of a path from the start.
const maxPath = 1000

// Page returns what is known of a URL, by its number. The error wraps ErrNotFound when
// there is none.
func (r *Result) Page(ctx context.Context, id int64) (_ *PageDetails, err error) {
	defer r.explain(&err)
	details := &PageDetails{}
	err = r.files.use(ctx, func(file *crawlReader) (err error) {
		if details.Page, err = file.page(ctx, crawl.ID(id)); err != nil {
			return err
		}
		if details.Target, err = file.optionalRef(details.Page.Page.Target); err != nil {
			return err
		}
		if details.FoundOn, err = file.optionalRef(details.Link.From); err != nil {
			return err
		}
		if details.Path, err = report.ReadPath(ctx, file.File, details.Page, maxPath); err != nil {
			return err
		}
		details.Findings, err = file.findingsOf(ctx, crawl.ID(id))
		return err
	})
	if err != nil || r.previous == nil {
		return details, err
	}
	return details, r.previous.use(ctx, func(file *crawlReader) error {
		record, known, err := file.PageByURL(details.Link.URL)
		if known {
			details.Previous = &page.Page{Record: record}
		}
		return err
	})
}

// optionalRef is ref that returns nil for no URL.
func (f *crawlReader) optionalRef(id crawl.ID) (*Ref, error) {
	if id == 0 {
		return nil, nil
	}
	ref, err := f.ref(id)
	return &ref, err
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
		if err != nil || known {
			return newRef(record.Link.ID, &record), known, err
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
		found, err := report.FindID(ctx, file.File, urls, key)
		id = int64(found)
		return err
	})
	return id, id > 0, err
}
