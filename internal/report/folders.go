package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/view"
)

// How many fields the picture of a site has. Folders are opened until there are the fewest, and further while one is
// large. Of the folders in an open one, those are shown that can be touched.
const (
	minFields   = 8
	maxFields   = 50
	maxShares   = 100 // a field can be touched that is at least one of these parts of the picture
	largeFields = 8   // a field with more than an eighth of the pages is large
)

// maxFolders is how many folders a report shows.
const maxFolders = 5000

// A pictureFolder is a folder that the picture may show.
type pictureFolder struct {
	store.Folder
	inside []*pictureFolder // the largest first
	shown  []*pictureFolder // of those inside; empty for one that is not open
}

// pictured returns the folder that has all pages, and those in it that the picture shows. Each follows the one that it
// is in, as they all do.
func pictured(folders []store.Folder) []store.Folder {
	top := 0
	for top+1 < len(folders) && folders[top+1].Total == folders[top].Total {
		top++
	}
	if top >= len(folders) {
		return nil
	}
	root := &pictureFolder{Folder: folders[top]}
	above := []*pictureFolder{root}
	for i := top + 1; i < len(folders) && folders[i].Level > root.Level; i++ {
		level := folders[i].Level - root.Level
		if level > len(above) {
			continue // the one that it is in is not among the folders
		}
		f := &pictureFolder{Folder: folders[i]}
		above = append(above[:level], f)
		above[level-1].inside = append(above[level-1].inside, f)
	}
	if root.open(root.Total); len(root.shown) == 0 {
		return nil
	}
	return root.appendShown(nil)
}

// open opens the folder, and those in it.
func (f *pictureFolder) open(pages int64) {
	closed := []*pictureFolder{f}
	for fields := 1; len(closed) > 0; {
		largest := slices.MaxFunc(closed, func(a, b *pictureFolder) int { return cmp.Compare(a.Total, b.Total) })
		if fields >= maxFields || fields >= minFields && largest.Total*largeFields <= pages {
			return
		}
		closed = slices.DeleteFunc(closed, func(one *pictureFolder) bool { return one == largest })
		fields += largest.show(pages, fields)
		closed = append(closed, largest.shown...)
	}
}

// show shows the largest folders in a folder, and returns how many more fields the picture has.
func (f *pictureFolder) show(pages int64, fields int) int {
	slices.SortStableFunc(f.inside, func(a, b *pictureFolder) int { return cmp.Compare(b.Total, a.Total) })
	sum := int64(0)
	for i, one := range f.inside {
		sum += one.Total
		isSmall := one.Total*f.Total*maxShares < sum*pages
		if fields+i >= maxFields || isSmall && fields+i >= minFields {
			break
		}
		f.shown = append(f.shown, one)
	}
	if sum == f.Total && len(f.shown) == len(f.inside) {
		return len(f.shown) - 1 // no other page is in it
	}
	return len(f.shown)
}

// appendShown appends the folder and those in it that are shown, in the order of their URLs.
func (f *pictureFolder) appendShown(to []store.Folder) []store.Folder {
	to = append(to, f.Folder)
	slices.SortFunc(f.shown, func(a, b *pictureFolder) int { return cmp.Compare(a.URL, b.URL) })
	for _, one := range f.shown {
		to = one.appendShown(to)
	}
	return to
}

// Treemap returns the picture of the folders, or nil when there is only one. The function href is that of Texts.
func (o *Overview) Treemap(c *catalog.Catalog, href func(section, choice string) string) *view.Treemap {
	if len(o.Folders) == 0 {
		return nil
	}
	top := &o.Folders[0]
	root, _ := treemapFolder(c, o.Folders, func(f *store.Folder) view.TreemapFolder {
		name, link := strings.TrimPrefix(f.URL, top.URL), href("tree", f.URL)
		if top.URL != "" {
			name = "/" + name
		}
		if f == top {
			link = href("tree", "")
		}
		return view.TreemapFolder{
			Name: name, Href: link, Total: int(f.Total), Listed: int(f.Listed), Broken: int(f.Broken),
		}
	})
	return view.NewTreemap(c, root)
}

// treemapFolder returns the first folder with those in it, and the folders after these.
func treemapFolder(
	c *catalog.Catalog, folders []store.Folder, newFolder func(*store.Folder) view.TreemapFolder,
) (f view.TreemapFolder, rest []store.Folder) {
	first, rest := &folders[0], folders[1:]
	f = newFolder(first)
	for len(rest) > 0 && strings.HasPrefix(rest[0].URL, first.URL) {
		of := &rest[0]
		f.Total, f.Listed, f.Broken = f.Total-int(of.Total), f.Listed-int(of.Listed), f.Broken-int(of.Broken)
		var inside view.TreemapFolder
		inside, rest = treemapFolder(c, rest, newFolder)
		f.Inside = append(f.Inside, inside)
	}
	if len(f.Inside) > 0 {
		f.Name = c.Text("treemap.others", f.Name)
	}
	return f, rest
}
