package run

import (
	"context"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/rules"
)

// reporter returns a reporter for a file that was checked.
func (r *run) reporter(file string, out *output) *fileReporter {
	return &fileReporter{newCounter(r.selection, r.options.MaxPerRule), file, out}
}

// checkIndexes applies the rules about indexes and the files that they lead to.
func (r *run) checkIndexes(_ context.Context, out *output) error {
	set := rule.NewSet(r.files)
	for _, file := range r.files {
		reporter := r.reporter(file.Location, out)
		rules.CheckIndex(rule.NewIndex(file, set, &r.rules, reporter))
		if reporter.end(); out.refused {
			return nil
		}
	}
	first := &rule.Summary{}
	for _, file := range r.files {
		if first.Location == "" {
			first.Location = file.Location
		}
	}
	rules.CheckSet(rule.NewIndex(first, set, &r.rules, r.reporter(first.Location, out)))
	return nil
}

// sourceCount is what a source lists.
type sourceCount struct {
	source   string
	first    *rule.Summary
	pages    int
	complete bool // every file was read to its end
}

// countSources counts the pages of every source that led to a file.
func (r *run) countSources(sourceOf map[string]string) (all []*sourceCount) {
	known := map[string]*sourceCount{}
	for _, file := range r.files {
		s := sourceOf[file.Source]
		c := known[s]
		if c == nil {
			c = &sourceCount{source: s, first: file, complete: true}
			known[s] = c
			all = append(all, c)
		}
		c.pages += file.Pages
		c.complete = c.complete && file.Read && file.Failed == nil
	}
	return all
}

// compareCounts calls OnCount and reports the sources that list far fewer pages
// than before.
func (r *run) compareCounts(sourceOf map[string]string, out *output) error {
	for _, c := range r.countSources(sourceOf) {
		if !c.complete {
			continue // what is broken has findings of its own
		}
		if r.options.OnCount != nil {
			r.options.OnCount(c.source, c.pages)
		}
		first := rule.NewIndex(c.first, nil, &r.rules, r.reporter(c.first.Location, out))
		if rules.CheckLoss(first, c.source, c.pages, r.options.Previous[c.source]); out.refused {
			return nil
		}
	}
	return nil
}

// checkSet applies the rules about the pages of all files together.
func (r *run) checkSet(ctx context.Context, out *output) error {
	if r.pages == nil {
		return ctx.Err()
	}
	if r.options.Crawled != nil {
		if err := r.pages.AddCrawl(ctx, r.options.Crawled); err != nil {
			return err
		}
	}
	return r.pages.Compare(ctx, func(group *pageset.Group) bool {
		addGroup(group, out)
		return !out.refused
	})
}

// addGroup delivers the findings of one rule in one file.
func addGroup(group *pageset.Group, out *output) {
	broken := rules.ForMatch(group.Kind)
	for i := range group.Matches {
		m := &group.Matches[i]
		f := rule.Finding{
			Rule: broken, Line: m.Page.Line, Column: m.Page.Column, Offset: m.Page.Offset,
			Element: "url", URL: display.Text(m.Page.Loc), Message: rules.Describe(group.Kind, m),
		}
		if m.Page.Line == 0 { // no file lists it
			f.Element = ""
		}
		out.add(group.File, f)
	}
	if n := group.Count - len(group.Matches); n > 0 {
		out.add(group.File, more(broken, n))
	}
}
