package checks

import (
	"context"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
)

// A gate fails a run on a kind of change since the crawl before: of a URL, or of a fact.
type gate struct {
	name string
	kind compare.Kind
	fact string // key, or empty
	lost bool   // the fact is lost, and not only another one
}

// gateKinds are the kinds that fail a run by their name.
var gateKinds = []compare.Kind{
	compare.KindLeftSitemap, compare.KindNewlyBroken, compare.KindRemoved, compare.KindMoved,
}

// factNames are the names of facts in gates where they are not their keys with hyphens.
var factNames = map[string]string{"h1": "heading", "json_ld": "structured-data"}

// gates has all gates.
var gates = allGates()

func allGates() (all []gate) {
	for _, kind := range gateKinds {
		all = append(all, gate{name: string(kind), kind: kind})
	}
	for _, fact := range page.In(page.Change) {
		name := factNames[fact.Key]
		if name == "" {
			name = strings.ReplaceAll(fact.Key, "_", "-")
		}
		all = append(all, gate{name: name + "-lost", fact: fact.Key, lost: true},
			gate{name: name + "-changed", fact: fact.Key})
	}
	return all
}

// GateNames returns the names of all gates.
func GateNames() (names []string) {
	for i := range gates {
		names = append(names, gates[i].name)
	}
	return names
}

// shortGateNames returns the names of gates, with FACT for those of facts.
func shortGateNames() (names []string) {
	for _, kind := range gateKinds {
		names = append(names, string(kind))
	}
	return append(names, "FACT-lost", "FACT-changed")
}

// gateNamed returns a gate by its name, or nil.
func gateNamed(name string) *gate {
	i := slices.IndexFunc(gates, func(g gate) bool { return g.name == name })
	if i < 0 {
		return nil
	}
	return &gates[i]
}

// A GateFailure is a gate that fails a run.
type GateFailure struct {
	Name  string `json:"gate"`
	Count int    `json:"count"` // URLs
	// Template is the pattern of the URLs if most of them changed alike. Examples are some of them.
	Template string   `json:"template,omitempty"`
	Examples []string `json:"examples"`
}

// maxGateExamples is how many URLs a failure names.
const maxGateExamples = 3

// Gates are gates for changes between any two crawls or sitemaps.
type Gates []*gate

// NewGates returns gates by their names.
func NewGates(names []string) (gates Gates, err error) {
	for _, name := range names {
		gate := gateNamed(name)
		if gate == nil {
			return nil, setting.Invalid("fail-on", "unknown %s %q: use any of %s", name, strings.Join(shortGateNames(), ", "))
		}
		gates = append(gates, gate)
	}
	return gates, nil
}

// Run returns the gates that fail. The losses that are open since earlier crawls count as changes; file may be nil.
func (gates Gates) Run(
	ctx context.Context, changes *compare.Changes, file *store.File,
) (failed []GateFailure, err error) {
	for _, g := range gates {
		failure := GateFailure{Name: g.name, Count: g.count(&changes.Counts)}
		isOpen := file != nil && g.kind.IsLoss() // the file knows which, and what of it is ignored
		if failure.Count > 0 && !isOpen {
			if err := failure.exemplify(ctx, changes, g); err != nil {
				return nil, err
			}
		}
		if isOpen {
			failure.Count -= changes.Counts.Losses[string(g.kind)] // they are in the file
			if err := failure.addOpen(ctx, file, g.kind); err != nil {
				return nil, err
			}
		}
		if failure.Count > 0 {
			failed = append(failed, failure)
		}
	}
	return failed, nil
}

func (g *gate) count(n *compare.Counts) int {
	switch {
	case g.kind != "":
		return *n.Of(g.kind)
	case g.lost:
		return n.Lost[g.fact]
	}
	return n.Facts[g.fact]
}

// exemplify names some of the URLs that changed.
func (f *GateFailure) exemplify(ctx context.Context, changes *compare.Changes, g *gate) error {
	for change, err := range changes.Rows(ctx) {
		if err != nil {
			return err
		}
		isOf := change.Kind == g.kind || slices.ContainsFunc(change.Facts, func(fact compare.FactChange) bool {
			return fact.Fact == g.fact && (fact.Lost || !g.lost)
		})
		switch {
		case !isOf:
		case change.Pages > 0 && 2*change.Pages > f.Count:
			f.Template, f.Examples = change.Template, change.Examples
			return nil
		case change.Pages > 0:
			f.addExamples(change.Examples...)
		default:
			f.addExamples(change.URL)
		}
	}
	return nil
}

// addExamples adds those that are not yet among the examples, up to the limit.
func (f *GateFailure) addExamples(urls ...string) {
	for _, url := range urls {
		if len(f.Examples) < maxGateExamples && !slices.Contains(f.Examples, url) {
			f.Examples = append(f.Examples, url)
		}
	}
}

// addOpen adds the losses of a crawl.
func (f *GateFailure) addOpen(ctx context.Context, file *store.File, kind compare.Kind) error {
	for loss, err := range file.Losses(ctx, string(kind)) {
		if err != nil {
			return err
		}
		f.Count++
		f.addExamples(loss.URL)
	}
	return nil
}
