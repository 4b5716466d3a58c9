package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/view"
)

// A partLink leads to a part of a result.
type partLink struct {
	Href, Name string
	Count      int
	Counted    bool
	Kind       string
	Current    bool
}

// parts returns the links to the parts of a result: the sections of findings that are not empty, and the
// lists of all URLs, folders and changes. The current one is that with the ID.
func (v *resultFrame) parts(current string) []partLink {
	base, c := "/crawls/"+v.Crawl.ID, v.texts
	parts := []partLink{{Href: base, Name: c.Text("section.overview"), Current: current == "overview"}}
	for _, s := range v.RuleSections {
		parts = append(parts, partLink{
			Href: s.Rules[0].Href, Name: s.Name, Count: s.Count, Counted: true, Kind: s.Kind, Current: current == s.ID,
		})
	}
	return append(parts,
		partLink{
			Href: base + "/pages", Name: c.Text("section.addresses"), Count: v.Overview.URLs, Counted: true,
			Current: current == "addresses",
		},
		partLink{Href: base + "/tree", Name: c.Text("section.tree"), Current: current == "tree"},
		partLink{Href: base + "/changes", Name: c.Text("web.changes"), Current: current == "changes"})
}

// sectionHref returns the address of the findings of a rule in a section, or of the URLs with a decision or in a
// folder.
func (v *resultFrame) sectionHref(section, choice string) string {
	switch {
	case section == "ignored":
		return v.ignoredHref()
	case section == "addresses":
		return v.listHref(url.Values{"decision": {choice}})
	case section == "changes":
		return "/crawls/" + v.Crawl.ID + "/changes?" + url.Values{"kind": {choice}}.Encode()
	case section == "tree" && choice == "":
		return v.treeHref("")
	case section == "tree":
		return v.listHref(url.Values{"folder": {choice}})
	}
	query := url.Values{"rule": {choice}, "severity": {sectionSeverities[section]}}
	return "/crawls/" + v.Crawl.ID + "/findings?" + query.Encode()
}

// sectionSeverities are the severities of the findings in each section.
var sectionSeverities = map[string]string{"fix": "error", "improve": "warning", "look": "info"}

// listHref returns the address of a list of the URLs of a result.
func (v *resultFrame) listHref(query url.Values) string {
	if len(query) == 0 {
		return "/crawls/" + v.Crawl.ID + "/pages"
	}
	return "/crawls/" + v.Crawl.ID + "/pages?" + query.Encode()
}

type findingsView struct {
	resultFrame
	Section string
	Rule    report.RuleText
	Rules   []partLink
	Pages   string // address of the list of the URLs with a finding
	Ignore  string // address of the form that ignores what the rule finds; empty for those who may not
	Exports []fileLink
	Broken  *brokenLinks // instead of the table, for the rule about them
	Table   table
	Pager   pager
}

// pageFindings shows what a rule found.
func (s *Server) pageFindings(w http.ResponseWriter, r *http.Request) error {
	by, cursor := findingsOf(r), r.URL.Query().Get("cursor")
	frame, release, err := s.openResult(r, sectionOf(by.Severity))
	defer release()
	if err != nil {
		return err
	}
	v := findingsView{resultFrame: frame, Rule: report.NewRuleText(frame.texts, by.Rule)}
	v.Title, v.Section = v.Rule.Title+" · "+v.Crawl.Site, v.Rule.Title
	v.Pages = v.listHref(url.Values{"rule": {by.Rule}})
	if v.canIgnore() {
		v.Ignore = ignoreForm(v.Crawl.Site, &baseline.Entry{Rule: by.Rule})
	}
	for _, section := range v.RuleSections {
		if sectionSeverities[section.ID] != by.Severity {
			continue
		}
		v.Section = section.Name
		for _, one := range section.Rules {
			v.Rules = append(v.Rules, partLink{Href: one.Href, Name: one.Title, Count: one.Count, Current: one.ID == by.Rule})
		}
	}
	chosen := url.Values{"rule": {by.Rule}, "severity": {by.Severity}, "sort": {by.Sort}}
	at := listAddress{"/crawls/" + v.Crawl.ID + "/findings", chosen}
	if by.Rule == ruleBroken && r.URL.Query().Get("by") == "page" {
		err = v.addBrokenPages(r.Context(), at, by, cursor)
	} else {
		err = v.addFindings(r.Context(), at, by, cursor)
	}
	if err != nil {
		return err
	}
	v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", url.Values{
		"list": {exportFindings}, "rule": chosen["rule"], "severity": chosen["severity"], "sort": chosen["sort"],
	})
	return s.render(w, http.StatusOK, "findings", &v.frame, &v)
}

// addFindings adds a part of what a rule found: broken links by what is broken, or else a table.
func (v *findingsView) addFindings(
	ctx context.Context, at listAddress, by result.FindingFilter, cursor string,
) error {
	list, err := v.result.Findings(ctx, by, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	v.Pager = at.pager(v.texts, list.Part, len(list.Findings), list.Total)
	if by.Rule == ruleBroken {
		v.Broken = v.newBrokenLinks(at, false)
		for i := range list.Findings {
			v.Broken.Entries = append(v.Broken.Entries, v.brokenTarget(&list.Findings[i]))
		}
		return nil
	}
	v.Table = v.findingTable(list.Findings)
	keys := []string{"page", "", "-pages"}
	if len(v.Table.Columns) > len(keys) { // with another URL
		keys = []string{"page", "", "", "-pages"}
	}
	at.sort(&v.Table, "", keys...)
	return nil
}

// sectionOf returns the section of the findings with a severity.
func sectionOf(severity string) string {
	for section, of := range sectionSeverities {
		if of == severity {
			return section
		}
	}
	return ""
}

// findingTable returns the table of findings.
func (v *resultFrame) findingTable(findings []insight.Finding) table {
	rows := make([]view.Finding, len(findings))
	for i := range findings {
		f := &findings[i]
		row := view.Finding{
			Text: v.findingText(f), File: f.File, Template: f.InTemplate(v.Overview.Pages), Places: f.Places,
		}
		for _, place := range f.First {
			if place.ID > 0 {
				link := v.linkTo(place.ID, place.URL)
				link.Text = place.Text
				row.First = append(row.First, link)
			}
		}
		if f.HasOther() {
			other := v.linkTo(f.Other, f.OtherURL)
			row.Other = &other
		}
		rows[i] = row
	}
	return view.FindingTable(v.texts, rows)
}

// findingText returns what is wrong, with another URL as pages of the site show it.
func (v *resultFrame) findingText(f *insight.Finding) string {
	short := *f
	if short.OtherURL != "" {
		short.OtherURL = v.short(f.OtherURL)
	}
	return short.Text(v.texts)
}
