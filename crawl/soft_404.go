package crawl

import (
	"cmp"
	"context"
	"strings"
)

// notFoundDigest returns the digest of the page that the site shows, with status 200,
// for URLs that do not exist; 0 if it shows none. It costs one request per host, sent
// when the first page with text needs it.
func (w *worker) notFoundDigest(ctx context.Context, f *fetched, x *extracted) uint64 {
	if x.kind != contentHTML || x.page.Digest == 0 || f.item.id == startID {
		return 0
	}
	return w.hosts.missingDigest(ctx, w.siteFolder(f.item.url))
}

// siteFolder returns the folder, as it is requested, that the site fills on the host of
// a page.
func (w *worker) siteFolder(page string) string {
	if w.address != nil {
		return w.address.crawled.origin + w.address.crawled.folder
	}
	prefix := w.options.Scope.Prefix
	return originOf(page) + cmp.Or(prefix[:strings.LastIndexByte(prefix, '/')+1], "/")
}
