package store

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

const (
	// Findings are found in any order, and go to the ends of their groups, which a large cache holds.
	emptyFindings = `pragma cache_size = -16384;
drop index if exists finding_by_page;
drop index if exists finding_by_rule;
drop index if exists finding_by_pages;
delete from finding_page;
delete from finding_group;
delete from finding_rule;
` + closedGroups
	closedGroups = `create temp table closed_group (
	alike integer, ignored integer, id integer not null, primary key (alike, ignored)
) without rowid;
`
	// Sorting takes as much memory again as the cache, which is small from here on.
	indexFindings = `pragma cache_size = -2048;
drop table closed_group;
create index finding_by_page on finding_page (page);
create index finding_by_rule on finding_group (rule_id);
create index finding_by_pages on finding_group (rule_id, pages desc, first_page);
`
)

// WriteFindings replaces the findings of the crawl with those that write adds, and the verdict
// with the one that conclude returns, which is kept as JSON. Meanwhile the crawl can be read.
func (f *File) WriteFindings(
	write func(add func(*Finding) error) error, conclude func() (verdict any, err error),
) error {
	err := f.db.InTransaction(func() error {
		if err := f.db.Exec(emptyFindings); err != nil {
			return err
		}
		if err := f.addFindings(write); err != nil {
			return err
		}
		if err := f.db.Exec(indexFindings); err != nil {
			return err
		}
		return f.writeVerdict(conclude)
	})
	if err = errors.Join(err, f.db.Exec(spec.Settings)); err != nil {
		return f.db.Explain(err)
	}
	return nil
}

// writeVerdict writes what conclude returns.
func (f *File) writeVerdict(conclude func() (verdict any, err error)) error {
	verdict, err := conclude()
	if err != nil {
		return err
	}
	return f.SetNote(NoteVerdict, verdict)
}

// ReplaceFindings replaces the findings of some rules by those that write adds, and the verdict as WriteFindings does.
// Meanwhile the crawl can be read.
func (f *File) ReplaceFindings(
	rules []string, write func(add func(*Finding) error) error, conclude func() (verdict any, err error),
) error {
	return f.db.Explain(f.db.InTransaction(func() error {
		if err := f.replaceFindings(rules, write); err != nil {
			return err
		}
		return f.writeVerdict(conclude)
	}))
}

func (f *File) replaceFindings(rules []string, write func(add func(*Finding) error) error) error {
	if err := f.removeFindings(rules); err != nil {
		return err
	}
	if err := f.db.Exec(closedGroups); err != nil {
		return err
	}
	if err := f.addFindings(write); err != nil {
		return err
	}
	return f.db.Exec("drop table closed_group")
}

// selectToCopy selects the findings of rules, which are its parameters, to copy them while they are replaced.
const selectToCopy = `select rule, severity, p.page, coalesce(p.other, g.other) as other, g.fragment, p.count,
	coalesce(p.message, g.message) as message, coalesce(p.arguments, g.arguments) as arguments, g.file,
	p.line, p.character, g.alike
from finding_rule cross join finding_group g using (rule_id) cross join finding_page p on p.group_id = g.id
where rule in (%s) order by g.id, p.number`

const selectCopied = `select rule, severity, page, other, fragment, count, message, arguments, file, line, character,
(select url from url where id = page), (select url from url where id = other), alike, 0 from copied_finding`

// IgnoreFindings sets which findings of some rules are ignored, and replaces the verdict as WriteFindings does.
func (f *File) IgnoreFindings(
	rules []string, isIgnored func(*Finding) (bool, error), conclude func() (verdict any, err error),
) error {
	write := func(add func(*Finding) error) (failed error) {
		err := f.db.Query(selectCopied, func(r sqlite.Row) bool {
			finding := findingOf(r)
			if finding.Ignored, failed = isIgnored(&finding); failed == nil {
				failed = add(&finding)
			}
			return failed == nil
		})
		return cmp.Or(failed, err)
	}
	return f.db.Explain(f.db.InTransaction(func() error {
		values := make([]driver.Value, len(rules))
		for i, rule := range rules {
			values[i] = rule
		}
		places := strings.TrimSuffix(strings.Repeat("?,", len(rules)), ",")
		if err := f.setFiles("create temp table copied_finding as "+fmt.Sprintf(selectToCopy, places), values...); err != nil {
			return err
		}
		if err := f.replaceFindings(rules, write); err != nil {
			return err
		}
		if err := f.db.Exec("drop table copied_finding"); err != nil {
			return err
		}
		return f.writeVerdict(conclude)
	}))
}

