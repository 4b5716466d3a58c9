package hostile

import (
	"strings"
	"testing"
)

// A defect is why a row fails. One with onlyFull shows at full size only.
type defect struct {
	cause    string
	onlyFull bool
}

// known are the rows that fail. A row that is listed here and passes fails the test:
// whoever repairs the cause removes the row.
var known = map[string]defect{}

// judge compares what went wrong in a row with what is known to go wrong.
func judge(t *testing.T, row string, problems []string, details string) {
	t.Helper()
	defect, isKnown := known[row]
	isKnown = isKnown && (isTorture() || !defect.onlyFull)
	text := strings.Join(problems, "\n")
	switch {
	case isKnown && text == "":
		t.Errorf("%s passes now: remove it from the known defects (%s)", row, defect.cause)
	case isKnown:
		t.Logf("%s: known defect (%s):\n%s", row, defect.cause, text)
	case text != "":
		t.Errorf("%s: %s\n%.2000q", row, text, details)
	}
}
