// Package insight says what a crawl means: its findings and its verdict.
//
// [Judge] applies the rules over crawled pages, which package lint declares, to what a
// crawl recorded, and finds the [Verdict]. Both are stored in the crawl file, so
// that reports, pages and exit codes are made of the same facts. [Read] and [ReadGroups] return
// the findings. Rules never send a request.
package insight
