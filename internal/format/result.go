package format

// ProjectURL is the address of Mapa's repository.
const ProjectURL = "https://github.com/mapatools/mapa"

// Level is the severity of a result.
type Level uint8

// The levels, the least severe first.
const (
	LevelOff Level = iota
	LevelInfo
	LevelWarning
	LevelError
)

// String returns the name of the level in lower case.
func (l Level) String() string { return [...]string{"off", "info", "warning", "error"}[l] }

// Result is one problem, in the terms that all formats share.
type Result struct {
	Rule    string // ID of the rule
	Level   Level  // not LevelOff
	Message string // one line
	// Location is the path or the URL of the file or page with the problem.
	Location string
	// Line and Column count from 1, Column in bytes; 0 is unknown.
	Line, Column int
	// Character is the column in UTF-16 code units, which SARIF counts.
	Character int
	// Evidence is the text at the place, or empty.
	Evidence string
	// Fingerprint identifies the result across runs, or is empty.
	Fingerprint string
	// Count is the number of places that a result without a line summarizes.
	Count int
}

// Rule describes the kind of problem that results refer to by its ID.
type Rule struct {
	ID    string
	Title string // one line, lower case, without a full stop
	Why   string // whole sentences
	// Help is the full documentation as Markdown, URL its address.
	Help, URL string
	Level     Level // default of its results
	Tags      []string
	// Properties are additional facts for programs.
	Properties map[string]string
}
