package report

import (
	"net/url"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// A task is something for the site's owner to do.
type task struct {
	Kind    string // good, bad, warn: how it is drawn
	Title   string
	Text    string
	Section string // where to read on; empty is nowhere
	// Decision is whose addresses the section shows; empty is all.
	Decision crawl.Reason
	Code     string // a line to copy
}

// A taskList gathers tasks that have something to do.
type taskList []task

func (l *taskList) add(count int, t task) {
	if count > 0 {
		*l = append(*l, t)
	}
}

// tasks says what to do next, the most useful first.
func (g *gathering) tasks() []task {
	var list taskList
	g.crawlTasks(&list)
	g.linkTasks(&list)
	g.sitemapTasks(&list)
	g.pageTasks(&list)
	return list
}

// crawlTasks are about what the crawl left.
func (g *gathering) crawlTasks(list *taskList) {
	t := &g.census
	more := task{Kind: "warn", Title: "Finish the crawl", Section: "addresses", Decision: Waiting}
	more.Text = format.Plural(t.waiting, "address") + " " + verb(t.waiting, "waits", "wait") + " to be visited. Run the same command again to go on."
	if g.finished {
		more.Title = "Crawl further"
		more.Text = format.Plural(t.waiting, "address") + " " + verb(t.waiting, "was", "were") + " not visited: the crawl came to one of its limits first."
	}
	list.add(t.waiting, more)
	if g.options.Sitemap == "" {
		return
	}
	upload := task{Kind: "good", Title: "Upload " + g.options.Sitemap}
	upload.Text = "It lists " + format.Plural(t.listed, "page") + ". Put it into the top folder of your site, with the parts beside it if there are any, and name it in robots.txt:"
	upload.Code = "Sitemap: " + g.origin() + "/" + url.PathEscape(g.options.Sitemap)
	list.add(t.listed, upload)
}

// linkTasks are about what links lead to.
func (g *gathering) linkTasks(list *taskList) {
	t, ends := &g.census, g.ends
	text := verb(ends.links, "It leads", "They lead") + " to " + format.Plural(ends.dead, "dead address") + "."
	if g.options.Broken != "" {
		text += " The list for whoever mends them is " + g.options.Broken + "."
	}
	list.add(ends.links, task{Kind: "bad", Title: "Mend " + format.Plural(ends.links, "broken link"), Text: text, Section: "broken"})
	soft := t.reasons[crawl.ReasonSoft404]
	list.add(soft, task{
		Kind: "bad", Title: "Answer 404 for missing pages", Section: "addresses", Decision: crawl.ReasonSoft404,
		Text: format.Plural(soft, "address") + " " + verb(soft, "shows", "show") + " the page for missing pages, but with status 200.",
	})
	list.add(ends.anchors, task{
		Kind: "warn", Title: "Mend " + format.Plural(ends.anchors, "link") + " to a place that is not there", Section: "broken",
		Text: "The page exists, the part behind the # does not.",
	})
	list.add(t.redirects, task{
		Kind: "warn", Title: "Link past " + format.Plural(t.redirects, "redirect"), Section: "redirects",
		Text: "Pages link to addresses that only lead on. Link to where they end.",
	})
}

// sitemapTasks are about what is named apart from links.
func (g *gathering) sitemapTasks(list *taskList) {
	t := &g.census
	list.add(t.canonicals, task{
		Kind: "warn", Title: "Look at the canonical address of " + format.Plural(t.canonicals, "page"), Section: "canonical",
		Text: "The address is not listed itself, or the page names two.",
	})
	stale := t.gaps.dead + t.gaps.redirects + t.gaps.noindex + t.gaps.others
	list.add(stale, task{
		Kind: "warn", Title: "Drop " + format.Plural(stale, "address") + " from your sitemaps and lists", Section: "gaps",
		Text: "Named there, but dead, redirected or not to be listed.",
	})
	list.add(t.gaps.orphans, task{
		Kind: "warn", Title: "Link to " + format.Plural(t.gaps.orphans, "orphan"), Section: "gaps",
		Text: "No page links there: visitors find no way to them, and search engines think little of such pages.",
	})
	list.add(t.languages.total, task{
		Kind: "warn", Title: "Mend " + format.Plural(t.languages.total, "language link"), Section: "languages",
		Text: "Versions of a page in other languages must name each other and themselves (hreflang).",
	})
}

// pageTasks are about what pages hold.
func (g *gathering) pageTasks(list *taskList) {
	t := &g.census
	list.add(t.untitled, task{
		Kind: "warn", Title: "Give " + format.Plural(t.untitled, "page") + " a title", Section: "titles",
		Text: "Search engines show the title as the headline of a result.",
	})
	list.add(g.alike.titles, task{
		Title: "Tell " + format.Plural(g.alike.titles, "page") + " apart", Section: "titles",
		Text: "Another page has the same title.",
	})
	list.add(g.alike.contents, task{
		Title: "Look at " + format.Plural(g.alike.contents, "page") + " with the same content", Section: "duplicates",
		Text: "Keep one of each, or give them a canonical address.",
	})
	list.add(t.slow, task{
		Title: "Speed up " + format.Plural(t.slow, "page"), Section: "speed",
		Text: "More than a second went by until the whole answer was there.",
	})
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
