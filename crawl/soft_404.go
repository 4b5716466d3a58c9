package crawl

import (
	"cmp"
	"context"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// notFoundDigest returns the digest of the page that the site shows, with status 200,
// for URLs that do not exist; 0 if it shows none. It costs one request per host, sent
// when the first HTML page needs it.
func (r *requester) notFoundDigest(ctx context.Context, f *fetched) uint64 {
	if f.item.id == startID || contentKindOf(f, &r.options) != contentHTML {
		return 0
	}
	return r.hosts.missingDigest(ctx, r.siteFolder(f.item.url))
}

// siteFolder returns the folder, as it is requested, that the site fills on the host of
// a page.
func (r *requester) siteFolder(page string) string {
	if r.address != nil {
		return r.address.crawled.origin + r.address.crawled.folder
	}
	prefix := r.options.Scope.Prefix
	return urlnorm.Origin(page) + cmp.Or(prefix[:strings.LastIndexByte(prefix, '/')+1], "/")
}
