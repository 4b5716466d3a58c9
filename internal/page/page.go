// Package page has one page of a crawl as it is read, and the one table of what is known of it.
//
// A [Page] is what the crawl stored of a URL and what the links between all URLs say about it. [Facts] is the table: it
// has the key, kind, value, outputs and words of each fact. JSON, CSV, the SQL view, lists with their columns, filters
// and orders, and the panel of a URL are made from it, so a fact has one name and one form everywhere.
package page

import "github.com/mapatools/mapa/crawl"

// A Page is a URL of a crawl as it is read.
type Page struct {
	crawl.Record
	Numbers
	TargetURL string // of Page.Target, or empty
	Figures   Figures
}

// Unreached is the distance of a URL that no links lead to from the start.
const Unreached = -1

// Numbers are what the links between the URLs of a crawl say about one of them.
type Numbers struct {
	Counted       bool     // the other fields are known
	Depth         int32    // links from the start, or Unreached
	Before        crawl.ID // the URL before it on a shortest path from the start, or 0
	Linked, Links uint32   // pages that link to it, and URLs that it links to
}
