package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/view"
)

// What the picture of a site shows: folders of two levels, those with a share of the pages.
const (
	maxPicture   = 30
	minPicture   = 150 // a share of 1/150, which is large enough to touch
	levelsInside = 2
)

// maxFolders is how many folders a report shows.
const maxFolders = 5000

// pictured returns the folder that has all pages, and the largest folders of the next two levels. Each follows the one
// that it is in, as they all do.
func pictured(folders []store.Folder) []store.Folder {
	top := 0
	for top+1 < len(folders) && folders[top+1].Total == folders[top].Total {
		top++
	}
	var all []store.Folder
	var sizes []int64
	for i := top; i < len(folders) && (i == top || folders[i].Level > folders[top].Level); i++ {
		if folders[i].Level <= folders[top].Level+levelsInside {
			all, sizes = append(all, folders[i]), append(sizes, folders[i].Total)
		}
	}
	if len(all) < 2 {
		return nil
	}
	slices.SortFunc(sizes, func(a, b int64) int { return cmp.Compare(b, a) })
	least := max(sizes[min(len(sizes), maxPicture)-1], all[0].Total/minPicture, 1)
	equal := maxPicture - slices.IndexFunc(append(sizes, 0), func(n int64) bool { return n <= least })
	return slices.DeleteFunc(all, func(one store.Folder) bool { // of the smallest, the first ones are shown
		if one.Total == least {
			equal--
		}
		return one.Total < least || one.Total == least && equal < 0
	})
}

// Treemap returns the picture of the folders, or nil when there is only one. The function href is that of Texts.
func (o *Overview) Treemap(c *catalog.Catalog, href func(section, choice string) string) *view.Treemap {
	if len(o.Folders) == 0 {
		return nil
	}
	top := &o.Folders[0]
	newFolder := func(f *store.Folder) view.TreemapFolder {
		name := strings.TrimPrefix(f.URL, top.URL)
		if top.URL != "" {
			name = "/" + name
		}
		return view.TreemapFolder{
			Name: name, Href: href("tree", f.URL), Total: int(f.Total), Listed: int(f.Listed), Broken: int(f.Broken),
		}
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
