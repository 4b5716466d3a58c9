package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A Finding is a place where a rule is broken.
type Finding struct {
	Rule     string // ID
	Severity string // error, warning or info
	// Page is the URL concerned and Other another one, or 0. URL and OtherURL are set where
	// findings are read.
	Page, Other   crawl.ID
	URL, OtherURL string
	Fragment      string // of a link to Other
	Count         int    // links, images or pages, at least 1
	File          string // name of the sitemap, in findings about that
	Line, Column  int    // in the sitemap, or of the link in the page; 0 is unknown
	Message       string // its code if that is not the one of the rule
	Arguments     string // of the message, a JSON array, or empty
	// Alike is equal for findings that are shown as one: of one rule, with the same evidence on pages with the
	// same pattern, or about the same target or text of links. Where findings are read it is the number of the group.
	Alike int64
	// Ignored says that somebody does not want to see it.
	Ignored bool
}

// A FindingGroup is findings that are alike.
type FindingGroup struct {
	Finding           // the first; Count is that of all
	Pages   int       // findings
	First   []Finding // at most three
}

// A FindingFilter selects findings, or groups of them. The zero value selects all.
type FindingFilter struct {
	Rules      []string // IDs; empty means all
	Severities []string // empty means all
	Page       crawl.ID // of findings; 0 means all
	// MinPages and MaxPages are the bounds of the number of findings in the group of each; 0 means none.
	MinPages, MaxPages int
	// Ignored selects the findings that are ignored instead of the others.
	Ignored bool
}

// A FindingOrder is an order of groups.
type FindingOrder string

// The orders of groups. In the first one, the most severe come first, then rules by their IDs, then what the rules
// found first.
const (
	OrderFound        FindingOrder = "severity, rule, id"
	OrderSeverity     FindingOrder = "severity, pages desc, first_page, id"
	OrderMostPages    FindingOrder = "pages desc, first_page, id"
	OrderFewestPages  FindingOrder = "pages, first_page desc, id desc"
	OrderURL          FindingOrder = urlPosition + ", id"
	OrderURLBackwards FindingOrder = urlPosition + " desc, id desc"

	urlPosition = "(select position from numbers where numbers.id = first_page)"
)

// severities are the names of the severities, whose numbers start at 1.
var severities = []string{"error", "warning", "info"}

// severityName returns the name of a severity.
func severityName(number int64) string {
	return severities[min(max(number, 1), int64(len(severities)))-1]
}

const selectFindings = `select rule, severity, p.page, coalesce(p.other, g.other), g.fragment, p.count,
coalesce(p.message, g.message), coalesce(p.arguments, g.arguments), g.file, p.line, p.character,
(select url from url where id = p.page), (select url from url where id = coalesce(p.other, g.other)), p.group_id, ignored`

func findingOf(r sqlite.Row) Finding {
	return Finding{
		Rule: r.Text(0), Severity: severityName(r.Number(1)), Page: crawl.ID(r.Number(2)), Other: crawl.ID(r.Number(3)),
		Fragment: r.Text(4), Count: r.Count(5), Message: r.Text(6), Arguments: r.Text(7), File: r.Text(8),
		Line: r.Count(9), Column: r.Count(10), URL: r.Text(11), OtherURL: r.Text(12),
		Alike: r.Number(13), Ignored: r.Number(14) != 0,
	}
}

// Findings returns the findings that a filter selects, in the order of their groups.
func (f *File) Findings(ctx context.Context, filter FindingFilter) iter.Seq2[Finding, error] {
	where, values := filter.where()
	from := ruleGroups + "cross join finding_page p on p.group_id = g.id "
	if filter.Page != 0 {
		from = "finding_page p cross join finding_group g on p.page = ? and g.id = p.group_id join finding_rule using (rule_id) "
		values = append([]driver.Value{int64(filter.Page)}, values...)
	}
	query := selectFindings + " from " + from + where + " order by " + string(OrderFound) + ", p.number"
	return sequence(ctx, f, query, findingOf, values...)
}

// ruleGroups are the groups with their rules.
const ruleGroups = "finding_rule cross join finding_group g using (rule_id) "

// selectGroups returns the first findings of groups, by the condition and the order of the groups and their part.
const selectGroups = selectFindings + ", pages, g.count from (select * from " + ruleGroups + `%s%s) g
cross join finding_page p on p.group_id = g.id and p.number <= 3 order by %s, p.number`

// FindingGroups returns groups of findings: a part of those that a filter selects, which ignores its page, or all of
// them from offset on with a limit of 0.
func (f *File) FindingGroups(
	ctx context.Context, filter FindingFilter, order FindingOrder, limit, offset int,
) iter.Seq2[FindingGroup, error] {
	where, values := filter.where()
	part := ""
	if limit > 0 {
		part = " order by " + string(order) + " limit ? offset ?"
		values = append(values, int64(limit), int64(offset))
	}
	rows := sequence(ctx, f, fmt.Sprintf(selectGroups, where, part, order), groupOf, values...)
	return func(yield func(FindingGroup, error) bool) {
		var group FindingGroup
		for row, err := range rows {
			switch {
			case err != nil:
				yield(FindingGroup{}, err)
				return
			case len(group.First) > 0 && row.Alike == group.Alike:
				group.First = append(group.First, row.First...)
				continue
			case len(group.First) > 0 && !yield(group, nil):
				return
			}
			group = row
		}
		if len(group.First) > 0 {
			yield(group, nil)
		}
	}
}

// groupOf returns a group with one finding.
func groupOf(r sqlite.Row) FindingGroup {
	group := FindingGroup{Finding: findingOf(r), Pages: r.Count(15)}
	group.First = []Finding{group.Finding}
	group.Count = r.Count(16)
	return group
}

