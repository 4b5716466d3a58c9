package result

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
)

// topFolder is the number of the folder of all origins, and noFolder the one above it.
const (
	topFolder = 1
	noFolder  = 0
)

// folderWriter numbers and counts folders while the URLs are added in the order of their
// bytes, so that those of a folder follow each other.
type folderWriter struct {
	insert *sql.Stmt
	open   []openFolder // the folder of the last URL, after those above it
	last   int64        // the largest number
}

// openFolder is a folder to which URLs may yet be added.
type openFolder struct {
	name                           string
	number                         int64
	total, listed, broken, folders int64
}

func newFolderWriter(insert *sql.Stmt) *folderWriter {
	return &folderWriter{insert: insert, open: []openFolder{{number: topFolder}}, last: topFolder}
}

// add counts a URL and returns the number of its folder.
func (w *folderWriter) add(url string, listed, broken bool) (int64, error) {
	level := 1
	for name := range report.Segments(url) {
		if level < len(w.open) && w.open[level].name == name {
			level++
			continue
		}
		if err := w.closeTo(level); err != nil {
			return 0, err
		}
		w.open[level-1].folders++
		w.last++
		w.open = append(w.open, openFolder{name: strings.Clone(name), number: w.last})
		level++
	}
	if err := w.closeTo(level); err != nil {
		return 0, err
	}
	f := &w.open[level-1]
	f.total++
	f.listed += count(listed)
	f.broken += count(broken)
	return f.number, nil
}

func count(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// closeTo writes the open folders from a level on, and adds their numbers to those above
// them.
func (w *folderWriter) closeTo(level int) error {
	for last := len(w.open) - 1; last >= level; last-- {
		f, parent := &w.open[last], int64(noFolder)
		if last > 0 {
			above := &w.open[last-1]
			above.total, above.listed, above.broken = above.total+f.total, above.listed+f.listed, above.broken+f.broken
			parent = above.number
		}
		_, err := w.insert.Exec(parent, f.name, f.number, w.last, f.total, f.listed, f.broken, f.folders)
		if err != nil {
			return err
		}
		w.open = w.open[:last]
	}
	return nil
}

// folderRow is a row of the table of folders.
type folderRow struct {
	Folder
	number, last int64
}

const selectFolders = "select name, number, last, total, listed, broken, folders from folder where parent = ?"

func (f *folderRow) scan(row interface{ Scan(...any) error }) error {
	return row.Scan(&f.Name, &f.number, &f.last, &f.Total, &f.Listed, &f.Broken, &f.Folders)
}

// findFolder returns a folder by its URL, and the URL of the one above it.
func (r *Result) findFolder(ctx context.Context, url string) (f folderRow, parent string, err error) {
	names := []string{""}
	if url != "" {
		names = slices.AppendSeq(names, report.Segments(strings.TrimSuffix(url, "/")+"/"))
	}
	for _, name := range names {
		parent = f.URL
		above := f
		err := f.scan(r.index.QueryRowContext(ctx, selectFolders+" and name = ?", above.number, name))
		if errors.Is(err, sql.ErrNoRows) {
			return f, "", fmt.Errorf("the folder %s: %w", url, ErrNotFound)
		}
		if err != nil {
			return f, "", err
		}
		f.setURL(&above)
	}
	return f, parent, nil
}

// setURL sets the URL of a folder, and makes its name fit for display.
func (f *folderRow) setURL(above *folderRow) {
	f.URL = above.URL + f.Name + "/"
	if f.number == topFolder {
		f.URL = ""
	}
	f.Name = format.Plain(f.Name)
}

// folderOrders are the orders of folders.
var folderOrders = map[string]string{
	"": "name", "name": "name", "-name": "name desc", "urls": "total, name", "-urls": "total desc, name",
	"listed": "listed, name", "-listed": "listed desc, name", "broken": "broken, name", "-broken": "broken desc, name",
}

// Tree returns a folder by its URL, "" for the one of all origins, and a part of the folders in it. They are sorted
// by "name", "urls", "listed" or "broken", after "-" from the largest; the empty order is that of names.
func (r *Result) Tree(ctx context.Context, folder, sort, cursor string, limit int) (_ *Tree, err error) {
	defer r.explain(&err)
	order, known := folderOrders[sort]
	if !known {
		return nil, &FilterError{"sort", sort}
	}
	above, parent, err := r.findFolder(ctx, folder)
	if err != nil {
		return nil, err
	}
	tree := &Tree{Folder: above.Folder, Parent: parent, Folders: []Folder{}}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	limit = clampLimit(limit)
	query := selectFolders + " order by " + order + " limit ? offset ?"
	rows, err := r.index.QueryContext(ctx, query, above.number, limit, before)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f folderRow
		if err := f.scan(rows); err != nil {
			return nil, err
		}
		f.setURL(&above)
		tree.Folders = append(tree.Folders, f.Folder)
	}
	tree.Part = newPart(before, len(tree.Folders), int(above.Folders), limit)
	return tree, rows.Err()
}
