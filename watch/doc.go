// Package watch follows the sitemaps and feeds of sites and finds what is new, changed
// and gone since the last pass.
//
// [New] returns a [Watcher] that keeps its state in a [Store]: a [MemoryStore], or the
// SQLite file of package watch/sqlitestore, which survives a kill. [Watcher.Pass] makes
// one pass over the sites and yields an [Event] for every change.
//
// A pass costs what changed. It asks for robots.txt, then for every index, and then only
// for the sitemaps that may have changed; every request is conditional (RFC 9110 section
// 13), and a digest decides whether an answer is parsed. A site whose dates or 304
// answers turned out to be wrong is asked more often; [Discrepancy] says why.
//
// Entries are compared by a keyed hash of their location. They are kept in compressed
// blocks in the store, so that memory does not grow with the number of pages.
package watch
