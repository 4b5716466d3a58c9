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
	causeDeadlock       = "net/http locks up on two WINDOW_UPDATE frames; no deadline and no interrupt holds"
	causeMaxTime        = "--max-time waits for every request under way"
	causePauses         = "--max-time waits out the pauses after 429 and 503"
	cause429            = "429 for ever never ends a crawl"
	causeConnection     = "a connection error of HTTP/2 counts against every page on the connection"
	causeLogs           = "net/http logs frames and bytes of the server to standard error"
	cause408            = "408 on a kept connection is not asked again on a new one"
	causeOutage         = "pages missed during an outage that ended are called broken"
	causeCommit         = "what waits for a commit is bounded in pages, not in bytes"
	causeBodies         = "bodies and their scans are not bounded together"
	causeSitemapRate    = "each Sitemap line and each child of an index is read without the crawl's rate, once per line"
	causeNested         = "children of nested indexes are bounded per index, and every error is kept and printed"
	causeCrossHost      = "a child of an index that redirects to another host is not cross-host"
	causeRedirectRobots = "robots.txt is not asked for the target when an asset or a link redirects"
	causePlaces         = "each of the usual places may take 30 s"
	causeList           = "lists print what a sitemap says as it is"
	causeCSV            = "broken.csv and report csv repeat workflow commands"
	causeGraphML        = "graphml repeats workflow commands"
	causeLintPage       = "links of the lint page repeat workflow commands"
	causeWhy            = "why prints titles and the URL that was typed as they are"
	causeDiff           = "diff prints workflow commands, and JSON with control characters"
)

// known are the rows that fail. A row that is listed here and passes fails the test:
// whoever repairs the cause removes the row.
var known = map[string]defect{
	"budget/h2-window/crawl":                   {cause: causeDeadlock},
	"budget/h2-window/crawl/rests":             {cause: causeDeadlock, onlyFull: true},
	"budget/h2-window-twice/crawl":             {cause: causeDeadlock, onlyFull: true},
	"budget/h2-window-all/list":                {cause: causeDeadlock, onlyFull: true},
	"budget/h2-window-all/lint":                {cause: causeDeadlock, onlyFull: true},
	"budget/h2-hang/crawl":                     {cause: causeMaxTime},
	"budget/h2-hang-body/crawl":                {cause: causeMaxTime, onlyFull: true},
	"budget/h2-data-empty/crawl":               {cause: causeMaxTime, onlyFull: true},
	"budget/h2-continuation-missing/crawl":     {cause: causeMaxTime, onlyFull: true},
	"budget/hang/crawl":                        {cause: causeMaxTime},
	"budget/hang-all/crawl":                    {cause: causeMaxTime, onlyFull: true},
	"budget/header-drip/crawl":                 {cause: causeMaxTime},
	"budget/header-drip-lines/crawl":           {cause: causeMaxTime, onlyFull: true},
	"budget/body-drip/crawl":                   {cause: causeMaxTime, onlyFull: true},
	"budget/body-drip-fast/crawl":              {cause: causeMaxTime, onlyFull: true},
	"budget/body-drip-all/crawl":               {cause: causeMaxTime},
	"budget/informational/crawl":               {cause: causeMaxTime},
	"budget/chunk-endless/crawl":               {cause: causeMaxTime, onlyFull: true},
	"budget/places-hang/crawl":                 {cause: causeMaxTime, onlyFull: true},
	"budget/robots-delay/crawl":                {cause: causeMaxTime},
	"budget/status-429/crawl":                  {cause: causePauses},
	"budget/status-429-soon/crawl":             {cause: causePauses, onlyFull: true},
	"budget/status-503/crawl":                  {cause: causePauses, onlyFull: true},
	"budget/status-503-later/crawl":            {cause: causePauses},
	"budget/status-503-overflow/crawl":         {cause: causePauses, onlyFull: true},
	"budget/status-429/crawl/unlimited":        {cause: cause429, onlyFull: true},
	"budget/h2-window-connection/crawl":        {cause: causeConnection, onlyFull: true},
	"budget/h2-broken-data/crawl":              {cause: causeConnection, onlyFull: true},
	"budget/h2-broken-push/crawl":              {cause: causeConnection, onlyFull: true},
	"budget/h2-broken-size/crawl":              {cause: causeConnection, onlyFull: true},
	"budget/h2-priority-flood/crawl":           {cause: causeLogs, onlyFull: true},
	"budget/h2-unknown-flood/crawl":            {cause: causeLogs, onlyFull: true},
	"budget/length-below/crawl":                {cause: causeLogs},
	"budget/unasked/crawl":                     {cause: causeLogs},
	"budget/fragments/crawl":                   {cause: causeCommit},
	"budget/fragments-text/crawl":              {cause: causeCommit, onlyFull: true},
	"budget/links-long/crawl":                  {cause: causeCommit},
	"budget/canonicals/crawl":                  {cause: causeCommit, onlyFull: true},
	"budget/bomb/crawl":                        {cause: causeBodies, onlyFull: true},
	"budget/index-dead/lint":                   {cause: causeNested, onlyFull: true},
	"budget/status-429-start/crawl":            {cause: causePauses, onlyFull: true},
	"budget/bodies/crawl":                      {cause: causeBodies, onlyFull: true},
	"budget/bodies-text/crawl":                 {cause: causeBodies, onlyFull: true},
	"budget/anchors/crawl":                     {cause: causeBodies, onlyFull: true},
	"budget/robots-sitemaps-same/crawl":        {cause: causeSitemapRate},
	"budget/robots-sitemaps-query/crawl":       {cause: causeSitemapRate, onlyFull: true},
	"budget/robots-sitemaps-other/crawl":       {cause: causeSitemapRate},
	"budget/index-nested/crawl":                {cause: causeSitemapRate},
	"budget/index-cross/crawl":                 {cause: causeSitemapRate, onlyFull: true},
	"budget/index-nested/list":                 {cause: causeNested, onlyFull: true},
	"budget/index-nested/lint":                 {cause: causeNested, onlyFull: true},
	"budget/index-dead/list":                   {cause: causeNested},
	"budget/index-cross/list":                  {cause: causeCrossHost},
	"budget/redirect-forbidden/crawl/external": {cause: causeRedirectRobots},
	"budget/places-hang/list":                  {cause: causePlaces, onlyFull: true},
	"budget/sitemap-errors/list":               {cause: causeList},
	"matrix/list/text":                         {cause: causeList},
	"matrix/list/csv":                          {cause: causeList},
	"matrix/list/jsonl":                        {cause: causeList},
	"matrix/crawl/files":                       {cause: causeCSV},
	"matrix/report/csv":                        {cause: causeCSV},
	"matrix/report/graphml":                    {cause: causeGraphML},
	"matrix/lint/html":                         {cause: causeLintPage},
	"matrix/why/json":                          {cause: causeWhy},
	"matrix/diff/text":                         {cause: causeDiff},
	"matrix/diff/json":                         {cause: causeDiff},
	"matrix/diff/jsonl":                        {cause: causeDiff},
	"matrix/diff/html":                         {cause: causeDiff},
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
