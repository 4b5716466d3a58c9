// Package documents answers requests for Markdown, HTML and text files as for the pages of a
// site, so that a crawl can check the links in them. Open a [Set] first.
package documents
