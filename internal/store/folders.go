package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// ErrNotFound means that the crawl has no URL, folder or group of findings with a name or number.
var ErrNotFound = errors.New("not found in the crawl")

// A Folder counts the pages of a folder and all below it.
type Folder struct {
	URL     string `json:"url"`  // ends in a slash; empty for the folder of all origins
	Name    string `json:"name"` // for display
	Total   int64  `json:"total"`
	Listed  int64  `json:"listed"`
	Broken  int64  `json:"broken"`
	Folders int64  `json:"folders"` // directly in it
	Level   int    `json:"-"`       // 0 for the folder of all origins

	number, last int64
}

// topFolder is the number of the folder of all origins, and noFolder the one above it.
const (
	topFolder = 1
	noFolder  = 0
)

const selectFolder = "select name, number, last, total, listed, broken, folders from folder "

// folderOf reads a folder that is in another one.
func folderOf(r sqlite.Row, above *Folder) Folder {
	f := Folder{
		Name: format.Plain(r.Text(0)), Total: r.Number(3), Listed: r.Number(4), Broken: r.Number(5), Folders: r.Number(6),
		number: r.Number(1), last: r.Number(2),
	}
	if f.number != topFolder {
		f.URL, f.Level = above.URL+r.Text(0)+"/", above.Level+1
	}
	return f
}

// FindFolder returns a folder by its URL, and the URL of the one above it. The error wraps ErrNotFound without one.
func (f *File) FindFolder(ctx context.Context, url string) (found Folder, parent string, err error) {
	names := []string{""}
	if url != "" {
		names = slices.AppendSeq(names, urlnorm.Folders(strings.TrimSuffix(url, "/")+"/"))
	}
	if url != "" && len(names) == 1 {
		return found, "", fmt.Errorf("the folder %s: %w", url, ErrNotFound)
	}
	for _, name := range names {
		above, known := found, false
		err := f.query(ctx, selectFolder+"where parent = ? and name = ?", func(r sqlite.Row) {
			found, known = folderOf(r, &above), true
		}, above.number, name)
		if err == nil && !known {
			err = fmt.Errorf("the folder %s: %w", url, ErrNotFound)
		}
		if err != nil {
			return found, "", err
		}
		parent = above.URL
	}
	return found, parent, nil
}

// FolderOrders are the orders of folders; after "-" from the largest. The empty one is that of names.
var FolderOrders = map[string]string{
	"": "name", "name": "name", "-name": "name desc", "urls": "total, name", "-urls": "total desc, name",
	"listed": "listed, name", "-listed": "listed desc, name", "broken": "broken, name", "-broken": "broken desc, name",
}

// FoldersIn returns a part of the folders in another one, in one of FolderOrders.
func (f *File) FoldersIn(
	ctx context.Context, above *Folder, order string, after, limit int64,
) (all []Folder, err error) {
	err = f.query(ctx, selectFolder+"where parent = ? order by "+FolderOrders[order]+" limit ? offset ?",
		func(r sqlite.Row) { all = append(all, folderOf(r, above)) }, above.number, limit, after)
	return all, err
}

// LargestFolders returns the folders with the most pages, each after the one that it is in, which is among them. The
// first is that of all origins.
func (f *File) LargestFolders(ctx context.Context, limit int64) (all []Folder, err error) {
	const text = selectFolder + "where number in (select number from folder order by total desc, number limit ?) order by number"
	var open []Folder // the last folder and those that it is in
	err = f.query(ctx, text, func(r sqlite.Row) {
		for len(open) > 0 && open[len(open)-1].last < r.Number(1) {
			open = open[:len(open)-1]
		}
		above := &Folder{}
		if len(open) > 0 {
			above = &open[len(open)-1]
		}
		open = append(open, folderOf(r, above))
		all = append(all, open[len(open)-1])
	}, limit)
	return all, err
}

// FilterFolder selects the URLs in a folder and below it: none where the crawl does not have it.
func (f *File) FilterFolder(ctx context.Context, q *page.Query, url string) error {
	folder, _, err := f.FindFolder(ctx, url)
	if errors.Is(err, ErrNotFound) {
		q.Where("false")
		return nil
	}
	q.Where("n.folder between ? and ?", folder.number, folder.last)
	return err
}

// folderWriter numbers and counts folders while the URLs are added in the order of their bytes, so that those of a
// folder follow each other.
type folderWriter struct {
	insert *sqlite.Inserter
	open   []openFolder // the folder of the last URL, after those above it
	last   int64        // the largest number
}

// openFolder is a folder to which URLs may yet be added.
type openFolder struct {
	name                           string
	number                         int64
	total, listed, broken, folders int64
}

// insertFolder returns what writes a row for each folder.
func (f *File) insertFolder() (*sqlite.Inserter, error) {
	return f.db.NewInserter("folder", "parent", "name", "number", "last", "total", "listed", "broken", "folders")
}

// writeFolders writes the folders of the site, and finds the place of each URL.
func (c *Counter) writeFolders(ctx context.Context, places *places) (err error) {
	insert, err := c.insertFolder()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, insert.Close()) }()
	const text = `select u.id, u.url, u.role, u.reason, f.id is not null, f.reason, u.seed_sources
from url u left join fetch f on f.id = u.id order by u.url, u.id`
	w := &folderWriter{insert: insert, open: []openFolder{{number: topFolder}}, last: topFolder}
	position, others := uint32(0), []crawl.ID(nil)
	type place struct {
		crawl.Record
		id crawl.ID
	}
	read := func(r sqlite.Row) place {
		return place{id: c.id(r, 0), Record: crawl.Record{
			Link: crawl.Link{
				URL: r.Text(1), Role: crawl.Role(r.Number(2)), Reason: crawl.Reason(r.Text(3)),
				SeededBy: crawl.SeedSource(r.Number(6)),
			},
			Fetched: r.Number(4) != 0, Page: crawl.Page{Reason: crawl.Reason(r.Text(5))},
		}}
	}
	for p, err := range sequence(ctx, c.File, text, read) {
		if err != nil {
			return err
		}
		if !page.IsOnSite(&p.Record) {
			others = append(others, p.id)
			continue
		}
		position++
		places.position[p.id] = position
		number, err := w.add(p.Link.URL, page.IsListed(&p.Record), places.broken.Has(p.id))
		if err != nil {
			return err
		}
		places.folder[p.id] = uint32(number)
	}
	for _, id := range others { // after the pages of the site
		position++
		places.position[id] = position
	}
	return cmp.Or(w.closeTo(0), insert.Flush())
}

// add counts a URL and returns the number of its folder.
func (w *folderWriter) add(url string, listed, broken bool) (int64, error) {
	level := 1
	for name := range urlnorm.Folders(url) {
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
	f.listed += int64(flag(listed, 1))
	f.broken += int64(flag(broken, 1))
	return f.number, nil
}

// closeTo writes the open folders from a level on, and adds their numbers to those above them.
func (w *folderWriter) closeTo(level int) error {
	for last := len(w.open) - 1; last >= level; last-- {
		f, parent := &w.open[last], int64(noFolder)
		if last > 0 {
			above := &w.open[last-1]
			above.total, above.listed, above.broken = above.total+f.total, above.listed+f.listed, above.broken+f.broken
			parent = above.number
		}
		if err := w.insert.Add(parent, f.name, f.number, w.last, f.total, f.listed, f.broken, f.folders); err != nil {
			return err
		}
		w.open = w.open[:last]
	}
	return nil
}
