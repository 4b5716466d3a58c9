package sourcedir

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

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
		if d.IsDir() {
			info, err := d.Info()
			if name != "." && (slices.Contains(skippedFolders, d.Name()) || err == nil && skip(info)) {
				return fs.SkipDir
			}
			return err
		}
		find := finders[strings.ToLower(path.Ext(name))]
		if find == nil || !d.Type().IsRegular() {
			return nil
		}
		text, err := readText(root, name)
		if err == nil {
			x.addFile(filepath.Join(folder, filepath.FromSlash(name)), text, find)
		}
		return err
	})
}

// readText returns the text of a file, or nothing of one that is skipped.
func readText(root *os.Root, name string) (string, error) {
	file, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // removed meanwhile
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil || len(text) > maxFile || bytes.IndexByte(text, 0) >= 0 {
		return "", err
	}
	return string(text), nil
}

// addFile adds the links of a file.
func (x *Index) addFile(name, text string, find finder) {
	reached := cursor{text: text}
	find(text, func(at int, address, text string) {
		x.add(address, text, func() Place {
			return Place{name, reached.move(at)}
		})
	})
}

// A cursor counts the lines and the characters of a text. Offsets that increase take one pass.
type cursor struct {
	text           string
	offset         int
	lines, columns int // before the offset
}

// move returns the place of an offset.
func (c *cursor) move(to int) crawl.Position {
	if to < c.offset {
		*c = cursor{text: c.text}
	}
	passed := c.text[c.offset:to]
	c.offset = to
	if lines := strings.Count(passed, "\n"); lines > 0 {
		c.lines += lines
		c.columns = 0
		passed = passed[strings.LastIndexByte(passed, '\n')+1:]
	}
	c.columns += utf8.RuneCountInString(passed)
	return crawl.Position{Line: c.lines + 1, Column: c.columns + 1}
}
