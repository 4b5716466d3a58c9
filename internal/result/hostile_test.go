package result

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// queryAll makes every kind of query. It returns the first error.
func queryAll(t *testing.T, r *Result) error {
	t.Helper()
	var errs []error
	query := func(err error) { errs = append(errs, err) }
	for _, f := range []Filter{
		{}, {"text": "page"}, {"rule": "title-duplicate"}, {"folder": origin + "/section-1/"},
		{"sort": "-url", "depth": "0-9"},
	} {
		list, err := r.Pages(t.Context(), f, "", 1000)
		query(err)
		if err == nil {
			_, err = r.Pages(t.Context(), f, list.Next, 10)
			query(err)
		}
	}
	query(r.Export(t.Context(), io.Discard, Filter{}, "csv", nil))
	for id := range int64(4) {
		_, err := r.Page(t.Context(), id)
		_, errIn := r.Links(t.Context(), id, In, "", 10)
		_, errOut := r.Links(t.Context(), id, Out, "", 10)
		query(errors.Join(err, errIn, errOut))
	}
	_, err := r.Tree(t.Context(), "", "", "", 0)
	query(err)
	_, err = r.Tree(t.Context(), origin+"/section-1/", "", "", 0)
	query(err)
	for _, rule := range []string{"title-duplicate", "anchor-missing", "link-broken"} {
		_, err = r.Findings(t.Context(), FindingFilter{Rule: rule}, "", 0)
		query(err)
		_, err = r.FindingsByPage(t.Context(), FindingFilter{Rule: rule}, "", 0)
		query(err)
	}
	_, err = r.Changes(t.Context(), "", "", 0)
	query(err)
	return errors.Join(errs...)
}

