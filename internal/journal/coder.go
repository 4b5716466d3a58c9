package journal

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/sitemap"
)

// recordVersion is the version of what encodeCommit writes. A worker leaves jobs of other
// versions alone.
const recordVersion = 2

// ErrDamaged means that a record of the journal is not what was written.
var ErrDamaged = errors.New("the journal is damaged")

// coder appends values to b or, if it reads, takes them from b: one description of a value serves
// both. Numbers are varints, texts have their lengths. After the first value that cannot be read,
// all are zero.
type coder struct {
	b     []byte
	reads bool
	bad   bool // a value could not be read
}

func (c *coder) fail() { c.bad, c.b = true, nil }

func (c *coder) uvarint(n uint64) uint64 {
	if !c.reads {
		c.b = binary.AppendUvarint(c.b, n)
		return n
	}
	n, size := binary.Uvarint(c.b)
	if size <= 0 {
		c.fail()
		return 0
	}
	c.b = c.b[size:]
	return n
}

// varint has the sign in the lowest bit, as in [binary.AppendVarint].
func (c *coder) varint(n int64) int64 {
	u := c.uvarint(uint64(n)<<1 ^ uint64(n>>63))
	return int64(u>>1) ^ -int64(u&1)
}

// What is written is not assigned to: other goroutines may read it.

func unsigned[T ~uint8](c *coder, n *T) {
	if v := c.uvarint(uint64(*n)); c.reads {
		*n = T(v)
	}
}

func signed[T ~int64](c *coder, n *T) {
	if v := c.varint(int64(*n)); c.reads {
		*n = T(v)
	}
}

// small is a number that a crawl keeps in an int.
func (c *coder) small(n *int) {
	v := c.varint(int64(*n))
	if !c.reads {
		return
	}
	if v < math.MinInt32 || v > math.MaxInt32 {
		c.fail()
		v = 0
	}
	*n = int(v)
}

// length is the number of elements or bytes of a value. Each element takes a byte or more.
func (c *coder) length(n int) int {
	v := c.uvarint(uint64(n))
	if c.reads && v > uint64(len(c.b)) {
		c.fail()
		return 0
	}
	return int(v)
}

func text[T ~string](c *coder, s *T) {
	n := c.length(len(*s))
	if !c.reads {
		c.b = append(c.b, *s...)
		return
	}
	*s, c.b = T(c.b[:n]), c.b[n:]
}

func (c *coder) fixed(n *uint64) {
	switch {
	case !c.reads:
		c.b = binary.LittleEndian.AppendUint64(c.b, *n)
	case len(c.b) < 8:
		c.fail()
	default:
		*n, c.b = binary.LittleEndian.Uint64(c.b), c.b[8:]
	}
}

// flags packs up to eight booleans into a byte, the first one lowest.
func (c *coder) flags(values ...*bool) {
	var packed byte
	switch {
	case !c.reads:
		for i, value := range values {
			if *value {
				packed |= 1 << i
			}
		}
		c.b = append(c.b, packed)
		return
	case len(c.b) == 0:
		c.fail()
		return
	}
	packed, c.b = c.b[0], c.b[1:]
	for i, value := range values {
		*value = packed&(1<<i) != 0
	}
}

// list is the elements of a list. An empty one is read as nil.
func list[T any](c *coder, all *[]T, each func(*T)) {
	n := c.length(len(*all))
	for i := 0; i < n && !c.bad; i++ {
		if c.reads {
			*all = append(*all, *new(T))
		}
		each(&(*all)[i])
	}
}

// inJSON is a value that is there as JSON.
func inJSON[T any](c *coder, is bool, value **T) error {
	switch {
	case !is:
		return nil
	case !c.reads:
		encoded, err := json.Marshal(*value)
		written := string(encoded)
		text(c, &written)
		return err
	}
	var written string
	text(c, &written)
	*value = new(T)
	if json.Unmarshal([]byte(written), *value) != nil {
		c.fail()
	}
	return nil
}

// encodeCommit returns a commit as bytes.
func encodeCommit(commit *crawl.Commit) ([]byte, error) {
	c := &coder{}
	err := c.commit(commit)
	return c.b, err
}

// decodeCommit reads what encodeCommit wrote.
func decodeCommit(b []byte) (commit crawl.Commit, err error) {
	c := &coder{b: b, reads: true}
	err = c.commit(&commit)
	if c.bad || len(c.b) > 0 {
		return crawl.Commit{}, fmt.Errorf("%w: a commit cannot be read", ErrDamaged)
	}
	return commit, err
}

func (c *coder) commit(commit *crawl.Commit) (err error) {
	list(c, &commit.Found, c.link)
	list(c, &commit.Seeds, func(mark *crawl.Link) {
		signed(c, &mark.ID)
		unsigned(c, &mark.SeededBy)
	})
	list(c, &commit.Done, func(p *crawl.Page) {
		if failed := c.page(p); failed != nil && err == nil {
			err = fmt.Errorf("page %d: %w", p.ID, failed)
		}
	})
	return err
}

