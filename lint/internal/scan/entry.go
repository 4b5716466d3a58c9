package scan

import (
	"net/url"

	"github.com/mapatools/mapa/sitemap"
)

// Entry is an entry of a sitemap with its traits. It is valid until the next
// scan, like the entry that it holds.
type Entry struct {
	*sitemap.Entry
	Traits Traits
	// Modified is the lastmod in seconds since 1970, unless that is missing or has
	// the trait UnusualLastMod.
	Modified int64

	extensions sitemap.Extensions
	isParsed   bool // extensions are those of the entry
	address    *url.URL
}

// Parsed returns the extensions of the entry, as far as they can be read. What
// is wrong with them is reported by the reader.
func (e *Entry) Parsed() *sitemap.Extensions {
	if !e.isParsed {
		e.isParsed = true
		_ = e.Entry.Extensions(&e.extensions)
	}
	return &e.extensions
}

// Address returns the loc as a URL, or nil where it cannot be parsed.
func (e *Entry) Address() *url.URL {
	if e.address == nil {
		e.address, _ = url.Parse(string(e.Loc))
	}
	return e.address
}
