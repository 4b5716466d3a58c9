// Package report tells what a crawl found, from its crawl file: [WriteHTML] for
// people, [WriteCSV], [WriteJSON] and [WriteJSONL] for programs, [WriteBroken]
// for whoever mends the links.
//
// Titles, addresses and link texts are written by strangers. Every format
// renders them inert: nothing in them is executed, moves a cursor, turns the
// direction of text or becomes a formula.
package report
