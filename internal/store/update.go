package store

import (
	"encoding/json"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// A difference that pages share is one of their template if so many have it, and they are half of the pages of their
// template. On a small site all pages must have it.
const (
	minTemplatePages = 10
	minSmallSite     = 3
)

// A date that so many pages got within an hour, or nearly all of few, is the time at which they were built.
const (
	minStamped     = 10
	minAllStamped  = 3
	stampedPercent = 90
)

// maxShared bounds the differences and templates that are counted. Further ones are not shared.
const maxShared = 1_000_000

// sharedPart is the difference of a part on pages of a template, or of all with template 0.
type sharedPart struct {
	template uint32
	part     content.Parts
	sum      uint64
}

// sharedChanges counts what pages with a difference to the previous crawl have in common.
type sharedChanges struct {
	counts    map[sharedPart]int
	noise     map[uint32]content.Parts // by template
	templates map[uint32]int           // pages of templates with a difference
	pages     int
	dated     int           // pages that give a date
	hours     map[int64]int // pages whose date moved there although nothing else has changed
}

// A changedPage is a page with a difference.
type changedPage struct {
	id       crawl.ID
	url      string
	template uint32
	*content.Difference
}

const selectDifferent = `select f.id, u.url, f.difference from fetch f join url u using (id)
where f.difference is not null and f.reason is null`

// settleUpdates decides which pages are updated, and sets their dates: a difference of the template, or
// one between any two answers, does not count.
func (f *File) settleUpdates() error {
	shared := sharedChanges{
		counts: map[sharedPart]int{}, noise: map[uint32]content.Parts{},
		templates: map[uint32]int{}, hours: map[int64]int{},
	}
	if err := f.eachChanged(shared.add); err != nil || len(shared.templates) == 0 {
		return err
	}
	err := f.db.Query("select u.url, f.given is not null from fetch f join url u using (id) where f.reason is null",
		func(r sqlite.Row) bool {
			shared.pages++
			shared.dated += r.Count(1)
			template := urlnorm.Template(r.Text(0))
			if _, differs := shared.templates[template]; differs {
				shared.templates[template]++
			}
			return true
		})
	if err != nil {
		return err
	}
	if err := f.eachChanged(shared.addStamp); err != nil {
		return err
	}
	update, err := f.db.Prepare("update fetch set lastmod = ?, lastmod_source = ?, given = ?, difference = ? where id = ?")
	if err != nil {
		return err
	}
	defer update.Close()
	return f.eachChanged(func(p *changedPage) error {
		dates := shared.decide(p)
		encoded, err := json.Marshal(p.Difference)
		if err != nil {
			return err
		}
		return update.Exec(nullable(dates.LastMod), nullable(string(dates.Source)), nullable(dates.Given), string(encoded),
			int64(p.id))
	})
}

// eachChanged calls do, which may write, with every listed page that has a difference.
func (f *File) eachChanged(do func(*changedPage) error) error {
	const batch = 10_000
	for last := crawl.ID(0); ; {
		var pages []changedPage
		err := f.db.Query(selectDifferent+" and f.id > ? order by f.id limit ?", func(r sqlite.Row) bool {
			last = crawl.ID(r.Number(0))
			if p, ok := changedPageOf(r); ok {
				pages = append(pages, p)
			}
			return true
		}, int64(last), int64(batch))
		if err != nil || len(pages) == 0 {
			return err
		}
		for i := range pages {
			if err := do(&pages[i]); err != nil {
				return err
			}
		}
	}
}

func changedPageOf(r sqlite.Row) (p changedPage, ok bool) {
	d := decodeJSON[content.Difference](r.Text(2))
	return changedPage{crawl.ID(r.Number(0)), r.Text(1), urlnorm.Template(r.Text(1)), d}, d != nil
}

// add counts the differences of a page.
func (s *sharedChanges) add(p *changedPage) error {
	if len(s.counts)+len(s.templates) >= maxShared {
		return nil
	}
	s.templates[p.template] = 0 // its pages are counted later
	s.noise[p.template] |= p.Noise
	for part := range p.Changed().All {
		sum := p.Sum(part)
		s.counts[sharedPart{0, part, sum}]++
		s.counts[sharedPart{p.template, part, sum}]++
	}
	return nil
}

// ignored returns the parts of a page whose differences do not count, and those of them that are of the template.
func (s *sharedChanges) ignored(p *changedPage) (ignored, ofTemplate content.Parts) {
	for part := range p.Changed().All {
		if part != content.PartPrices && s.isShared(p, part) {
			ofTemplate |= part
		}
	}
	return ofTemplate | s.noise[p.template], ofTemplate
}

// isShared reports whether the difference of a part is one of the template. In a list of links, the one to the page
// itself counts apart.
func (s *sharedChanges) isShared(p *changedPage, part content.Parts) bool {
	sums := []uint64{p.Sum(part)}
	if part == content.PartLinks {
		own := content.OwnLink(p.url)
		sums = append(sums, sums[0]+own, sums[0]-own)
	}
	for _, sum := range sums {
		all, here := s.counts[sharedPart{0, part, sum}], s.counts[sharedPart{p.template, part, sum}]
		if sum != sums[0] && all > 0 { // this page, whose difference is another sum, is one of them
			all, here = all+1, here+1
		}
		isSmall := s.pages >= minSmallSite && s.pages < minTemplatePages && all >= s.pages
		if isSmall || all >= minTemplatePages && 2*here >= s.templates[p.template] {
			return true
		}
	}
	return false
}

// addStamp counts a page whose date moved although its content is the same.
func (s *sharedChanges) addStamp(p *changedPage) error {
	if ignored, _ := s.ignored(p); p.IsStampLike(ignored) && len(s.hours) < maxShared {
		s.hours[hourOf(p.New.Given)]++
	}
	return nil
}

// hourOf returns the hours of a date since 1970.
func hourOf(date string) int64 {
	const secondsOfHour = 3600
	at, _ := sitemap.ParseDate(date)
	return at.Unix() / secondsOfHour
}

// decide sets whether a page is updated, and returns its dates.
func (s *sharedChanges) decide(p *changedPage) (dates content.Dates) {
	ignored, ofTemplate := s.ignored(p)
	hour := hourOf(p.New.Given)
	stamped := s.hours[hour-1] + s.hours[hour] + s.hours[hour+1]
	isStamp := stamped >= minStamped || stamped >= minAllStamped && 100*stamped >= stampedPercent*s.dated
	p.Updated, dates = p.Decide(ignored, isStamp)
	p.Template = ofTemplate
	p.Noise |= s.noise[p.template]
	return dates
}
