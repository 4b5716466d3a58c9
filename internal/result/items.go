package result

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/sqlite"
)

// numbered is an item of a list with its number.
type numbered[T any] struct {
	number int64
	item   T
}

// items returns the items that a query selects, each a number and a text of JSON. Where
// there are more than limit, next is the cursor of the rest.
func items[T any](ctx context.Context, db *sql.DB, limit int, query string, values ...any) (
	list []numbered[T], next string, err error,
) {
	rows, err := db.QueryContext(ctx, query+" limit "+strconv.Itoa(limit+1), values...)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		var one numbered[T]
		var text []byte
		if err := rows.Scan(&one.number, &text); err != nil {
			return nil, "", err
		}
		if err := json.Unmarshal(text, &one.item); err != nil {
			return nil, "", fmt.Errorf("%w: %w", sqlite.ErrDamaged, err)
		}
		if len(list) == limit {
			return list, strconv.FormatInt(list[limit-1].number, 10), nil
		}
		list = append(list, one)
	}
	return list, "", rows.Err()
}

const selectItems = "select number, value from item where list = ? and number > ? order by number"

// Groups returns a part of the groups of a list whose name ends in ".same", the largest
// first. The pages of a group are those with Filter.List and Filter.Group.
func (r *Result) Groups(ctx context.Context, list, cursor string, limit int) (_ *GroupList, err error) {
	defer r.explain(&err)
	if !slices.Contains(report.GroupLists(), list) {
		return nil, &FilterError{"list", list}
	}
	after, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	kept, next, err := items[groupItem](ctx, r.index, clampLimit(limit), selectItems, list, after)
	groups := &GroupList{Groups: []Group{}, Next: next}
	if err != nil {
		return nil, err
	}
	err = r.files.use(ctx, func(file *crawlReader) error {
		for _, one := range kept {
			group, err := file.group(ctx, list, &one.item)
			if err != nil {
				return err
			}
			group.Number = one.number
			groups.Groups = append(groups.Groups, group)
		}
		return nil
	})
	return groups, err
}

// group returns a group of a list with its first pages.
func (f *crawlReader) group(ctx context.Context, list string, item *groupItem) (Group, error) {
	group := Group{Total: item.Total}
	for i, id := range item.First {
		if err := ctx.Err(); err != nil {
			return group, err
		}
		ref, err := f.ref(id)
		if err != nil {
			return group, err
		}
		group.First = append(group.First, ref)
		if i > 0 {
			continue
		}
		record, _, err := f.Record(id)
		if err != nil {
			return group, err
		}
		group.Shared = format.Plain(report.SharedText(list, &record))
	}
	return group, nil
}

// MissingAnchors returns a part of the missing anchors, the most linked first.
func (r *Result) MissingAnchors(ctx context.Context, cursor string, limit int) (_ *AnchorList, err error) {
	defer r.explain(&err)
	after, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	kept, next, err := items[report.MissingAnchor](ctx, r.index, clampLimit(limit), selectItems, listAnchors, after)
	anchors := &AnchorList{Anchors: []Anchor{}, Next: next}
	if err != nil {
		return nil, err
	}
	err = r.files.use(ctx, func(file *crawlReader) error {
		for _, one := range kept {
			anchor, err := file.anchor(ctx, &one.item)
			if err != nil {
				return err
			}
			anchors.Anchors = append(anchors.Anchors, anchor)
		}
		return nil
	})
	return anchors, err
}

func (f *crawlReader) anchor(ctx context.Context, item *report.MissingAnchor) (Anchor, error) {
	page, err := f.ref(item.Page)
	anchor := Anchor{Page: page, Fragment: item.Fragment, Links: item.Links}
	for i, from := range item.From[:min(len(item.From), len(item.Texts))] {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return anchor, err
		}
		var ref Ref
		ref, err = f.ref(from)
		anchor.First = append(anchor.First, Link{Ref: ref, Text: item.Texts[i], Kind: crawl.EdgeAnchor.String()})
	}
	return anchor, err
}

// Languages returns a part of the hreflang errors.
func (r *Result) Languages(ctx context.Context, cursor string, limit int) (_ *FaultList, err error) {
	defer r.explain(&err)
	after, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	kept, next, err := items[report.LanguageFault](ctx, r.index, clampLimit(limit), selectItems, listFaults, after)
	if err != nil {
		return nil, err
	}
	faults, err := r.namedFaults(ctx, kept)
	return &FaultList{faults, next}, err
}

const selectFaultsOf = `select number, value from item where list = ? and json_extract(value, '$.Page') = ?
order by number`

// faultsOf returns the hreflang errors of a page.
func (r *Result) faultsOf(ctx context.Context, id int64) ([]Fault, error) {
	kept, _, err := items[report.LanguageFault](ctx, r.index, maxLimit, selectFaultsOf, listFaults, id)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	return r.namedFaults(ctx, kept)
}

func (r *Result) namedFaults(ctx context.Context, kept []numbered[report.LanguageFault]) ([]Fault, error) {
	faults := make([]Fault, 0, len(kept))
	err := r.files.use(ctx, func(file *crawlReader) error {
		for _, one := range kept {
			if !slices.Contains(report.FaultNames(), one.item.Fault) {
				return sqlite.ErrDamaged
			}
			page, err := file.ref(one.item.Page)
			fault := Fault{Page: page, Fault: one.item.Fault, Language: format.Plain(one.item.Language)}
			if err == nil && one.item.Other > 0 {
				var other Ref
				other, err = file.ref(one.item.Other)
				fault.Version = &other
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			faults = append(faults, fault)
		}
		return nil
	})
	return faults, err
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
	selectChanges       = "select number, value from change where ?1 = '' and number > ?2 order by number"
	selectChangesOfKind = "select number, value from change where kind = ?1 and number > ?2 order by number"
)

// changes returns a part of the changes that a file has, without the IDs of the pages.
func changes(ctx context.Context, db *sql.DB, kind, cursor string, limit int) (*ChangeList, error) {
	if kind != "" && !slices.Contains(compare.Kinds, compare.Kind(kind)) {
		return nil, &FilterError{"kind", kind}
	}
	after, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list := &ChangeList{}
	if err := readMeta(ctx, db, "changes", list); err != nil && !isNotFound(err) {
		return nil, err
	}
	query := selectChanges
	if kind != "" {
		query = selectChangesOfKind
	}
	kept, next, err := items[Change](ctx, db, clampLimit(limit), query, kind, after)
	list.Changes, list.Next = make([]Change, 0, len(kept)), next
	for _, one := range kept {
		if !slices.Contains(compare.Kinds, one.item.Kind) {
			return nil, sqlite.ErrDamaged
		}
		one.item.URL = format.Plain(one.item.URL)
		for _, state := range []*compare.State{one.item.Old, one.item.New} {
			if state != nil {
				state.Decision, state.Target = format.Plain(state.Decision), format.Plain(state.Target)
			}
		}
		list.Changes = append(list.Changes, one.item)
	}
	return list, err
}

// identify sets the IDs of changed pages.
func (f *crawlReader) identify(ctx context.Context, list *ChangeList) error {
	for i := range list.Changes {
		change := &list.Changes[i]
		if change.Kind == compare.KindRemoved {
			continue
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
