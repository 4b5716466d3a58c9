package sqlitestore

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/mapatools/mapa/watch"
)

// A tx is a change of the state of one site.
type tx struct {
	ctx    context.Context
	store  *Store
	site   string
	insert *sql.Stmt // a block; prepared when first needed
	read   *sql.Stmt
}

func (t *tx) close() {
	for _, s := range []*sql.Stmt{t.insert, t.read} {
		if s != nil {
			// The transaction decides whether the statements had an effect.
			_ = s.Close()
		}
	}
}

// Site implements [watch.Tx].
func (t *tx) Site() (watch.Site, error) {
	var text []byte
	site := watch.Site{Name: t.site}
	err := t.store.conn.QueryRowContext(t.ctx, "select record from sites where name = ?", t.site).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return site, nil
	}
	if err == nil && json.Unmarshal(text, &site) != nil {
		err = ErrDamaged
	}
	return site, err
}

// SetSite implements [watch.Tx].
func (t *tx) SetSite(site watch.Site) error {
	text, err := json.Marshal(site)
	if err != nil {
		return err
	}
	return t.store.exec(t.ctx, "insert or replace into sites (name, record) values (?, ?)", t.site, string(text))
}

// Documents implements [watch.Tx].
func (t *tx) Documents() ([]watch.Document, error) {
	rows, err := t.store.conn.QueryContext(t.ctx, "select record from documents where site = ? order by id", t.site)
	if err != nil {
		return nil, err
	}
	return scanRecords[watch.Document](rows)
}

// SetDocument implements [watch.Tx].
func (t *tx) SetDocument(d watch.Document) (int64, error) {
	if d.ID == 0 {
		result, err := t.store.conn.ExecContext(t.ctx, "insert into documents (site, url, record) values (?, ?, '')", t.site,
			d.URL)
		if err != nil {
			return 0, err
		}
		if d.ID, err = result.LastInsertId(); err != nil {
			return 0, err
		}
	}
	text, err := json.Marshal(d)
	if err != nil {
		return 0, err
	}
	return d.ID, t.store.exec(t.ctx, "update documents set record = ? where id = ?", string(text), d.ID)
}

// RemoveDocument implements [watch.Tx].
func (t *tx) RemoveDocument(id int64) error {
	if err := t.store.exec(t.ctx, "delete from blocks where document = ?", id); err != nil {
		return err
	}
	return t.store.exec(t.ctx, "delete from documents where id = ?", id)
}

// SetBlocks implements [watch.Tx].
func (t *tx) SetBlocks(id int64, g watch.Generation, blocks []watch.Block) (err error) {
	if err := t.store.exec(t.ctx, "delete from blocks where document = ? and generation = ?", id, g); err != nil {
		return err
	}
	if t.insert == nil {
		t.insert, err = t.store.conn.PrepareContext(t.ctx,
			"insert into blocks (document, generation, number, keys, entries) values (?, ?, ?, ?, ?)")
		if err != nil {
			return err
		}
	}
	for _, b := range blocks {
		if _, err := t.insert.ExecContext(t.ctx, id, g, b.Number, b.Keys, b.Entries); err != nil {
			return err
		}
	}
	return nil
}

// Promote implements [watch.Tx].
func (t *tx) Promote(id int64) error {
	if err := t.store.exec(t.ctx, "delete from blocks where document = ? and generation = ?", id, watch.Compared); err != nil {
		return err
	}
	return t.store.exec(t.ctx, "update blocks set generation = ? where document = ? and generation = ?", watch.Compared, id,
		watch.Fetched)
}

// Blocks implements [watch.Tx].
func (t *tx) Blocks(id int64, g watch.Generation, first, last uint32) (blocks []watch.Block, err error) {
	if t.read == nil {
		t.read, err = t.store.conn.PrepareContext(t.ctx, "select number, keys, entries from blocks "+
			"where document = ? and generation = ? and number between ? and ? order by number")
		if err != nil {
			return nil, err
		}
	}
	rows, err := t.read.QueryContext(t.ctx, id, g, first, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b watch.Block
		if err := rows.Scan(&b.Number, &b.Keys, &b.Entries); err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return blocks, rows.Err()
}

// perRow is how many events share a row.
const perRow = 500

// AddEvents implements [watch.Tx].
func (t *tx) AddEvents(events []watch.Event) error {
	if len(events) == 0 {
		return nil
	}
	last, err := t.store.counter(t.ctx, "events")
	if err != nil {
		return err
	}
	for len(events) > 0 {
		some := events[:min(perRow, len(events))]
		lines, err := encodeEvents(some)
		if err != nil {
			return err
		}
		first := last + 1
		last += int64(len(some))
		if err := t.store.exec(t.ctx, "insert into events (first, last, lines) values (?, ?, ?)", first, last, lines); err != nil {
			return err
		}
		events = events[len(some):]
	}
	return t.store.setCounter(t.ctx, "events", last)
}

// Both are used only by EncodeAll and DecodeAll, which several goroutines may call. Their
// options cannot fail.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		return d
	})
)

func encodeEvents(events []watch.Event) ([]byte, error) {
	var lines bytes.Buffer
	writer := json.NewEncoder(&lines)
	writer.SetEscapeHTML(false)
	for _, event := range events {
		event.ID = "" // from the number
		if err := writer.Encode(event); err != nil {
			return nil, err
		}
	}
	return encoder().EncodeAll(lines.Bytes(), nil), nil
}

func decodeEvents(compressed []byte) (events []watch.Event, err error) {
	lines, err := decoder().DecodeAll(compressed, nil)
	if err != nil {
		return nil, ErrDamaged
	}
	reader := json.NewDecoder(bytes.NewReader(lines))
	for reader.More() {
		var event watch.Event
		if err := reader.Decode(&event); err != nil {
			return nil, ErrDamaged
		}
		events = append(events, event)
	}
	return events, nil
}
