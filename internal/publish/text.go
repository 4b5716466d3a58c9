package publish

import (
	"errors"
	"os"

	"github.com/mapatools/mapa/sitemap"
)

// A textOutput writes a list of addresses. Where it passes the limits of a text
// sitemap, 50,000 lines and 50 MiB (https://www.sitemaps.org/protocol.html, "Text
// file"), it goes on in another file; no index can name them, so each is to be
// submitted.
type textOutput struct {
	files *series
	file  *os.File
	list  *sitemap.Writer
}

func newTextOutput(files *series) *textOutput { return &textOutput{files: files} }

func (t *textOutput) write(p *Page) error {
	if t.list == nil {
		if err := t.open(); err != nil {
			return err
		}
	}
	err := t.list.Write(&sitemap.URL{Loc: p.Loc})
	if !errors.Is(err, sitemap.ErrFull) {
		return err
	}
	if err := t.close(); err != nil {
		return err
	}
	return t.write(p)
}

func (t *textOutput) open() (err error) {
	if t.file, err = t.files.create(); err == nil {
		t.list, err = sitemap.NewWriter(t.file, &sitemap.WriterOptions{Format: sitemap.FormatText})
	}
	return err
}

func (t *textOutput) close() error {
	err := t.list.Close()
	t.list = nil
	return errors.Join(err, settle(t.file))
}

func (t *textOutput) prepare() error {
	if t.files.count == 0 {
		if err := t.open(); err != nil {
			return err
		}
	}
	return t.close()
}
