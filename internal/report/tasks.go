package report

import (
	"net/url"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// task is a suggestion to the owner of the site.
type task struct {
	Kind    string // style: good, bad, warn or empty
	Title   string
	Text    string
	Section string // ID of the section with details, or empty
	// Decision selects the URLs that the section shows; empty selects all.
	Decision crawl.Reason
	Code     string // line to copy
}

// taskList collects the tasks that apply.
type taskList []task

func (l *taskList) add(count int, t task) {
	if count > 0 {
		*l = append(*l, t)
	}
}

// tasks returns the tasks, the most useful first.
func (g *pageReport) tasks() []task {
	var list taskList
	g.crawlTasks(&list)
	g.linkTasks(&list)
	g.sitemapTasks(&list)
	g.pageTasks(&list)
	return list
}

// crawlTasks adds tasks about an unfinished crawl and the new sitemap.
func (g *pageReport) crawlTasks(list *taskList) {
	t := &g.totals
	more := task{Kind: "warn", Title: "Finish the crawl", Section: "addresses", Decision: Waiting}
	more.Text = format.Plural(t.waiting, "URL") + " " + verb(t.waiting, "is", "are") +
		" not visited yet. Run the same command again to continue."
	if g.finished {
		more.Title = "Raise the limits of the crawl"
		more.Text = format.Plural(t.waiting, "URL") + " " + verb(t.waiting, "was", "were") +
			" not visited, because the crawl reached a limit."
	}
	list.add(t.waiting, more)
	if g.options.Sitemap == "" {
		return
	}
	upload := task{Kind: "good", Title: "Upload " + g.options.Sitemap}
	upload.Text = "It lists " + format.Plural(t.listed, "page") +
		". Upload it with its parts, if any, to the root folder of your site, " +
		"and add this line to robots.txt:"
	upload.Code = "Sitemap: " + g.origin() + "/" + url.PathEscape(g.options.Sitemap)
	list.add(t.listed, upload)
}

// linkTasks adds tasks about links and their targets.
func (g *pageReport) linkTasks(list *taskList) {
	t, broken := &g.totals, g.broken
	text := verb(broken.links, "It points", "They point") + " to " + format.Plural(broken.linkedURLs, "broken URL") + "."
	if g.options.Broken != "" {
		text += " The full list is in " + g.options.Broken + "."
	}
	list.add(broken.links, task{
		Kind: "bad", Title: "Fix " + format.Plural(broken.links, "broken link"), Text: text, Section: "broken",
	})
	soft := t.reasons[crawl.ReasonSoft404]
	list.add(soft, task{
		Kind: "bad", Title: "Return 404 for missing pages", Section: "addresses", Decision: crawl.ReasonSoft404,
		Text: format.Plural(soft, "missing page") + " " + verb(soft, "answers", "answer") + " with status 200 (soft 404).",
	})
	list.add(broken.anchorLinks, task{
		Kind: "warn", Section: "broken",
		Title: "Fix " + format.Plural(broken.anchorLinks, "link") + " to " +
			verb(broken.anchorLinks, "a missing anchor (#)", "missing anchors (#)"),
		Text: "The page exists, but nothing on it has the name after the #.",
	})
	list.add(t.redirects, task{
		Kind: "warn", Title: "Update links to " + format.Plural(t.redirects, "redirect"), Section: "redirects",
		Text: "Link to the final URLs instead.",
	})
}

// sitemapTasks adds tasks about canonicals, sitemaps and hreflang.
func (g *pageReport) sitemapTasks(list *taskList) {
	t := &g.totals
	list.add(t.canonicals, task{
		Kind: "warn", Title: "Check the canonical of " + format.Plural(t.canonicals, "page"), Section: "canonical",
		Text: "The canonical URL is not listed, or the page names two.",
	})
	stale := t.gaps.broken + t.gaps.redirects + t.gaps.noindex + t.gaps.others
	list.add(stale, task{
		Kind: "warn", Title: "Remove " + format.Plural(stale, "URL") + " from your sitemaps and lists", Section: "gaps",
		Text: "They are broken, redirect, say noindex or are not listed for another reason.",
	})
	list.add(t.gaps.orphans, task{
		Kind: "warn", Title: "Link to " + format.Plural(t.gaps.orphans, "orphan page"), Section: "gaps",
		Text: "No page links to them, so visitors cannot find them and search engines rank them low.",
	})
	list.add(t.languages.total, task{
		Kind: "warn", Title: "Fix " + format.Plural(t.languages.total, "hreflang error"), Section: "languages",
		Text: "Each language version of a page must link to itself and to all other versions (hreflang).",
	})
}

// pageTasks adds tasks about the contents of pages.
func (g *pageReport) pageTasks(list *taskList) {
	t := &g.totals
	list.add(t.untitled, task{
		Kind: "warn", Title: "Add a title to " + format.Plural(t.untitled, "page"), Section: "titles",
		Text: "Search engines show the title as the heading of a result.",
	})
	list.add(g.duplicates.titles, task{
		Title: format.Plural(g.duplicates.titles, "page") + " share a title with another page", Section: "titles",
		Text: "Give each page its own title.",
	})
	list.add(g.duplicates.contents, task{
		Title: format.Plural(g.duplicates.contents, "page") + " share their content with another page", Section: "duplicates",
		Text: "Keep one page of each group, or set a canonical URL.",
	})
	list.add(t.slow, task{
		Title: "Speed up " + format.Plural(t.slow, "page"), Section: "speed",
		Text: "The full response took more than a second.",
	})
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
