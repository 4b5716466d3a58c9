package result

import (
	"cmp"
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
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

//go:embed schema.sql
var schema string

// builder writes the tables of queries. It holds some numbers for each URL, and no texts.
type builder struct {
	ctx      context.Context
	tx       *sql.Tx
	file     *store.File
	analysis *report.Analysis
	names    names
	order    []uint32           // by ID: the position of the URL among all
	options  report.HTMLOptions // of the overview
	err      error              // of the statements
}

// names are the texts that numbers refer to.
type names struct {
	Decisions []string       `json:"decisions"`
	Media     []string       `json:"media"` // the first is the empty one
	Rules     []string       `json:"rules"` // that found something
	Counts    map[string]int `json:"-"`     // URLs by media type

	decisions map[string]uint8
	media     map[string]uint16
}

// The limits of names. Texts beyond them, which only a forged crawl file has, are otherName.
const (
	maxDecision = math.MaxUint8
	maxMedia    = 10_000
	otherName   = "other"
)

func newNames() names {
	n := names{Counts: map[string]int{}, decisions: map[string]uint8{}, media: map[string]uint16{}}
	n.mediaType("")
	return n
}

// decision returns the number of a decision.
func (n *names) decision(name string) uint8 {
	if len(n.Decisions) == maxDecision {
		name = otherName
	}
	number, known := n.decisions[name]
	if !known {
		number = uint8(len(n.Decisions))
		n.Decisions, n.decisions[name] = append(n.Decisions, name), number
	}
	return number
}

// maxMediaLength is the number of characters of a media type.
const maxMediaLength = 100

// mediaType returns the number of a media type, and counts a URL.
func (n *names) mediaType(name string) uint16 {
	name = format.Truncate(format.Plain(name), maxMediaLength)
	if _, known := n.media[name]; !known && len(n.Media) == maxMedia {
		name = otherName
	}
	number, known := n.media[name]
	if !known {
		number = uint16(len(n.Media))
		n.Media, n.media[name] = append(n.Media, name), number
	}
	n.Counts[name]++
	return number
}

// rule returns the number of a rule. Rules come in their order.
func (n *names) rule(id string) int64 {
	if last := len(n.Rules) - 1; last < 0 || n.Rules[last] != id {
		n.Rules = append(n.Rules, id)
	}
	return int64(len(n.Rules))
}

// maxTypes is the number of media types in an overview.
const maxTypes = 50

// types returns the most frequent media types.
func (n *names) types() []report.NameCount {
	var list []report.NameCount
	for name, count := range n.Counts {
		if name != "" {
			list = append(list, report.NameCount{Name: name, Count: count})
		}
	}
	slices.SortFunc(list, func(a, b report.NameCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), maxTypes)]
}

