// Package report writes what was found in the formats that people and programs
// read: text, JSON, JSON lines, SARIF, JUnit, GitHub's annotations and HTML.
//
// [NewLint] makes the writer of a format for the findings of package lint.
// [SARIF], [JUnit] and [Annotate] are the formats themselves, for whatever can
// be told as a [Result].
//
// What is written comes from strangers. Every writer makes it harmless by one
// function: [Printable] for people's eyes and terminals, appendJSON for JSON,
// [Cell] for tables, html/template for HTML.
package report
