// Package sitemaphttp serves the sitemaps of a site from its data, without files and
// without a crawl: an index, its parts, and a stylesheet for people.
//
// [New] returns a [Handler] for sections whose pages come from a [Source]: [SQL] reads
// a database, [Pages] calls a function that returns a page of rows, [Slice] holds
// pages in memory, [Seq] iterates over a sequence, and a [SourceFunc] is for anything
// that can begin at a key.
//
//	handler, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{
//		Name:   "posts",
//		Source: sitemaphttp.SQL(db, "select id, '/posts/' || slug as loc, updated_at as lastmod from posts"),
//	}}, nil)
//	if err != nil {
//		return err
//	}
//	defer handler.Close()
//	http.Handle("/robots.txt", handler.Robots(""))
//	http.Handle("/", handler.Middleware(site))
//
// # Parts
//
// A part holds the rows of a range of keys, and its name comes from the first key of
// that range. Where parts begin depends on the keys alone, so a row that is added
// changes one part, and names are the same after a restart and in every replica. A
// goroutine reads all rows from time to time, finds the parts, their dates and their
// digests, and so answers requests for the index, and conditional requests, without
// the source. A part is read from the source when it is requested, compressed, and
// kept while there is room.
//
// # Errors
//
// An error of a source never becomes a sitemap that lacks pages: the request is
// answered with status 503, the error is logged, and the index stays as it was. A row
// that no sitemap may hold is left out and reported.
package sitemaphttp
