package result

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
)

// writeOutcomes writes the folders and the changes since the previous crawl, for which the
// URLs are sorted once, and completes the numbers of all URLs.
func (b *builder) writeOutcomes(c *crawlFolder) error {
	insert := b.insert("folder", 8)
	if b.err != nil {
		return b.err
	}
	defer insert.Close()
	last := b.analysis.Last()
	outcomes := &outcomeReader{
		Reader: b.file, summary: b.analysis.Summary(), folders: newFolderWriter(insert),
		folder: make([]uint32, last+1), order: make([]uint32, last+1),
	}
	if err := b.writeChanges(c, outcomes); err != nil {
		return err
	}
	if err := outcomes.folders.closeTo(0); err != nil {
		return err
	}
	b.order = outcomes.order
	return b.changeNumbers(func(id int64, n *numbers) {
		n.folder, n.order = outcomes.folder[id], outcomes.order[id]
	})
}

// outcomeReader reads a crawl that was analyzed. It writes folders and numbers the pages of
// the site while their outcomes are read.
type outcomeReader struct {
	crawl.Reader
	summary crawl.Summary
	folders *folderWriter
	last    uint32
	folder  []uint32 // by ID
	order   []uint32 // by ID
}

// Summary implements [crawl.Reader].
func (r *outcomeReader) Summary(context.Context) (crawl.Summary, error) { return r.summary, nil }

// Outcomes implements [crawl.Reader].
func (r *outcomeReader) Outcomes(ctx context.Context) iter.Seq2[crawl.Outcome, error] {
	return func(yield func(crawl.Outcome, error) bool) {
		for o, err := range r.Reader.Outcomes(ctx) {
			if err == nil {
				err = r.add(&o)
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

func (r *outcomeReader) add(o *crawl.Outcome) error {
	r.last++
	r.order[o.ID] = r.last
	onSite, listed, broken := report.OnSite(o)
	if !onSite {
		return nil
	}
	number, err := r.folders.add(o.URL, listed, broken)
	r.folder[o.ID] = uint32(number)
	return err
}
