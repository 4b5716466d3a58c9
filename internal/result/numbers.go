package result

import (
	"encoding/binary"
	"math"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
)

// blockLength is the number of URLs in a block. Block i has the IDs from i*blockLength.
const blockLength = 1024

// numbersSize is the bytes of the numbers of a URL.
const numbersSize = 40

// numbers are what lists are filtered and sorted by.
type numbers struct {
	decision uint8 // index of the decision in the names of the file
	flags    uint8
	media    uint16 // index of the media type in the names of the file
	status   uint16
	role     crawl.Role
	depth    int32
	linked   uint32
	links    uint32
	before   uint32 // the ID before it on a shortest path from the start, or 0
	folder   uint32
	took     uint32 // milliseconds
	size     uint32 // bytes, or the largest number
	order    uint32 // among the pages of the site by URL, from 1; 0 for other URLs
}

// The flags of a URL.
const (
	flagPresent = 1 << iota // the crawl has a URL with this ID
	flagTried               // it was requested
	flagOnSite              // it is, or could be, a page of the site
	flagSeeds               // the first of the bits of crawl.SeedSource
)

// newNumbers returns the numbers that an entry has by itself.
func newNumbers(e *report.Entry) numbers {
	n := numbers{
		flags: flagPresent, status: uint16(min(max(e.Page.Status, 0), math.MaxUint16)), role: e.Link.Role % 3,
		depth: e.Depth, linked: e.Linked, links: e.Links, before: uint32(e.Before),
		took: clamp(e.Page.Duration.Milliseconds()), size: clamp(e.Page.Size),
	}
	if e.Requested() || e.Fetched && e.Link.Role != crawl.RolePage {
		n.flags |= flagTried
	}
	if e.OnSite {
		n.flags |= flagOnSite
	}
	n.flags |= uint8(e.Link.SeededBy) * flagSeeds
	return n
}

func clamp(n int64) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }

// put writes the numbers to a slice of numbersSize bytes.
func (n *numbers) put(b []byte) {
	put := binary.LittleEndian
	b[0], b[1], b[6] = n.decision, n.flags, uint8(n.role)
	put.PutUint16(b[2:], n.media)
	put.PutUint16(b[4:], n.status)
	for i, value := range [...]uint32{
		uint32(n.depth), n.linked, n.links, n.before, n.folder, n.took, n.size, n.order,
	} {
		put.PutUint32(b[8+4*i:], value)
	}
}

// read reads what put wrote.
func (n *numbers) read(b []byte) {
	get := binary.LittleEndian
	_ = b[numbersSize-1]
	*n = numbers{
		decision: b[0], flags: b[1], role: crawl.Role(b[6]), media: get.Uint16(b[2:]), status: get.Uint16(b[4:]),
		depth: int32(get.Uint32(b[8:])), linked: get.Uint32(b[12:]), links: get.Uint32(b[16:]),
		before: get.Uint32(b[20:]), folder: get.Uint32(b[24:]), took: get.Uint32(b[28:]), size: get.Uint32(b[32:]),
		order: get.Uint32(b[36:]),
	}
}
