// Package extract reads links and facts from an HTML page in one pass, without
// building a tree. The facts are title, canonical URL, robots directives, languages,
// dates, videos, anchors, and a digest of the main content.
//
// [Scanner.Scan] returns a [Page]. A Scanner keeps its buffers between pages, so that
// a worker with its own Scanner reads a page of usual size without allocating.
// [ParseRobotsHeader] and [ParseLinkHeader] read the same facts from HTTP headers.
//
// Tags, attributes, comments and raw text follow the tokenizer of the HTML standard
// (section 13.2.5) with scripting enabled, as in browsers and search engines: nothing
// inside script, style, noscript, iframe, textarea, title or a comment is a link. What is
// inside template is not part of the page, and text inside SVG is that of a picture.
// Links are returned as written, with character references decoded and surrounding
// white space removed. The caller resolves them against [Page.Base].
//
// Time and memory are linear in the size of any page.
package extract
