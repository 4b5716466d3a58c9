package journal

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// recordVersion is the version of what encodeCommit writes. A worker leaves jobs of other
// versions alone.
const recordVersion = 2

// encoder appends values: numbers as varints, texts with their lengths.
type encoder struct{ b []byte }

func (e *encoder) uint(n uint64) { e.b = binary.AppendUvarint(e.b, n) }
func (e *encoder) int(n int64)   { e.b = binary.AppendVarint(e.b, n) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// flags packs up to eight booleans into a byte, the first one lowest.
func (e *encoder) flags(values ...bool) {
	var packed byte
	for i, value := range values {
		if value {
			packed |= 1 << i
		}
	}
	e.b = append(e.b, packed)
}

// encodeCommit returns a commit as bytes.
func encodeCommit(c *crawl.Commit) ([]byte, error) {
	e := &encoder{}
	e.uint(uint64(len(c.Found)))
	for i := range c.Found {
		e.link(&c.Found[i])
	}
	e.uint(uint64(len(c.Seeds)))
	for _, mark := range c.Seeds {
		e.int(int64(mark.ID))
		e.uint(uint64(mark.Source))
	}
	e.uint(uint64(len(c.Done)))
	for i := range c.Done {
		if err := e.page(&c.Done[i]); err != nil {
			return nil, fmt.Errorf("page %d: %w", c.Done[i].ID, err)
		}
	}
	return e.b, nil
}

func (e *encoder) link(l *crawl.Link) {
	e.int(int64(l.ID))
	e.text(l.URL)
	e.int(int64(l.From))
	e.int(int64(l.Depth))
	e.int(int64(l.Hops))
	e.uint(uint64(l.Role))
	e.text(string(l.Reason))
	e.text(string(l.Detail))
	e.text(l.RequestedURL)
}

// page appends a page as precisely as the crawl file has it: the time to the
// millisecond, Duration to the microsecond.
func (e *encoder) page(p *crawl.Page) error {
	e.int(int64(p.ID))
	e.flags(p.Reused, p.TooManyLinks, p.Facts != nil, p.Extensions != nil, !p.Time.IsZero(), p.Rendered != nil,
		p.Difference != nil)
	if !p.Time.IsZero() {
		e.int(p.Time.UnixMilli())
	}
	e.int(int64(p.Status))
	e.text(string(p.Reason))
	e.text(string(p.Detail))
	e.int(int64(p.Target))
	e.text(p.MediaType)
	e.int(p.Size)
	e.int(p.Transferred)
	e.int(p.Duration.Microseconds())
	e.text(p.Title)
	e.text(p.LastMod.String())
	e.text(string(p.LastModSource))
	e.text(p.ETag)
	e.text(p.LastModified)
	e.b = binary.LittleEndian.AppendUint64(e.b, p.Digest)
	e.b = binary.LittleEndian.AppendUint64(e.b, p.Body)
	e.int(int64(p.Words))
	e.text(p.Language)
	e.text(string(p.Conflict))
	e.int(int64(p.SessionLinks))
	e.uint(uint64(p.Security))
	e.day(p.CertificateEnd)
	e.hashes(p.Anchors)
	e.hashes(p.Shingles)
	e.edges(p.Links)
	if p.Facts != nil {
		e.facts(p.Facts)
	}
	e.text(string(p.RenderReason))
	if err := e.json(p.Rendered != nil, p.Rendered); err != nil {
		return err
	}
	e.content(&p.Content)
	e.text(p.Given.String())
	if err := e.json(p.Difference != nil, p.Difference); err != nil {
		return err
	}
	return e.json(p.Extensions != nil, p.Extensions)
}

// content appends the sums of a page, whose version says whether there are any.
func (e *encoder) content(c *crawl.Content) {
	e.uint(uint64(c.Version))
	if c.Version == 0 {
		return
	}
	for _, sum := range c.Sums() {
		e.b = binary.LittleEndian.AppendUint64(e.b, *sum)
	}
}

// json appends a value that is there as JSON.
func (e *encoder) json(is bool, value any) error {
	if !is {
		return nil
	}
	encoded, err := json.Marshal(value)
	e.text(string(encoded))
	return err
}

// day appends the days of a time since 1970, and 0 for the zero time.
func (e *encoder) day(t time.Time) {
	if t.IsZero() {
		e.int(0)
		return
	}
	e.int(t.Unix() / secondsOfDay)
}

const secondsOfDay = 24 * 60 * 60

// hashes appends sorted hashes as the differences between them.
func (e *encoder) hashes(hashes []uint32) {
	e.uint(uint64(len(hashes)))
	var before uint32
	for _, hash := range hashes {
		e.uint(uint64(hash - before))
		before = hash
	}
}

func (e *encoder) edges(edges []crawl.Edge) {
	e.uint(uint64(len(edges)))
	for i := range edges {
		edge := &edges[i]
		e.int(int64(edge.To))
		e.uint(uint64(edge.Kind))
		e.flags(edge.Nofollow)
		e.text(edge.Fragment)
		e.text(edge.Text)
		e.position(edge.Position)
	}
}

func (e *encoder) position(p crawl.Position) {
	e.int(int64(p.Line))
	e.int(int64(p.Column))
}

func (e *encoder) facts(f *crawl.Facts) {
	e.text(f.Description)
	e.text(f.H1)
	e.int(int64(f.Images))
	e.int(int64(f.ImagesWithoutAlt))
	e.uint(uint64(f.Parts))
	e.uint(uint64(f.OpenGraph))
	e.text(f.OpenGraphType)
	e.text(f.JSONLD)
	e.flags(f.NeedsScript)
	e.uint(uint64(len(f.Faults)))
	for _, fault := range f.Faults {
		e.text(fault.Rule)
		e.text(fault.Kind)
		e.text(fault.Text)
		e.int(int64(fault.Count))
		e.position(fault.Position)
	}
}
