package web

import (
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/internal/app/results"
)

type treeView struct {
	resultFrame
	Here        string
	Pages       string // address of the list of the URLs in the folder
	Total       int64
	Up          []fileLink // the folders above
	Exports     []fileLink
	Table       table
	First, Next string
}

// pageTree shows a folder of the site with those in it.
func (s *Server) pageTree(w http.ResponseWriter, r *http.Request) error {
	frame, release, err := s.openResult(r, "tree")
	defer release()
	if err != nil {
		return err
	}
	folder, cursor := r.URL.Query().Get("folder"), r.URL.Query().Get("cursor")
	tree, err := frame.result.Tree(r.Context(), folder, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	if folder == "" && len(tree.Folders) == 1 { // most sites have one origin
		if tree, err = frame.result.Tree(r.Context(), tree.Folders[0].URL, cursor, rowsOfPage); err != nil {
			return err
		}
	}
	v := treeView{resultFrame: frame, Here: tree.URL, Total: tree.Total}
	v.Title = v.texts.Text("section.tree") + " · " + v.Crawl.Site
	v.Pages = v.listHref(url.Values{})
	if tree.URL != "" {
		v.Pages = v.listHref(url.Values{"folder": {tree.URL}})
		v.Up = append(v.Up, fileLink{Href: v.treeHref("", ""), Name: v.texts.Text("web.tree.all")})
		if tree.Parent != "" {
			v.Up = append(v.Up, fileLink{Href: v.treeHref(tree.Parent, ""), Name: v.short(tree.Parent)})
		}
	}
	v.Table = v.treeTable(tree.Folders)
	if len(tree.Folders) > 0 {
		v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", url.Values{"list": {exportFolders}, "folder": {tree.URL}})
	}
	if cursor != "" {
		v.First = v.treeHref(folder, "")
	}
	if tree.Next != "" {
		v.Next = v.treeHref(folder, tree.Next)
	}
	return s.render(w, http.StatusOK, "tree", &v.frame, &v)
}

func (v *resultFrame) treeHref(folder, cursor string) string {
	query := url.Values{}
	for name, value := range map[string]string{"folder": folder, "cursor": cursor} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return "/crawls/" + v.Crawl.ID + "/tree?" + query.Encode()
}

func (v *treeView) treeTable(folders []results.TreeFolder) table {
	c := v.texts
	t := table{Columns: []column{{Name: c.Text("column.folder")}, {Name: c.Text("column.urls"), Class: "figure"},
		{Name: c.Text("column.listed"), Class: "figure"}, {Name: c.Text("script.broken-urls"), Class: "figure"}},
		Empty: c.Text("web.tree.none")}
	for i := range folders {
		f := &folders[i]
		href := v.treeHref(f.URL, "")
		if f.Folders == 0 {
			href = v.listHref(url.Values{"folder": {f.URL}})
		}
		name := f.Name
		if name == "" {
			name = f.URL
		}
		row := []cell{{Class: "wide", Links: []pageLink{{Href: href, URL: name}}}}
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
