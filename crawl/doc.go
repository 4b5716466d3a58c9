// Package crawl finds the pages of a live site and decides, for every address it
// meets, whether it belongs in the site's sitemap, and if not, why.
//
// [Run] crawls: it begins with a start address, follows links breadth first with
// some workers, obeys robots.txt, recognises the endless parts of a site, and
// commits what it learns to a [Store] in batches, each of which is kept whole or
// not at all. Run on a store that holds a crawl that was cut off goes on where
// that ended.
package crawl
