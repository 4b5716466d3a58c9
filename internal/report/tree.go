package report

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// Limits of the tree. URLs beyond a limit count for the folder above. Half of the folders are for the first
// levels, which the picture of the site shows.
const (
	maxFolders     = 5000
	firstLevels    = 3
	maxFolderDepth = 12
	maxSegment     = 80
)

// folder counts the URLs of a folder.
type folder struct {
	total, listed, broken int // URLs in it and its subfolders
	inside                map[string]*folder
}

// tree counts the URLs of a site by folder.
type tree struct {
	root    folder
	folders int
}

// add counts a URL for every folder above it. The first level is the origin.
func (t *tree) add(address string, listed, broken bool) {
	at, level := &t.root, 0
	at.count(listed, broken)
	for segment := range Segments(address) {
		level++
		segment = format.Truncate(segment, maxSegment)
		next, known := at.inside[segment]
		if !known {
			if t.folders == maxFolders || level > firstLevels && t.folders >= maxFolders/2 {
				return
			}
			t.folders++
			next = &folder{}
			if at.inside == nil {
				at.inside = map[string]*folder{}
			}
			at.inside[segment] = next
		}
		at = next
		at.count(listed, broken)
	}
}

func (f *folder) count(listed, broken bool) {
	f.total++
	if listed {
		f.listed++
	}
	if broken {
		f.broken++
	}
}

// Segments yields the origin and the folders of a URL, up to the last slash of its
// path.
func Segments(address string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if end := strings.IndexAny(address, "?#"); end >= 0 {
			address = address[:end]
		}
		host := strings.Index(address, "://") + 3
		if host < 3 {
			return
		}
		path := strings.IndexByte(address[host:], '/')
		if path < 0 {
			yield(address)
			return
		}
		if !yield(address[:host+path]) {
			return
		}
		rest := address[host+path+1:]
		for range maxFolderDepth {
			segment, after, more := strings.Cut(rest, "/")
			if !more || !yield(segment) {
				return
			}
			rest = after
		}
	}
}

// branch is one line of a tree.
type branch struct {
	Name                         string
	Level, Total, Listed, Broken int
}

// branches returns the folders, each after its parent.
func (t *tree) branches() []branch {
	var all []branch
	var walk func(f *folder, level int)
	walk = func(f *folder, level int) {
		for _, name := range slices.Sorted(maps.Keys(f.inside)) {
			next := f.inside[name]
			all = append(all, branch{format.Plain(name), level, next.total, next.listed, next.broken})
			walk(next, level+1)
		}
	}
	walk(&t.root, 0)
	return all
}
