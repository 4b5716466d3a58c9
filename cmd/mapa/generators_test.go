package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A pageEntry is what a sitemap says of a page.
type pageEntry struct{ lastMod, priority, title string }

// differences names the fields that differ, as events do.
func (e pageEntry) differences(from pageEntry) (names []string) {
	for _, field := range []struct{ name, a, b string }{
		{"lastmod", e.lastMod, from.lastMod}, {"priority", e.priority, from.priority}, {"news", e.title, from.title},
	} {
		if field.a != field.b {
			names = append(names, field.name)
		}
	}
	return names
}

// A document is a sitemap, or an index where it has children.
type document struct {
	children [][2]string // path and lastmod
	entries  []listedPage
}

type listedPage struct {
	loc string // a URL or a path
	pageEntry
}

// A generator is a site whose sitemaps a program makes from what its authors edit.
type generator interface {
	// edit makes the edits of some hours.
	edit(random *rand.Rand, hours int)
	// documents returns the sitemaps, by path. The one of robots.txt is /sitemap.xml.
	documents() map[string]document
}

// hourText is an hour as a lastmod.
func hourText(hour int) string {
	return time.Date(2026, 11, 1, hour, 0, 0, 0, time.UTC).Format("2006-01-02T15:04:05+00:00")
}

// A post is an article, or a page.
type post struct {
	slug               string
	published, changed int // hours
	title, category    string
}

// A blog makes its sitemaps as the usual plugin of WordPress does: an index of sitemaps of
// posts, pages and categories. Posts are in the order of their last change, so that an edit
// moves all later ones, across sitemaps. The lastmod of a sitemap in the index is the
// latest of its entries, which does not move when another one is deleted.
type blog struct {
	hour, made int
	posts      []post
	pages      []post
}

const postsPerSitemap = 12

func newBlog(random *rand.Rand) *blog {
	b := &blog{hour: 24}
	for range 30 {
		b.publish(random)
	}
	for _, slug := range []string{"about", "contact", "privacy"} {
		b.pages = append(b.pages, post{slug: slug, changed: b.hour})
	}
	return b
}

func (b *blog) publish(random *rand.Rand) {
	b.made++
	b.posts = append(b.posts, post{slug: fmt.Sprintf("post-%d", b.made), changed: b.hour + b.made%3,
		category: []string{"news", "recipes", "travel"}[random.IntN(3)]})
}

func (b *blog) edit(random *rand.Rand, hours int) {
	b.hour += hours
	for range random.IntN(4) {
		b.publish(random)
	}
	for range random.IntN(4) {
		p := &b.posts[random.IntN(len(b.posts))]
		switch random.IntN(6) {
		case 0: // another permalink
			p.slug += "-2"
			p.changed = b.hour
		case 1: // another date of publication, which is no change of the text
			p.changed = max(p.changed-random.IntN(10), 1)
		default:
			p.changed = b.hour + random.IntN(hours)
		}
	}
	if i := random.IntN(3 * len(b.posts)); i < len(b.posts) && len(b.posts) > 5 {
		b.posts = slices.Delete(b.posts, i, i+1)
	}
	switch random.IntN(20) {
	case 0: // an import
		for range 2 * postsPerSitemap {
			b.publish(random)
		}
	case 1: // a clean-up
		b.posts = b.posts[:max(len(b.posts)/2, 5)]
	case 2:
		b.pages[random.IntN(len(b.pages))].changed = b.hour
	}
}

func (b *blog) documents() map[string]document {
	all := map[string]document{}
	var index document
	add := func(path string, entries []listedPage) {
		latest := ""
		for _, e := range entries {
			latest = max(latest, e.lastMod)
		}
		index.children = append(index.children, [2]string{path, latest})
		all[path] = document{entries: entries}
	}
	sorted := slices.Clone(b.posts)
	slices.SortStableFunc(sorted, func(a, b post) int { return a.changed - b.changed })
	var listed []listedPage
	categories := map[string]int{}
	for _, p := range sorted {
		listed = append(listed, listedPage{"/" + p.slug + "/", pageEntry{lastMod: hourText(p.changed)}})
		categories[p.category] = max(categories[p.category], p.changed)
	}
	number := 0
	for part := range slices.Chunk(listed, postsPerSitemap) {
		path := "/post-sitemap.xml"
		if number++; number > 1 {
			path = fmt.Sprintf("/post-sitemap%d.xml", number)
		}
		add(path, part)
	}
	listed = []listedPage{{"/", pageEntry{lastMod: hourText(sorted[len(sorted)-1].changed)}}}
	for _, p := range b.pages {
		listed = append(listed, listedPage{"/" + p.slug + "/", pageEntry{lastMod: hourText(p.changed)}})
	}
	add("/page-sitemap.xml", listed)
	listed = nil
	for _, name := range []string{"news", "recipes", "travel"} {
		if at := categories[name]; at > 0 {
			listed = append(listed, listedPage{"/category/" + name + "/", pageEntry{lastMod: hourText(at)}})
		}
	}
	add("/category-sitemap.xml", listed)
	all["/sitemap.xml"] = index
	return all
}

