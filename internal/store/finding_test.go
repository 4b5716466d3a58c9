package store

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// madeFindings returns findings of groups in any order. In some groups other URLs, messages and arguments differ, as
// those of links do.
func madeFindings(count, groups, pages int) (all []Finding) {
	random := rand.New(rand.NewPCG(1, 2))
	for range count {
		alike := random.IntN(groups)
		f := Finding{
			Rule: fmt.Sprintf("rule-%d", alike%7), Severity: severities[alike%7%3], Page: crawl.ID(random.IntN(pages + 1)),
			Other: crawl.ID(alike % 5), Count: 1 + random.IntN(3), Line: random.IntN(9),
			Column: random.IntN(9), Message: "a", Arguments: fmt.Sprintf(`["%d"]`, alike), Alike: int64(alike) - 50,
		}
		if alike%2 == 0 {
			f.Fragment, f.File = "top", "sitemap.xml"
		}
		if alike%3 == 0 {
			f.Other = crawl.ID(random.IntN(4))
			f.Message = []string{"", "b"}[random.IntN(2)]
			f.Arguments = []string{"", `["b"]`, `["c"]`}[random.IntN(3)]
		}
		all = append(all, f)
	}
	return all
}

// writeFindings writes findings to a crawl with some pages.
func writeFindings(t *testing.T, all []Finding, pages int) *File {
	t.Helper()
	f, _ := create(t)
	t.Cleanup(func() { closeFile(t, f) })
	if err := f.Append(t.Context(), site{pages, 0}.commit(0)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time replaces the first
		err := f.WriteFindings(func(add func(*Finding) error) error {
			for i := range all {
				if err := add(&all[i]); err != nil {
					return err
				}
			}
			return nil
		}, func() (any, error) { return "done", f.NewCounter().Write(t.Context()) })
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// groupsOf returns groups of findings in the order of lists, with their findings, computed plainly.
func groupsOf(f *File, all []Finding) (groups [][]Finding) {
	at := map[int64]int{}
	for _, one := range all {
		if one.Page > 0 {
			link, _ := f.Link(one.Page)
			one.URL = link.URL
		}
		if one.Other > 0 {
			link, _ := f.Link(one.Other)
			one.OtherURL = link.URL
		}
		if _, known := at[one.Alike]; !known {
			at[one.Alike] = len(groups)
			groups = append(groups, nil)
		}
		number := at[one.Alike]
		one.Alike = int64(number + 1)
		groups[number] = append(groups[number], one)
	}
	slices.SortStableFunc(groups, func(a, b []Finding) int {
		return cmp.Or(slices.Index(severities, a[0].Severity)-slices.Index(severities, b[0].Severity),
			cmp.Compare(a[0].Rule, b[0].Rule))
	})
	return groups
}

// collect returns the values of an iterator, up to the first error.
func collect[T any](t *testing.T, values iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for value, err := range values {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, value)
	}
	return all
}

// TestFindings compares what is read about findings with what is computed plainly: with few groups, and with more than
// are open at once.
func TestFindings(t *testing.T) {
	const pages = 300
	defer func(most int) { maxOpenGroups = most }(maxOpenGroups)
	maxOpenGroups = 400
	for _, size := range []struct{ findings, groups int }{
		{0, 1}, {1, 1}, {3000, 60}, {5000, 1000},
	} {
		t.Run(fmt.Sprint(size.findings), func(t *testing.T) {
			all := madeFindings(size.findings, size.groups, pages)
			f := writeFindings(t, all, pages)
			groups := groupsOf(f, all)
			checkFindings(t, f, groups)
			checkGroups(t, f, groups)
			checkPages(t, f, groups)
			checkView(t, f, groups)
		})
	}
}

// TestIgnoreFindings compares what is left, and what is ignored, with what is computed plainly, and takes it back.
func TestIgnoreFindings(t *testing.T) {
	const pages = 300
	all := madeFindings(3000, 60, pages)
	f := writeFindings(t, all, pages)
	ignore := func(is func(*Finding) bool) {
		t.Helper()
		rules := []string{"rule-0", "rule-1", "rule-2", "rule-3", "none"}
		decide := func(one *Finding) (bool, error) { return is(one), nil }
		if err := f.IgnoreFindings(rules, decide, func() (any, error) { return "again", nil }); err != nil {
			t.Fatal(err)
		}
	}
	isOdd := func(one *Finding) bool { return one.Page%2 == 1 && one.Rule != "rule-3" && one.Rule < "rule-4" }
	ignore(isOdd)
	groups := groupsOf(f, all)
	for _, ignored := range []bool{false, true} {
		counts, want := map[string]int{}, map[string]int{}
		for _, group := range groups {
			for i := range group {
				if isOdd(&group[i]) == ignored {
					want[group[i].Rule]++
				}
			}
		}
		for _, one := range collect(t, f.CountFindings(t.Context())) {
			if one.Ignored == ignored {
				counts[one.Rule] += one.Pages
			}
		}
		equal(t, "counts", counts, want)
		listed := map[string]int{}
		for _, one := range collect(t, f.Findings(t.Context(), FindingFilter{Ignored: ignored})) {
			listed[one.Rule]++
			if one.Ignored != ignored || isOdd(&one) != ignored {
				t.Fatalf("%+v", one)
			}
		}
		equal(t, "listed", listed, want)
	}
	ignore(func(*Finding) bool { return false })
	sorted := func(found []Finding) []Finding {
		for i := range found {
			found[i].Alike = 0
		}
		slices.SortFunc(found, func(a, b Finding) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return found
	}
	equal(t, "all again", sorted(collect(t, f.Findings(t.Context(), FindingFilter{}))), sorted(slices.Concat(groups...)))
	equal(t, "groups", len(collect(t, f.FindingGroups(t.Context(), FindingFilter{}, OrderFound, 0, 0))), len(groups))
}

func checkFindings(t *testing.T, f *File, groups [][]Finding) {
	t.Helper()
	all := slices.Concat(groups...)
	choose := func(selects func(*Finding) bool) (some []Finding) {
		for i := range all {
			if selects(&all[i]) {
				some = append(some, all[i])
			}
		}
		return some
	}
	for _, test := range []struct {
		filter  FindingFilter
		selects func(*Finding) bool
	}{
		{FindingFilter{}, func(*Finding) bool { return true }},
		{FindingFilter{Rules: []string{"rule-3", "none"}}, func(f *Finding) bool { return f.Rule == "rule-3" }},
		{FindingFilter{Severities: []string{"error"}}, func(f *Finding) bool { return f.Severity == "error" }},
		{FindingFilter{Page: 7}, func(f *Finding) bool { return f.Page == 7 }},
		{FindingFilter{Page: 7, Rules: []string{"rule-1"}}, func(f *Finding) bool {
			return f.Page == 7 && f.Rule == "rule-1"
		}},
	} {
		equal(t, fmt.Sprintf("%+v", test.filter), collect(t, f.Findings(t.Context(), test.filter)), choose(test.selects))
	}
	var pages, want []crawl.ID
	pages = collect(t, f.RulePages(t.Context(), "rule-2"))
	for _, one := range choose(func(f *Finding) bool { return f.Rule == "rule-2" && f.Page > 0 }) {
		want = append(want, one.Page)
	}
	slices.Sort(pages)
	slices.Sort(want)
	equal(t, "pages of a rule", pages, want)
}

// checkPages compares parts of the pages with findings, of groups of any size and of some sizes.
func checkPages(t *testing.T, f *File, groups [][]Finding) {
	t.Helper()
	for _, filter := range []FindingFilter{
		{}, {Rules: []string{"rule-1", "rule-2"}}, {Severities: []string{"info"}, MinPages: 4}, {MinPages: 3, MaxPages: 5},
	} {
		found, severity := map[crawl.ID]int{}, map[crawl.ID]int{}
		for _, group := range groups {
			first := &group[0]
			if filter.Rules != nil && !slices.Contains(filter.Rules, first.Rule) ||
				filter.Severities != nil && !slices.Contains(filter.Severities, first.Severity) ||
				len(group) < filter.MinPages || filter.MaxPages > 0 && len(group) > filter.MaxPages {
				continue
			}
			for i := range group {
				page, number := group[i].Page, slices.Index(severities, first.Severity)
				if found[page] == 0 || number < severity[page] {
					severity[page] = number
				}
				found[page]++
			}
		}
		want := []FindingPage{}
		for page, n := range found {
			if page > 0 {
				want = append(want, FindingPage{page, n})
			}
		}
		slices.SortFunc(want, func(a, b FindingPage) int {
			return cmp.Or(severity[a.Page]-severity[b.Page], b.Findings-a.Findings, cmp.Compare(a.Page, b.Page))
		})
		n, err := f.CountFindingPages(t.Context(), filter)
		if n != len(want) || err != nil {
			t.Errorf("%+v: %d pages, want %d, %v", filter, n, len(want), err)
		}
		for _, offset := range []int{0, 5, 1 << 40} {
			from := min(offset, len(want))
			got := append([]FindingPage{}, collect(t, f.FindingPages(t.Context(), filter, 9, offset))...)
			equal(t, fmt.Sprintf("%+v from %d", filter, offset), got, want[from:min(from+9, len(want))])
		}
	}
}

func checkGroups(t *testing.T, f *File, groups [][]Finding) {
	t.Helper()
	var want []FindingGroup
	counts := map[FindingCount]FindingCount{}
	for _, group := range groups {
		one := FindingGroup{Finding: group[0], Pages: len(group), First: group[:min(len(group), 3)]}
		one.Count = 0
		var pages []crawl.ID
		for i := range group {
			one.Count += group[i].Count
			if group[i].Page > 0 {
				pages = append(pages, group[i].Page)
			}
		}
		if one.Alike < 100 {
			got, err := f.GroupPages(one.Alike, 5)
			equal(t, "pages of a group", got, pages[:min(len(pages), 5)])
			equal(t, "error", err, nil)
		}
		want = append(want, one)
		key := FindingCount{Rule: one.Rule, Severity: one.Severity}
		count := counts[key]
		counts[key] = FindingCount{one.Rule, one.Severity, count.Groups + 1, count.Pages + len(group), false}
	}
	equal(t, "groups", collect(t, f.FindingGroups(t.Context(), FindingFilter{}, OrderFound, 0, 0)), want)
	for _, count := range collect(t, f.CountFindings(t.Context())) {
		equal(t, "count", count, counts[FindingCount{Rule: count.Rule, Severity: count.Severity}])
		delete(counts, FindingCount{Rule: count.Rule, Severity: count.Severity})
	}
	equal(t, "other counts", len(counts), 0)
	checkOrders(t, f, want)
}

// checkOrders compares parts of the groups of a rule in every order.
func checkOrders(t *testing.T, f *File, all []FindingGroup) {
	t.Helper()
	byPages := func(a, b FindingGroup) int {
		return cmp.Or(b.Pages-a.Pages, cmp.Compare(a.Page, b.Page), cmp.Compare(a.Alike, b.Alike))
	}
	byURL := func(a, b FindingGroup) int { return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Alike, b.Alike)) }
	all = slices.DeleteFunc(all, func(g FindingGroup) bool { return g.Rule != "rule-1" })
	filter := FindingFilter{Rules: []string{"rule-1"}}
	for order, compare := range map[FindingOrder]func(a, b FindingGroup) int{
		OrderSeverity: byPages, OrderMostPages: byPages, OrderURL: byURL,
		OrderFewestPages:  func(a, b FindingGroup) int { return byPages(b, a) },
		OrderURLBackwards: func(a, b FindingGroup) int { return byURL(b, a) },
	} {
		slices.SortFunc(all, compare)
		for _, offset := range []int{0, 2, 1 << 40} {
			from := min(offset, len(all))
			want := all[from:min(from+5, len(all))]
			got := collect(t, f.FindingGroups(t.Context(), filter, order, 5, offset))
			equal(t, string(order), append([]FindingGroup{}, got...), append([]FindingGroup{}, want...))
		}
	}
	n, err := f.CountFindingGroups(t.Context(), filter)
	if n != len(all) || err != nil {
		t.Errorf("%d groups, want %d, %v", n, len(all), err)
	}
}

