package result

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A Change is a URL that differs between two crawls.
type Change struct {
	compare.Change
	ID int64 `json:"id,omitempty"` // in the new crawl; 0 for one that it does not know
}

// A ChangeList is a part of the changes between two crawls.
type ChangeList struct {
	Changes []Change       `json:"changes"`
	Counts  compare.Counts `json:"counts"`
	Kinds   []KindCount    `json:"kinds"` // in their order, without those that do not occur
	Part
}

// A KindCount is the number of URLs with a kind of change, and of the changes that list them: one may be that of many
// URLs.
type KindCount struct {
	Kind  compare.Kind `json:"kind"`
	Count int          `json:"count"`
	Rows  int          `json:"rows"`
}

// Changes returns a part of the changes since the previous crawl in the folder, all or
// those of one kind, ordered by URL. Without a previous crawl there are none.
func (r *Result) Changes(ctx context.Context, kind, cursor string, limit int) (_ *ChangeList, err error) {
	defer r.explain(&err)
	list, err := changes(ctx, r.index, kind, cursor, limit)
	if err != nil {
		return nil, err
	}
	err = r.files.use(ctx, func(file *crawlReader) error { return file.identify(ctx, list) })
	return list, err
}

const (
	selectChanges       = "select value from change where ?1 = '' order by number limit ?3 offset ?2"
	selectChangesOfKind = "select value from change where kind = ?1 order by number limit ?3 offset ?2"
)

// changes returns a part of the changes that a file has, without the IDs of the pages.
func changes(ctx context.Context, db *sql.DB, kind, cursor string, limit int) (*ChangeList, error) {
	if kind != "" && !slices.Contains(compare.Kinds, compare.Kind(kind)) {
		return nil, &FilterError{Name: "kind", Value: kind}
	}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list := &ChangeList{}
	if err := readMeta(ctx, db, "changes", list); err != nil && !isNotFound(err) {
		return nil, err
	}
	list.Changes, list.Kinds = []Change{}, append([]KindCount{}, list.Kinds...)
	query, limit := selectChanges, clampLimit(limit)
	if kind != "" {
		query = selectChangesOfKind
	}
	rows, err := db.QueryContext(ctx, query, kind, before, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		change, err := readChange(text)
		if err != nil {
			return nil, err
		}
		list.Changes = append(list.Changes, change)
	}
	total := 0
	for _, k := range list.Kinds {
		if kind == "" || string(k.Kind) == kind {
			total += k.Rows
		}
	}
	list.Part = newPart(before, len(list.Changes), total, limit)
	return list, rows.Err()
}

// readChange reads a change from the tables.
func readChange(text []byte) (change Change, err error) {
	if err := json.Unmarshal(text, &change); err != nil {
		return change, fmt.Errorf("%w: %w", sqlite.ErrDamaged, err)
	}
	if !slices.Contains(compare.Kinds, change.Kind) {
		return change, sqlite.ErrDamaged
	}
	change.Plain()
	return change, nil
}

// identify sets the IDs of changed pages.
func (f *crawlReader) identify(ctx context.Context, list *ChangeList) error {
	for i := range list.Changes {
		change := &list.Changes[i]
		if change.URL == "" {
			continue // of many pages
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		record, known, err := f.PageByURL(change.URL)
		if err != nil {
			return err
		}
		if known {
			change.ID = int64(record.Link.ID)
		}
	}
	return nil
}
