package result

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Compare returns a part of the changes between the crawls in two folders, all or those
// of one kind, ordered by URL. The first part takes the longest: all changes are found
// then, and kept in the folder tables, usually that of the new crawl, until it is compared
// with another one.
func Compare(ctx context.Context, old, new, tables, kind, cursor string, limit int) (*ChangeList, error) {
	before, after := newCrawlFolder(old), newCrawlFolder(new)
	name, stamp := filepath.Join(tables, compareName), before.stamp+after.stamp
	file, err := openTables(ctx, name, stamp)
	if errors.Is(err, fs.ErrNotExist) {
		if err := compareFolders(ctx, name, stamp, before, after); err != nil {
			return nil, err
		}
		file, err = openTables(ctx, name, stamp)
	}
	if err != nil {
		return nil, err
	}
	list, err := changes(ctx, file.Pool(1), kind, cursor, limit)
	if err = errors.Join(file.Explain(err), file.Close()); errors.Is(err, errDamaged) {
		_ = os.Remove(name) // the next comparison writes it again
	}
	return list, err
}

// compareFolders writes the changes between two crawls into a file.
func compareFolders(ctx context.Context, name, stamp string, before, after *crawlFolder) error {
	old, err := before.open()
	if err != nil {
		return err
	}
	defer old.Close()
	new, err := after.open()
	if err != nil {
		return err
	}
	defer new.Close()
	return writeTables(ctx, name, func(tx *sql.Tx) error {
		list, err := writeChanges(ctx, tx, old, new)
		if err != nil {
			return err
		}
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "insert into meta values ('changes', ?), ('stamp', ?)", string(text), stamp)
		return err
	})
}
