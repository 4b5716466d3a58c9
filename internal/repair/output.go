package repair

import (
	"bufio"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/sitemap"
)

// An output writes a copy to a temporary file in the target folder.
type output struct {
	file   *os.File
	buffer *bufio.Writer
	zip    *gzip.Writer // nil if the file is not compressed
	*sitemap.Writer
}

// A part is a finished temporary file: a whole copy, or a part of one that was split.
type part struct {
	temporary string // path
	count     int    // entries
	newest    sitemap.Date
}

func newOutput(folder, name string, options *sitemap.WriterOptions) (*output, error) {
	temporary := filepath.Join(folder, "."+name+"."+rand.Text()[:8])
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	o := &output{file: file, buffer: bufio.NewWriterSize(file, 64<<10)}
	if isGzip(name) {
		o.zip = gzip.NewWriter(o.buffer)
		o.Writer = sitemap.NewWriter(o.zip, options)
	} else {
		o.Writer = sitemap.NewWriter(o.buffer, options)
	}
	return o, nil
}

// finish completes and closes the temporary file.
func (o *output) finish() (part, error) {
	err := o.Writer.Close()
	if o.zip != nil {
		err = errors.Join(err, o.zip.Close())
	}
	err = errors.Join(err, o.buffer.Flush(), o.file.Close())
	return part{o.file.Name(), o.Count(), o.NewestLastMod()}, err
}

// abort removes the temporary file.
func (o *output) abort() {
	o.file.Close()
	os.Remove(o.file.Name())
}
