package store

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
)

// TestSchemaRecord records the tables and views of a new crawl file. A change needs another
// [spec] version. UPDATE_GOLDEN=1 rewrites the file.
func TestSchemaRecord(t *testing.T) {
	lines := append([]string{fmt.Sprintf("version %d", spec.Version)}, ask(t, sampleFile(t), `
		select s.type, s.name, c.name, c.type, case when c."notnull" then 'not null' else '' end
		from sqlite_schema s, pragma_table_xinfo(s.name) c
		where s.type in ('table', 'view') order by s.type, s.name, c.cid`)...)
	formattest.Golden(t, filepath.Join("testdata", "schema.txt"), []byte(strings.Join(lines, "\n")+"\n"))
}

// TestFetchColumns compares the columns that are read and written with those of the schema.
func TestFetchColumns(t *testing.T) {
	_, table, _ := strings.Cut(schema, "create table fetch (")
	table, _, _ = strings.Cut(table, "\n);")
	var names []string
	for _, column := range regexp.MustCompile(`(?m)^\t(\w+) `).FindAllStringSubmatch(table, -1) {
		if names = append(names, column[1]); !strings.Contains(fetchColumns+",", "f."+column[1]+",") {
			t.Errorf("the column %s is neither read nor written", column[1])
		}
	}
	for _, column := range regexp.MustCompile(`f\.(\w+)`).FindAllStringSubmatch(fetchColumns, -1) {
		if !slices.Contains(names, column[1]) {
			t.Errorf("the table fetch has no column %s", column[1])
		}
	}
	equal(t, "columns", fetchCount, len(names))
}
