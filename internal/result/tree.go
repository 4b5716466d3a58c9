package result

import (
	"context"

	"github.com/mapatools/mapa/internal/store"
)

// A Folder counts the pages of a folder and all below it.
type Folder = store.Folder

// A Tree is a folder with a part of the folders in it.
type Tree struct {
	Folder
	Parent  string   `json:"parent,omitempty"` // URL of the folder above; empty at the top
	Folders []Folder `json:"folders"`
	Part
}

// Tree returns a folder by its URL, "" for the one of all origins, and a part of the folders in it. They are sorted
// by "name", "urls", "listed" or "broken", after "-" from the largest; the empty order is that of names.
func (r *Result) Tree(ctx context.Context, folder, sort, cursor string, limit int) (_ *Tree, err error) {
	defer r.explain(&err)
	if _, known := store.FolderOrders[sort]; !known {
		return nil, &FilterError{Name: "sort", Value: sort}
	}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	tree, limit := &Tree{}, clampLimit(limit)
	err = r.files.use(ctx, func(file *crawlReader) (err error) {
		if tree.Folder, tree.Parent, err = file.FindFolder(ctx, folder); err != nil {
			return err
		}
		tree.Folders, err = file.FoldersIn(ctx, &tree.Folder, sort, before, int64(limit))
		return err
	})
	tree.Part = newPart(before, len(tree.Folders), int(tree.Folder.Folders), limit)
	return tree, err
}
