package store

import (
	"strconv"
	"strings"
)

// oldestVersion is the oldest version of the schema that can be read.
const oldestVersion = 3

// addedColumns are the columns of fetch that files of the oldest version lack, in the
// order of schema.sql.
var addedColumns = []string{
	"reused integer", "description text", "h1 text", "images_without_alt integer", "open_graph integer",
	"og_type text", "json_ld text", "needs_script integer", "session_links integer",
	"too_many_links integer",
}

// upgrade gives a file of an earlier version the present schema. What that version did
// not record stays null.
func (f *File) upgrade() error {
	if f.version == Version {
		return nil
	}
	var change strings.Builder
	for _, column := range addedColumns {
		change.WriteString("alter table fetch add column " + column + ";\n")
	}
	change.WriteString("drop view page;\n" + pageView)
	change.WriteString("update meta set value = " + strconv.Itoa(Version) + " where name = 'schema';\n")
	return f.db.inTransaction(func() error { return f.db.exec(change.String()) })
}

// addMissingColumns lets queries of a file that is only read find the columns that its
// version lacks: a temporary view, which SQLite prefers to the table, has them as null.
func (f *File) addMissingColumns() error {
	if f.version == Version {
		return nil
	}
	view := "create temp view fetch as select *"
	for _, column := range addedColumns {
		name, _, _ := strings.Cut(column, " ")
		view += ", null as " + name
	}
	return f.db.exec(view + " from main.fetch")
}
