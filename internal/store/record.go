package store

import (
	"fmt"

	"github.com/mapatools/mapa/crawl"
)

// Record is Page without the links and anchors, which take longer to read than all else.
func (f *File) Record(id crawl.ID) (crawl.Record, bool, error) {
	record, err := f.record(id)
	if err != nil {
		return crawl.Record{}, false, fmt.Errorf("page %d: %w", id, f.db.Explain(err))
	}
	return record, record.Link.ID != 0, nil
}

// IsCopy reports whether the file is a copy, because the original belongs together with a
// log. The copy cannot be opened a second time.
func (f *File) IsCopy() bool { return f.copiedTo != "" }