// checkView compares the view with a row for each finding.
func checkView(t *testing.T, f *File, groups [][]Finding) {
	t.Helper()
	var want []string
	for _, one := range slices.Concat(groups...) {
		want = append(want, fmt.Sprint(one.Rule, one.Severity, one.Page, one.Other, nullable(one.Fragment), one.Count,
			nullable(one.File), one.Line, one.Column, nullable(one.Message), nullable(one.Arguments), one.Alike))
	}
	var got []string
	ids := map[int64]bool{}
	const text = `select id, rule, severity, page, other, fragment, count, file, line, character, message,
arguments, alike from finding order by case severity when 'error' then 1 when 'warning' then 2 else 3 end, rule, id`
	err := f.db.Query(text, func(r sqlite.Row) bool {
		ids[r.Number(0)] = true
		values := make([]any, len(r)-1)
		for i, value := range r[1:] {
			values[i] = value
		}
		got = append(got, fmt.Sprint(values...))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rows of the view", got, want)
	equal(t, "IDs of the view", len(ids), len(want))
}

// TestUpgrade opens a file of the version before, whose findings are dropped.
func TestUpgrade(t *testing.T) {
	f, name := create(t)
	if err := f.Append(t.Context(), site{20, 3}.commit(0)); err != nil {
		t.Fatal(err)
	}
	closeFile(t, f)
	change(t, name, `alter table loss drop column ignored; drop view finding;
alter table finding_rule rename to old_rule; create table finding_rule (rule_id integer primary key, rule text);
insert into finding_rule values (1, 'title-missing'); drop table old_rule; create view finding as select rule from finding_rule;
pragma user_version = 2`)
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, f)
	equal(t, "findings", len(collect(t, f.Findings(t.Context(), FindingFilter{}))), 0)
	equal(t, "pages", len(collect(t, f.Pages(t.Context()))), 20)
	err = f.WriteFindings(func(add func(*Finding) error) error {
		return add(&Finding{Rule: "title-missing", Severity: "warning", Page: 1, Count: 1})
	}, func() (any, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rows", ask(t, f, "select rule, severity, page, alike from finding"), []string{"title-missing warning 1 1"})
}
