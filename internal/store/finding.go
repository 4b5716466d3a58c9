package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
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
	Template      uint32 // equal for pages whose URLs have the same pattern
	File          string // name of the sitemap, in findings about that
	Line, Column  int    // in the sitemap, or of the link in the page; 0 is unknown
	Message       string // its code if that is not the one of the rule
	Arguments     string // of the message, a JSON array, or empty
	// Alike is equal for findings that are shown as one: of one rule, with the same evidence on pages with the
	// same pattern, or about the same target or text of links.
	Alike int64
}

// A FindingFilter selects findings. The zero value selects all.
type FindingFilter struct {
	Rules      []string // IDs; empty means all
	Severities []string // empty means all
	Page       crawl.ID // 0 means all
	// AnyOrder leaves the order of a rule's findings open, which takes half of the time.
	AnyOrder bool
}

// WriteFindings replaces the findings of the crawl with those that write adds, and the verdict
// with the one that it returns, which is kept as JSON. Meanwhile the crawl can be read.
func (f *File) WriteFindings(write func(add func(*Finding) error) (verdict any, err error)) error {
	err := f.db.InTransaction(func() (err error) {
		if err := f.db.Exec("drop index if exists finding_by_page; delete from finding"); err != nil {
			return err
		}
		insert, err := f.db.Prepare("insert into finding (rule, severity, page, other, fragment, count, template, " +
			"file, line, character, message, arguments, alike) values (?,?,?,?,?,?,?,?,?,?,?,?,?)")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, insert.Close()) }()
		verdict, err := write(func(one *Finding) error {
			return insert.Exec(one.Rule, one.Severity, int64(one.Page), int64(one.Other), nullable(one.Fragment),
				int64(one.Count), int64(one.Template), nullable(one.File), int64(one.Line), int64(one.Column),
				nullable(one.Message), nullable(one.Arguments), one.Alike)
		})
		if err != nil {
			return err
		}
		encoded, err := json.Marshal(verdict)
		if err != nil {
			return err
		}
		err = f.setFiles("insert or replace into meta (name, value) values (?, ?)", verdictName, string(encoded))
		return cmp.Or(err, f.db.Exec("create index finding_by_page on finding (page)"))
	})
	if err != nil {
		return f.db.Explain(err)
	}
	return nil
}

// verdictName is the row of meta with the verdict.
const verdictName = "verdict"

// ReadVerdict reads the verdict that WriteFindings kept; into stays as it is without one.
func (f *File) ReadVerdict(into any) error { return f.readJSON(verdictName, into) }

// rankOf orders the severities.
const rankOf = "case severity when 'error' then 1 when 'warning' then 2 else 3 end"

const (
	selectFindings = `select f.rule, f.severity, f.page, f.other, f.fragment, f.count, f.template, f.message,
f.arguments, f.file, f.line, f.character, (select url from url where id = f.page), (select url from url where id = f.other), alike `

	// To find the first of those that are alike takes as long as the rest.
	inOrder = "from (select *, min(id) over (partition by alike) as first from finding f %s) f order by " +
		rankOf + ", rule, first, id"
	inAnyOrder = "from finding f %s order by " + rankOf + ", rule, alike, id"
)

// Findings returns the findings that a filter selects, the most severe first. Those of a rule that are alike
// follow each other.
func (f *File) Findings(ctx context.Context, filter FindingFilter) iter.Seq2[Finding, error] {
	where, values := filter.where()
	order := inOrder
	if filter.AnyOrder {
		order = inAnyOrder
	}
	return sequence(ctx, f, selectFindings+fmt.Sprintf(order, where), findingOf, values...)
}

func findingOf(r sqlite.Row) Finding {
	return Finding{
		Rule: r.Text(0), Severity: r.Text(1), Page: crawl.ID(r.Number(2)), Other: crawl.ID(r.Number(3)), Fragment: r.Text(4),
		Count: r.Count(5), Template: uint32(r.Number(6)), Message: r.Text(7), Arguments: r.Text(8), File: r.Text(9),
		Line: r.Count(10), Column: r.Count(11), URL: r.Text(12), OtherURL: r.Text(13), Alike: r.Number(14),
	}
}

// CountFindings returns the number of problems by rule and severity: of findings or, for some rules, of
// those that are not alike.
func (f *File) CountFindings(ctx context.Context, once []string) (counts map[[2]string]int, err error) {
	counts = map[[2]string]int{}
	rules := FindingFilter{Rules: once}
	where, values := rules.where()
	for _, query := range []struct {
		text   string
		values []driver.Value
	}{
		{"select rule, severity, count(*) from finding group by 1, 2", nil},
		{"select rule, severity, count(distinct alike) from finding f " + where + " group by 1, 2", values},
	} {
		err = cmp.Or(err, f.db.QueryUntil(ctx, query.text, func(r sqlite.Row) bool {
			counts[[2]string{r.Text(0), r.Text(1)}] = r.Count(2)
			return true
		}, query.values...))
	}
	if err != nil {
		return nil, f.db.Explain(err)
	}
	return counts, nil
}

// where returns the condition of a filter, with its values.
func (filter *FindingFilter) where() (text string, values []driver.Value) {
	var conditions []string
	for _, one := range []struct {
		column string
		any    []string
	}{{"f.rule", filter.Rules}, {"f.severity", filter.Severities}} {
		if len(one.any) == 0 {
			continue
		}
		conditions = append(conditions, one.column+" in (?"+strings.Repeat(",?", len(one.any)-1)+")")
		for _, value := range one.any {
			values = append(values, value)
		}
	}
	if filter.Page != 0 {
		conditions = append(conditions, "f.page = ?")
		values = append(values, int64(filter.Page))
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return "where " + strings.Join(conditions, " and "), values
}

// FindingPages yields the pages that each rule found something on, each once: in the order of the rules' IDs, then
// of the pages.
func (f *File) FindingPages(ctx context.Context) iter.Seq2[Finding, error] {
	const text = "select distinct rule, page from finding where page > 0 order by rule, page"
	return sequence(ctx, f, text, func(r sqlite.Row) Finding {
		return Finding{Rule: r.Text(0), Page: crawl.ID(r.Number(1))}
	})
}
