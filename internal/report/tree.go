package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// Bounds of the tree; what lies beyond counts for the folder above.
const (
	mostFolders    = 5000
	deepestFolder  = 12
	longestSegment = 80
)

// A folder is a part of the site by the paths of its addresses.
type folder struct {
	total, listed, broken int // addresses in it and below
	inside                map[string]*folder
}

// A tree counts the addresses of a site by folder.
type tree struct {
	root    folder
	folders int
}

// add counts an address for every folder above it. The first level is the origin.
func (t *tree) add(address string, listed, broken bool) {
	at := &t.root
	at.count(listed, broken)
	for segment := range segments(address) {
		next, known := at.inside[segment]
		if !known {
			if t.folders == mostFolders {
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

// segments yields the origin and the folders of an address, without what stands
// behind the last slash of the path.
func segments(address string) func(func(string) bool) {
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
			yield(format.Truncate(address, longestSegment))
			return
		}
		if !yield(format.Truncate(address[:host+path], longestSegment)) {
			return
		}
		rest := address[host+path+1:]
		for range deepestFolder {
			segment, after, more := strings.Cut(rest, "/")
			if !more || !yield(format.Truncate(segment, longestSegment)) {
				return
			}
			rest = after
		}
	}
}

// A branch is a folder in the order in which a tree is drawn.
type branch struct {
	Name                         string
	Level, Total, Listed, Broken int
}

// branches returns the folders, each behind the one that it lies in.
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
