package crawl

import "unsafe"

// Results wait in memory to be written. They are counted in bytes, since one page can
// have megabytes of them: workers wait while more than maxUnsavedBytes do.
const (
	maxUnsavedBytes = 16 << 20
	commitBytes     = maxUnsavedBytes / 2
)

// maxLargePages is how many large pages are read for their links at once. A page is
// large when its body, or its links once they are absolute, have more than maxBuffer
// bytes: it needs several times as much until its results are recorded.
const maxLargePages = 2

// weight is about how many bytes of memory the link takes.
func (l *Link) weight() int {
	return int(unsafe.Sizeof(*l)) + len(l.URL) + len(l.Asked)
}

// weight is about how many bytes of memory the result takes.
func (p *Page) weight() int {
	weight := int(unsafe.Sizeof(*p)) + len(p.Detail) + len(p.Title) + len(p.Conflict) + 4*len(p.Anchors) +
		p.Facts.weight() + len(p.Links)*int(unsafe.Sizeof(Edge{}))
	for i := range p.Links {
		weight += len(p.Links[i].Fragment) + len(p.Links[i].Text)
	}
	if e := p.Extensions; e != nil {
		for i := range e.Images {
			weight += int(unsafe.Sizeof(e.Images[i])) + len(e.Images[i].Loc)
		}
		for i := range e.Videos {
			v := &e.Videos[i]
			weight += int(unsafe.Sizeof(*v)) + len(v.ThumbnailLoc) + len(v.Title) + len(v.Description) +
				len(v.ContentLoc) + len(v.Player.Loc)
		}
		for i := range e.Alternates {
			weight += int(unsafe.Sizeof(e.Alternates[i])) + len(e.Alternates[i].Href)
		}
	}
	return weight
}
