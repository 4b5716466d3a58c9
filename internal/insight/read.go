package insight

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Write judges a crawl, and stores its findings, with those of package lint in the sitemap that was
// written, and its verdict.
func Write(
	ctx context.Context, file *store.File, rules *Rules, end *End, sitemap iter.Seq2[lint.Finding, error],
) (verdict *Verdict, err error) {
	counter := file.NewCounter()
	write := func(add func(*store.Finding) error) error {
		emit := func(f *Finding) error {
			record, err := f.record()
			if err != nil {
				return err
			}
			return add(&record)
		}
		var err error
		verdict, err = Judge(ctx, counter, rules, end, sitemap, emit)
		return err
	}
	err = file.WriteFindings(write, func() (any, error) {
		if err := counter.Write(ctx); err != nil {
			return nil, err
		}
		stored := storedVerdict{
			verdict, judgment{verdict.Kind, verdict.Cause, verdict.Arguments, verdict.Action, verdict.next},
		}
		return stored, stored.count(ctx, file)
	})
	if err == nil {
		err = rules.recordFigureRules(file)
	}
	if err != nil {
		return nil, err
	}
	return verdict, nil
}

// problems returns the number of problems that a rule found: pages or, in rules about links, what is alike.
func problems(found *store.FindingCount) int {
	if slices.Contains(linkRuleIDs, found.Rule) {
		return found.Groups
	}
	return found.Pages
}

// A Filter selects findings. The zero value selects all.
type Filter struct {
	Rules   []string      // IDs; empty means all
	AtLeast lint.Severity // the lowest severity; SeverityOff means all
	Exactly lint.Severity // the only severity; SeverityOff means those of AtLeast
	Page    crawl.ID      // of [Read]; 0 means all
	// MinPages and MaxPages are the bounds of the number of findings that are alike; 0 means none.
	MinPages, MaxPages int
	// Ignored selects the findings that are ignored instead of the others.
	Ignored bool
}

func (f *Filter) stored() store.FindingFilter {
	stored := store.FindingFilter{
		Rules: f.Rules, Page: f.Page, MinPages: f.MinPages, MaxPages: f.MaxPages, Ignored: f.Ignored,
	}
	for _, severity := range []lint.Severity{lint.SeverityInfo, lint.SeverityWarning, lint.SeverityError} {
		if severity == f.Exactly || f.Exactly == lint.SeverityOff && f.AtLeast > lint.SeverityInfo && severity >= f.AtLeast {
			stored.Severities = append(stored.Severities, severity.String())
		}
	}
	return stored
}

// Read returns the findings of a crawl, the most severe first. Those that are alike follow each
// other.
func Read(ctx context.Context, file *store.File, filter Filter) iter.Seq2[Finding, error] {
	rules := map[string]*lint.Rule{}
	return func(yield func(Finding, error) bool) {
		for record, err := range file.Findings(ctx, filter.stored()) {
			var f Finding
			if err == nil {
				f, err = findingOf(&record, rules)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// A Part says which groups of findings are read, and in which order. The zero value is all, in the order of [Read].
type Part struct {
	Order         store.FindingOrder
	Limit, Offset int
}

// ReadGroups returns the groups of findings that are alike: those that break the same rule with the same evidence on
// pages of one template, or those about the same target or text of links.
func ReadGroups(ctx context.Context, file *store.File, filter Filter, part Part) iter.Seq2[Finding, error] {
	rules := map[string]*lint.Rule{}
	order := cmp.Or(part.Order, store.OrderFound)
	return func(yield func(Finding, error) bool) {
		for record, err := range file.FindingGroups(ctx, filter.stored(), order, part.Limit, part.Offset) {
			var f Finding
			if err == nil {
				f, err = groupOf(&record, rules)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// groupOf reads a group of findings.
func groupOf(r *store.FindingGroup, rules map[string]*lint.Rule) (group Finding, err error) {
	if group, err = findingOf(&r.Finding, rules); err != nil {
		return group, err
	}
	group.Places = r.Pages
	for i := range r.First {
		first, err := findingOf(&r.First[i], rules)
		if err != nil {
			return group, err
		}
		group.First = append(group.First, first.Place())
	}
	return group, nil
}

// CountGroups returns the number of groups that a filter selects.
func CountGroups(ctx context.Context, file *store.File, filter Filter) (int, error) {
	return file.CountFindingGroups(ctx, filter.stored())
}

// ReadPages returns a part of the pages with the findings that a filter selects: those with the most severe findings
// first, then those with the most.
func ReadPages(
	ctx context.Context, file *store.File, filter Filter, limit, offset int,
) iter.Seq2[store.FindingPage, error] {
	return file.FindingPages(ctx, filter.stored(), limit, offset)
}

// CountPages returns the number of pages with the findings that a filter selects.
func CountPages(ctx context.Context, file *store.File, filter Filter) (int, error) {
	return file.CountFindingPages(ctx, filter.stored())
}

// maxFirst is how many pages of a group are named.
const maxFirst = 3

// Group returns findings that are alike as one, as [ReadGroups] does. It is for findings that were filtered one by one,
// or that have a place in the sources: links from several places there are several findings.
func Group(findings iter.Seq2[Finding, error]) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		var alike groups
		for f, err := range findings {
			if err != nil {
				yield(Finding{}, err)
				return
			}
			if len(alike.all) > 0 && f.Alike != alike.all[0].Alike {
				if !alike.yield(yield) {
					return
				}
				alike = groups{}
			}
			alike.add(&f)
		}
		alike.yield(yield)
	}
}

// groups are findings that are alike, as one for each place in the sources.
type groups struct {
	all []Finding
	at  map[sourcePlace]int
}

type sourcePlace struct {
	source string
	crawl.Position
}

// add adds a finding to its group.
func (g *groups) add(f *Finding) {
	place := sourcePlace{source: f.Source}
	if f.Source != "" {
		place.Position = f.Position
	}
	at, known := g.at[place]
	if !known {
		if g.at == nil {
			g.at = map[sourcePlace]int{}
		}
		at = len(g.all)
		g.at[place] = at
		first := *f
		first.Places, first.Count = 0, 0
		g.all = append(g.all, first)
	}
	group := &g.all[at]
	group.Places++
	group.Count += f.Count
	if len(group.First) < maxFirst {
		group.First = append(group.First, f.Place())
	}
}

func (g *groups) yield(yield func(Finding, error) bool) bool {
	for i := range g.all {
		if !yield(g.all[i], nil) {
			return false
		}
	}
	return true
}

// ReadVerdict returns the verdict of a crawl, or nil if it has none.
func ReadVerdict(file *store.File) (v *Verdict, err error) {
	if err := file.ReadNote(store.NoteVerdict, &v); err != nil {
		return nil, err
	}
	return v, nil
}
