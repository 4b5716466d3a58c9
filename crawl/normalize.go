package crawl

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// normalizer makes links absolute and public, and computes their keys. Its buffers belong to
// one goroutine.
type normalizer struct {
	*site
	base    *urlnorm.Base
	baseURL string
	arena   []byte // URLs of one page
	key1    []byte // buffers
	key2    []byte
}

// span is a range of the arena.
type span struct{ from, to int }

// normalURL is an absolute URL in the arena of a normalizer.
type normalURL struct {
	at      span
	key     fingerprint
	expands int  // see expansionOf
	session bool // the URL carries a session identifier
	tooLong bool // longer than urlnorm.MaxLength, and cut
}

// reset empties the arena, and drops it if it is large.
func (n *normalizer) reset() {
	if cap(n.arena) > maxBuffer {
		n.arena = nil
	}
	n.arena = n.arena[:0]
}

func (n *normalizer) bytes(s span) []byte { return n.arena[s.from:s.to] }

// normalize makes a link absolute. It reports false for links that are not valid
// and for schemes other than http and https.
func (n *normalizer) normalize(base, link []byte) (normalURL, bool) {
	resolver, ok := n.baseOf(base)
	if !ok {
		return normalURL{}, false
	}
	var u normalURL
	from := len(n.arena)
	address, err := resolver.AppendResolve(n.arena, link)
	if errors.Is(err, urlnorm.ErrTooLong) && len(link) > n.options.Traps.Length {
		u.tooLong = true
		address, err = resolver.AppendResolve(n.arena, link[:n.options.Traps.Length])
	}
	if err != nil {
		return normalURL{}, false
	}
	if n.address != nil {
		address = n.address.toPublic(address, from, link)
	}
	hasQuery := bytes.IndexByte(address[from:], '?') >= 0
	hasEscape := bytes.IndexByte(address[from:], '%') >= 0
	hasParameter := hasQuery || bytes.IndexByte(address[from:], ';') >= 0
	if hasQuery || hasEscape {
		// Equivalent spellings (RFC 3986, 6.2.2) become one, so that the sitemap
		// does not depend on which was found first.
		n.key2 = urlnorm.AppendKey(n.key2[:0], address[from:], urlnorm.KeyOptions{Strip: n.tracking})
		address = append(address[:from], n.key2...)
	}
	if hasParameter {
		n.key2 = urlnorm.AppendKey(n.key2[:0], address[from:], urlnorm.KeyOptions{Strip: n.site.session})
		u.session = len(n.key2) < len(address)-from
	}
	address = n.toPage(address, from)
	n.arena = address
	u.at = span{from, len(address)}
	u.expands = expansionOf(len(address)-from, len(link))
	if hasParameter || hasEscape {
		u.key = n.key(address[from:])
	} else {
		u.key = n.hasher.fingerprint(address[from:]) // the URL is its own key
	}
	return u, true
}

// baseOf returns the base for a URL, and keeps it for the next call.
func (n *normalizer) baseOf(address []byte) (*urlnorm.Base, bool) {
	if n.base == nil || n.baseURL != string(address) {
		base, err := urlnorm.NewBase(address)
		if err != nil {
			return nil, false
		}
		n.base, n.baseURL = base, string(address)
	}
	return n.base, true
}

// absolute makes one link absolute without changing its spelling. It returns nil
// for links that are not valid.
func (n *normalizer) absolute(base, link []byte) []byte {
	address := n.documentBase(base, link)
	if address == nil {
		return nil
	}
	return n.toPage(address, 0)
}

// documentBase is absolute for the base URL of the links of a page, which need not be the URL of
// a page.
func (n *normalizer) documentBase(base, link []byte) []byte {
	address := n.written(base, link)
	if address != nil && n.address != nil {
		address = n.address.toPublic(address, 0, link)
	}
	return address
}

// written returns the URL that browsers will request for a link of the public page: what names
// the public host keeps its scheme.
func (n *normalizer) written(base, link []byte) []byte {
	resolver, ok := n.baseOf(base)
	if !ok {
		return nil
	}
	address, err := resolver.AppendResolve(nil, link)
	if err != nil {
		return nil
	}
	if host, _ := splitURL(address); n.address != nil && string(host) != n.address.public.host {
		address = n.address.toPublic(address, 0, link)
	}
	return address
}

// key returns the fingerprint of a URL without what does not change the page.
func (n *normalizer) key(address []byte) fingerprint {
	options := urlnorm.KeyOptions{Strip: n.strip, SortQuery: bytes.IndexByte(address, '&') >= 0}
	n.key1 = urlnorm.AppendKey(n.key1[:0], address, options)
	return n.hasher.fingerprint(n.key1)
}

// stripped returns a URL without the parameters that do not change the page.
func (n *normalizer) stripped(address string) string {
	if !strings.ContainsAny(address, "?;") {
		return address
	}
	n.key2 = urlnorm.AppendKey(n.key2[:0], []byte(address), urlnorm.KeyOptions{Strip: n.strip})
	if string(n.key2) == address {
		return address
	}
	return string(n.key2)
}
