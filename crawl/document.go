package crawl

import (
	"slices"
	"strings"
)

// DocumentKind is a kind of files that search engines list like pages. The names are
// stable.
type DocumentKind string

// The kinds of documents.
const (
	DocumentPDF    DocumentKind = "pdf"
	DocumentOffice DocumentKind = "office" // texts, spreadsheets and presentations
	DocumentEPUB   DocumentKind = "epub"
	DocumentText   DocumentKind = "text" // plain text, such as source code, Markdown and CSV
)

// DocumentKinds returns every kind of documents.
func DocumentKinds() []DocumentKind {
	return []DocumentKind{DocumentPDF, DocumentOffice, DocumentEPUB, DocumentText}
}

// DefaultDocuments returns the kinds that are listed by default.
func DefaultDocuments() []DocumentKind {
	return []DocumentKind{DocumentPDF, DocumentOffice, DocumentEPUB}
}

// documentKind returns the kind of documents of a media type, or "". They are those of
// https://developers.google.com/search/docs/crawling-indexing/indexable-file-types.
func documentKind(media string) DocumentKind {
	switch media {
	case "application/pdf":
		return DocumentPDF
	case "application/epub+zip":
		return DocumentEPUB
	case "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/rtf", "text/rtf":
		return DocumentOffice
	case "text/plain", "text/markdown", "text/csv":
		return DocumentText
	}
	switch {
	case strings.HasPrefix(media, "application/vnd.openxmlformats-officedocument."),
		strings.HasPrefix(media, "application/vnd.oasis.opendocument."):
		return DocumentOffice
	case strings.HasPrefix(media, "text/x-"):
		return DocumentText
	}
	return ""
}

// listsDocuments reports whether files of a media type are listed.
func (o *Options) listsDocuments(media string) bool {
	kind := documentKind(media)
	return kind != "" && slices.Contains(o.Documents, kind)
}

// isFeed reports whether a media type may be that of a feed.
func isFeed(media string) bool {
	switch media {
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml":
		return true
	}
	return false
}
