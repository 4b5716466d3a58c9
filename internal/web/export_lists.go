package web

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strconv"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
)

// The lists of exports that no filter of pages selects.
const (
	exportFindings = "findings" // of the rule that rule names, with the severity
	exportChanges  = "changes"
	exportFolders  = "folders"
	exportLinksOf  = "links" // of the page that page names, in the direction
)

// listOf returns the list that a request for an export names, or nil when it is one of
// pages.
func listOf(r *http.Request, opened *result.Result) (*exportList, error) {
	ctx, query := r.Context(), r.URL.Query()
	switch query.Get("list") {
	case exportFindings:
		return findingRows(ctx, catalogOf(r), opened, findingsOf(r)), nil
	case exportChanges:
		return changeRows(catalogOf(r), func(cursor string) (*result.ChangeList, error) {
			return opened.Changes(ctx, query.Get("kind"), cursor, rowsOfExport)
		}), nil
	case exportFolders:
		return folderRows(ctx, opened, query.Get("folder"), query.Get("sort")), nil
	case exportLinksOf:
		id, err := readPageID(query.Get("page"))
		return linkRows(ctx, opened, id, directionOf(query)), err
	}
	return nil, nil
}

// rowsOfExport is the number of rows that are read at once.
const rowsOfExport = 500

// inParts yields the items of all parts of a list as rows.
func inParts[T any](
	read func(cursor string) (items []T, next string, err error), row func(*T) exportRow,
) iter.Seq2[exportRow, error] {
	return func(yield func(exportRow, error) bool) {
		for cursor, more := "", true; more; more = cursor != "" {
			items, next, err := read(cursor)
			if err != nil {
				yield(exportRow{}, err)
				return
			}
			for i := range items {
				if !yield(row(&items[i]), nil) {
					return
				}
			}
			cursor = next
		}
	}
}

// findingRows are what a rule found.
func findingRows(ctx context.Context, c *catalog.Catalog, opened *result.Result, by result.FindingFilter) *exportList {
	read := func(cursor string) ([]insight.Finding, string, error) {
		list, err := opened.Findings(ctx, by, cursor, rowsOfExport)
		if err != nil {
			return nil, "", err
		}
		return list.Findings, list.Next, nil
	}
	columns := []string{"severity", "rule", "rule_name", "url", "other_url", "pages", "message"}
	return &exportList{"findings", columns, inParts(read,
		func(f *insight.Finding) exportRow {
			cells := []string{
				c.Text("web.lint." + f.Severity.String()), f.Rule.ID, report.NewRuleText(c, f.Rule.ID).Title, cmp.Or(f.URL, f.File),
				"", strconv.Itoa(f.Places), f.Text(c),
			}
			if f.HasOther() {
				cells[4] = f.OtherURL
			}
			return exportRow{[][]string{cells}, f}
		})}
}

// changeRows are the changes between two crawls.
func changeRows(c *catalog.Catalog, read func(cursor string) (*result.ChangeList, error)) *exportList {
	return &exportList{
		"changes", report.ChangeColumns,
		inParts(func(cursor string) ([]result.Change, string, error) {
			list, err := read(cursor)
			if err != nil {
				return nil, "", err
			}
			return list.Changes, list.Next, nil
		}, func(change *result.Change) exportRow {
			rows := report.ChangeCells(&change.Change)
			for _, cells := range rows {
				if cells[0] = c.Text("change." + cells[0]); cells[4] != "" {
					cells[4] = c.Text("fact." + cells[4])
				}
			}
			return exportRow{rows, change}
		}),
	}
}

// folderRows are the folders in a folder.
func folderRows(ctx context.Context, opened *result.Result, folder, sort string) *exportList {
	read := func(cursor string) ([]result.Folder, string, error) {
		tree, err := opened.Tree(ctx, folder, sort, cursor, rowsOfExport)
		if err != nil {
			return nil, "", err
		}
		return tree.Folders, tree.Next, nil
	}
	return &exportList{"folders", []string{"folder", "urls", "listed", "broken"}, inParts(read,
		func(f *result.Folder) exportRow {
			return exportRow{[][]string{{
				f.URL, strconv.FormatInt(f.Total, 10), strconv.FormatInt(f.Listed, 10), strconv.FormatInt(f.Broken, 10),
			}}, f}
		})}
}

// linkRows are the links to a page, or from it.
func linkRows(ctx context.Context, opened *result.Result, id int64, direction result.Direction) *exportList {
	read := func(cursor string) ([]result.Link, string, error) {
		list, err := opened.Links(ctx, id, direction, cursor, rowsOfExport)
		if err != nil {
			return nil, "", err
		}
		return list.Links, list.Next, nil
	}
	return &exportList{"links", []string{"url", "link_text", "kind", "decision", "status"}, inParts(read,
		func(l *result.Link) exportRow {
			return exportRow{[][]string{{l.URL, l.Text, l.Kind, l.Decision, numberText(l.Status)}}, l}
		})}
}

// numberText returns a number, or an empty text for 0.
func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