// build writes the tables for the crawl in a folder into a new file.
func build(ctx context.Context, name string, c *crawlFolder) error {
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	return writeTables(ctx, name, func(tx *sql.Tx) error {
		b := &builder{ctx: ctx, tx: tx, file: file, names: newNames()}
		if err := b.writePages(); err != nil {
			return err
		}
		defer b.analysis.Close()
		if b.analysis.Last() > math.MaxUint32 {
			return fmt.Errorf("%s has more URLs than can be queried", c.crawl)
		}
		for _, step := range []func() error{
			func() error { return b.writeOutcomes(c) }, b.writePairs, b.writeFindings,
			func() error { return b.writeOverview(c) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return b.meta("stamp", c.stamp)
	})
}

// insert prepares a statement with as many values as the table has columns.
func (b *builder) insert(table string, columns int) *sql.Stmt {
	stmt, err := b.tx.PrepareContext(b.ctx, "insert into "+table+" values (?"+strings.Repeat(", ?", columns-1)+")")
	b.err = cmp.Or(b.err, err)
	return stmt
}

// pairMemory is how many pairs of pages are sorted in memory at once.
const pairMemory = 2 << 20

// writePairs writes the pages that link to each page, and those on which each rule found something.
func (b *builder) writePairs() error {
	insert, err := b.tx.PrepareContext(b.ctx, "insert into pair_block (kind, key, value, pairs) values (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	w := &pairWriter{write: func(first pair, pairs []byte) error {
		_, err := insert.ExecContext(b.ctx, first.kind, first.key, first.value, pairs)
		return err
	}}
	last := b.analysis.Last()
	for from := crawl.ID(1); from <= last; {
		next, err := b.writeInLinks(w, from, last)
		if err != nil {
			return err
		}
		from = next
	}
	for f, err := range b.file.FindingPages(b.ctx) {
		if err != nil {
			return err
		}
		if err := w.add(pair{rulePages, b.names.rule(f.Rule), int64(f.Page)}); err != nil {
			return err
		}
	}
	return w.flush()
}

// writeInLinks writes the pages that link to as many pages as fit into memory, from one
// on. It returns the page after them.
func (b *builder) writeInLinks(w *pairWriter, from, last crawl.ID) (next crawl.ID, err error) {
	total := 0
	starts := []uint32{0} // by ID from from on: where the pages that link to it start
	for next = from; next <= last && (next == from || total+int(b.analysis.Linked(next)) <= pairMemory); next++ {
		total += int(b.analysis.Linked(next))
		starts = append(starts, uint32(total))
	}
	if total == 0 {
		return next, nil
	}
	sources, filled := make([]uint32, total), slices.Clone(starts)
	err = b.analysis.InLinks(b.ctx, func(source, target crawl.ID) {
		if target >= from && target < next {
			at := &filled[target-from]
			sources[*at] = uint32(source)
			*at++
		}
	})
	if err != nil {
		return 0, err
	}
	for target := from; target < next; target++ {
		of := sources[starts[target-from]:starts[target-from+1]]
		slices.Sort(of) // redirects come last
		for _, source := range of {
			if err := w.add(pair{inLinks, int64(target), int64(source)}); err != nil {
				return 0, err
			}
		}
	}
	return next, nil
}

// writeOverview writes the overview.
func (b *builder) writeOverview(c *crawlFolder) error {
	b.options.Sitemap = c.sitemap
	overview, err := b.analysis.Overview(b.ctx, &b.options)
	if err != nil {
		return err
	}
	overview.Types = b.names.types()
	if err := b.metaJSON("names", &b.names); err != nil {
		return err
	}
	return b.metaJSON("overview", overview)
}

// writeChanges compares a finished crawl with the previous one, and reads all outcomes also
// without one.
func (b *builder) writeChanges(c *crawlFolder, present *outcomeReader) error {
	previous, err := c.openPrevious(b.file)
	if err != nil {
		return err
	}
	if previous == nil {
		for _, err := range present.Outcomes(b.ctx) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	defer previous.Close()
	start, _, err := previous.Page(1)
	if err != nil {
		return err
	}
	list, err := writeChanges(b.ctx, b.tx, previous, present)
	if err != nil {
		return err
	}
	b.options.Previous, b.options.Changes = start.Page.Time, &list.Counts
	return b.metaJSON("changes", list)
}

// writeChanges writes all changes between two crawls. It returns them without the
// changes.
func writeChanges(ctx context.Context, tx *sql.Tx, old, new crawl.Reader) (*ChangeList, error) {
	insert, err := tx.PrepareContext(ctx, "insert into change (kind, value) values (?, ?)")
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	comparison := &compare.Comparison{}
	if comparison.Old, err = compare.Crawl(ctx, "", old); err != nil {
		return nil, err
	}
	if comparison.New, err = compare.Crawl(ctx, "", new); err != nil {
		return nil, err
	}
	list, kinds := &ChangeList{}, map[compare.Kind]int{}
	for change, err := range comparison.Changes(ctx) {
		if err != nil {
			return nil, err
		}
		list.Counts.Add(&change)
		kinds[change.Kind]++
		text, err := json.Marshal(&change)
		if err == nil {
			_, err = insert.Exec(change.Kind, string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	list.Counts.Unchanged, list.Unseen = comparison.Unchanged, comparison.Unseen
	for _, kind := range compare.Kinds {
		if kinds[kind] > 0 {
			list.Kinds = append(list.Kinds, KindCount{kind, kinds[kind]})
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
