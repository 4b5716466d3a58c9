package lint

import "context"

// finishSet applies the rules about all files together.
func (r *run) finishSet(ctx context.Context, deliver func(Finding) bool) error {
	if err := r.gatherCrawl(ctx); err != nil {
		return err
	}
	if r.set.surrender(); r.set.err != nil {
		return r.set.err
	}
	found, err := r.compare(ctx)
	if err != nil {
		return err
	}
	return r.tell(ctx, found, deliver)
}

// tell puts hits into words, file by file. The pages of one file are recalled
// at a time; of the others, which a message names, a bounded number is held.
func (r *run) tell(ctx context.Context, found *hits, deliver func(Finding) bool) error {
	groups := found.sorted()
	others, err := r.others(ctx, found, groups)
	if err != nil {
		return err
	}
	for len(groups) > 0 {
		n := 1
		for n < len(groups) && groups[n].file == groups[0].file {
			n++
		}
		own, err := r.places(ctx, groups[0].file, found, groups[:n])
		if err != nil {
			return err
		}
		for _, group := range groups[:n] {
			if !r.tellGroup(group, found.groups[group], own, others, deliver) {
				return nil
			}
		}
		groups = groups[n:]
	}
	return nil
}

// tellGroup delivers the findings of one rule in one file.
func (r *run) tellGroup(group hitGroup, list *hitList, own, others map[pageAt]place, deliver func(Finding) bool) bool {
	f := Finding{Rule: group.rule, Severity: r.plan.severity[group.rule], File: r.set.files[group.file].location}
	for _, h := range list.kept {
		p, other := own[h.at], others[h.other]
		f.Line, f.Column, f.Offset = p.line, p.column, p.offset
		f.Element, f.URL = "url", printable(p.loc)
		if p.line == 0 { // a page that no file lists
			f.Element = ""
		}
		f.Message = r.describe(h, other)
		if !deliver(f) {
			return false
		}
	}
	more := list.count - len(list.kept)
	return more == 0 || deliver(Finding{Rule: f.Rule, Severity: f.Severity, File: f.File, Message: moreLikeThis(more), More: more})
}

// describe says what is wrong between two pages.
func (r *run) describe(h hit, other place) string {
	where, page := "in "+r.set.files[h.other.file].location, "another page"
	if other.line > 0 {
		where, page = where+", line "+grouped(other.line), printable(other.loc)
		if h.other.file == h.at.file {
			where = "on line " + grouped(other.line)
		}
	}
	switch h.rule {
	case pageNotInSitemap:
		return "the crawl found this page, but no sitemap lists it"
	case orphanPage:
		return "no page links to this page"
	case equivalentLoc:
		return "the same page as " + page + " " + where
	case conflictingMetadata:
		return "lastmod, changefreq or priority differs from the entry " + where
	case hreflangNotReciprocal:
		return "no return link from " + page + " " + where
	case hreflangInconsistent:
		return "the hreflang differs from the one that " + page + " gives itself " + where
	}
	return "the same URL is already " + where
}
