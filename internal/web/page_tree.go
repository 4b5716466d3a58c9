package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/result"
)

type treeView struct {
	resultFrame
	Here    string
	Pages   string // address of the list of the URLs in the folder
	Total   int64
	Up      []fileLink // the folders above
	Exports []fileLink
	Table   table
	Pager   pager
}

// pageTree shows a folder of the site with those in it.
func (s *Server) pageTree(w http.ResponseWriter, r *http.Request) error {
	frame, release, err := s.openResult(r, "tree")
	defer release()
	if err != nil {
		return err
	}
	query := r.URL.Query()
	folder, sort, cursor := query.Get("folder"), query.Get("sort"), query.Get("cursor")
	if folder == "" {
		origins, err := frame.result.Tree(r.Context(), "", "", "", 1)
		if err != nil {
			return err
		}
		if len(origins.Folders) == 1 && origins.Next == "" { // as most sites
			folder = origins.Folders[0].URL
		}
	}
	tree, err := frame.result.Tree(r.Context(), folder, sort, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	v := treeView{resultFrame: frame, Here: format.ReadableURL(tree.URL), Total: tree.Total}
	v.Title = v.texts.Text("section.tree") + " · " + v.Crawl.Site
	v.Pages = v.listHref(url.Values{})
	if tree.URL != "" {
		v.Pages = v.listHref(url.Values{"folder": {tree.URL}})
		v.Up = append(v.Up, fileLink{Href: v.treeHref(""), Name: v.texts.Text("web.tree.all")})
		if tree.Parent != "" {
			v.Up = append(v.Up, fileLink{Href: v.treeHref(tree.Parent), Name: v.short(tree.Parent)})
		}
	}
	rows, err := v.openFolders(r.Context(), tree, sort)
	if err != nil {
		return err
	}
	v.Table = v.treeTable(tree.URL, rows)
	at := listAddress{v.treeHref(""), url.Values{"folder": {folder}, "sort": {sort}}}
	at.sort(&v.Table, "name", "name", "-urls", "-listed", "-broken")
	v.Pager = at.pager(v.texts, tree.Part, len(tree.Folders), int(tree.Folder.Folders))
	if len(tree.Folders) > 0 {
		v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", url.Values{
			"list": {exportFolders}, "folder": {tree.URL}, "sort": {sort},
		})
	}
	return s.render(w, http.StatusOK, "tree", &v.frame, &v)
}

// treeHref returns the address of a folder.
func (v *resultFrame) treeHref(folder string) string {
	return listAddress{"/crawls/" + v.Crawl.ID + "/tree", nil}.with("folder", folder)
}

// minFolders is how many folders a page shows at least where the site has them.
const minFolders = 8

// openFolders returns the folders of a tree. Where they are few, those in the largest ones follow each, the first ones
// of many.
func (v *treeView) openFolders(ctx context.Context, tree *result.Tree, sort string) ([]result.Folder, error) {
	rows, open := tree.Folders, map[string]bool{}
	for tree.Before == 0 && tree.Next == "" && len(rows) < minFolders {
		largest := -1
		for i := range rows {
			if rows[i].Folders > 0 && !open[rows[i].URL] && (largest < 0 || rows[i].Total > rows[largest].Total) {
				largest = i
			}
		}
		if largest < 0 {
			break
		}
		open[rows[largest].URL] = true
		inside, err := v.result.Tree(ctx, rows[largest].URL, sort, "", rowsOfPage)
		if err != nil {
			return nil, err
		}
		rows = slices.Insert(slices.Clip(rows), largest+1, inside.Folders...)
	}
	return rows, nil
}

// treeTable returns the table of folders in another one.
func (v *treeView) treeTable(above string, folders []result.Folder) table {
	c := v.texts
	t := table{Columns: []column{{Name: c.Text("column.folder")}, {Name: c.Text("column.urls"), Class: "figure"},
		{Name: c.Text("column.listed"), Class: "figure"}, {Name: c.Text("column.broken-urls"), Class: "figure"}},
		Empty: c.Text("web.tree.none")}
	for i := range folders {
		f := &folders[i]
		href := v.treeHref(f.URL)
		if f.Folders == 0 {
			href = v.listHref(url.Values{"folder": {f.URL}})
		}
		name := format.ReadableURL(strings.TrimSuffix(strings.TrimPrefix(f.URL, above), "/"))
		row := []cell{{Class: "wide", Links: []pageLink{{Href: href, URL: name}}}}
		if open := i+1 < len(folders) && strings.HasPrefix(folders[i+1].URL, f.URL); open {
			row[0].Note = v.texts.Plural("web.tree.folders", f.Folders)
		}
		for at, n := range []int64{f.Total, f.Listed, f.Broken} {
			row = append(row, cell{Class: "figure short", Text: c.Count(n), Label: t.Columns[at+1].Name})
		}
		if f.Broken > 0 {
			row[3].Text, row[3].Tags = "", []tag{{Name: c.Count(f.Broken), Kind: "bad"}}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