// A staticSite makes one sitemap of all pages at every build, as Hugo does: sections have
// the lastmod of their latest page. A build may have the URLs of the machine of a
// developer, until the next one.
type staticSite struct {
	hour, made int
	pages      []post
	mistaken   bool
	built      document
}

func newStaticSite(random *rand.Rand) *staticSite {
	s := &staticSite{hour: 24}
	for range 40 {
		s.add(random)
	}
	s.build()
	return s
}

func (s *staticSite) add(random *rand.Rand) {
	s.made++
	section := []string{"docs", "blog", "api"}[random.IntN(3)]
	s.pages = append(s.pages, post{slug: fmt.Sprintf("%s/page-%d", section, s.made), changed: s.hour, category: section})
}

func (s *staticSite) edit(random *rand.Rand, hours int) {
	s.hour += hours
	for range random.IntN(3) {
		s.add(random)
	}
	for range random.IntN(5) {
		s.pages[random.IntN(len(s.pages))].changed = s.hour
	}
	if random.IntN(4) == 0 && len(s.pages) > 5 { // a draft again
		i := random.IntN(len(s.pages))
		s.pages = slices.Delete(s.pages, i, i+1)
	}
	if random.IntN(3) > 0 { // else it is not deployed yet
		s.mistaken = random.IntN(12) == 0
		s.build()
	}
}

func (s *staticSite) build() {
	base := ""
	if s.mistaken {
		base = "http://localhost:1313"
	}
	s.built = document{}
	latest := map[string]int{}
	for _, p := range s.pages {
		latest[p.category], latest[""] = max(latest[p.category], p.changed), max(latest[""], p.changed)
	}
	add := func(path, priority string, changed int) {
		s.built.entries = append(s.built.entries, listedPage{base + path, pageEntry{hourText(changed), priority, ""}})
	}
	add("/", "1.0", latest[""])
	for _, section := range []string{"docs", "blog", "api"} {
		add("/"+section+"/", "", latest[section])
	}
	for _, p := range s.pages {
		add("/"+p.slug+"/", "", p.changed)
	}
}

func (s *staticSite) documents() map[string]document {
	return map[string]document{"/sitemap.xml": s.built}
}

// A newspaper lists the articles of the last 48 hours in a sitemap of news, with their
// titles, and older ones in an archive of each week.
type newspaper struct {
	hour, made int
	articles   []post
}

func newNewspaper(random *rand.Rand) *newspaper {
	n := &newspaper{}
	for range 24 {
		n.edit(random, 4)
	}
	return n
}

func (n *newspaper) edit(random *rand.Rand, hours int) {
	n.hour += hours
	for range random.IntN(4) {
		n.made++
		n.articles = append(n.articles, post{slug: fmt.Sprintf("article-%d", n.made), published: n.hour - random.IntN(hours),
			changed: n.hour, title: fmt.Sprintf("Headline %d", n.made)})
	}
	if len(n.articles) == 0 {
		return
	}
	last := len(n.articles) - 1 - random.IntN(min(len(n.articles), 8))
	switch random.IntN(6) {
	case 0:
		n.articles[last].title += ", corrected"
		n.articles[last].changed = n.hour
	case 1: // retracted
		n.articles = slices.Delete(n.articles, last, last+1)
	}
}

func (n *newspaper) documents() map[string]document {
	const window, week = 48, 7 * 24
	all := map[string]document{}
	var news document
	var index document
	archives := map[string]document{}
	for _, a := range n.articles {
		if n.hour-a.published < window {
			news.entries = append(news.entries, listedPage{"/" + a.slug, pageEntry{title: a.title}})
			continue
		}
		path := fmt.Sprintf("/archive-%d.xml", a.published/week)
		archive := archives[path]
		archive.entries = append(archive.entries, listedPage{"/" + a.slug, pageEntry{lastMod: hourText(a.changed)}})
		archives[path] = archive
	}
	index.children = append(index.children, [2]string{"/news.xml", ""})
	all["/news.xml"] = news
	for path, archive := range archives {
		index.children = append(index.children, [2]string{path, ""})
		all[path] = archive
	}
	slices.SortFunc(index.children, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	all["/sitemap.xml"] = index
	return all
}
