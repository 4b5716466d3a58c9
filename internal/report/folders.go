package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/view"
)

// A FolderCount is a folder with the numbers of the URLs in it and below it, as the tree counts them.
type FolderCount struct {
	URL    string `json:"url"` // ends in a slash; empty for the folder of all origins
	Total  int    `json:"total"`
	Listed int    `json:"listed"`
	Broken int    `json:"broken"`
}

// What the picture of a site shows: folders of two levels, those with a share of the pages.
const (
	maxPicture   = 30
	minPicture   = 150 // a share of 1/150, which is large enough to touch
	levelsInside = 2
)

// largest returns the folder that has all URLs, and the largest folders of the next two levels. Each follows
// the one that it is in.
func (t *tree) largest() []FolderCount {
	top, at := "", &t.root
	for len(at.inside) == 1 {
		name := slices.Collect(maps.Keys(at.inside))[0]
		next := at.inside[name]
		if next.total < at.total || isCut(name) {
			break
		}
		top, at = top+name+"/", next
	}
	var all []FolderCount
	var walk func(f *folder, url string, level int)
	walk = func(f *folder, url string, level int) {
		all = append(all, FolderCount{format.Plain(url), f.total, f.listed, f.broken})
		if level == levelsInside {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(f.inside)) {
			if !isCut(name) {
				walk(f.inside[name], url+name+"/", level+1)
			}
		}
	}
	walk(at, top, 0)
	if at.total == 0 || len(all) == 1 {
		return nil
	}
	sizes := make([]int, len(all))
	for i := range all {
		sizes[i] = all[i].Total
	}
	slices.SortFunc(sizes, func(a, b int) int { return cmp.Compare(b, a) })
	least := max(sizes[min(len(sizes), maxPicture)-1], at.total/minPicture, 1)
	equal := maxPicture - slices.IndexFunc(append(sizes, 0), func(n int) bool { return n <= least })
	return slices.DeleteFunc(all, func(one FolderCount) bool { // of the smallest, the first ones are shown
		if one.Total == least {
			equal--
		}
		return one.Total < least || one.Total == least && equal < 0
	})
}

// isCut reports whether the tree has only the beginning of the name of a folder, which may be that of several.
func isCut(name string) bool { return strings.HasSuffix(name, "…") }

// Treemap returns the picture of the folders, or nil when there is only one. The function href is that of Texts.
func (o *Overview) Treemap(c *catalog.Catalog, href func(section, choice string) string) *view.Treemap {
	if len(o.Folders) == 0 {
		return nil
	}
	top := &o.Folders[0]
	newFolder := func(f *FolderCount) view.TreemapFolder {
		name := strings.TrimPrefix(f.URL, top.URL)
		if top.URL != "" {
			name = "/" + name
		}
		return view.TreemapFolder{Name: name, Href: href("tree", f.URL), Total: f.Total, Listed: f.Listed, Broken: f.Broken}
	}
	var folders []view.TreemapFolder
	for i := 1; i < len(o.Folders); i++ {
		f := newFolder(&o.Folders[i])
		parent := len(folders) - 1
		if parent >= 0 && strings.HasPrefix(o.Folders[i].URL, top.URL+strings.TrimPrefix(folders[parent].Name, "/")) {
			folders[parent].Inside = append(folders[parent].Inside, f)
			continue
		}
		folders = append(folders, f)
	}
	others := newFolder(top)
	for i := range folders {
		f := &folders[i]
		subtract(&others, f)
		for j := range f.Inside {
			subtract(f, &f.Inside[j])
		}
		if len(f.Inside) > 0 {
			f.Name = c.Text("treemap.others", f.Name)
		}
	}
	others.Name, others.Href = c.Text("treemap.others", others.Name), href("tree", "")
	return view.NewTreemap(c, append(folders, others))
}

// subtract takes the pages of a folder from those of the one that it is in.
func subtract(f, inside *view.TreemapFolder) {
	f.Total, f.Listed, f.Broken = f.Total-inside.Total, f.Listed-inside.Listed, f.Broken-inside.Broken
}
