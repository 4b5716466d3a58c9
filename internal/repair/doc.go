// Package repair writes copies of sitemaps in which is mended what can be mended
// without guessing: namespaces, escaping, percent-encoding, the order of elements,
// white space, encodings, compression, repetitions, and files over the limits.
//
// Use [Run]. Copies are made from what [sitemap.Reader] understands, by
// [sitemap.Writer], entry by entry; comments and the layout of the original are
// lost. Memory does not grow with the files but for finding repetitions: of the
// first ten million pages a hash is kept, and those behind are only compared with
// them.
package repair
