package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

// ErrDamaged means that a record of the journal is not what was written.
var ErrDamaged = errors.New("the journal is damaged")

// decoder reads what an encoder wrote. After the first value that cannot be read, all
// are zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) fail() {
	d.bad, d.b = true, nil
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[size:]
	return n
}

// small reads a number that a crawl keeps in an int.
func (d *decoder) small() int {
	n := d.int()
	if n < math.MinInt32 || n > math.MaxInt32 {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return ""
	}
	text := string(d.b[:n])
	d.b = d.b[n:]
	return text
}

// count reads the number of elements. Each element takes a byte or more.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) fixed() uint64 {
	if len(d.b) < 8 {
		d.fail()
		return 0
	}
	n := binary.LittleEndian.Uint64(d.b)
	d.b = d.b[8:]
	return n
}

// flags reads what encoder.flags packed.
func (d *decoder) flags(values ...*bool) {
	if len(d.b) == 0 {
		d.fail()
		return
	}
	for i, value := range values {
		*value = d.b[0]&(1<<i) != 0
	}
	d.b = d.b[1:]
}

// list reads the elements of a list, nil when it is empty.
func list[T any](d *decoder, read func() T) (all []T) {
	for range d.count() {
		if d.bad {
			return nil
		}
		all = append(all, read())
	}
	return all
}

// decodeCommit reads what encodeCommit wrote.
func decodeCommit(b []byte) (c crawl.Commit, err error) {
	d := &decoder{b: b}
	c.Found = list(d, d.link)
	c.Seeds = list(d, func() crawl.SeedMark {
		return crawl.SeedMark{ID: d.id(), Source: crawl.SeedSource(d.uint())}
	})
	c.Done = list(d, d.page)
	if d.bad || len(d.b) > 0 {
		return crawl.Commit{}, fmt.Errorf("%w: a commit cannot be read", ErrDamaged)
	}
	return c, nil
}

func (d *decoder) id() crawl.ID { return crawl.ID(d.int()) }

func (d *decoder) link() crawl.Link {
	return crawl.Link{
		ID: d.id(), URL: d.text(), From: d.id(), Depth: d.small(), Hops: d.small(), Role: crawl.Role(d.uint()),
		Reason: crawl.Reason(d.text()), Detail: crawl.Detail(d.text()), RequestedURL: d.text(),
	}
}

func (d *decoder) page() (p crawl.Page) {
	p.ID = d.id()
	var hasFacts, hasExtensions, hasTime, isRendered, differs bool
	d.flags(&p.Reused, &p.TooManyLinks, &hasFacts, &hasExtensions, &hasTime, &isRendered, &differs)
	if hasTime {
		p.Time = time.UnixMilli(d.int()).UTC()
	}
	p.Status = d.small()
	p.Reason, p.Detail, p.Target = crawl.Reason(d.text()), crawl.Detail(d.text()), d.id()
	p.MediaType, p.Size, p.Transferred = d.text(), d.int(), d.int()
	p.Duration = time.Duration(d.int()) * time.Microsecond
	p.Title = d.text()
	p.LastMod = d.date()
	p.LastModSource = crawl.LastModSource(d.text())
	p.ETag, p.LastModified = d.text(), d.text()
	p.Digest, p.Body, p.Words = d.fixed(), d.fixed(), d.small()
	p.Language, p.Conflict, p.SessionLinks = d.text(), crawl.Detail(d.text()), d.small()
	p.Security, p.CertificateEnd = crawl.Security(d.uint()), d.day()
	p.Anchors, p.Shingles = d.hashes(), d.hashes()
	p.Links = list(d, d.edge)
	if hasFacts {
		p.Facts = d.facts()
	}
	p.RenderReason = crawl.RenderReason(d.text())
	if isRendered {
		p.Rendered = &crawl.Rendered{}
		d.json(p.Rendered)
	}
	p.Content, p.Given = d.content(), d.date()
	if differs {
		p.Difference = &crawl.Difference{}
		d.json(p.Difference)
	}
	if hasExtensions {
		p.Extensions = &sitemap.Extensions{}
		d.json(p.Extensions)
	}
	return p
}

func (d *decoder) content() (c crawl.Content) {
	if c.Version = uint8(d.uint()); c.Version == 0 {
		return c
	}
	for _, sum := range c.Sums() {
		*sum = d.fixed()
	}
	return c
}

// json reads a value that was appended as JSON.
func (d *decoder) json(into any) {
	if json.Unmarshal([]byte(d.text()), into) != nil {
		d.fail()
	}
}

func (d *decoder) hashes() []uint32 {
	var hash uint32
	return list(d, func() uint32 {
		hash += uint32(d.uint())
		return hash
	})
}

func (d *decoder) day() time.Time {
	days := d.small()
	if days == 0 {
		return time.Time{}
	}
	return time.Unix(int64(days)*secondsOfDay, 0).UTC()
}

func (d *decoder) date() sitemap.Date {
	text := d.text()
	if text == "" {
		return sitemap.Date{}
	}
	date, err := sitemap.ParseDate(text)
	if err != nil {
		d.fail()
	}
	return date
}

func (d *decoder) edge() (e crawl.Edge) {
	e.To, e.Kind = d.id(), crawl.EdgeKind(d.uint())
	d.flags(&e.Nofollow)
	e.Fragment, e.Text, e.Position = d.text(), d.text(), d.position()
	return e
}

func (d *decoder) position() crawl.Position {
	return crawl.Position{Line: d.small(), Column: d.small()}
}

func (d *decoder) facts() *crawl.Facts {
	f := &crawl.Facts{
		Description: d.text(), H1: d.text(), Images: d.small(), ImagesWithoutAlt: d.small(), Parts: crawl.Parts(d.uint()),
		OpenGraph: crawl.OpenGraph(d.uint()), OpenGraphType: d.text(), JSONLD: d.text(),
	}
	d.flags(&f.NeedsScript)
	f.Faults = list(d, func() crawl.Fault {
		return crawl.Fault{Rule: d.text(), Kind: d.text(), Text: d.text(), Count: d.small(), Position: d.position()}
	})
	return f
}
