package sitemap

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// A SetWriter writes a set of sitemaps to files that the caller creates, for example
// in an archive or an object store. For a directory on disk use [Folder]. It holds
// no entries in memory and is for one goroutine.
type SetWriter struct {
	create func(name string) (io.WriteCloser, error)
	parts  *parts
}

// NewSetWriter returns a writer that calls create for every file: sitemap-1.xml and
// so on and, at the end, sitemap.xml, the index. The set has an index even if it has
// one part. options must have a BaseURL. Other goroutines close the files and, with
// Gzip, write them, while create is called for the next.
func NewSetWriter(create func(name string) (io.WriteCloser, error), options *SetOptions) (*SetWriter, error) {
	prepared, err := options.prepare()
	if err != nil {
		return nil, err
	}
	s := &SetWriter{create: create}
	s.parts = newParts(prepared, newBackground(prepared.Gzip), s.createPart)
	return s, nil
}

func (s *SetWriter) createPart(number int) (io.WriteCloser, error) {
	if err := s.parts.options.checkParts(number); err != nil {
		return nil, err
	}
	return s.create(s.partName(number))
}

func (s *SetWriter) partName(number int) string {
	o := &s.parts.options
	return o.Name + "-" + strconv.Itoa(number) + o.extension()
}

// Write adds a page. A [*FieldError] says what cannot be written, and
// [ErrEntryTooLarge] that no file has room for the page; after these the set can
// still be used. Other errors are final.
func (s *SetWriter) Write(u *URL) error { return s.parts.write(u) }

// Count returns the number of pages written.
func (s *SetWriter) Count() int { return s.parts.count }

// Close ends the last part, waits until all parts are closed, and writes the index.
// After a final error of Write it returns that error and writes no index.
func (s *SetWriter) Close() error {
	if err := errors.Join(s.parts.close(), s.parts.background.wait()); err != nil {
		return err
	}
	o := &s.parts.options
	name := o.Name + o.extension()
	out, err := s.create(name)
	if err != nil {
		return err
	}
	if err := writePacked(out, o.Gzip, s.writeIndex); err != nil {
		out.Close()
		return fmt.Errorf("writing the index %s: %w", name, err)
	}
	return out.Close()
}

func (s *SetWriter) writeIndex(w io.Writer) error {
	index := NewWriter(w, s.parts.options.writer(FormatIndex))
	if err := s.parts.list(index, s.partName); err != nil {
		return err
	}
	return index.Close()
}

// writePacked calls write with w or, to compress, with a compressor to w.
func writePacked(w io.Writer, compress bool, write func(io.Writer) error) error {
	if !compress {
		return write(w)
	}
	zip := newGzip(w)
	if err := write(zip); err != nil {
		return err
	}
	return zip.Close()
}
