package crawl

import "context"

// notFoundDigest returns the digest of the page that the host shows, with status 200,
// for URLs that do not exist; 0 if it shows none. It costs one request per host, sent
// when the first page with text needs it.
func (w *worker) notFoundDigest(ctx context.Context, f *fetched, x *extracted) uint64 {
	if x.kind != contentHTML || x.page.Digest == 0 || f.item.id == startID {
		return 0
	}
	return w.hosts.missingDigest(ctx, originOf(w.address.toCrawled(f.item.url)))
}
