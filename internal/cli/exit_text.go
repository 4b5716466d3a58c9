package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// An exitMeaning says what an exit code of a command means.
type exitMeaning struct {
	code int
	text string
}

// commandExits are the exit codes of commands, by their names without the program's,
// besides those of all: wrong usage, and an interruption.
var commandExits = map[string][]exitMeaning{
	"build": {
		{exitDone, "done; duplicates and pages outside the site are left out"},
		{exitPart, "invalid rows are left out, a source broke off, or --max-shrink publishes nothing"},
		{exitUnreachable, "a source cannot be opened"},
	},
	"announce": {
		{exitDone, "announced, kept for later, or nothing to announce"},
		{exitFindings, "a check refused, and nothing was sent"}, {exitPart, "some providers failed"},
		{exitUnreachable, "the site does not answer, no provider can be reached, or the sitemap cannot be opened"},
	},
	"announce status": {
		{exitDone, "done"}, {exitPart, "some engines failed"},
		{exitUnreachable, "no engine can be reached, or the sitemap cannot be opened"},
	},
	"announce key check":    {{exitDone, "every key file is right"}, {exitFindings, "a key file is missing or wrong"}},
	"announce key generate": {{exitDone, "done"}},
	"announce key":          {{exitDone, "done"}},
	"announce ping":         {},
	"announce key write":    {{exitDone, "done"}, {exitPart, "the file cannot be written"}},
	"crawl": {
		{exitDone, "done, also at --max-pages, --max-depth or max-bytes"},
		{exitFindings, "findings that --fail-on names"},
		{exitPart, "done in part: --max-time, an outage of the site, or a sitemap that --max-shrink does not publish"},
		{exitUnreachable, "the site cannot be reached or refuses the crawl"},
	},
	"demo": {{exitDone, "done"}},
	"diff": {
		{exitDone, "no difference"}, {exitFindings, "a difference, or one that --fail-on names"}, {exitPart, "a part could not be read"},
		{exitUnreachable, "a crawl or sitemap cannot be opened"},
	},
	"links": {
		{exitDone, "no finding of --fail-on"}, {exitFindings, "findings that --fail-on names"},
		{exitPart, "done in part: --max-time, or a sitemap that could not be read"},
		{exitUnreachable, "no sitemap can be opened"},
	},
	"lint": {
		{exitDone, "no finding at or above --fail-on"}, {exitFindings, "findings at or above --fail-on"},
		{exitPart, "done in part: with --fix, something was not repaired"}, {exitUnreachable, "no source can be opened"},
	},
	"list": {
		{exitDone, "done"}, {exitPart, "done in part: a sitemap could not be read"},
		{exitUnreachable, "no sitemap can be opened"},
	},
	"report": {
		{exitDone, "done"}, {exitFindings, "findings that --fail-on names"},
		{exitPart, "the crawl cannot be read"}, {exitUnreachable, "there is no crawl"},
	},
	"mcp": {{exitDone, "the client has ended"}, {exitPart, "the data folder cannot be used"}},
	"serve": {
		{exitDone, "stopped by a signal"}, {exitPart, "the address or the data folder cannot be used"},
		{exitUnreachable, "NATS cannot be reached or refuses access"},
	},
	"serve backup": {
		{exitDone, "done"}, {exitPart, "nothing was written"}, {exitUnreachable, "no server has used the folder"},
	},
	"serve status": {{exitDone, "the server is ready"}, {exitPart, "the server is not ready, or does not answer"}},
	"watch": {
		{exitDone, "everything was read"}, {exitPart, "done in part: a document could not be read"},
		{exitUnreachable, "no site answered"},
	},
	"watch status": {{exitDone, "done"}, {exitUnreachable, "there is no state file"}},
	"why": {
		{exitDone, "done"}, {exitFindings, "the crawl did not find the page"},
		{exitPart, "the crawl cannot be read"}, {exitUnreachable, "there is no crawl"},
	},
	"job":        {},
	"job list":   {{exitDone, "done"}, {exitUnreachable, "NATS cannot be reached or refuses access"}},
	"job show":   jobExits,
	"job cancel": jobExits,
	"job delete": jobExits,
	"job results": append(jobExits,
		exitMeaning{exitFindings, "findings that --fail-on names"},
		exitMeaning{exitPart, "done in part: sites failed, or have not ended"}),
	"worker": {
		{exitDone, "stopped by a signal, or the job of --job has ended"},
		{exitUnreachable, "NATS cannot be reached or refuses access"},
	},
	"completion": {{exitDone, "done"}},
	"help":       {{exitDone, "done"}},
	"man":        {{exitDone, "done"}},
	"rules":      {{exitDone, "done"}},
	"version":    {{exitDone, "done"}},
}

// jobExits are the exit codes of the commands for one job.
var jobExits = []exitMeaning{
	{exitDone, "done"}, {exitUnreachable, "there is no such job, or NATS cannot be reached or refuses access"},
}

// exitTextOf returns the exit codes of a command, of the whole program for its root, in lines of
// at most a number of columns.
func exitTextOf(c *cobra.Command, width int) string {
	const indent = len("  130  ")
	own, found := commandExits[strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")]
	if !found {
		return exitText
	}
	lines := []exitMeaning{{exitUsage, "wrong usage"}}
	if len(own) > 1 && c.Name() != "serve" && c.Name() != "worker" { // which end well by a signal
		lines = append(lines, exitMeaning{exitInterrupted, "interrupted"})
	}
	lines = append(lines, own...)
	var text strings.Builder
	text.WriteString("Exit codes:\n")
	for _, code := range []int{
		exitDone, exitFindings, exitUsage, exitPart, exitUnreachable, exitInterrupted,
	} {
		for _, line := range lines {
			if line.code == code {
				meaning := strings.ReplaceAll(wrapped(line.text, width-indent), "\n", "\n"+strings.Repeat(" ", indent))
				fmt.Fprintf(&text, "  %-4d %s\n", code, meaning)
			}
		}
	}
	return text.String()
}
