package compare

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// openList reads a sitemap into a sorter.
func openList(ctx context.Context, location string, options *source.Options) (*Side, error) {
	side := &Side{Location: location, list: newSorter()}
	for file, err := range source.Sitemaps(ctx, []string{location}, options) {
		if err == nil {
			err = side.read(file)
		}
		var fault *source.Error
		switch {
		case err == nil:
		case !errors.As(err, &fault):
			return nil, errors.Join(err, side.Close())
		case len(side.Faults) == maxFaults:
			return nil, errors.Join(err, side.Close())
		default:
			side.Faults = append(side.Faults, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, side.Close())
	}
	side.complete = len(side.Faults) == 0
	return side, nil
}

// read adds the pages of a file. A [*source.Error] is the first error of the file, any
// other error comes from the disk.
func (s *Side) read(file *source.File) error {
	s.Files++
	var broken error
	var address []byte
	for entry, err := range file.Entries() {
		if err != nil {
			broken = cmp.Or(broken, err)
			continue
		}
		address = appendAddress(address[:0], entry.Loc)
		s.listed.add(address)
		if err := s.list.add(address, lastMod(entry)); err != nil {
			return err
		}
	}
	return broken
}

// appendAddress appends a URL in the form that a crawl uses. An invalid URL stays as it
// is, but for its user information.
func appendAddress(dst, loc []byte) []byte {
	var none urlnorm.Base
	absolute, err := none.AppendResolve(nil, loc)
	if err != nil {
		return append(dst, format.WithoutUser(loc[:min(len(loc), urlnorm.MaxLength)])...)
	}
	return urlnorm.AppendKey(dst, absolute, urlnorm.KeyOptions{})
}

// maxDate is longer than any date. Longer texts are cut.
const maxDate = 64

// lastMod returns the date of an entry in the form of a sitemap. An invalid date stays
// as it is.
func lastMod(entry *sitemap.Entry) []byte {
	if date, err := entry.Date(); err == nil && !date.IsZero() {
		return date.AppendTo(nil)
	}
	return entry.LastMod[:min(len(entry.LastMod), maxDate)]
}

// states returns the URLs in order, each once with its newest date.
func (s *sorter) states(ctx context.Context) iter.Seq2[*State, error] {
	return func(yield func(*State, error) bool) {
		last := ""
		for r, err := range s.sorted() {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if string(r.address) == last {
				continue
			}
			last = string(r.address)
			state := listedState(last, string(r.lastMod))
			if !yield(&state, nil) {
				return
			}
		}
	}
}
