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

// The causes, most of which fail several rows.
const (
	causeDeadlock   = "net/http locks up on two WINDOW_UPDATE frames; no deadline and no interrupt holds"
	causeMaxTime    = "--max-time waits for every request under way"
	causeConnection = "a connection error of HTTP/2 counts against every page on the connection"
	causeLogs       = "net/http logs frames and bytes of the server to standard error"
	causeReports    = "a crawl of twenty million links ends later than the grace after --max-time"
	causePlaces     = "each of the usual places may take 30 s"
	causeDiff       = "diff prints workflow commands, and JSON with control characters"
)

// known are the rows that fail. A row that is listed here and passes fails the test:
// whoever repairs the cause removes the row.
var known = map[string]defect{
	"budget/h2-window/crawl/rests":         {cause: causeDeadlock, onlyFull: true},
	"budget/h2-window-twice/crawl":         {cause: causeDeadlock, onlyFull: true},
	"budget/h2-window-all/list":            {cause: causeDeadlock, onlyFull: true},
	"budget/h2-window-all/lint":            {cause: causeDeadlock, onlyFull: true},
	"budget/h2-hang-body/crawl":            {cause: causeMaxTime, onlyFull: true},
	"budget/h2-data-empty/crawl":           {cause: causeMaxTime, onlyFull: true},
	"budget/h2-continuation-missing/crawl": {cause: causeMaxTime, onlyFull: true},
	"budget/header-drip-lines/crawl":       {cause: causeMaxTime, onlyFull: true},
	"budget/body-drip/crawl":               {cause: causeMaxTime, onlyFull: true},
	"budget/body-drip-fast/crawl":          {cause: causeMaxTime, onlyFull: true},
	"budget/chunk-endless/crawl":           {cause: causeMaxTime, onlyFull: true},
	"budget/h2-window-connection/crawl":    {cause: causeConnection, onlyFull: true},
	"budget/h2-broken-data/crawl":          {cause: causeConnection, onlyFull: true},
	"budget/h2-broken-push/crawl":          {cause: causeConnection, onlyFull: true},
	"budget/h2-broken-size/crawl":          {cause: causeConnection, onlyFull: true},
	"budget/h2-priority-flood/crawl":       {cause: causeLogs, onlyFull: true},
	"budget/h2-unknown-flood/crawl":        {cause: causeLogs, onlyFull: true},
	"budget/canonicals/crawl":              {cause: causeReports, onlyFull: true},
	"budget/places-hang/list":              {cause: causePlaces, onlyFull: true},
	"matrix/diff/text":                     {cause: causeDiff},
	"matrix/diff/html":                     {cause: causeDiff},
}

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
