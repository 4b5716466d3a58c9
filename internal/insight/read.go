package insight

import (
	"context"
	"iter"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Write judges a crawl, and stores its findings, with those of package lint in the sitemap that was
// written, and its verdict.
func Write(
	ctx context.Context, file *store.File, rules *Rules, end *End, sitemap iter.Seq2[lint.Finding, error],
) (verdict *Verdict, err error) {
	err = file.WriteFindings(func(add func(*store.Finding) error) (any, error) {
		emit := func(f *Finding) error {
			record, err := f.record()
			if err != nil {
				return err
			}
			return add(&record)
		}
		var err error
		if verdict, err = Judge(ctx, file, rules, end, sitemap, emit); err != nil {
			return nil, err
		}
		return verdict, verdict.count(ctx, file)
	})
	if err != nil {
		return nil, err
	}
	return verdict, nil
}

// count sets the numbers of a verdict.
func (v *Verdict) count(ctx context.Context, file *store.File) error {
	counts, err := file.CountFindings(ctx, linkRuleIDs)
	if err != nil {
		return err
	}
	for of, n := range counts {
		v.Rules[of[0]] += n
		switch of[1] {
		case lint.SeverityError.String():
			v.Errors += n
		case lint.SeverityWarning.String():
			v.Warnings += n
		default:
			v.Infos += n
		}
	}
	return nil
}

// A Filter selects findings. The zero value selects all.
type Filter struct {
	Rules   []string      // IDs; empty means all
	AtLeast lint.Severity // the lowest severity; SeverityOff means all
	Page    crawl.ID      // 0 means all
	// AnyOrder leaves the order of a rule's findings open, which takes half of the time. Otherwise
	// they come in the order of their first pages.
	AnyOrder bool
}

func (f *Filter) stored() store.FindingFilter {
	stored := store.FindingFilter{Rules: f.Rules, Page: f.Page, AnyOrder: f.AnyOrder}
	for _, severity := range []lint.Severity{lint.SeverityInfo, lint.SeverityWarning, lint.SeverityError} {
		if f.AtLeast > lint.SeverityInfo && severity >= f.AtLeast {
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

// maxFirst is how many pages of a group are named.
const maxFirst = 3

// Group returns findings that are alike as one: those that break the same rule with the same
// evidence on pages of one template, or those about the same target or text of links. Links from
// several places in the sources are several.
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
	if err := file.ReadVerdict(&v); err != nil {
		return nil, err
	}
	return v, nil
}
