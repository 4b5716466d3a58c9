// Package pageset compares the pages of all sitemaps of a run with each other,
// and with those of a crawl, in bounded memory. It keeps a [record] of fixed size
// of each page and each link between pages, partitioned by a hash of the address,
// on disk beyond a bound; compares one partition at a time; and looks up the
// addresses and positions of the matches at the end, by reading the files again
// or, where that is impossible, from a log.
package pageset

import (
	"os"
	"sync"

	"github.com/mapatools/mapa/internal/partition"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Options set the bounds of a set and what it looks for.
type Options struct {
	Memory  int64 // bytes of records and positions held in memory
	Kinds   []Kind
	MaxEach int  // matches of one kind in one file that are kept; the rest are counted; negative keeps all
	Crawled bool // AddCrawl will be called
}

// Set is the pages of all files of a run.
type Set struct {
	options   Options
	wanted    [kindCount]bool
	seed      seed
	records   *partition.Set[record]
	positions positionStore

	mutex sync.Mutex
	files []*File                     // by number
	free  []*partition.Blocks[record] // that no file writes to
	err   error                       // the first
}

// New returns an empty set.
func New(options Options) *Set {
	s := &Set{
		options: options, seed: newSeed(),
		records: partition.New(options.Memory/8*7, recordCodec), positions: positionStore{memory: options.Memory / 8},
	}
	for _, k := range options.Kinds {
		s.wanted[k] = true
	}
	return s
}

// Close removes the temporary files.
func (s *Set) Close() {
	s.records.Close()
	s.positions.file.Close()
}

// File is a sitemap of the set.
type File struct {
	set      *Set
	number   uint32
	location string
	disk     os.FileInfo // of a file that can be read again; nil for all else
	log      positionLog // the positions in a file that cannot
	format   sitemap.Format
	media    scan.Traits // images, videos and news, as far as every page has them
}

// AddFile adds the next file. The order of calls is the order of matches; the
// files may be read in any order.
func (s *Set) AddFile(location string) *File {
	f := &File{set: s, location: location, log: positionLog{store: &s.positions}}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	f.number = uint32(len(s.files))
	s.files = append(s.files, f)
	return f
}

// Collect returns a collector of the pages of the file, which file reads.
func (f *File) Collect(file *source.File) *Collector {
	f.disk, f.format = regularFile(file), file.Format
	return &Collector{set: f.set, file: f}
}

func (s *Set) fail(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// takeBlocks returns blocks that another file began to fill, or new ones.
func (s *Set) takeBlocks() *partition.Blocks[record] {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		begun := s.free[last]
		s.free = s.free[:last]
		return begun
	}
	return &partition.Blocks[record]{}
}

func (s *Set) returnBlocks(begun *partition.Blocks[record]) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.free = append(s.free, begun)
}

// flush adds the blocks that are not full to the partitions.
func (s *Set) flush() {
	for _, begun := range s.free {
		s.records.AddAll(begun)
	}
	s.free = nil
}
