// Package report writes what was found in the formats that people and programs
// read.
//
// [WriteText], [WriteHTML], [WriteCSV], [WriteJSON], [WriteJSONL] and their like
// tell what a crawl found, from its crawl file; [WriteBroken] is for whoever
// mends the links. [NewLint] makes the writer of a format for the findings of
// package lint. [SARIF], [JUnit] and [Annotate] are formats for whatever can be
// told as a [Result].
//
// What is written comes from strangers: nothing in it is executed, moves a
// cursor, turns the direction of text or becomes a formula. [Printable] makes it
// harmless for terminals, appendJSON for JSON, [Cell] for tables, html/template
// for HTML.
package report
