package urlnorm

import (
	"iter"
	"strings"
)

// maxFolders is how many folders of a URL count.
const maxFolders = 12

// Folders yields the origin and the names of the folders of a URL, up to the last slash of its path. What is deeper
// than
// 12 folders counts for the last of these.
func Folders(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if end := strings.IndexAny(url, "?#"); end >= 0 {
			url = url[:end]
		}
		host := strings.Index(url, "://") + len("://")
		if host < len("://") {
			return
		}
		path := strings.IndexByte(url[host:], '/')
		if path < 0 {
			yield(url)
			return
		}
		if !yield(url[:host+path]) {
			return
		}
		rest := url[host+path+1:]
		for range maxFolders {
			name, after, more := strings.Cut(rest, "/")
			if !more || !yield(name) {
				return
			}
			rest = after
		}
	}
}
