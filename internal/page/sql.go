package page

import (
	"fmt"
	"strings"
)

// View returns the statement that makes the view of pages: the facts of its output.
func View() string {
	var columns []string
	for _, f := range In(SQL) {
		columns = append(columns, f.column()+" as "+f.Key)
	}
	return "create view page as select\n\t" + strings.Join(columns, ",\n\t") +
		"\nfrom url u left join fetch f on f.id = u.id left join numbers n on n.id = u.id left join figure g on g.id = u.id;\n"
}

// column returns the value of a fact as people read it.
func (f *Fact) column() string {
	switch {
	case f.Kind == Set:
		return setSQL(f.SQL, f.Names)
	case f.isDivided():
		return f.SQL + " / 1000.0"
	case f.Kind == Time:
		return "strftime('%Y-%m-%dT%H:%M:%fZ', " + f.SQL + " / 1000.0, 'unixepoch')"
	}
	return f.SQL
}

// setSQL returns the names of a set, joined by commas, or null for none.
func setSQL(bits string, names []string) string {
	var parts []string
	for i, name := range names {
		parts = append(parts, fmt.Sprintf("iif(%s & %d, '%s,', '')", bits, 1<<i, name))
	}
	return "nullif(rtrim(" + strings.Join(parts, " || ") + ", ','), '')"
}

// NumbersTable returns the statements that make the tables by which lists are filtered and sorted: the counted facts of
// each URL with its place among all, and the folders of the site. The prefix is empty, or that of temporary tables.
func NumbersTable(prefix string) string {
	var columns strings.Builder
	for _, f := range counted() {
		kind := "integer"
		if f.Kind < Number {
			kind = "text"
		}
		fmt.Fprintf(&columns, "\t%s %s,\n", f.Key, kind)
	}
	return fmt.Sprintf(numbersTable, prefix, columns.String())
}

const numbersTable = `
-- what lists of URLs are filtered and sorted by, once the crawl has ended
create %[1]stable numbers (
	id integer primary key, -- url.id
%[2]s	previous  integer, -- url.id of the URL before it on a shortest path from the start, or 0
	requested integer, -- 1 when a request was sent
	broken    integer, -- 1 when it is a broken link
	position  integer, -- by URL, from 1; the pages of the site come first
	folder    integer  -- folder.number, or 0 for what is no page of the site
);

-- folders with pages of the site, numbered so that those below a folder follow it
create %[1]stable folder (
	parent  integer not null, -- folder.number, or 0 for the one of all origins
	name    text    not null,
	number  integer not null,
	last    integer not null, -- the largest number below it
	total   integer not null, -- pages in it and below it
	listed  integer not null,
	broken  integer not null,
	folders integer not null, -- directly in it
	primary key (parent, name)
) without rowid;
`
