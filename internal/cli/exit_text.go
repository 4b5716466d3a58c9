package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// An exitMeaning says what an exit code means.
type exitMeaning struct {
	code int
	text string
}

// exitMeanings are the exit codes of all commands.
var exitMeanings = []exitMeaning{
	{exitDone, "done"},
	{exitFindings, "findings of --fail-on, a difference, or a check that refused"},
	{exitUsage, "the command, or a file that it names, has to change before it can succeed"},
	{exitPart, "something was kept, but not all"},
	{exitUnreachable, "nothing new was kept; the same command may succeed later"},
	{exitInterrupted, "interrupted"},
}

var (
	always   = []int{exitDone, exitUsage}
	reading  = []int{exitDone, exitUsage, exitUnreachable, exitInterrupted}
	partial  = []int{exitDone, exitUsage, exitPart, exitUnreachable, exitInterrupted}
	judging  = []int{exitDone, exitFindings, exitUsage, exitPart, exitUnreachable, exitInterrupted}
	server   = []int{exitDone, exitUsage, exitUnreachable} // which a signal ends well
	explains = []int{exitDone, exitFindings, exitUsage, exitUnreachable, exitInterrupted}
)

// commandExits are the exit codes of commands, by their names without the program's.
var commandExits = map[string][]int{
	"announce": judging, "announce status": partial, "announce ping": {exitUsage},
	"announce key": always, "announce key check": explains, "announce key generate": always, "announce key write": reading,
	"build": partial, "crawl": judging, "diff": judging, "links": judging, "lint": judging, "list": partial,
	"figures": reading, "report": explains, "why": explains, "watch": partial, "watch status": reading,
	"demo": reading, "mcp": server, "serve": server, "serve backup": reading, "serve status": reading,
	"job": always, "job list": reading, "job show": reading, "job cancel": reading, "job delete": reading,
	"job results": judging, "worker": server,
	"completion": always, "help": always, "man": {exitDone, exitUsage, exitUnreachable}, "rules": always,
	"version": always,
}

// exitsOf returns the exit codes of a command, of the whole program for its root.
func exitsOf(c *cobra.Command) []exitMeaning {
	own, found := commandExits[strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")]
	if !found {
		return exitMeanings
	}
	return slices.DeleteFunc(slices.Clone(exitMeanings), func(e exitMeaning) bool { return !slices.Contains(own, e.code) })
}

// exitTextOf returns the exit codes of a command in lines of at most a number of columns.
func exitTextOf(c *cobra.Command, width int) string {
	const indent = len("  130  ")
	var text strings.Builder
	text.WriteString("Exit codes:\n")
	for _, line := range exitsOf(c) {
		meaning := strings.ReplaceAll(wrapped(line.text, width-indent), "\n", "\n"+strings.Repeat(" ", indent))
		fmt.Fprintf(&text, "  %-4d %s\n", line.code, meaning)
	}
	return text.String()
}
