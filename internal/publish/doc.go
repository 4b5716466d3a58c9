// Package publish writes the outputs of a crawl or a build: sitemaps, URL lists, an
// HTML page, feeds. [Run] takes a stream of pages and puts the files into a folder,
// either all of them or, after an error, none. [Options] select the outputs.
//
// Memory does not grow with the number of pages: it holds the links of one HTML page
// and the newest fifty pages for the feeds.
package publish
