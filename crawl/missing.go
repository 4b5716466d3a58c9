package crawl

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"html"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
)

// A missingPage is what a host shows with status 200 in place of missing pages.
// The zero value is none.
type missingPage struct {
	digest uint64 // of its main content; 0 is none
	// bare is the digest without the address that was asked for, where the page
	// repeats that; 0 where it does not.
	bare uint64
}

// shownBy reports whether a page of that address is the missing page.
func (m missingPage) shownBy(digest uint64, path, mediaType string, body []byte) bool {
	if m.digest == 0 || digest == 0 {
		return false
	}
	return digest == m.digest || m.bare != 0 && m.bare == bareDigest(path, mediaType, body)
}

// bareDigest is the digest of a page that does not repeat its own address.
func bareDigest(path, mediaType string, body []byte) uint64 {
	var scanner extract.Scanner
	return scanner.Scan(withoutAddress(body, path), mediaType, extract.Options{}).Digest
}

// withoutAddress cuts the path that was asked for out of a page that repeats it,
// in each way in which pages write it.
func withoutAddress(body []byte, path string) []byte {
	path = path[1:]
	if path == "" {
		return body
	}
	plain, err := url.PathUnescape(path)
	if err != nil {
		plain = path
	}
	for _, spelling := range []string{path, html.EscapeString(path), plain, html.EscapeString(plain)} {
		body = bytes.ReplaceAll(body, []byte(spelling), nil)
	}
	return body
}

// missingPage asks once for an address that cannot exist and returns what the
// host shows in its place.
func (t *hostTable) missingPage(ctx context.Context, origin string) missingPage {
	h := t.rules(ctx, origin)
	h.missingOnce.Do(func() {
		var random [12]byte
		rand.Read(random[:])
		path := "/" + hex.EncodeToString(random[:])
		if !h.group.Verdict(path).Allowed {
			return
		}
		response, err := t.fetcher.Fetch(ctx, &fetch.Request{URL: origin + path, Delay: h.delay})
		if err != nil || response.Status != http.StatusOK || response.Skipped {
			return
		}
		var scanner extract.Scanner
		mediaType := response.Header.Get("Content-Type")
		page := scanner.Scan(response.Body, mediaType, extract.Options{})
		if page.Words == 0 {
			return
		}
		h.missing.digest = page.Digest
		if bare := bareDigest(path, mediaType, response.Body); bare != page.Digest {
			h.missing.bare = bare
		}
	})
	return h.missing
}
