package result

import (
	"context"
	"errors"

	"github.com/mapatools/mapa/internal/store"
)

// crawlReader is an open crawl file.
type crawlReader struct{ *store.File }

// readers are open files of one crawl, each used by one goroutine at a time.
type readers struct {
	name string
	free chan *crawlReader // nil for one that is not open yet
}

// newReaders returns up to limit readers of a crawl file that is open. Of the copy of a
// file that belongs together with a log there is only one.
func newReaders(file *store.File, name string, limit int) *readers {
	r := &readers{name: name, free: make(chan *crawlReader, limit)}
	r.free <- &crawlReader{file}
	if !file.IsCopy() {
		for range limit - 1 {
			r.free <- nil
		}
	}
	return r
}

// use calls do with a reader when there is a free one.
func (r *readers) use(ctx context.Context, do func(*crawlReader) error) error {
	var reader *crawlReader
	select {
	case reader = <-r.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.free <- reader }()
	if reader == nil {
		file, err := store.OpenReader(r.name)
		if err != nil {
			return err
		}
		reader = &crawlReader{file}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return do(reader)
}

// close closes all files. None may be in use.
func (r *readers) close() (err error) {
	for {
		select {
		case reader := <-r.free:
			if reader != nil {
				err = errors.Join(err, reader.Close())
			}
		default:
			return err
		}
	}
}
