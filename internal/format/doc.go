// Package format writes results of any check as SARIF, JUnit or GitHub annotations,
// and makes text from strangers safe to show.
//
// Names, titles and addresses come from the sites that Mapa reads. Nothing in the
// output may run, move a cursor, reverse the direction of text or become a formula:
// [Printable] is for terminals, [Plain] for other plain text, [AppendURL] for a URL that
// must stay usable, [AppendJSON] for JSON, [CSVCell] for tables, html/template for HTML.
// All of them find the same characters; Plain keeps a few that scripts need.
package format
