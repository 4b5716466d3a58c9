// Package repair writes repaired copies of sitemaps. It repairs only what needs no
// guessing: namespaces, escaping, percent-encoding, the order of elements, white
// space, encodings, compression, duplicates, and files over the limits.
//
// Use [Run]. It reads the originals with [sitemap.Reader] and writes the copies with
// [sitemap.Writer], entry by entry. Comments and layout of the original are lost.
// Memory does not grow with the files, except for finding duplicates: Run keeps a
// hash of each of the first ten million pages, and only compares later pages with
// them.
package repair
