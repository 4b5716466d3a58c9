// Package publish writes what a site publishes of itself: sitemaps, lists of
// addresses, a page for people, feeds. [Run] takes a stream of pages and leaves
// the files in a folder, all of them or, when something speaks against it, none;
// [Options] say which.
//
// Nothing is kept in memory for a page, except for the thousand links of one HTML
// page and the newest fifty for the feeds.
package publish