func execute(t *testing.T, name, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

// TestHostileCrawl opens crawl files that another program has changed. It must end, with
// or without an error.
func TestHostileCrawl(t *testing.T) {
	name := folder(t, 60)
	whole, err := os.ReadFile(filepath.Join(name, crawlName))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{
		"update fetch set target = -9, status = 1 << 60, duration_us = -1, size = -1, words = 1 << 62",
		"update url set found_on = 1 << 60, depth = 1 << 60, hops = -1, role = 77, seed_sources = 255",
		"update url set url = 'not a URL'", "update url set url = ''", "update url set url = x'00ff'",
		"update url set url = 'https://h' || char(10) || char(0) || '/' || id",
		"update url set url = 'https://h/' || replace(hex(zeroblob(500)), '00', 'a/') || id",
		"update fetch set reason = 'reason-' || id, media_type = 'type-' || id",
		"update fetch set title = replace(hex(zeroblob(10000)), '0', 'x')",
		"update fetch set title = 7, reason = 1.5, detail = x'00'",
		"update link set edges = x'ffffffffffffffff7f00'", "update link set edges = randomblob(100)",
		"delete from url where id > 5 and id < 9", "delete from fetch", "delete from link",
		"update fetch set extensions = '{\"alternates\":[{}]}'", "update fetch set reason = 'redirect', target = id",
		"update meta set value = 'nonsense'  ", "drop table link",
		"update url set id = id + 100000 where id > 50",
		"update finding_page set page = -5, other = 1 << 60, count = -1", "update finding_page set page = 1 << 62",
		"update finding_rule set rule = 'no-such-rule-' || rule_id", "update finding_rule set severity = severity + 99, groups = -1",
		"update finding_rule set severity = 'off' || rule_id, findings = 'x'", "update finding_group set pages = 'x', count = x'00'",
		"update finding_group set arguments = '[[1]]'", "update finding_page set arguments = '{}'",
		"update finding_group set arguments = '[]', message = 'no.such.text' || char(10, 27)",
		"update finding_group set fragment = x'ff', file = x'00'", "update finding_group set pages = 1 << 62, count = -1",
		"update finding_group set pages = -1, first_page = -7", "delete from finding_page where number = 1",
		"delete from finding_page", "delete from finding_group", "update finding_page set group_id = group_id + 1000000",
		"update finding_page set number = -number", "drop table finding_page", "drop view finding", "delete from finding_rule",
		"update meta set value = '7' where name = 'verdict'", "delete from meta where name = 'verdict'",
		`update meta set value = '{"kind":"?","cause":"?","rules":["?"],"arguments":[{}]}' where name = 'verdict'`,
	} {
		other := t.TempDir()
		file := filepath.Join(other, crawlName)
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		execute(t, file, change)
		r, err := Open(t.Context(), other, other)
		if err != nil {
			t.Logf("%s: %v", change, err)
			if left, _ := filepath.Glob(filepath.Join(other, ".*")); len(left) > 0 {
				t.Errorf("%s: %v is left", change, left)
			}
			continue
		}
		_ = queryAll(t, r)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestHostileResult opens files of tables that another program has changed. Where a query
// finds that, the next Open writes them again.
func TestHostileResult(t *testing.T) {
	name := folder(t, 60)
	if err := queryAll(t, open(t, name)); !errors.Is(err, ErrNotFound) { // of page 0
		t.Fatal(err)
	}
	file := filepath.Join(name, resultName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string) {
		t.Helper()
		for damaged := true; damaged; {
			r, err := Open(t.Context(), name, name)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				return
			}
			err = queryAll(t, r)
			if damaged = errors.Is(err, errDamaged); damaged != r.Damaged() {
				t.Errorf("%s: damaged %t: %v", what, r.Damaged(), err)
			}
			if err != nil && strings.Contains(err.Error(), "SQL") {
				t.Errorf("%s: %v", what, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, change := range []string{
		"update text_block set texts = x'0a'", "delete from text_block", "update text_block set first = first + 7",
		"update text_block set first = -1", "update link_block set pairs = randomblob(1000)",
		"update link_block set pairs = x'ffffffffffffffffffff01'", "update link_block set target = -1, source = 9",
		"update link_block set target = 'x'", "update change set value = '[]'",
		`update change set value = '{"change":"added"}'`, "update change set number = number, value = x'ff'",
		"update meta set value = 'null' where name <> 'stamp'", "update meta set value = '[]' where name = 'choices'",
		"drop table text_block", "alter table link_block rename column pairs to other",
		"drop index change_kind; alter table change rename column value to other",
		"delete from meta where name = 'overview'",
	} {
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		execute(t, file, change)
		try(change)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 6 {
		damaged := append([]byte{}, whole...)
		for range 1 + i {
			damaged[random.IntN(len(damaged))] = byte(random.IntN(256))
		}
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		try("damage " + strconv.Itoa(i))
	}
}

// TestDamagedElsewhere keeps damaged tables in a folder where nothing may be written, and
// removes those in the folder for tables.
func TestDamagedElsewhere(t *testing.T) {
	name, tables := folder(t, 60), t.TempDir()
	open(t, name)
	for _, test := range []struct {
		damaged string
		kept    bool
	}{{filepath.Join(name, resultName), true}, {filepath.Join(tables, resultName), false}} {
		execute(t, test.damaged, "drop table change")
		r, err := Open(t.Context(), name, tables)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Changes(t.Context(), "", "", 0)
		if !errors.Is(err, errDamaged) || !r.Damaged() {
			t.Errorf("%s: %v", test.damaged, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(test.damaged); (err == nil) != test.kept {
			t.Errorf("%s: %v", test.damaged, err)
		}
		if test.kept { // the next one is in the other folder
			if err := os.Rename(test.damaged, filepath.Join(t.TempDir(), "moved")); err != nil {
				t.Fatal(err)
			}
			r, err := Open(t.Context(), name, tables)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestOpenErrors opens what is no crawl, a crawl that changed, and one in a folder that
// cannot be written.
func TestOpenErrors(t *testing.T) {
	if _, err := Open(t.Context(), t.TempDir(), t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	name := t.TempDir()
	if err := os.WriteFile(filepath.Join(name, crawlName), make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), name, name); !errors.Is(err, sqlite.ErrForeign) {
		t.Errorf("another file: %v", err)
	}
	name = folder(t, 40)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ended, name, name); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	left := filepath.Join(name, ".mapa-"+resultName+".123.tmp")
	err := errors.Join(os.WriteFile(left, nil, 0o600), os.Chtimes(left, time.Time{}, time.Now().Add(-2*leftAfter)))
	if err != nil {
		t.Fatal(err)
	}
	before, _ := open(t, name).Overview(t.Context())
	if err := os.Remove(filepath.Join(name, crawlName)); err != nil {
		t.Fatal(err)
	}
	site{60, 3}.write(t, filepath.Join(name, crawlName))
	after, _ := open(t, name).Overview(t.Context())
	if before.URLs != 40 || after.URLs != 60 {
		t.Errorf("%d URLs, then %d", before.URLs, after.URLs)
	}
	if left, _ := filepath.Glob(filepath.Join(name, ".*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
