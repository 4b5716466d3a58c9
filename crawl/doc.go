// Package crawl finds the pages of a live site and decides for every URL it finds
// whether the URL belongs in the site's sitemap, and why not.
//
// [Run] crawls. It begins at a start URL, follows links breadth first with several
// workers, obeys robots.txt, recognizes crawler traps (endless parts of a site),
// and commits what it learns to a [Store] in batches. A store keeps a batch whole
// or not at all, so Run on the store of an interrupted crawl continues it.
// [Options].OnPage receives every response on the way.
//
// [MemoryStore] is a Store for sites that fit into memory, and answers what was found: its Pages
// are all URLs with the decision about each, those that are Listed are the sitemap, and its
// BrokenLinks are the links to URLs that are broken.
//
// A page passes these steps, one file each; worker.go calls them in order:
//
//	fetch    robots.txt, then the HTTP request
//	extract  links, text, dates and robots directives from the response
//	judge    the reason why the page is, or is not, in the sitemap
//	resolve  links to normalized URLs, and what happens to each
//	settle   the page and its new links into the shared state, under the lock
package crawl
