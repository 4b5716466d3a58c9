package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/sqlite"
)

// prepareWrites prepares the statements of Append.
func (f *File) prepareWrites() error {
	var err error
	prepare := func(text string) *sqlite.Statement {
		s, failed := f.db.Prepare(text)
		err = cmp.Or(err, failed)
		return s
	}
	f.insertURL = prepare(`insert into url (id, url, found_on, depth, hops, role, reason, detail, requested_url) values (?,?,?,?,?,?,?,?,?)
on conflict (id) do update set url = excluded.url, found_on = excluded.found_on, depth = excluded.depth, hops = excluded.hops,
role = excluded.role, reason = excluded.reason, detail = excluded.detail, requested_url = excluded.requested_url`)
	f.updateGiven = prepare("update url set seed_sources = seed_sources | ? where id = ?")
	f.insertFetch = prepare("insert or replace into fetch (" + strings.ReplaceAll(fetchColumns, "f.", "") +
		") values (?" + strings.Repeat(",?", fetchCount-1) + ")")
	f.insertLink = prepare("insert into link values (?,?,?,?)")
	return err
}

// Append implements [crawl.Store]. The commit is on the disk when Append returns.
func (f *File) Append(ctx context.Context, c crawl.Commit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := f.useLog()
	if err == nil {
		err = f.db.InTransaction(func() error { return f.append(c) })
	}
	if err != nil {
		return f.db.Explain(err)
	}
	f.finished = false
	return nil
}

func (f *File) append(c crawl.Commit) error {
	if err := f.forgetNumbers(); err != nil {
		return err
	}
	if f.finished {
		if err := f.setFinished(false); err != nil {
			return err
		}
	}
	for i := range c.Found {
		if err := f.appendLink(&c.Found[i]); err != nil {
			return fmt.Errorf("URL %d: %w", c.Found[i].ID, err)
		}
	}
	for _, mark := range c.Seeds {
		if err := f.updateGiven.Exec(int64(mark.SeededBy), int64(mark.ID)); err != nil {
			return fmt.Errorf("URL %d: %w", mark.ID, err)
		}
	}
	for i := range c.Done {
		if err := f.appendPage(&c.Done[i]); err != nil {
			return fmt.Errorf("page %d: %w", c.Done[i].ID, err)
		}
	}
	return nil
}

func (f *File) appendLink(l *crawl.Link) error {
	f.last = max(f.last, l.ID)
	return f.insertURL.Exec(
		int64(l.ID), l.URL, int64(l.From), int64(l.Depth), int64(l.Hops), int64(l.Role),
		nullable(string(l.Reason)), nullable(string(l.Detail)), nullable(l.RequestedURL))
}

func (f *File) appendPage(p *crawl.Page) error {
	extensions, err := encodeJSON(p.Extensions)
	if err != nil {
		return err
	}
	facts, err := factValues(p.Facts)
	if err != nil {
		return err
	}
	values := append(f.values[:0],
		int64(p.ID), unixMilli(p.Time), int64(p.Status), nullable(string(p.Reason)), nullable(string(p.Detail)),
		int64(p.Target), nullable(p.MediaType), p.Size, p.Transferred, p.Duration.Microseconds(), nullable(p.Title),
		nullable(p.LastMod.String()), nullable(string(p.LastModSource)), nullable(p.ETag), nullable(p.LastModified),
		int64(p.Digest),
		int64(p.Words), int64(p.Body), nullable(p.Language), nullable(string(p.Conflict)), extensions,
		int64(flag(p.Reused, 1)), int64(p.Security), day(p.CertificateEnd))
	values = append(values, facts[:]...)
	rendered, err := encodeJSON(p.Rendered)
	if err != nil {
		return err
	}
	difference, err := encodeJSON(p.Difference)
	if err != nil {
		return err
	}
	f.values = append(values, int64(p.SessionLinks), int64(flag(p.TooManyLinks, 1)),
		nullable(string(p.RenderReason)), rendered, encodeContent(&p.Content), nullable(p.Given.String()), difference)
	err = f.insertFetch.Exec(f.values...)
	if err != nil || len(p.Links)+len(p.Anchors)+len(p.Shingles) == 0 {
		return err
	}
	f.edges = appendEdges(f.edges[:0], p.Links)
	f.anchors = appendHashes(f.anchors[:0], p.Anchors)
	var shingles driver.Value
	if len(p.Shingles) > 0 {
		f.shingles = appendHashes(f.shingles[:0], p.Shingles)
		shingles = f.shingles
	}
	return f.insertLink.Exec(int64(p.ID), f.edges, f.anchors, shingles)
}

// unixMilli returns null for the zero time.
func unixMilli(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// encodeJSON returns JSON, or null for nil.
func encodeJSON[T any](value *T) (driver.Value, error) {
	if value == nil {
		return nil, nil
	}
	encoded, err := json.Marshal(value)
	return string(encoded), err
}

// decodeJSON reads what encodeJSON wrote. It returns nil for anything else.
func decodeJSON[T any](encoded string) *T {
	if encoded == "" {
		return nil
	}
	var value T
	if json.Unmarshal([]byte(encoded), &value) != nil {
		return nil
	}
	return &value
}

// encodeContent returns the version, a bit for each sum that is not 0, and these sums, as little-endian numbers, or
// null where they are not known.
func encodeContent(c *content.Sums) driver.Value {
	if c.Version == 0 {
		return nil
	}
	encoded, present := []byte{c.Version, 0, 0}, uint16(0)
	for i, sum := range c.All() {
		if *sum != 0 {
			present |= 1 << i
			encoded = binary.LittleEndian.AppendUint64(encoded, *sum)
		}
	}
	binary.LittleEndian.PutUint16(encoded[1:], present)
	return encoded
}

// decodeContent reads what encodeContent wrote. It returns the zero value for anything else.
func decodeContent(encoded []byte) (c content.Sums) {
	if len(encoded) < 3 {
		return c
	}
	present, rest := binary.LittleEndian.Uint16(encoded[1:]), encoded[3:]
	if len(rest) != 8*bits.OnesCount16(present) {
		return c
	}
	c.Version = encoded[0]
	for i, sum := range c.All() {
		if present&(1<<i) != 0 {
			*sum, rest = binary.LittleEndian.Uint64(rest), rest[8:]
		}
	}
	return c
}
