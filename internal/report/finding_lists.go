package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
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
	insight.Finding // the first; Places counts all
	message         string
	pages           []crawl.ID // the first of them
	texts           []string   // of the links from these pages
}

// findingReader collects the findings of a crawl by rule.
type findingReader struct {
	*pageReport
	most  int // groups of a rule
	room  int // for more pages
	lists map[ruleKey]*ruleList
}

type ruleKey struct {
	rule     string
	severity lint.Severity
}

// readFindings reads the lists of the report.
func (g *pageReport) readFindings(ctx context.Context) error {
	r := &findingReader{pageReport: g, most: maxGroups, room: maxGroupPages, lists: map[ruleKey]*ruleList{}}
	if g.brief {
		r.most, r.room = maxBriefGroups, 0
	}
	for f, err := range insight.Read(ctx, g.file, insight.Filter{AnyOrder: true}) {
		if err != nil {
			return err
		}
		r.add(&f)
	}
	for _, list := range r.lists {
		list.keep(r.most)
	}
	g.lists = r.lists
	return nil
}

// add adds a finding. Those that are alike follow each other.
func (r *findingReader) add(f *insight.Finding) {
	key := ruleKey{f.Rule.ID, f.Severity}
	list := r.lists[key]
	if list == nil {
		list = &ruleList{rule: f.Rule.ID, severity: f.Severity}
		r.lists[key] = list
	}
	last := len(list.groups) - 1
	if last < 0 || list.groups[last].Alike != f.Alike {
		if len(list.groups) >= 2*r.most {
			list.keep(r.most)
		}
		list.rows++
		short := *f
		short.OtherURL = r.shortURL(f.OtherURL)
		list.groups = append(list.groups, findingGroup{
			Finding: *f, message: format.Truncate(format.Plain(short.Text(r.catalog)), maxMessage),
		})
		last = len(list.groups) - 1
		list.groups[last].Places = 0
	}
	group := &list.groups[last]
	group.Places++
	if f.Page == 0 || len(group.pages) >= firstPages && r.room == 0 {
		return
	}
	if len(group.pages) >= firstPages {
		r.room--
	}
	group.pages = append(group.pages, f.Page)
	if len(group.texts) < firstPages {
		group.texts = append(group.texts, format.Truncate(format.Plain(f.Place().Text), maxLinkText))
	}
}

// keep keeps the groups with the most pages.
func (l *ruleList) keep(most int) {
	slices.SortFunc(l.groups, func(a, b findingGroup) int {
		return cmp.Or(cmp.Compare(b.Places, a.Places), cmp.Compare(a.Page, b.Page), cmp.Compare(a.Other, b.Other))
	})
	l.groups = l.groups[:min(len(l.groups), most)]
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
	if slices.ContainsFunc(group.texts, func(text string) bool { return text != "" }) {
		p.Texts = group.texts
	}
	return p
}
