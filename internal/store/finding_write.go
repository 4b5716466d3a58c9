package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

const (
	// Findings are found in any order, and go to the ends of their groups, which a large cache holds.
	emptyFindings = `pragma cache_size = -16384;
drop index if exists finding_by_page;
drop index if exists finding_by_rule;
drop index if exists finding_by_pages;
drop index if exists finding_by_url;
delete from finding_page;
delete from finding_group;
create temp table closed_group (alike integer primary key, id integer not null);
`
	indexFindings = `drop table closed_group;
update finding_group set position = place.number from (
	select g.id, rank() over (order by u.url) as number from finding_group g left join url u on u.id = g.first_page
) place where place.id = finding_group.id;
create index finding_by_page on finding_page (page);
create index finding_by_rule on finding_group (severity, rule);
create index finding_by_pages on finding_group (rule, severity, pages desc, first_page);
create index finding_by_url on finding_group (rule, severity, position);
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
		verdict, err := conclude()
		if err != nil {
			return err
		}
		encoded, err := json.Marshal(verdict)
		if err != nil {
			return err
		}
		return f.setFiles("insert or replace into meta (name, value) values (?, ?)", verdictName, string(encoded))
	})
	if err = errors.Join(err, f.db.Exec(spec.Settings)); err != nil {
		return f.db.Explain(err)
	}
	return nil
}

// addFindings adds what write adds to the tables.
func (f *File) addFindings(write func(add func(*Finding) error) error) (err error) {
	w := &findingWriter{groups: map[int64]*openGroup{}}
	var statements []*sqlite.Statement
	prepare := func(text string) *sqlite.Statement {
		s, failed := f.db.Prepare(text)
		if err = cmp.Or(err, failed); failed == nil {
			statements = append(statements, s)
		}
		return s
	}
	defer func() {
		for _, s := range statements {
			err = errors.Join(err, s.Close())
		}
	}()
	w.insertGroup = prepare("insert into finding_group values (?,?,?,0,0,?,0,?,?,?,?,?,?)")
	w.insertPage = prepare("insert into finding_page values (?,?,?,?,?,?,?,?,?,?)")
	w.close = prepare("update finding_group set pages = ?, count = ? where id = ?")
	w.mark = prepare("insert or ignore into closed_group values (?, ?)")
	w.reopen = prepare(`select g.id, g.pages, g.count, g.other, g.template, g.message, g.arguments
from closed_group c join finding_group g on g.id = c.id where c.alike = ?`)
	if err != nil {
		return err
	}
	if err := write(w.add); err != nil {
		return err
	}
	return w.closeGroups()
}

// A findingWriter adds findings to their groups.
type findingWriter struct {
	insertGroup, insertPage, close, mark, reopen *sqlite.Statement

	groups map[int64]*openGroup // by Alike
	last   int64                // the largest ID of a group
	closed bool                 // some groups are not in groups
}

// maxOpenGroups bounds the memory of a findingWriter. Tests change it.
var maxOpenGroups = 100_000

// An openGroup is a group to which findings are added. The values are those of its first finding.
type openGroup struct {
	id           int64
	pages, count int
	other        crawl.ID
	template     uint32
	message      string
	arguments    string
}

func (w *findingWriter) add(f *Finding) error {
	g, err := w.groupOf(f)
	if err != nil {
		return err
	}
	g.pages++
	g.count += f.Count
	var other, template, message, arguments any
	if f.Other != g.other {
		other = int64(f.Other)
	}
	if f.Template != g.template {
		template = int64(f.Template)
	}
	if f.Message != g.message {
		message = f.Message
	}
	if f.Arguments != g.arguments {
		arguments = f.Arguments
	}
	return w.insertPage.Exec(g.id, int64(g.pages), int64(f.Page), int64(f.Count), int64(f.Line), int64(f.Column),
		other, template, message, arguments)
}

// groupOf returns the group of a finding, and adds it if the finding is the first.
func (w *findingWriter) groupOf(f *Finding) (g *openGroup, err error) {
	if g = w.groups[f.Alike]; g != nil {
		return g, nil
	}
	if len(w.groups) == maxOpenGroups {
		if err := w.closeGroups(); err != nil {
			return nil, err
		}
	}
	if w.closed {
		err = w.reopen.Query(func(r sqlite.Row) bool {
			g = &openGroup{
				id: r.Number(0), pages: r.Count(1), count: r.Count(2), other: crawl.ID(r.Number(3)),
				template: uint32(r.Number(4)), message: r.Text(5), arguments: r.Text(6),
			}
			return true
		}, f.Alike)
	}
	if g == nil && err == nil {
		w.last++
		g = &openGroup{id: w.last, other: f.Other, template: f.Template, message: f.Message, arguments: f.Arguments}
		err = w.insertGroup.Exec(g.id, f.Rule, int64(slices.Index(severities, f.Severity)+1), int64(f.Page),
			int64(f.Other), nullable(f.Fragment), int64(f.Template), nullable(f.File), nullable(f.Message),
			nullable(f.Arguments))
	}
	w.groups[f.Alike] = g
	return g, err
}

// closeGroups writes the numbers of all open groups.
func (w *findingWriter) closeGroups() error {
	for alike, g := range w.groups {
		err := w.close.Exec(int64(g.pages), int64(g.count), g.id)
		if err = cmp.Or(err, w.mark.Exec(alike, g.id)); err != nil {
			return err
		}
	}
	clear(w.groups)
	w.closed = true
	return nil
}

// verdictName is the row of meta with the verdict.
const verdictName = "verdict"

// ReadVerdict reads the verdict that WriteFindings kept; into stays as it is without one.
func (f *File) ReadVerdict(into any) error { return f.readJSON(verdictName, into) }
