package insight_test

import (
	"iter"
	"reflect"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/insight"
)

// TestGroup shows findings that are alike as one: on pages of one template, or about one target.
func TestGroup(t *testing.T) {
	file := manyPages(t, 400) // some link to two broken pages
	rules, err := new(insight.Options).Rules()
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := insight.Write(t.Context(), file, rules, &insight.End{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sections, err := insight.ReadSections(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	var read []insight.Finding
	for name, found := range map[string]iter.Seq2[insight.Finding, error]{
		"read":    insight.ReadGroups(t.Context(), file, insight.Filter{}, insight.Part{}),
		"grouped": insight.Group(insight.Read(t.Context(), file, insight.Filter{})),
	} {
		var all []insight.Finding
		places, groups := map[string]int{}, map[string]int{}
		seen := map[int64]bool{}
		for f, err := range found {
			if err != nil {
				t.Fatal(err)
			}
			if seen[f.Alike] || len(f.First) == 0 || len(f.First) > 3 || f.Places < len(f.First) {
				t.Errorf("%s: %+v", f.Rule.ID, f)
			}
			seen[f.Alike] = true
			all = append(all, f)
			places[f.Rule.ID] += f.Places
			groups[f.Rule.ID]++
		}
		if read == nil {
			read = all
		} else if !reflect.DeepEqual(all, read) {
			t.Errorf("%s: the groups differ", name)
		}
		if groups["link-broken"] != 2 || places["link-broken"] < 10 || verdict.Errors != 2 {
			t.Errorf("%d broken URLs on %d pages, %d errors", groups["link-broken"], places["link-broken"], verdict.Errors)
		}
		for _, rule := range slices.Concat(sections.Fix, sections.Improve, sections.Look) {
			want := places[rule.Rule]
			if rule.Rule == "link-broken" {
				want = groups[rule.Rule]
			}
			if rule.Count != want || verdict.Rules[rule.Rule] != want {
				t.Errorf("%s: %d, in the verdict %d, want %d", rule.Rule, rule.Count, verdict.Rules[rule.Rule], want)
			}
		}
	}
	if applied := len(verdict.Rules); len(sections.Passed) == 0 || len(sections.Passed) >= applied {
		t.Errorf("%d of %d rules found nothing", len(sections.Passed), applied)
	}
}

// TestNoVerdict reads a crawl that nobody judged.
func TestNoVerdict(t *testing.T) {
	file := manyPages(t, 10)
	verdict, err := insight.ReadVerdict(file)
	sections, errSections := insight.ReadSections(t.Context(), file)
	if verdict != nil || err != nil || errSections != nil || len(sections.Passed)+len(sections.Fix) > 0 {
		t.Errorf("%+v, %+v, %v, %v", verdict, sections, err, errSections)
	}
}
