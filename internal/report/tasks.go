package report

import (
	"net/url"

	"github.com/mapatools/mapa/crawl"
)

// A Task is a suggestion to the owner of the site.
type Task struct {
	ID    string `json:"id"`
	Count int    `json:"count"`          // what it is about: links, pages, redirects …
	URLs  int    `json:"urls,omitempty"` // broken URLs that the links lead to
	File  string `json:"file,omitempty"` // name of a file in the folder that it is about
	Code  string `json:"code,omitempty"` // line to copy
	Kind  string `json:"kind,omitempty"` // style: good, bad, warn or empty
	// Section is the section of the report with details, or empty, and Choice what it
	// shows: a decision in the section "addresses", else the list "<Section>.<Choice>".
	// An empty choice is the first list.
	Section string `json:"section,omitempty"`
	Choice  string `json:"choice,omitempty"`
}

// tasks returns the tasks that apply, the most useful first.
func (a *Analysis) tasks(options *HTMLOptions) []Task {
	t, broken := &a.totals, a.broken
	list := a.crawlTasks(options)
	add := func(id string, count int, kind, section, choice string) {
		if count > 0 {
			list = append(list, Task{ID: id, Count: count, Kind: kind, Section: section, Choice: choice})
		}
	}
	if broken.links > 0 {
		list = append(list, Task{
			ID: "broken", Count: broken.links, URLs: broken.linkedURLs, File: options.Broken, Kind: "bad", Section: "broken",
		})
	}
	add("soft-404", t.reasons[crawl.ReasonSoft404], "bad", "addresses", string(crawl.ReasonSoft404))
	add("anchors", broken.anchorLinks, "warn", "broken", "missing-anchors")
	add("redirects", t.redirects, "warn", "redirects", "")
	add("canonicals", t.canonicals, "warn", "canonical", "")
	add("stale", t.gaps.broken+t.gaps.redirects+t.gaps.noindex+t.gaps.others, "warn", "gaps", "")
	add("orphans", t.gaps.orphans, "warn", "gaps", "")
	add("languages", t.languages.total, "warn", "languages", "")
	add("no-text", a.total("content.no-text"), "warn", "content", "no-text")
	add("titles", a.total("titles.missing"), "warn", "titles", "missing")
	add("same-titles", a.duplicates.titles, "", "titles", "same")
	add("descriptions", a.total("descriptions.missing"), "", "descriptions", "missing")
	add("same-contents", a.duplicates.contents, "", "duplicates", "same")
	add("alt", a.total("content.no-alt"), "", "content", "no-alt")
	add("slow", t.slow, "", "speed", "")
	return list
}

// crawlTasks returns the tasks about an unfinished crawl and the new sitemap.
func (a *Analysis) crawlTasks(options *HTMLOptions) (list []Task) {
	t := &a.totals
	if t.waiting > 0 {
		id := "finish"
		if a.file.Finished() {
			id = "limits"
		}
		list = append(list, Task{ID: id, Count: t.waiting, Kind: "warn", Section: "addresses", Choice: string(Waiting)})
	}
	about := a.file.Meta()
	mostLeftOut := a.total("canonical.not-listed") > t.listed
	if name := options.Sitemap; name != "" && t.listed > 0 && !mostLeftOut {
		list = append(list, Task{ID: "upload", Count: t.listed, File: name, Kind: "good",
			Code: "Sitemap: " + about.FolderURL() + url.PathEscape(name)})
	}
	return list
}
