package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
)

// ExpandFolders replaces every folder among the sources by the paths of the sitemaps that
// [Sitemaps] opens for it: those in it and in its subfolders, indexes first, since they
// lead to the others. Feeds, and lists of URLs that are not called a sitemap, count where
// the folder's robots.txt names them or nothing else is there; a compressed copy of the
// file next to it does not count. Other sources are returned as they are. A folder that
// cannot be read, or has no sitemap, is an [*Error].
func ExpandFolders(sources []string) ([]string, error) {
	var files []string
	for _, s := range sources {
		info, err := os.Stat(s)
		if err != nil || !info.IsDir() {
			files = append(files, s)
			continue
		}
		found, err := sitemapsIn(s)
		if err != nil {
			return nil, &Error{Location: s, Source: s, Err: err}
		}
		files = append(files, found...)
	}
	return files, nil
}

// openFolder returns the sitemaps in a folder as targets.
func (o *opener) openFolder(name string) result {
	files, err := sitemapsIn(name)
	r := result{err: err, isFolder: true}
	for _, file := range files {
		t := target{location: file}
		if r.err = o.hold(&t); r.err != nil {
			break
		}
		r.children = append(r.children, t)
	}
	return r
}

// A folder is the sitemaps in a folder.
type folder struct {
	indexes, others []string
	// minor are feeds, and lists of URLs without "sitemap" in their names. A site has
	// them for other purposes too, so they count only where robots.txt names them, or
	// where there is nothing else. What an index lists is followed anyway.
	minor []string
	twins map[string]bool // compressed forms of files next to them
}

// sitemapsIn returns the paths of the sitemaps in a folder. None is an error.
func sitemapsIn(name string) ([]string, error) {
	f := folder{twins: map[string]bool{}}
	err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !isNamedLikeSitemap(entry.Name()) {
			return err
		}
		f.add(path, strings.Contains(strings.ToLower(entry.Name()), "sitemap"))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOpen, err)
	}
	f.dropTwinsOfParts()
	found := append(f.indexes, f.others...)
	switch {
	case len(found) > 0:
	case len(f.minor) > 0:
		return f.minor, nil
	default:
		return nil, ErrEmptyFolder
	}
	named := namedByRobots(filepath.Join(name, "robots.txt"))
	for _, path := range f.minor {
		if named[path] {
			found = append(found, path)
		}
	}
	return found, nil
}

// add adds a file if it is a sitemap, or is named like one.
func (f *folder) add(path string, isNamedSitemap bool) {
	format, err := formatOf(path)
	switch {
	case err != nil && !isNamedSitemap:
	case isTwin(path):
		f.twins[path] = true
	case err == nil && format == sitemap.FormatIndex:
		f.indexes = append(f.indexes, path)
	case err == nil && (format == sitemap.FormatRSS || format == sitemap.FormatAtom),
		err == nil && format == sitemap.FormatText && !isNamedSitemap:
		f.minor = append(f.minor, path)
	default:
		f.others = append(f.others, path)
	}
}

// dropTwinsOfParts removes the files whose compressed form is listed in an index.
func (f *folder) dropTwinsOfParts() {
	if len(f.twins) == 0 {
		return
	}
	listed := map[string]bool{}
	for _, index := range f.indexes {
		eachPart(index, func(path string) {
			if f.twins[path] {
				listed[path] = true
			}
		})
	}
	f.others = slices.DeleteFunc(f.others, func(path string) bool { return listed[path+".gz"] })
}

// eachPart calls visit with the paths on disk where the sitemaps may be that an index on
// disk lists. What is wrong with the index shows when it is followed.
func eachPart(index string, visit func(path string)) {
	file, err := os.Open(index)
	if err != nil {
		return
	}
	defer file.Close()
	for entry, err := range sitemap.NewReader(file).Entries() {
		if err != nil {
			return
		}
		for _, part := range PartPaths(index, string(entry.Loc)) {
			visit(part)
		}
	}
}

// namedByRobots returns the files that a robots.txt on disk names, if there is one.
func namedByRobots(path string) map[string]bool {
	named := map[string]bool{}
	file, err := os.Open(path)
	if err != nil {
		return named
	}
	defer file.Close()
	lines, err := robots.Parse(file)
	if err != nil {
		return named
	}
	for _, line := range lines.Sitemaps() {
		for _, part := range PartPaths(path, line.Value) {
			if _, err := os.Stat(part); err == nil {
				named[part] = true
				break
			}
		}
	}
	return named
}

// isTwin reports whether a file is the compressed form of the file next to it, as
// servers send in its place.
func isTwin(path string) bool {
	plain, found := strings.CutSuffix(path, ".gz")
	if !found {
		return false
	}
	packed, err := os.Open(path)
	if err != nil {
		return false
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return false
	}
	file, err := os.Open(plain)
	if err != nil {
		return false
	}
	defer file.Close()
	size, err := io.Copy(&comparer{with: file}, unpacked)
	info, failed := file.Stat()
	return err == nil && failed == nil && size == info.Size()
}

// A comparer is a writer that fails at the first difference from another reader.
type comparer struct {
	with io.Reader
	room []byte
}

var errDiffers = errors.New("the content differs")

func (c *comparer) Write(b []byte) (int, error) {
	c.room = slices.Grow(c.room[:0], len(b))[:len(b)]
	if _, err := io.ReadFull(c.with, c.room); err != nil || !bytes.Equal(b, c.room) {
		return 0, errDiffers
	}
	return len(b), nil
}

func isNamedLikeSitemap(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	switch filepath.Ext(name) {
	case ".xml", ".txt", ".rss", ".atom":
		return name != "robots.txt"
	}
	return false
}

func formatOf(path string) (sitemap.Format, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return sitemap.NewReader(file).Format()
}
