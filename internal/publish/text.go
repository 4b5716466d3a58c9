package publish

import (
	"errors"
	"os"

	"github.com/mapatools/mapa/sitemap"
)

// textOutput writes a list of URLs. At the limits of a text sitemap, 50,000 lines and
// 50 MiB (https://www.sitemaps.org/protocol.html, "Text file"), it continues in another
// file. There is no index of text files, so each must be submitted.
type textOutput struct {
	files *series
	file  *os.File
	list  *sitemap.Writer
}

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
		t.list = sitemap.NewWriter(t.file, &sitemap.WriterOptions{Format: sitemap.FormatText})
	}
	return err
}

func (t *textOutput) close() error {
	err := t.list.Close()
	t.list = nil
	return errors.Join(err, syncAndClose(t.file))
}

func (t *textOutput) prepare() error {
	if t.files.count == 0 {
		if err := t.open(); err != nil {
			return err
		}
	}
	return t.close()
}