// CountFindingGroups returns the number of groups that a filter selects, which ignores its page.
func (f *File) CountFindingGroups(ctx context.Context, filter FindingFilter) (n int, err error) {
	where, values := filter.where()
	err = f.db.QueryUntil(ctx, "select count(*) from "+ruleGroups+where, func(r sqlite.Row) bool {
		n = r.Count(0)
		return true
	}, values...)
	return n, f.db.Explain(err)
}

// A FindingCount is what a rule found with a severity: groups, and the findings in them.
type FindingCount struct {
	Rule, Severity string
	Groups, Pages  int
	Ignored        bool // these findings are, and counted apart from the others
}

const selectCounts = "select rule, severity, groups, findings, ignored from finding_rule order by severity, rule, ignored"

// CountFindings returns what each rule found, the most severe first.
func (f *File) CountFindings(ctx context.Context) iter.Seq2[FindingCount, error] {
	return sequence(ctx, f, selectCounts, func(r sqlite.Row) FindingCount {
		return FindingCount{r.Text(0), severityName(r.Number(1)), r.Count(2), r.Count(3), r.Number(4) != 0}
	})
}

const selectRulePages = "select rule, severity, count(distinct p.page) from " + ruleGroups +
	"cross join finding_page p on p.group_id = g.id where ignored = 0 and p.page between 1 and ? " +
	"group by rule_id order by severity, rule"

// A RulePageCount is the number of pages on which a rule found something with a severity.
type RulePageCount struct {
	Rule, Severity string
	Pages          int
}

// CountRulePages returns on how many pages each rule found something. Rules that found nothing on a page are left out.
func (f *File) CountRulePages(ctx context.Context) iter.Seq2[RulePageCount, error] {
	return sequence(ctx, f, selectRulePages, func(r sqlite.Row) RulePageCount {
		return RulePageCount{r.Text(0), severityName(r.Number(1)), r.Count(2)}
	}, int64(f.last))
}

// where returns the condition of a filter, except for that of the page, with its values.
func (filter *FindingFilter) where() (text string, values []driver.Value) {
	conditions := []string{"ignored = ?"}
	values = append(values, filter.Ignored)
	add := func(column string, any []driver.Value) {
		if len(any) > 0 {
			conditions = append(conditions, column+" in (?"+strings.Repeat(",?", len(any)-1)+")")
			values = append(values, any...)
		}
	}
	var rules, numbers []driver.Value
	for _, rule := range filter.Rules {
		rules = append(rules, rule)
	}
	for _, severity := range filter.Severities {
		numbers = append(numbers, int64(slices.Index(severities, severity)+1))
	}
	add("rule", rules)
	add("severity", numbers)
	if filter.MinPages > 0 {
		conditions = append(conditions, "g.pages >= ?")
		values = append(values, int64(filter.MinPages))
	}
	if filter.MaxPages > 0 {
		conditions = append(conditions, "g.pages <= ?")
		values = append(values, int64(filter.MaxPages))
	}
	return "where " + strings.Join(conditions, " and "), values
}

// A FindingPage is a page with the number of findings on it.
type FindingPage struct {
	Page     crawl.ID
	Findings int
}

// findingPages are the findings on pages. Its value, before those of a filter, is the last page of the crawl.
const findingPages = ruleGroups + "cross join finding_page p on p.group_id = g.id and p.page between 1 and ? "

// FindingPages returns a part of the pages with the findings that a filter selects, which ignores its page. Pages with
// the most severe findings come first, then those with the most findings.
func (f *File) FindingPages(
	ctx context.Context, filter FindingFilter, limit, offset int,
) iter.Seq2[FindingPage, error] {
	where, values := filter.where()
	values = append(append([]driver.Value{int64(f.last)}, values...), int64(limit), int64(offset))
	query := "select p.page, count(*) from " + findingPages + where +
		" group by p.page order by min(severity), count(*) desc, p.page limit ? offset ?"
	return sequence(ctx, f, query, func(r sqlite.Row) FindingPage {
		return FindingPage{crawl.ID(r.Number(0)), r.Count(1)}
	}, values...)
}

// CountFindingPages returns the number of pages that FindingPages returns in all parts.
func (f *File) CountFindingPages(ctx context.Context, filter FindingFilter) (n int, err error) {
	where, values := filter.where()
	values = append([]driver.Value{int64(f.last)}, values...)
	err = f.db.QueryUntil(ctx, "select count(distinct p.page) from "+findingPages+where, func(r sqlite.Row) bool {
		n = r.Count(0)
		return true
	}, values...)
	return n, f.db.Explain(err)
}

// RulePages yields the pages on which a rule found something that is not ignored. A page may come several times.
func (f *File) RulePages(ctx context.Context, rule string) iter.Seq2[crawl.ID, error] {
	const text = "select p.page from " + ruleGroups + "cross join finding_page p on p.group_id = g.id " +
		"where rule = ? and ignored = 0 and p.page between 1 and ?"
	return sequence(ctx, f, text, firstID, rule, int64(f.last))
}

// GroupPages returns the first pages of a group of findings, in their order.
func (f *File) GroupPages(group int64, limit int) (pages []crawl.ID, err error) {
	find, err := f.prepareLookup()
	if err != nil {
		return nil, err
	}
	err = find.groupPages.Query(func(r sqlite.Row) bool {
		pages = append(pages, crawl.ID(r.Number(0)))
		return true
	}, group, int64(f.last), int64(limit))
	return pages, f.db.Explain(err)
}

func firstID(r sqlite.Row) crawl.ID { return crawl.ID(r.Number(0)) }
