package lint

import (
	"context"
	"math"
	"runtime"
	"sync"
)

// finishSet applies the rules about all files together.
func (r *run) finishSet(ctx context.Context, deliver func(Finding) bool) error {
	s := r.set
	if err := r.gatherCrawl(ctx); err != nil {
		return err
	}
	for _, c := range s.free {
		s.sort(c)
	}
	s.free = nil
	if s.err != nil {
		return s.err
	}
	found, err := r.mergeRuns(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.tell(found, deliver)
}

// mergeRuns lets every processor look at a part of the keys.
func (r *run) mergeRuns(ctx context.Context) (*hits, error) {
	parts := runtime.GOMAXPROCS(0)
	found := make([]*hits, parts)
	failed := make([]error, parts)
	width := math.MaxUint64/uint64(parts) + 1
	var running sync.WaitGroup
	for i := range parts {
		running.Go(func() {
			g := group{run: r, done: ctx.Done(), hits: &hits{each: r.options.Each, groups: map[hitGroup]*hitList{}}}
			from := uint64(i) * width
			to := from + width - 1
			if i == parts-1 {
				to = math.MaxUint64
			}
			failed[i] = r.set.runs.merge(from, to, g.take)
			g.end()
			found[i] = g.hits
		})
	}
	running.Wait()
	for i := range parts {
		if failed[i] != nil {
			return nil, failed[i]
		}
		if i > 0 {
			found[0].merge(found[i])
		}
	}
	return found[0], nil
}

// tell puts hits into words, file by file. The pages of one file are read from
// the spool at a time; of the others, which a message names, a bounded number is
// held.
func (r *run) tell(found *hits, deliver func(Finding) bool) error {
	groups := found.sorted()
	others, err := r.others(found, groups)
	if err != nil {
		return err
	}
	for len(groups) > 0 {
		n := 1
		for n < len(groups) && groups[n].file == groups[0].file {
			n++
		}
		own, err := r.places(groups[0].file, found, groups[:n])
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

const mostOthers = 100_000

// others recalls the pages that findings refer to.
func (r *run) others(found *hits, groups []hitGroup) (map[pageAt]place, error) {
	wanted := map[uint32]map[uint32]bool{}
	count := 0
	for _, group := range groups {
		for _, h := range found.groups[group].kept {
			if count == mostOthers {
				break
			}
			if wanted[h.other.file] == nil {
				wanted[h.other.file] = map[uint32]bool{}
			}
			wanted[h.other.file][h.other.entry] = true
			count++
		}
	}
	places := map[pageAt]place{}
	for file, entries := range wanted {
		if err := r.recall(file, entries, places); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// places recalls the pages of one file that hits are about.
func (r *run) places(file uint32, found *hits, groups []hitGroup) (map[pageAt]place, error) {
	entries := map[uint32]bool{}
	for _, group := range groups {
		for _, h := range found.groups[group].kept {
			entries[h.at.entry] = true
		}
	}
	places := map[pageAt]place{}
	return places, r.recall(file, entries, places)
}

func (r *run) recall(file uint32, entries map[uint32]bool, into map[pageAt]place) error {
	left := len(entries)
	return r.set.files[file].reel.each(func(entry uint32, p place) bool {
		if entries[entry] {
			p.loc = append([]byte(nil), p.loc...)
			into[pageAt{file, entry}] = p
			left--
		}
		return left > 0
	})
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
	where := "in " + r.set.files[h.other.file].location
	switch {
	case h.other.file == h.at.file && other.line > 0:
		where = "in line " + grouped(other.line)
	case other.line > 0:
		where += ", line " + grouped(other.line)
	}
	switch h.rule {
	case pageNotInSitemap:
		return "the crawl found this page, and no sitemap lists it"
	case orphanPage:
		return "no page links here"
	case equivalentLoc:
		return "the same page as " + printable(other.loc) + " " + where
	case conflictingMetadata:
		return "another date, frequency or priority than " + where
	case hreflangNotReciprocal:
		return "no link back from " + printable(other.loc) + " " + where
	case hreflangInconsistent:
		return "another language than " + printable(other.loc) + " gives itself " + where
	}
	return "already " + where
}
