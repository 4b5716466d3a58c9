package report

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Limits of the findings in the HTML report. The counts are exact.
const (
	maxGroups      = 500     // of a rule: those with the most pages
	maxBriefGroups = 30      // in a brief report
	maxGroupPages  = 150_000 // pages of all groups, besides the first of each
	firstPages     = 3       // of a group
	maxMessage     = 300     // characters
)

// ruleList has what a rule found with one severity.
type ruleList struct {
	rule     string
	severity lint.Severity
	rows     int // groups, also those that are left out
	groups   []findingGroup
}

// findingGroup has findings that are alike, which the report shows in one row.
type findingGroup struct {
	insight.Finding
	message string
	pages   []crawl.ID // the first of them
}

type ruleKey struct {
	rule     string
	severity lint.Severity
}

// readFindings reads the lists of the report.
func (g *pageReport) readFindings(ctx context.Context) error {
	most, room := maxGroups, maxGroupPages
	if g.brief {
		most, room = maxBriefGroups, 0
	}
	var lists []*ruleList
	for found, err := range g.file.CountFindings(ctx) {
		if err != nil {
			return err
		}
		if found.Ignored {
			continue
		}
		list := &ruleList{rule: found.Rule, rows: found.Groups}
		if err := list.severity.UnmarshalText([]byte(found.Severity)); err != nil {
			return err
		}
		lists = append(lists, list)
	}
	g.lists = map[ruleKey]*ruleList{}
	for _, list := range lists {
		if err := g.readGroups(ctx, list, most); err != nil {
			return err
		}
		for i := range list.groups {
			if err := g.readGroupPages(&list.groups[i], &room); err != nil {
				return err
			}
		}
		g.lists[ruleKey{list.rule, list.severity}] = list
	}
	return nil
}

// readGroups reads the groups of a rule with the most pages.
func (g *pageReport) readGroups(ctx context.Context, list *ruleList, most int) error {
	filter := insight.Filter{Rules: []string{list.rule}, Exactly: list.severity}
	part := insight.Part{Order: store.OrderMostPages, Limit: most}
	for f, err := range insight.ReadGroups(ctx, g.file, filter, part) {
		if err != nil {
			return err
		}
		short := f
		short.OtherURL = g.shortURL(f.OtherURL)
		message := format.Truncate(format.Plain(short.Text(g.catalog)), maxMessage)
		list.groups = append(list.groups, findingGroup{Finding: f, message: message})
	}
	return nil
}

// readGroupPages reads the first pages of a group, and others while there is room.
func (g *pageReport) readGroupPages(group *findingGroup, room *int) (err error) {
	if group.Places <= firstPages {
		for _, first := range group.First {
			if first.ID > 0 {
				group.pages = append(group.pages, first.ID)
			}
		}
		return nil
	}
	group.pages, err = g.file.GroupPages(group.Alike, firstPages+*room)
	*room -= max(len(group.pages)-firstPages, 0)
	return err
}

// wanted calls each with the URLs that the lists show.
func (g *pageReport) wanted(each func(crawl.ID)) {
	for _, list := range g.lists {
		for i := range list.groups {
			group := &list.groups[i]
			each(group.Other)
			for _, page := range group.pages[:min(len(group.pages), firstPages)] {
				each(page)
			}
		}
	}
}

// part is a section of the report, for the script.
type part struct {
	ID    string     `json:"id"`
	Kind  string     `json:"kind"`
	Rules []rulePart `json:"rules"`
}

// rulePart is the list of a rule. Rest is how many rows are left out.
type rulePart struct {
	ID    string      `json:"id"`
	Name  string      `json:"name"`
	Why   string      `json:"why"`
	Fix   string      `json:"fix"`
	Count int         `json:"count"`
	Rest  int         `json:"rest,omitempty"`
	Rows  []groupPart `json:"rows"`
}

// groupPart is a row of findings that are alike. Numbers of URLs are those of rows, from 1.
type groupPart struct {
	Message  string   `json:"message"`
	Other    int      `json:"other,omitempty"`
	Fragment string   `json:"fragment,omitempty"`
	File     string   `json:"file,omitempty"` // the sitemap, in findings about that
	Places   int      `json:"places"`
	Template bool     `json:"template,omitempty"` // most pages of the crawl have it
	Pages    []int    `json:"pages,omitempty"`
	Texts    []string `json:"texts,omitempty"`
}

// findingParts returns the sections with the findings.
func (g *pageReport) findingParts() []part {
	parts := []part{}
	for _, section := range g.overview.SectionTexts(g.catalog, sectionHref) {
		p := part{ID: section.ID, Kind: section.Kind}
		for _, rule := range section.Rules {
			one := rulePart{ID: rule.ID, Name: rule.Title, Why: rule.Why, Fix: rule.Fix, Count: rule.Count, Rows: []groupPart{}}
			if list := g.lists[ruleKey{rule.ID, section.Severity}]; list != nil {
				one.Rest = list.rows - len(list.groups)
				for i := range list.groups {
					one.Rows = append(one.Rows, g.groupPart(&list.groups[i]))
				}
			}
			p.Rules = append(p.Rules, one)
		}
		parts = append(parts, p)
	}
	return parts
}

func (g *pageReport) groupPart(group *findingGroup) groupPart {
	p := groupPart{
		Message: group.message, File: format.Plain(group.File), Places: group.Places,
		Fragment: format.Truncate(format.Plain(group.Fragment), maxLinkText), Template: group.InTemplate(g.overview.Pages),
	}
	if group.HasOther() {
		p.Other = g.rows.number(group.Other)
	}
	for _, page := range group.pages {
		if number := g.rows.number(page); number > 0 {
			p.Pages = append(p.Pages, number)
		}
	}
	if slices.ContainsFunc(group.First, func(place insight.Place) bool { return place.Text != "" }) {
		for _, place := range group.First {
			p.Texts = append(p.Texts, format.Truncate(format.Plain(place.Text), maxLinkText))
		}
	}
	return p
}
