package report

import "github.com/mapatools/mapa/lint"

// A Result is one thing found, in the terms that all formats share.
type Result struct {
	Rule    string        // its ID
	Level   lint.Severity // never Off
	Message string        // one line
	// Location is the path or the address of what it was found in.
	Location string
	// Line and Column count from 1, Column in bytes; 0 is unknown.
	Line, Column int
	// Character is the column in UTF-16 code units, which SARIF counts.
	Character int
	// Evidence is what stands there, or empty.
	Evidence string
	// Fingerprint tells the result from others and stays the same from run to
	// run, or is empty.
	Fingerprint string
	// Count is how many places a result without a place of its own stands for;
	// 0 is one.
	Count int
}

// A Rule describes what results refer to.
type Rule struct {
	ID    string
	Title string // one line, lower case, without a full stop
	Why   string // whole sentences
	// Help says everything, as Markdown; Address is where it can be read.
	Help, Address string
	Level         lint.Severity // unless a result says otherwise
	Tags          []string
	// Properties are further facts for programs.
	Properties map[string]string
}
