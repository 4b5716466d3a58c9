// Package extract reads what a crawler needs from the bytes of an HTML page in
// one pass and without building a tree: its links, and the facts it tells
// about itself (title, canonical address, robots rules, languages, dates,
// videos, anchors, a digest of its main content).
//
// [Scanner] does the work and [Page] is what it yields. A Scanner keeps its
// buffers between pages, so a worker holds one of its own and reads a page of
// usual size without allocating.
//
// Tags, attributes, comments and raw text follow the tokenizer of the HTML
// standard (section 13.2.5) with scripting on, as browsers and search engines
// see a page: nothing inside script, style, noscript, iframe, textarea, title
// or a comment is a link. Links are handed out as written, with character
// references decoded and surrounding white space removed; resolving them
// against [Page.Base] is the caller's.
//
// Work and memory are linear in the size of the page, whatever it contains.
package extract
