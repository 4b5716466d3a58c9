package sitemaphttp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/lastmod"
	"github.com/mapatools/mapa/sitemap"
)

// loggedRows is how many invalid rows of a section a scan logs.
const loggedRows = 5

// A scan reads all rows of a section and finds its parts. It writes every part into
// a digest, so that size, limits and digest are those of the file that is served.
type scan struct {
	handler *Handler
	section *section
	now     time.Time
	digest  hash.Hash
	writer  *sitemap.Writer
	from    Key
	last    Key
	parts   []*part
	invalid int
}

// scan reads all sections. Parts that are as in the previous table keep their time.
func (h *Handler) scan(ctx context.Context, previous *table) (*table, error) {
	now := time.Now()
	var parts []*part
	for _, section := range h.sections {
		s := scan{handler: h, section: section, now: now, digest: sha256.New()}
		err := guard(func() error { return s.run(ctx) })
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", s.section.Name, err)
		}
		if s.invalid > loggedRows {
			h.log.Warn("sitemap: invalid rows", "section", s.section.Name, "count", s.invalid)
		}
		parts = append(parts, s.parts...)
	}
	return h.newTable(parts, previous, now)
}

func (s *scan) run(ctx context.Context) error {
	s.writer = s.section.writer(s.digest)
	defer s.section.writers.Put(s.writer)
	for row, err := range checked(ctx, s.section.Source, Range{}) {
		if err != nil {
			return err
		}
		if err := s.add(row); err != nil {
			return err
		}
	}
	return s.finish(Key{})
}

// add puts a row into its part.
func (s *scan) add(row *Row) error {
	level := levelFor(s.full(row.Key))
	switch {
	case s.last.IsZero() && row.Key.kind == intKey:
		s.from = firstKey(row.Key, s.section.PartSize, 0)
	case !s.last.IsZero() && begins(s.last, row.Key, s.section.PartSize, level):
		if err := s.finish(firstKey(row.Key, s.section.PartSize, level)); err != nil {
			return err
		}
	}
	s.last = row.Key
	problem, err := s.handler.write(s.writer, s.section, row, s.now)
	if errors.Is(err, sitemap.ErrFull) {
		if err := s.finish(row.Key); err != nil {
			return err
		}
		problem, err = s.handler.write(s.writer, s.section, row, s.now)
	}
	if problem != nil {
		s.report(row, problem)
	}
	return err
}

// full returns the share of the part's limits that is used before a key, from 0 to 1.
// The number of rows does not count where the rest of an integer's range fits.
func (s *scan) full(next Key) float64 {
	limits := s.section.limits()
	full := float64(s.writer.Size()) / float64(limits.Bytes)
	room := int64(limits.URLs - s.writer.Count())
	if next.kind == intKey && keysLeft(next.number, s.section.PartSize) <= room {
		return full
	}
	return max(full, float64(s.writer.Count())/float64(limits.URLs))
}

// finish ends the part before the key and begins the next there. A part without pages
// belongs to the one before.
func (s *scan) finish(next Key) error {
	if err := s.writer.Close(); err != nil {
		return err
	}
	if s.writer.Count() > 0 {
		if n := len(s.parts); n > 0 {
			s.parts[n-1].keys.Until = s.from
		}
		s.parts = append(s.parts, &part{
			section: s.section,
			name:    partName(s.section.Name, s.from),
			keys:    Range{From: s.from},
			pages:   s.writer.Count(),
			size:    s.writer.Size(),
			newest:  s.writer.NewestLastMod(),
			state:   state{tag: tagOf(s.digest)},
		})
	}
	if len(s.parts) > sitemap.MaxSitemaps {
		return fmt.Errorf("%w: increase PartSize", sitemap.ErrTooManySitemaps)
	}
	s.from = next
	s.digest.Reset()
	s.writer.Reset(s.digest)
	return nil
}

func (s *scan) report(row *Row, problem error) {
	s.invalid++
	switch {
	case s.handler.options.OnInvalid != nil:
		s.handler.options.OnInvalid(s.section.Name, row, problem)
	case s.invalid <= loggedRows:
		s.handler.log.Warn("sitemap: invalid row", "section", s.section.Name, "key", row.Key.String(), "error", problem)
	}
}

// tagOf returns the entity tag of what was written into a digest.
func tagOf(digest hash.Hash) string { return hex.EncodeToString(digest.Sum(nil)[:16]) }

// guard returns a panic of a source as an error, since it does not happen in the
// goroutine of a request, where net/http would catch it.
func guard(f func() error) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	return f()
}

// A section is a Section and how its parts are written.
type section struct {
	Section
	options *sitemap.WriterOptions
	writers sync.Pool // of *sitemap.Writer, whose buffers are large
}

// writer returns a writer of a part to out.
func (s *section) writer(out io.Writer) *sitemap.Writer {
	if w, ok := s.writers.Get().(*sitemap.Writer); ok {
		w.Reset(out)
		return w
	}
	return sitemap.NewWriter(out, s.options)
}

// limits returns the limits of a part.
func (s *section) limits() sitemap.Limits {
	limits := sitemap.Limits{URLs: sitemap.MaxURLs, Bytes: maxPartBytes}
	if s.News {
		limits.URLs = maxNews
	}
	return limits
}

func (h *Handler) writerOptions(limits sitemap.Limits) *sitemap.WriterOptions {
	options := &sitemap.WriterOptions{Limits: limits}
	for _, sheet := range h.options.Stylesheets {
		options.Stylesheets = append(options.Stylesheets, sheet.Name)
	}
	return options
}

// write adds a row to a file. problem says why the row is left out, or a field of
// it, and err that the file cannot hold the row, or no more at all.
func (h *Handler) write(w *sitemap.Writer, s *section, row *Row, now time.Time) (problem, err error) {
	page := row.URL
	problem = row.Err
	if s.News {
		current, err := setNews(&page, now)
		if err != nil || !current {
			return errors.Join(problem, err), nil
		}
	}
	if strings.HasPrefix(page.Loc, "/") && !strings.HasPrefix(page.Loc, "//") {
		page.Loc = h.host + page.Loc
	}
	if page.LastMod, err = lastmod.Check(row.LastMod, now.Unix()); err != nil {
		problem = errors.Join(problem, &sitemap.FieldError{Field: "lastmod", Value: row.LastMod.String(), Err: err})
	}
	if err := w.Write(&page); err != nil {
		failed, err := writeRest(w, &page, err)
		return errors.Join(problem, failed), err
	}
	return problem, nil
}

// writeRest adds a page that could not be written without the fields that are wrong.
func writeRest(w *sitemap.Writer, page *sitemap.URL, failed error) (problem, err error) {
	for {
		var field *sitemap.FieldError
		switch {
		case failed == nil:
			return problem, nil
		case errors.Is(failed, sitemap.ErrEntryTooLarge):
			return errors.Join(problem, failed), nil
		case !errors.As(failed, &field):
			return nil, failed
		}
		problem = errors.Join(problem, failed)
		if page = without(page, field.Field); page == nil {
			return problem, nil
		}
		failed = w.Write(page)
	}
}

// without returns a copy of a page without an optional field, or nil if the page
// cannot be listed without it.
func without(page *sitemap.URL, field string) *sitemap.URL {
	rest := *page
	switch field {
	case "lastmod":
		rest.LastMod = sitemap.Date{}
	case "changefreq":
		rest.ChangeFreq = ""
	case "priority":
		rest.Priority = sitemap.Priority{}
	default:
		return nil
	}
	return &rest
}
