package crawl

import (
	"unsafe"

	"github.com/mapatools/mapa/sitemap"
)

// Results wait in memory to be written. They are counted in bytes, since one page can
// have megabytes of them: workers wait while more than maxUnsavedBytes do.
const (
	maxUnsavedBytes = 8 << 20
	commitBytes     = maxUnsavedBytes / 2
)

// maxLargePages is how many large pages are read for their links at once. A page is
// large when its body has more than maxBuffer bytes: it needs several times as much
// until its results are recorded.
const maxLargePages = 2

// maxLargeBodies is about how many bytes of large bodies are in memory at once.
const maxLargeBodies = 8 << 20

// weight is about how many bytes of memory the link takes.
func (l *Link) weight() int {
	return int(unsafe.Sizeof(*l)) + len(l.URL) + len(l.RequestedURL)
}

// weight is about how many bytes of memory the result takes.
func (p *Page) weight() int {
	weight := int(unsafe.Sizeof(*p)) + len(p.Detail) + len(p.Title) + len(p.Conflict) +
		4*(len(p.Anchors)+len(p.Shingles)) + p.Facts.weight() + p.Rendered.weight() + p.Difference.Weight() +
		len(p.Links)*int(unsafe.Sizeof(Edge{}))
	for i := range p.Links {
		weight += len(p.Links[i].Fragment) + len(p.Links[i].Text)
	}
	if e := p.Extensions; e != nil {
		for i := range e.Images {
			weight += imageWeight(&e.Images[i])
		}
		for i := range e.Videos {
			weight += videoWeight(&e.Videos[i])
		}
		for i := range e.Alternates {
			weight += alternateWeight(&e.Alternates[i])
		}
	}
	return weight
}

func imageWeight(i *sitemap.Image) int { return int(unsafe.Sizeof(*i)) + len(i.Loc) }

func videoWeight(v *sitemap.Video) int {
	return int(unsafe.Sizeof(*v)) + len(v.ThumbnailLoc) + len(v.Title) + len(v.Description) + len(v.ContentLoc) +
		len(v.Player.Loc)
}

func alternateWeight(a *sitemap.Alternate) int {
	return int(unsafe.Sizeof(*a)) + len(a.Hreflang) + len(a.Href)
}