func (c *coder) link(l *crawl.Link) {
	signed(c, &l.ID)
	text(c, &l.URL)
	signed(c, &l.From)
	c.small(&l.Depth)
	c.small(&l.Hops)
	unsigned(c, &l.Role)
	text(c, &l.Reason)
	text(c, &l.Detail)
	text(c, &l.RequestedURL)
}

// page is a page as precisely as the crawl file has it: the time to the millisecond, Duration to
// the microsecond.
func (c *coder) page(p *crawl.Page) error {
	signed(c, &p.ID)
	hasFacts, hasExtensions, hasTime := p.Facts != nil, p.Extensions != nil, !p.Time.IsZero()
	isRendered, differs := p.Rendered != nil, p.Difference != nil
	c.flags(&p.Reused, &p.TooManyLinks, &hasFacts, &hasExtensions, &hasTime, &isRendered, &differs)
	if hasTime {
		if milliseconds := c.varint(p.Time.UnixMilli()); c.reads {
			p.Time = time.UnixMilli(milliseconds).UTC()
		}
	}
	c.small(&p.Status)
	text(c, &p.Reason)
	text(c, &p.Detail)
	signed(c, &p.Target)
	text(c, &p.MediaType)
	signed(c, &p.Size)
	signed(c, &p.Transferred)
	if microseconds := c.varint(p.Duration.Microseconds()); c.reads {
		p.Duration = time.Duration(microseconds) * time.Microsecond
	}
	text(c, &p.Title)
	c.date(&p.LastMod)
	text(c, &p.LastModSource)
	text(c, &p.ETag)
	text(c, &p.LastModified)
	c.fixed(&p.Digest)
	c.fixed(&p.Body)
	c.small(&p.Words)
	text(c, &p.Language)
	text(c, &p.Conflict)
	c.small(&p.SessionLinks)
	unsigned(c, &p.Security)
	c.day(&p.CertificateEnd)
	c.hashes(&p.Anchors)
	c.hashes(&p.Shingles)
	list(c, &p.Links, c.edge)
	if hasFacts {
		if c.reads {
			p.Facts = &crawl.Facts{}
		}
		c.facts(p.Facts)
	}
	text(c, &p.RenderReason)
	rendered := inJSON(c, isRendered, &p.Rendered)
	c.content(&p.Content)
	c.date(&p.Given)
	return cmp.Or(rendered, inJSON(c, differs, &p.Difference), inJSON(c, hasExtensions, &p.Extensions))
}

// content is the sums of a page, whose version says whether there are any.
func (c *coder) content(of *content.Sums) {
	if unsigned(c, &of.Version); of.Version == 0 {
		return
	}
	for _, sum := range of.All() {
		c.fixed(sum)
	}
}

// day is the days of a time since 1970, and 0 for the zero time.
func (c *coder) day(t *time.Time) {
	days := 0
	if !t.IsZero() {
		days = int(t.Unix() / secondsOfDay)
	}
	if c.small(&days); c.reads && days != 0 {
		*t = time.Unix(int64(days)*secondsOfDay, 0).UTC()
	}
}

const secondsOfDay = 24 * 60 * 60

func (c *coder) date(d *sitemap.Date) {
	written := d.String()
	if text(c, &written); !c.reads || written == "" {
		return
	}
	var err error
	if *d, err = sitemap.ParseDate(written); err != nil {
		c.fail()
	}
}

// hashes is sorted hashes as the differences between them.
func (c *coder) hashes(hashes *[]uint32) {
	var before uint32
	list(c, hashes, func(hash *uint32) {
		if difference := c.uvarint(uint64(*hash - before)); c.reads {
			*hash = before + uint32(difference)
		}
		before = *hash
	})
}

func (c *coder) edge(e *crawl.Edge) {
	signed(c, &e.To)
	unsigned(c, &e.Kind)
	c.flags(&e.Nofollow)
	text(c, &e.Fragment)
	text(c, &e.Text)
	c.position(&e.Position)
}

func (c *coder) position(p *crawl.Position) {
	c.small(&p.Line)
	c.small(&p.Column)
}

func (c *coder) facts(f *crawl.Facts) {
	text(c, &f.Description)
	text(c, &f.H1)
	c.small(&f.Images)
	c.small(&f.ImagesWithoutAlt)
	unsigned(c, &f.Parts)
	unsigned(c, &f.OpenGraph)
	text(c, &f.OpenGraphType)
	text(c, &f.JSONLD)
	c.flags(&f.NeedsScript)
	list(c, &f.Faults, func(fault *crawl.Fault) {
		text(c, &fault.Rule)
		text(c, &fault.Kind)
		text(c, &fault.Text)
		c.small(&fault.Count)
		c.position(&fault.Position)
	})
}
