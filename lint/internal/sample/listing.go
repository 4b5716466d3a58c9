package sample

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// Listing is what a sitemap says about a page of the sample.
type Listing struct {
	Loc, LastMod       string
	At, LastModAt      Position
	Alternates         []Alternate
	AlternatesAt       Position
	Images, Thumbnails []Image
}

// Alternate is the page in another language.
type Alternate struct{ Hreflang, Href string }

// Image is an image or a thumbnail of the page.
type Image struct {
	URL string
	At  Position
}

// Position is a place in a file with the line around it.
type Position struct {
	Offset       int64
	Line, Column int
	Source       string
	Caret        int
}

// size is about how many bytes the texts of the listing have.
func (l *Listing) size() int {
	size := len(l.Loc) + len(l.LastMod) + len(l.At.Source) + len(l.LastModAt.Source) + len(l.AlternatesAt.Source)
	for _, a := range l.Alternates {
		size += len(a.Hreflang) + len(a.Href)
	}
	for _, images := range [][]Image{l.Images, l.Thumbnails} {
		for _, image := range images {
			size += len(image.URL) + len(image.At.Source)
		}
	}
	return size
}

// maxImages is how many images of a page, and how many thumbnails, a sample holds:
// a page may have a thousand.
const maxImages = 10

// newListing copies an entry with a number of its images, all where it is negative.
func newListing(e *scan.Entry, reader *sitemap.Reader, images int) *Listing {
	at := func(element string, n int) (p Position) {
		p.Offset, p.Line, p.Column = e.Source().Find(element, n)
		p.Source, p.Caret = reader.Inspect().Line(p.Offset)
		return p
	}
	l := &Listing{Loc: string(e.Loc), LastMod: string(e.LastMod), At: at("loc", 0)}
	if l.LastMod != "" {
		l.LastModAt = at("lastmod", 0)
	}
	if e.Traits&(scan.HasAlternates|scan.HasImages|scan.HasVideos) == 0 {
		return l
	}
	extensions := e.Parsed()
	for _, a := range extensions.Alternates {
		if a.Hreflang != "" && a.Href != "" {
			l.Alternates = append(l.Alternates, Alternate{a.Hreflang, a.Href})
		}
	}
	l.AlternatesAt = at("xhtml:link", 0)
	for n, image := range extensions.Images {
		if image.Loc != "" && (images < 0 || n < images) {
			l.Images = append(l.Images, Image{image.Loc, at("image:image", n)})
		}
	}
	for n, video := range extensions.Videos {
		if video.ThumbnailLoc != "" && (images < 0 || n < images) {
			l.Thumbnails = append(l.Thumbnails, Image{video.ThumbnailLoc, at("video:video", n)})
		}
	}
	return l
}
