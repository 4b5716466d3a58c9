package lint

import (
	"context"

	"github.com/mapatools/mapa/lint/internal/pageset"
)

// reporter returns a reporter for a file that was checked.
func (r *run) reporter(file string, out *output) *fileReporter {
	return &fileReporter{newCounter(r.selection, r.options.MaxPerRule), file, out}
}

// checkIndexes applies the rules about indexes and the files that they lead to.
func (r *run) checkIndexes(_ context.Context, out *output) error {
	set := newFileSet(r.files)
	for _, file := range r.files {
		reporter := r.reporter(file.location, out)
		checkIndex(&indexCheck{file, set, &r.options, reporter})
		if reporter.end(); out.refused {
			return nil
		}
	}
	first := &fileSummary{}
	for _, file := range r.files {
		if first.location == "" {
			first.location = file.location
		}
	}
	checkFileSet(&indexCheck{first, set, &r.options, r.reporter(first.location, out)})
	return nil
}

// sourceCount is what a source lists.
type sourceCount struct {
	source   string
	first    *fileSummary
	pages    int
	complete bool // every file was read to its end
}

// countSources counts the pages of every source that led to a file.
func (r *run) countSources() (all []*sourceCount) {
	known := map[string]*sourceCount{}
	for _, file := range r.files {
		c := known[file.source]
		if c == nil {
			c = &sourceCount{source: file.source, first: file, complete: true}
			known[file.source] = c
			all = append(all, c)
		}
		c.pages += file.pages
		c.complete = c.complete && file.read && file.failed == nil
	}
	return all
}

// compareCounts calls OnCount and reports the sources that list far fewer pages
// than before.
func (r *run) compareCounts(_ context.Context, out *output) error {
	for _, c := range r.countSources() {
		if !c.complete {
			continue // what is broken has findings of its own
		}
		if r.options.OnCount != nil {
			r.options.OnCount(c.source, c.pages)
		}
		first := &indexCheck{c.first, nil, &r.options, r.reporter(c.first.location, out)}
		if checkLoss(first, c.source, c.pages, r.options.Previous[c.source]); out.refused {
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
	if r.options.Crawled != nil && len(r.files) > 0 {
		if err := r.addCrawled(ctx); err != nil {
			return err
		}
	}
	return r.pages.Compare(ctx, func(group *pageset.Group) bool {
		addGroup(group, out)
		return !out.refused
	})
}

// unfit are the matches of listed pages by what a crawl found out about them.
var unfit = map[CrawlState]pageset.Kind{
	CrawlDead: pageset.ListedDead, CrawlRedirect: pageset.ListedRedirect, CrawlNoIndex: pageset.ListedNoIndex,
}

// addCrawled adds the pages of the crawl to the set.
func (r *run) addCrawled(ctx context.Context) error {
	collector := r.pages.CollectCrawl()
	defer collector.Close()
	count := 0
	for page, err := range r.options.Crawled {
		if err != nil {
			return err
		}
		if count++; count%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		listed, isUnfit := unfit[page.State]
		switch {
		case isUnfit:
		case page.Linked:
			listed = pageset.NoMatch
		default:
			listed = pageset.NotLinked
		}
		if err := collector.AddCrawled(page.URL, listed, page.Status); err != nil {
			return err
		}
	}
	return nil
}

// addGroup delivers the findings of one rule in one file.
func addGroup(group *pageset.Group, out *output) {
	broken := ruleForMatch(group.Kind)
	for i := range group.Matches {
		m := &group.Matches[i]
		f := Finding{
			Rule: broken, Line: m.Page.Line, Column: m.Page.Column, Offset: m.Page.Offset,
			Element: "url", URL: printable(m.Page.Loc), Message: describeMatch(group.Kind, m),
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