// removeFindings removes what some rules found.
func (f *File) removeFindings(rules []string) error {
	for _, rule := range rules {
		for _, text := range []string{
			"delete from finding_page where group_id in (select id from finding_group join finding_rule using (rule_id) where rule = ?)",
			"delete from finding_group where rule_id in (select rule_id from finding_rule where rule = ?)",
			"delete from finding_rule where rule = ?",
		} {
			if err := f.setFiles(text, rule); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFindings adds what write adds to the tables.
func (f *File) addFindings(write func(add func(*Finding) error) error) (err error) {
	w := &findingWriter{rules: map[findingRule]*ruleCount{}, groups: map[groupKey]openGroup{}}
	const last = "select coalesce(max(id), 0), (select coalesce(max(rule_id), 0) from finding_rule) from finding_group"
	err = f.db.Query(last, func(r sqlite.Row) bool {
		w.last, w.lastRule = r.Number(0), r.Number(1)
		return false
	})
	if err != nil {
		return err
	}
	var statements []io.Closer
	prepare := func(text string) *sqlite.Statement {
		s, failed := f.db.Prepare(text)
		if err = cmp.Or(err, failed); failed == nil {
			statements = append(statements, s)
		}
		return s
	}
	inserter := func(table string, columns ...string) *sqlite.Inserter {
		i, failed := f.db.NewInserter(table, columns...)
		if err = cmp.Or(err, failed); failed == nil {
			statements = append(statements, i)
		}
		return i
	}
	defer func() {
		for _, s := range statements {
			err = errors.Join(err, s.Close())
		}
	}()
	w.insertRule = inserter("finding_rule", "rule_id", "rule", "severity", "ignored", "groups", "findings")
	w.insertGroup = inserter("finding_group", "id", "rule_id", "alike", "pages", "count", "first_page", "other",
		"fragment", "file", "message", "arguments")
	w.insertPage = inserter("finding_page", "group_id", "number", "page", "count", "line", "character")
	w.insertOther = inserter("finding_page", "group_id", "number", "page", "count", "line", "character", "other",
		"message", "arguments")
	w.close = prepare("update finding_group set pages = ?, count = ? where id = ?")
	w.mark = prepare("insert or ignore into closed_group values (?, ?, ?)")
	w.reopen = prepare(`select g.id, g.pages, g.count, g.other, g.message, g.arguments
from closed_group c join finding_group g on g.id = c.id where c.alike = ? and c.ignored = ?`)
	if err != nil {
		return err
	}
	if err := write(w.add); err != nil {
		return err
	}
	return w.end()
}

// A findingWriter adds findings to their groups.
type findingWriter struct {
	insertRule, insertGroup *sqlite.Inserter
	insertPage, insertOther *sqlite.Inserter // findings like the first of their group in all but the place, and others
	close, mark, reopen     *sqlite.Statement

	rules  map[findingRule]*ruleCount
	groups map[groupKey]openGroup
	last   int64 // the largest ID of a group
	// lastRule is the largest ID of a rule that the table had before.
	lastRule int64
	closed   bool // some groups are not in groups
}

// maxOpenGroups bounds the memory of a findingWriter. Tests change it.
var maxOpenGroups = 250_000

// A findingRule is a rule with what some of its findings have in common.
type findingRule struct {
	rule, severity string
	ignored        bool
}

// A groupKey identifies a group. The findings that are ignored are in another one than those that are alike.
type groupKey struct {
	alike   int64
	ignored bool
}

// A ruleCount counts what a rule found with one severity.
type ruleCount struct{ id, groups, findings int64 }

// An openGroup is a group to which findings are added.
type openGroup struct {
	id, pages, count int64
	first            uint64 // a hash of the values of the first finding
}

// firstValues are what the group has of its first finding, for those that have the same.
type firstValues struct {
	other              crawl.ID
	message, arguments string
}

var firstSeed = maphash.MakeSeed()

func (v firstValues) hash() uint64 { return maphash.Comparable(firstSeed, v) }

func (w *findingWriter) add(f *Finding) error {
	of := findingRule{f.Rule, f.Severity, f.Ignored}
	rule := w.rules[of]
	if rule == nil {
		rule = &ruleCount{id: w.lastRule + int64(len(w.rules)) + 1}
		w.rules[of] = rule
	}
	rule.findings++
	values := firstValues{f.Other, f.Message, f.Arguments}.hash()
	g, err := w.groupOf(f, rule, values)
	if err != nil {
		return err
	}
	if g.first == values {
		return w.insertPage.Add(g.id, g.pages, int64(f.Page), int64(f.Count), int64(f.Line), int64(f.Column))
	}
	return w.insertOther.Add(g.id, g.pages, int64(f.Page), int64(f.Count), int64(f.Line), int64(f.Column),
		int64(f.Other), f.Message, f.Arguments)
}

// groupOf returns the group of a finding, which counts it. It is a new one if the finding is the first.
func (w *findingWriter) groupOf(f *Finding, rule *ruleCount, values uint64) (g openGroup, err error) {
	key := groupKey{f.Alike, f.Ignored}
	g, known := w.groups[key]
	if !known && len(w.groups) == maxOpenGroups {
		if err := w.closeGroups(); err != nil {
			return g, err
		}
	}
	if !known && w.closed {
		err = w.reopen.Query(func(r sqlite.Row) bool {
			first := firstValues{crawl.ID(r.Number(3)), r.Text(4), r.Text(5)}
			g = openGroup{r.Number(0), r.Number(1), r.Number(2), first.hash()}
			known = true
			return true
		}, key.alike, key.ignored)
		if err != nil {
			return g, err
		}
	}
	if !known {
		w.last++
		rule.groups++
		g = openGroup{id: w.last, first: values}
		err = w.insertGroup.Add(g.id, rule.id, f.Alike, int64(1), int64(f.Count), int64(f.Page), int64(f.Other),
			nullable(f.Fragment), nullable(f.File), nullable(f.Message), nullable(f.Arguments))
	}
	g.pages, g.count = g.pages+1, g.count+int64(f.Count)
	w.groups[key] = g
	return g, err
}

// closeGroups writes the numbers of all open groups, and how to find the groups again.
func (w *findingWriter) closeGroups() error {
	if err := w.insertGroup.Flush(); err != nil {
		return err
	}
	for key, g := range w.groups {
		if err := cmp.Or(w.writeCounts(g), w.mark.Exec(key.alike, key.ignored, g.id)); err != nil {
			return err
		}
	}
	clear(w.groups)
	w.closed = true
	return nil
}

// writeCounts writes the numbers of a group, which has those of its first finding.
func (w *findingWriter) writeCounts(g openGroup) error {
	if g.pages == 1 {
		return nil
	}
	return w.close.Exec(g.pages, g.count, g.id)
}

// end writes the numbers of all groups and rules.
func (w *findingWriter) end() error {
	if err := cmp.Or(w.insertGroup.Flush(), w.insertPage.Flush(), w.insertOther.Flush()); err != nil {
		return err
	}
	for _, g := range w.groups {
		if err := w.writeCounts(g); err != nil {
			return err
		}
	}
	for of, n := range w.rules {
		severity := int64(slices.Index(severities, of.severity) + 1)
		if err := w.insertRule.Add(n.id, of.rule, severity, of.ignored, n.groups, n.findings); err != nil {
			return err
		}
	}
	return w.insertRule.Flush()
}
