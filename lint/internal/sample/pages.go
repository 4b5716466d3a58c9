package sample

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/mapatools/mapa/internal/tempfile"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// Pages holds the pages to request until all files are read, since a server would
// not wait that long with the rest of a sitemap: a sample in memory, or all pages
// in a temporary file.
type Pages struct {
	sampler *sampler // nil for all pages
	mutex   sync.Mutex
	file    tempfile.File
	files   map[uint32]*filePages
	err     error // the first
}

// filePages is where the pages of one sitemap are in the temporary file.
type filePages struct {
	buffer []byte
	chunks []chunk
}

type chunk struct {
	offset int64
	size   int
}

const chunkSize = 64 << 10

// NewPages returns a sample of so many pages, or all pages where sample is not
// positive.
func NewPages(sample int) *Pages {
	p := &Pages{files: map[uint32]*filePages{}}
	if sample > 0 {
		p.sampler = newSampler(sample)
	}
	return p
}

// Add offers an entry of the file with a number. Entries that are not pages of the
// web are left out.
func (p *Pages) Add(file uint32, e *scan.Entry, reader *sitemap.Reader) {
	if e.Traits&scan.UnusualLoc != 0 && !scan.IsAbsolute(string(e.Loc)) {
		return
	}
	if p.sampler == nil {
		p.write(file, newListing(e, reader, -1))
		return
	}
	stratum, hash := stratumOf(file, e.Loc)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.sampler.offer(stratum, hash, file, func() *Listing { return newListing(e, reader, maxImages) })
}

// write adds a page to the temporary file.
func (p *Pages) write(file uint32, page *Listing) {
	text, err := json.Marshal(page)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.err = cmp.Or(p.err, err)
	f := p.files[file]
	if f == nil {
		f = &filePages{}
		p.files[file] = f
	}
	f.buffer = append(append(f.buffer, text...), '\n')
	if len(f.buffer) >= chunkSize {
		p.flushLocked(f)
	}
}

func (p *Pages) flushLocked(f *filePages) {
	offset := p.file.Size()
	_, err := p.file.Write(f.buffer)
	p.err = cmp.Or(p.err, err)
	f.chunks = append(f.chunks, chunk{offset, len(f.buffer)})
	f.buffer = f.buffer[:0]
}

// EndFile ends the file with a number.
func (p *Pages) EndFile(file uint32) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if f := p.files[file]; f != nil {
		p.flushLocked(f)
		f.buffer = nil
	}
}

// each calls visit with every page, by file and position, until it returns false.
func (p *Pages) each(visit func(file uint32, page *Listing) bool) error {
	if p.err != nil {
		return p.err
	}
	if p.sampler != nil {
		for _, c := range p.sampler.sample() {
			if !visit(c.file, c.page) {
				return nil
			}
		}
		return nil
	}
	var files []uint32
	for file := range p.files {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		for _, c := range p.files[file].chunks {
			if more, err := p.read(c, file, visit); !more || err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Pages) read(c chunk, file uint32, visit func(file uint32, page *Listing) bool) (more bool, err error) {
	text := make([]byte, c.size)
	if _, err := p.file.ReadAt(text, c.offset); err != nil {
		return false, err
	}
	for line := range bytes.Lines(text) {
		page := &Listing{}
		if err := json.Unmarshal(line, page); err != nil {
			return false, fmt.Errorf("reading a temporary file: %w", err)
		}
		if !visit(file, page) {
			return false, nil
		}
	}
	return true, nil
}

// Close removes the temporary file.
func (p *Pages) Close() { p.file.Close() }
