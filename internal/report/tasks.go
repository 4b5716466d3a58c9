package report

import (
	"net/url"

	"github.com/mapatools/mapa/crawl"
)

// task is a suggestion to the owner of the site.
type task struct {
	Kind    string // style: good, bad, warn or empty
	Title   string
	Text    string
	Section string // ID of the section with details, or empty
	Choice  string // the decision or the list that the section shows; empty for the first
	Code    string // line to copy
}

// tasks returns the tasks that apply, the most useful first.
func (g *pageReport) tasks() []task {
	t, broken := &g.totals, g.broken
	list := g.crawlTasks()
	// add adds a task about a number of things. Its texts are "task.<id>" for that
	// number and "task.<id>.text".
	add := func(id string, count int, kind, section, choice string) {
		if count > 0 {
			list = append(list, task{
				Kind: kind, Title: g.catalog.plural("task."+id, count), Text: g.catalog.text("task." + id + ".text"),
				Section: section, Choice: choice,
			})
		}
	}
	if broken.links > 0 {
		list = append(list, g.brokenTask())
	}
	if soft := t.reasons[crawl.ReasonSoft404]; soft > 0 {
		list = append(list, task{
			Kind: "bad", Title: g.catalog.text("task.soft-404"), Text: g.catalog.plural("task.soft-404.text", soft),
			Section: "addresses", Choice: string(crawl.ReasonSoft404),
		})
	}
	add("anchors", broken.anchorLinks, "warn", "broken", "")
	add("redirects", t.redirects, "warn", "redirects", "")
	add("canonicals", t.canonicals, "warn", "canonical", "")
	add("stale", t.gaps.broken+t.gaps.redirects+t.gaps.noindex+t.gaps.others, "warn", "gaps", "")
	add("orphans", t.gaps.orphans, "warn", "gaps", "")
	add("languages", t.languages.total, "warn", "languages", "")
	add("no-text", g.listed("content", "no-text"), "warn", "content", "no-text")
	add("titles", g.listed("titles", "missing"), "warn", "titles", "missing")
	add("same-titles", g.duplicates.titles, "", "titles", "same")
	add("descriptions", g.listed("descriptions", "missing"), "", "descriptions", "missing")
	add("same-contents", g.duplicates.contents, "", "duplicates", "same")
	add("alt", g.listed("content", "no-alt"), "", "content", "no-alt")
	add("slow", t.slow, "", "speed", "")
	return list
}

// crawlTasks returns the tasks about an unfinished crawl and the new sitemap.
func (g *pageReport) crawlTasks() (list []task) {
	t := &g.totals
	if t.waiting > 0 {
		key := "task.finish"
		if g.finished {
			key = "task.limits"
		}
		list = append(list, task{
			Kind: "warn", Title: g.catalog.text(key), Text: g.catalog.plural(key+".text", t.waiting),
			Section: "addresses", Choice: string(Waiting),
		})
	}
	if name := g.options.Sitemap; name != "" && t.listed > 0 {
		list = append(list, task{
			Kind: "good", Title: g.catalog.text("task.upload", name), Text: g.catalog.plural("task.upload.text", t.listed),
			Code: "Sitemap: " + g.origin() + "/" + url.PathEscape(name),
		})
	}
	return list
}

// brokenTask returns the task to fix broken links.
func (g *pageReport) brokenTask() task {
	text := g.catalog.plural("task.broken.text", g.broken.linkedURLs)
	if g.options.Broken != "" {
		text += " " + g.catalog.text("task.broken.file", g.options.Broken)
	}
	return task{Kind: "bad", Title: g.catalog.plural("task.broken", g.broken.links), Text: text, Section: "broken"}
}
