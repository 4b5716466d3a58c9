package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/results"
)

// A table shows a part of a list.
type table struct {
	Columns []column
	Rows    [][]cell
	Empty   string // shown when there are no rows
}

type column struct{ Name, Class string }

// A cell shows tags, links, a text and a note, in this order.
type cell struct {
	Class, Label string // the label is shown on small screens
	Tags         []tag
	Links        []pageLink
	Text, Note   string
}

// A pageLink names a URL of the crawl. Href is its page, which opens in a panel if Panel
// is set.
type pageLink struct {
	Href, URL, Text string
	Panel           bool
	Tags            []tag
}

// Thresholds of the report.
const (
	slowResponse  = time.Second
	largeResponse = 1_000_000 // bytes
)

// pageColumns returns the columns of a list of pages by their keys.
func pageColumns(list string) []string {
	switch list {
	case "titles.long", "titles.short":
		return []string{"url", "title-length", "linked"}
	case "descriptions.long", "descriptions.short":
		return []string{"url", "description", "description-length"}
	case "headings.long":
		return []string{"url", "heading", "linked"}
	case "content.no-text", "content.few-words":
		return []string{"url", "words", "linked"}
	case "content.no-alt":
		return []string{"url", "images", "linked"}
	case "sharing.some-open-graph":
		return []string{"url", "open-graph", "linked"}
	case "sharing.json-ld":
		return []string{"url", "json-ld", "open-graph"}
	case "canonical.conflicts":
		return []string{"url", "conflict"}
	case "speed.slow", "speed.large":
		return []string{"url", "status", "time", "size"}
	}
	switch section, _, _ := strings.Cut(list, "."); section {
	case "gaps":
		return []string{"url", "decision", "named", "linked"}
	case "redirects", "canonical":
		return []string{"url", "target", "linked"}
	case "titles", "descriptions", "headings", "sharing":
		return []string{"url", "linked"}
	}
	return []string{"url", "decision", "depth", "linked"}
}

// isFigure reports whether a column has numbers.
func isFigure(key string) bool {
	switch key {
	case "linked", "depth", "title-length", "description-length", "words", "images", "time", "size", "status":
		return true
	}
	return false
}

// pageTable returns the table of pages of a list.
func (v *resultFrame) pageTable(list string, pages []results.PageRow) table {
	t := table{Empty: v.texts.Text("script.no-matches")}
	keys := pageColumns(list)
	for _, key := range keys {
		c := column{Name: v.texts.Text("column." + key)}
		if isFigure(key) {
			c.Class = "figure"
		}
		t.Columns = append(t.Columns, c)
	}
	for i := range pages {
		row := make([]cell, len(keys))
		for at, key := range keys {
			row[at] = v.pageCell(key, &pages[i])
			switch {
			case isFigure(key):
				row[at].Class, row[at].Label = "figure short", strings.ToLower(t.Columns[at].Name)
			case key == "url" && len(keys) < 4:
				row[at].Class = "wide"
			default:
				row[at].Class = "half"
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// pageCell returns what a column shows of a page.
func (v *resultFrame) pageCell(key string, p *results.PageRow) cell {
	c := v.texts
	number := func(n int) cell { return cell{Text: c.Count(int64(n))} }
	facts := p.Facts
	if facts == nil {
		facts = &results.PageFacts{}
	}
	switch key {
	case "url":
		link := pageLink{Href: v.href(p.ID), URL: v.short(p.URL), Panel: true, Tags: v.marks(p)}
		return cell{Links: []pageLink{link}, Note: p.Title}
	case "decision":
		t := cell{Tags: []tag{v.decisionTag(p.Decision, p.Status)}}
		if p.Detail.Code() != crawl.DetailStatus { // the tag has the status
			t.Note = c.Detail(p.Detail.Split())
		}
		if p.Target != nil {
			t.Note, t.Links = "", []pageLink{v.refLink(p.Target)}
		}
		return t
	case "target":
		if p.Target == nil {
			return cell{}
		}
		link := v.refLink(p.Target)
		link.Tags = []tag{v.decisionTag(p.Target.Decision, p.Target.Status)}
		return cell{Links: []pageLink{link}}
	case "depth":
		if p.Depth < 0 {
			return cell{Text: "–"}
		}
		return number(p.Depth)
	case "linked":
		return number(p.Linked)
	case "title-length":
		return number(p.TitleLength)
	case "description-length":
		return number(facts.DescriptionLength)
	case "words":
		return number(p.Words)
	case "images":
		return number(facts.ImagesWithoutAlt)
	case "status":
		return cell{Text: strconv.Itoa(p.Status)}
	case "time":
		return cell{Text: c.Duration(p.Duration)}
	case "size":
		return cell{Text: c.Bytes(p.Size)}
	case "named":
		return cell{Text: v.sources(p.Sources)}
	}
	return cell{Text: map[string]string{
		"description": facts.Description, "heading": facts.H1, "json-ld": facts.JSONLD,
		"conflict": c.Detail(p.Conflict.Split()), "open-graph": strings.Join(facts.OpenGraph, ", "),
	}[key]}
}

// refLink links to the page of another URL of the crawl.
func (v *resultFrame) refLink(ref *results.PageRef) pageLink {
	return pageLink{Href: v.href(ref.ID), URL: v.short(ref.URL), Panel: true}
}

// marks returns what is conspicuous about a page.
func (v *resultFrame) marks(p *results.PageRow) []tag {
	var marks []tag
	add := func(is bool, key string) {
		if is {
			marks = append(marks, tag{Name: v.texts.Text(key), Kind: "warn"})
		}
	}
	add(p.Duration >= slowResponse, "script.slow")
	add(p.Size >= largeResponse, "script.large")
	add(p.Facts != nil && p.Facts.NeedsScript, "script.no-text")
	return marks
}

// sources names what named a URL to the crawl besides links.
func (v *resultFrame) sources(names []string) string {
	var texts []string
	for _, name := range names {
		switch name {
		case "sitemap":
			name = v.texts.Text("script.named-sitemap")
		case "list":
			name = v.texts.Text("script.named-list")
		case "log":
			name = v.texts.Text("script.named-log")
		}
		texts = append(texts, name)
	}
	return strings.Join(texts, ", ")
}
