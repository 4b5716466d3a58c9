package store

import (
	"fmt"
	"path/filepath"
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
