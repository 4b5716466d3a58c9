package crawl

import "strings"

// isHTML reports whether a media type is read as HTML, as is a response without one.
func isHTML(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml" || media == ""
}

// isFeed reports whether a media type may be that of a feed.
func isFeed(media string) bool {
	switch media {
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml":
		return true
	}
	return false
}

// isDocument reports whether search engines list files of a media type like pages
// (https://developers.google.com/search/docs/crawling-indexing/indexable-file-types).
func isDocument(media string) bool {
	switch media {
	case "application/pdf", "application/postscript", "application/rtf", "application/epub+zip", "application/msword",
		"application/vnd.ms-excel", "application/vnd.ms-powerpoint", "text/plain":
		return true
	}
	return strings.HasPrefix(media, "application/vnd.openxmlformats-officedocument.") ||
		strings.HasPrefix(media, "application/vnd.oasis.opendocument.")
}
