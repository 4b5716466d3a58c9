package sourcedir

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
)

// maxFile is the size in bytes of the largest file that is read.
const maxFile = 2 << 20

// skippedFolders hold no sources.
var skippedFolders = []string{".git", ".hg", ".svn", "node_modules"}

// Search reads the sources in a folder, and finds the wanted links in them. It follows no symbolic links.
// It skips binary files, files of more than 2 MB, and the folders that skip reports.
func (x *Index) Search(ctx context.Context, folder string, skip func(fs.FileInfo) bool) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		info, err := d.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
			return nil
		case err != nil:
			return err
		case d.IsDir() && name != "." && (slices.Contains(skippedFolders, d.Name()) || skip(info)):
			return fs.SkipDir
		case info.Mode().IsRegular() && info.Size() <= maxFile:
			return x.addFile(root, folder, name)
		}
		return nil
	})
}

// addFile adds the links of a file.
func (x *Index) addFile(root *os.Root, folder, name string) error {
	read := readers[strings.ToLower(path.Ext(name))]
	if read == nil {
		return nil
	}
	text, err := root.ReadFile(name)
	if err != nil || bytes.IndexByte(text, 0) >= 0 {
		return err
	}
	for _, l := range read(string(text)) {
		at := crawl.Position{Line: l.Line, Column: l.Column}
		x.add(l.URL, l.Text, Place{filepath.Join(folder, filepath.FromSlash(name)), at})
	}
	return nil
}
