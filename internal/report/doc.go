// Package report writes what a crawl found in the formats that people and programs
// read.
//
// [WriteText], [WriteHTML], [WriteCSV], [WriteJSON], [WriteJSONL] and the other
// formats report on all addresses of a crawl file. [WriteBrokenLinks] lists the
// broken links for the people who fix them, and [AskWhy] explains the decision about one
// address. Package format keeps the output safe.
package report
