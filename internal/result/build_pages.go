package result

import (
	"database/sql"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
)

// writePages analyses the crawl, and writes numbers and texts of the URLs while it reads
// them. The folder and the order of a URL depend on all others: see writeOutcomes.
func (b *builder) writePages() error {
	w := &pageWriter{
		builder: b, numbersInsert: b.insert("number_block", 2), textsInsert: b.insert("text_block", 2),
		numbers: make([]byte, blockLength*numbersSize),
	}
	if b.err != nil {
		return b.err
	}
	defer w.numbersInsert.Close()
	defer w.textsInsert.Close()
	var err error
	if b.analysis, err = report.Analyze(b.ctx, b.file, w.add); err != nil {
		return err
	}
	return w.flush()
}

// pageWriter writes the numbers and texts of URLs block by block.
type pageWriter struct {
	*builder
	numbersInsert, textsInsert *sql.Stmt

	first   int64 // ID in the block
	numbers []byte
	texts   [blockLength]string
}

func (w *pageWriter) add(e *report.Entry) error {
	id := int64(e.Link.ID)
	if first := id - id%blockLength; first != w.first {
		if err := w.flush(); err != nil {
			return err
		}
		w.first = first
		clear(w.numbers)
		clear(w.texts[:])
	}
	n := newNumbers(e)
	n.decision = w.names.decision(format.Plain(report.DecisionName(e.Decision)))
	n.media = w.names.mediaType(e.Page.MediaType)
	n.put(w.numbers[(id-w.first)*numbersSize:])
	w.texts[id-w.first] = searchText(e.Link.URL, e.Page.Title)
	return nil
}

// flush writes the block. Each text has a line end.
func (w *pageWriter) flush() error {
	_, err := w.numbersInsert.Exec(w.first, w.numbers)
	if err == nil {
		_, err = w.textsInsert.Exec(w.first, []byte(strings.Join(w.texts[:], "\n")+"\n"))
	}
	return err
}

// changeNumbers changes the numbers of every URL.
func (b *builder) changeNumbers(change func(id int64, n *numbers)) error {
	update, err := b.tx.PrepareContext(b.ctx, "update number_block set numbers = ? where first = ?")
	if err != nil {
		return err
	}
	defer update.Close()
	read, err := b.tx.PrepareContext(b.ctx, selectBlock)
	if err != nil {
		return err
	}
	defer read.Close()
	last := int64(b.analysis.Last())
	for first := int64(0); first <= last; first += blockLength {
		var block []byte
		err := read.QueryRowContext(b.ctx, first).Scan(&block)
		if isNotFound(err) { // no URL has one of these IDs
			continue
		}
		if err != nil {
			return err
		}
		var n numbers
		for i := range int64(blockLength) {
			part := block[i*numbersSize:]
			if n.read(part); n.flags&flagPresent != 0 {
				change(first+i, &n)
				n.put(part)
			}
		}
		if _, err := update.ExecContext(b.ctx, block, first); err != nil {
			return err
		}
	}
	return nil
}
