package result

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/tempfile"
)

//go:embed schema.sql
var schema string

// builder writes the tables of queries. It holds some numbers for each URL, and no texts.
type builder struct {
	ctx     context.Context
	tx      *sql.Tx
	file    *store.File
	options report.HTMLOptions // of the overview
}

// build writes the tables for the crawl in a folder into a new file.
func build(ctx context.Context, name string, c *crawlFolder) error {
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	if file.Last() > math.MaxUint32 {
		return fmt.Errorf("%s has more URLs than can be queried", c.crawl)
	}
	return writeTables(ctx, name, func(tx *sql.Tx) error {
		b := &builder{ctx: ctx, tx: tx, file: file, options: report.HTMLOptions{Sitemap: c.sitemap}}
		for _, step := range []func() error{
			b.writeTexts, b.writeLinks, func() error { return b.writeChanges(c) }, b.writeOverview,
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return b.meta("stamp", c.stamp)
	})
}

// blockLength is the number of URLs in a block of texts. Block i has the IDs from i*blockLength.
const blockLength = 1024

// writeTexts writes the texts by which URLs are found, block by block. Each text has a line end.
func (b *builder) writeTexts() error {
	insert, err := b.tx.PrepareContext(b.ctx, "insert into text_block values (?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	first := crawl.ID(0)
	var texts [blockLength]string
	flush := func() error {
		_, err := insert.ExecContext(b.ctx, int64(first), []byte(strings.Join(texts[:], "\n")+"\n"))
		clear(texts[:])
		return err
	}
	for title, err := range b.file.Titles(b.ctx) {
		if err != nil {
			return err
		}
		if begin := title.ID - title.ID%blockLength; begin != first {
			if err := flush(); err != nil {
				return err
			}
			first = begin
		}
		texts[title.ID-first] = searchText(title.URL, title.Title)
	}
	return flush()
}

// pairMemory is how many links are sorted in memory at once.
const pairMemory = 2 << 20

// writeLinks writes the pages that link to each URL.
func (b *builder) writeLinks() error {
	insert, err := b.tx.PrepareContext(b.ctx, "insert into link_block (target, source, pairs) values (?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	w := &pairWriter{write: func(first pair, pairs []byte) error {
		_, err := insert.ExecContext(b.ctx, first.target, first.source, pairs)
		return err
	}}
	var links tempfile.Pairs
	defer links.Close()
	counts := make([]uint32, b.file.Last()+1) // by ID: pages that link to it
	var failed error
	err = b.file.InLinks(b.ctx, func(from, to crawl.ID) {
		counts[to]++
		if failed == nil {
			failed = links.Add(int64(from), int64(to))
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	for from := int64(1); from < int64(len(counts)); {
		if from, err = b.sortLinks(&links, counts, w, from); err != nil {
			return err
		}
	}
	return w.flush()
}

// sortLinks writes the links to as many URLs as fit into memory, from one on. It returns the URL after them.
func (b *builder) sortLinks(links *tempfile.Pairs, counts []uint32, w *pairWriter, from int64) (next int64, err error) {
	total := 0
	starts := []uint32{0} // by ID from from on: where the pages that link to it start
	for next = from; next < int64(len(counts)) && (next == from || total+int(counts[next]) <= pairMemory); next++ {
		total += int(counts[next])
		starts = append(starts, uint32(total))
	}
	if total == 0 {
		return next, nil
	}
	sources, filled := make([]uint32, total), slices.Clone(starts)
	err = links.Each(b.ctx, func(source, target int64) error {
		if target >= from && target < next {
			at := &filled[target-from]
			sources[*at] = uint32(source)
			*at++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for target := from; target < next; target++ {
		of := sources[starts[target-from]:starts[target-from+1]]
		slices.Sort(of) // redirects come last
		for _, source := range of {
			if err := w.add(pair{target, int64(source)}); err != nil {
				return 0, err
			}
		}
	}
	return next, nil
}

// writeOverview writes the overview, and the values that filters offer.
func (b *builder) writeOverview() error {
	overview, err := report.ReadOverview(b.ctx, b.file, &b.options)
	if err != nil {
		return err
	}
	choices := map[string][]Choice{}
	for _, f := range page.In(page.Choice) {
		if choices[f.Key], err = b.choices(f); err != nil {
			return err
		}
	}
	rules, err := b.file.RulesOfPages(b.ctx)
	if err != nil {
		return err
	}
	for _, id := range rules {
		choices["rule"] = append(choices["rule"], Choice{Value: id})
	}
	return errors.Join(b.metaJSON("overview", overview), b.metaJSON("choices", choices))
}

// writeChanges compares a crawl with the previous one, if it is to be compared.
func (b *builder) writeChanges(c *crawlFolder) error {
	previous, err := c.openPrevious(b.file)
	if previous == nil || err != nil {
		return err
	}
	defer previous.Close()
	start, _, err := previous.Page(1)
	if err != nil {
		return err
	}
	b.options.Previous = start.Page.Time
	if comparison, err := insight.ReadComparison(b.file); err != nil || !comparison.Compared {
		return err
	}
	list, err := writeChanges(b.ctx, b.tx, previous, b.file)
	if err != nil {
		return err
	}
	b.options.Changes = &list.Counts
	return b.metaJSON("changes", list)
}

// writeChanges writes all changes between two crawls. It returns them without the
// changes.
func writeChanges(ctx context.Context, tx *sql.Tx, old, new *store.File) (*ChangeList, error) {
	insert, err := tx.PrepareContext(ctx, "insert into change (kind, value) values (?, ?)")
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	changes, err := compare.Crawls(ctx, old, new)
	if err != nil {
		return nil, err
	}
	defer changes.Close()
	list, rows := &ChangeList{Counts: changes.Counts}, map[compare.Kind]int{}
	for change, err := range changes.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		rows[change.Kind]++
		text, err := json.Marshal(change)
		if err == nil {
			_, err = insert.Exec(change.Kind, string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, kind := range compare.Kinds {
		if n := *changes.Counts.Of(kind); n > 0 {
			list.Kinds = append(list.Kinds, KindCount{kind, n, rows[kind]})
		}
	}
	return list, nil
}

func (b *builder) meta(name, value string) error {
	_, err := b.tx.ExecContext(b.ctx, "insert into meta values (?, ?)", name, value)
	return err
}

func (b *builder) metaJSON(name string, value any) error {
	text, err := json.Marshal(value)
	return errors.Join(err, b.meta(name, string(text)))
}
