package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// A listing is what a sitemap says of a page that is to be asked for.
type listing struct {
	Loc, LastMod       string
	At, LastModAt      spot
	Alternates         []rendition
	AlternatesAt       spot
	Images, Thumbnails []picture
}

// A rendition is the page in another language.
type rendition struct{ Hreflang, Href string }

// A picture is an image or a thumbnail of the page.
type picture struct {
	URL string
	At  spot
}

// A spot is a place in a file, as in [Finding].
type spot struct {
	Offset       int64
	Line, Column int
	Source       string
	Caret        int
}

// picturesMax is how many images of a page, and how many thumbnails, a sample
// holds: a page may have a thousand.
const picturesMax = 10

// A roll holds the pages to be asked for until all files are read, since a server
// would not wait that long with the rest of a sitemap: in memory those of a
// sample, and in a temporary file when it is all of them.
type roll struct {
	sampler *sampler // nil for all pages
	mutex   sync.Mutex
	spill   scratchFile
	pages   map[uint32]*rollFile
	err     error // the first
}

// A rollFile is where the pages of one file lie.
type rollFile struct {
	buffer []byte
	pieces []piece
}

func newRoll(sample int) *roll {
	r := &roll{pages: map[uint32]*rollFile{}}
	if sample > 0 {
		r.sampler = newSampler(sample)
	}
	return r
}

// take notes the page at hand, if it can be asked for.
func (r *roll) take(v *visit) {
	if v.traits&needsOddLoc != 0 && !isAbsolute(string(v.entry.Loc)) {
		return
	}
	if r.sampler == nil {
		r.write(v.number, newListing(v, -1))
		return
	}
	stratum, hash := stratumOf(v.number, v.entry.Loc)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.sampler.offer(stratum, hash, v.number, func() *listing { return newListing(v, picturesMax) })
}

func newListing(v *visit, pictures int) *listing {
	l := &listing{Loc: string(v.entry.Loc), LastMod: string(v.entry.LastMod), At: spotOf(v, "loc", 0)}
	if l.LastMod != "" {
		l.LastModAt = spotOf(v, "lastmod", 0)
	}
	if v.traits&(needsAlternates|needsImages|needsVideos) == 0 {
		return l
	}
	extensions := v.extensions()
	for _, a := range extensions.Alternates {
		if a.Hreflang != "" && a.Href != "" {
			l.Alternates = append(l.Alternates, rendition{a.Hreflang, a.Href})
		}
	}
	l.AlternatesAt = spotOf(v, "xhtml:link", 0)
	for n, image := range extensions.Images {
		if image.Loc != "" && (pictures < 0 || n < pictures) {
			l.Images = append(l.Images, picture{image.Loc, spotOf(v, "image:image", n)})
		}
	}
	for n, video := range extensions.Videos {
		if video.ThumbnailLoc != "" && (pictures < 0 || n < pictures) {
			l.Thumbnails = append(l.Thumbnails, picture{video.ThumbnailLoc, spotOf(v, "video:video", n)})
		}
	}
	return l
}

func spotOf(v *visit, element string, n int) (s spot) {
	s.Offset, s.Line, s.Column = v.entry.Source().Find(element, n)
	s.Source, s.Caret = v.file.Reader().Inspect().Line(s.Offset)
	return s
}

// write keeps a page in the temporary file.
func (r *roll) write(file uint32, page *listing) {
	text, err := json.Marshal(page)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.err = cmp.Or(r.err, err)
	f := r.pages[file]
	if f == nil {
		f = &rollFile{}
		r.pages[file] = f
	}
	f.buffer = append(append(f.buffer, text...), '\n')
	if len(f.buffer) >= pieceSize {
		r.flush(f)
	}
}

func (r *roll) flush(f *rollFile) {
	at, err := r.spill.write(f.buffer)
	r.err = cmp.Or(r.err, err)
	f.pieces = append(f.pieces, piece{at: at, size: len(f.buffer)})
	f.buffer = f.buffer[:0]
}

// done ends a file.
func (r *roll) done(file uint32) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if f := r.pages[file]; f != nil {
		r.flush(f)
		f.buffer = nil
	}
}

// each calls ask with every page, by file and place, until it returns false.
func (r *roll) each(ask func(file uint32, page *listing) bool) error {
	if r.err != nil {
		return r.err
	}
	if r.sampler != nil {
		for _, c := range r.sampler.sample() {
			if !ask(c.file, c.page) {
				return nil
			}
		}
		return nil
	}
	var files []uint32
	for file := range r.pages {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		for _, piece := range r.pages[file].pieces {
			if more, err := r.read(piece, file, ask); !more || err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *roll) read(p piece, file uint32, ask func(file uint32, page *listing) bool) (more bool, err error) {
	text := make([]byte, p.size)
	if _, err := r.spill.file.ReadAt(text, p.at); err != nil {
		return false, fmt.Errorf("reading a temporary file: %w", err)
	}
	for line := range bytes.Lines(text) {
		page := &listing{}
		if err := json.Unmarshal(line, page); err != nil {
			return false, fmt.Errorf("reading a temporary file: %w", err)
		}
		if !ask(file, page) {
			return false, nil
		}
	}
	return true, nil
}

func (r *roll) close() {
	if r != nil {
		r.spill.close()
	}
}
