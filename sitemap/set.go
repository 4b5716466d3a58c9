package sitemap

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// A SetWriter writes a set to files that the caller makes: into an archive, to a
// store on the network. [Folder] is the one for a folder on disk. It holds no
// entries and is for one goroutine.
type SetWriter struct {
	create func(name string) (io.WriteCloser, error)
	parts  *parts
}

// NewSetWriter returns a writer whose files create makes, named sitemap-1.xml
// and so on, and at the end sitemap.xml, the index. With Gzip, create must be
// safe to be used while files made before are still written and closed by other
// goroutines. The set has an index even when it has one part.
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

// Write adds a page. A [*FieldError] says what may not be written; the set can be
// used on after it. Other errors are final.
func (s *SetWriter) Write(u *URL) error { return s.parts.write(u) }

// Count is the number of pages written.
func (s *SetWriter) Count() int { return s.parts.count }

// Close ends the last part, waits until all are closed, and writes the index. After
// a final error of Write it is that, and there is no index.
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
	index, err := NewWriter(w, s.parts.options.writer(FormatIndex))
	if err != nil {
		return err
	}
	if err := s.parts.list(index, s.partName); err != nil {
		return err
	}
	return index.Close()
}

// writePacked lets write fill w, compressed or not.
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
