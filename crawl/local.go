package crawl

import (
	"bytes"
	"net/http"
	"time"
)

// Local answers for a site in this process, such as from a folder of files or by the
// handlers of a program. Transport and the functions may be nil. Several goroutines call each.
type Local struct {
	// Transport answers the requests for the origin of [Options].Start instead of its
	// server, without a limit of the rate.
	Transport http.RoundTripper
	// Offline requests nothing of other sites.
	Offline bool
	// Address returns the path of the page that a path leads to, where the page has several,
	// or "" for the path itself. Both are escaped. Links, redirects and canonicals to any of
	// them count as links to that one, which is the only one that is requested.
	Address func(path []byte) string
	// LastModified returns when the page at a public URL was changed last, for pages that do
	// not say so themselves, and how that is known; the zero time means unknown.
	LastModified func(url string) (time.Time, LastModSource)
	// IsNotFoundPage reports whether a public URL is that of a page which the site shows for
	// missing ones. Such a page is followed and not listed.
	IsNotFoundPage func(url string) bool
}

// toPage replaces the path of a public URL of a local site, which begins at from, by that of
// its page. The query stays.
func (n *normalizer) toPage(arena []byte, from int) []byte {
	if n.options.Local.Address == nil {
		return arena
	}
	host, rest := splitURL(arena[from:])
	if string(host) != n.scope.host {
		return arena
	}
	path, query := rest, []byte(nil)
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		path, query = rest[:i], rest[i:]
	}
	page := n.options.Local.Address(path)
	if page == "" {
		return arena
	}
	query = bytes.Clone(query) // it is a part of what is overwritten
	arena = append(arena[:len(arena)-len(rest)], page...)
	return append(arena, query...)
}
