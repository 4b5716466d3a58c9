package build

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
)

// TestBuildSQLiteReads builds from what a query can read in a SQLite file.
func TestBuildSQLiteReads(t *testing.T) {
	address := newSQLite(t)
	execute(t, address,
		"create view listed as select path as loc from page where path is not null",
		"create virtual table text using fts5(loc)", "insert into text values ('/text')",
		"create virtual table place using rtree(id, low, high)", "insert into place values (1, 2, 3)")
	for _, query := range []string{
		"select loc from listed limit 1",
		"with first as (select path as loc from page limit 1) select * from first",
		"with recursive n(i) as (select 1 union all select i + 1 from n where i < 1) select '/' || i as loc from n",
		"select loc from text where text match 'text'",
		"select '/' || id as loc from place where low > 1",
		"select '/' || value as loc from json_each('[1]')",
		"-- a comment\nselect '/' || row_number() over (order by id) as loc from page limit 1",
	} {
		result, err := Run(t.Context(), new(app.App), settingsOf(address, query, t.TempDir()))
		if err != nil || result.Listed != 1 {
			t.Errorf("%s: %+v, %v", query, result, err)
		}
	}
}

// TestBuildSQLiteWrites refuses every statement that changes or creates a file, or reads
// another one: no file in the folder differs afterwards.
func TestBuildSQLiteWrites(t *testing.T) {
	address := newSQLite(t)
	folder := filepath.Dir(strings.TrimPrefix(address, "sqlite:"))
	t.Chdir(folder)
	other := filepath.Join(folder, "other.sqlite")
	if err := os.Rename(strings.TrimPrefix(newSQLite(t), "sqlite:"), other); err != nil {
		t.Fatal(err)
	}
	before := filesIn(t, folder)
	file := filepath.Join(folder, "new")
	for _, query := range []string{
		fmt.Sprintf("attach '%s' as n", file), fmt.Sprintf("attach 'file:%s?mode=rwc' as n", file),
		fmt.Sprintf("/* a comment */ attach '%s' as n", file), fmt.Sprintf("-- a comment\nattach '%s' as n", file),
		"attach ':memory:' as n", "attach '' as n", "attach 'new' as n",
		fmt.Sprintf("attach '%s' as n", other), fmt.Sprintf("attach 'file:%s?mode=ro' as n", other),
		fmt.Sprintf("attach '%s' as n; select path as loc from n.page", other),
		fmt.Sprintf("attach '%s' as n; pragma query_only = 0; delete from n.page", other),
		fmt.Sprintf("commit; pragma query_only = 0; attach '%s' as n; delete from n.page", other),
		fmt.Sprintf("pragma query_only = 0; attach '%s' as n; create table n.copy as select * from page", file),
		fmt.Sprintf("select '/' as loc; attach '%s' as n", file),
		fmt.Sprintf("vacuum into '%s'", file), fmt.Sprintf("commit; vacuum into '%s'", file), "commit; vacuum",
		"pragma journal_mode = wal", "commit; pragma journal_mode = wal", "pragma query_only = 0",
		"commit; pragma query_only = 0; pragma user_version = 7", "pragma user_version = 7", "pragma optimize",
		fmt.Sprintf("pragma temp_store_directory = '%s'", folder), "pragma integrity_check", "pragma incremental_vacuum",
		"create table n (a)", "create temp table n as select '/' as loc", "create temp view n as select '/' as loc",
		"create virtual table temp.n using fts5(loc)", "create trigger temp.n after insert on page begin select 1; end",
		"drop table page", "alter table page rename to n", "analyze", "savepoint n",
		"delete from page", "select '/' as loc; commit; delete from page", "update page set name = 'x' returning path as loc",
		"insert into page (path) values ('/x') returning path as loc",
		"with n as (select '/x' as path) insert into page (path) select path from n returning path as loc",
		"update sqlite_dbpage set data = zeroblob(4096) where pgno = 1",
		"select load_extension('./new') as loc", "select writefile('new', 'x') as loc", "select readfile('other.sqlite') as loc",
	} {
		result, err := Run(t.Context(), new(app.App), settingsOf(address, query, t.TempDir()))
		var refused *DatabaseError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %+v, %v", query, result, err)
		}
		if after := filesIn(t, folder); after != before {
			t.Fatalf("%s: the files were\n%s\nand are\n%s", query, before, after)
		}
	}
}

// filesIn describes the files of a folder, with what is in them.
func filesIn(t *testing.T, folder string) string {
	t.Helper()
	var text strings.Builder
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(folder, name))
		fmt.Fprintf(&text, "%s %x\n", name, sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}
