// Package crawl finds the pages of a live site.
package crawl
