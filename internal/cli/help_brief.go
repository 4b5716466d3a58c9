package cli

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// A briefText is what -h prints of a command with many flags: one screen.
type briefText struct {
	examples string
	flags    []briefFlag // the usual ones
}

// A briefFlag is a flag as -h shows it, in one line of 80 columns.
type briefFlag struct{ flag, help string }

// briefTexts are the commands for which -h prints less than --help.
var briefTexts = map[string]briefText{
	"crawl": {crawlBrief, []briefFlag{
		{"-o, --output FOLDER", "write to this folder (default: the host name)"},
		{"    --base-url URL", "public URL of a staging copy, a preview or a folder"},
		{"    --user NAME:PASSWORD", "log in to the site"},
		{"    --list FILE", "crawl the URLs in this file too"},
		{"    --exclude PATTERN", "leave out pages, by a regular expression of the path"},
		{"    --max-pages N", "stop after this many pages"},
		{"    --max-depth N", "links to follow from the start; 0: the given pages"},
		{"    --rate N", "requests a second, such as 1 for a slow server"},
		{"    --render auto", "run the scripts of pages that need JavaScript"},
		{"    --external", "check links to other sites too"},
		{"    --only IDS", "apply only these rules, such as link-broken"},
		{"    --fail-on FINDINGS", "exit with 1 on these, such as error or broken"},
	}},
	"build": {buildBrief, []briefFlag{
		{"-o, --output FOLDER", "write to this folder (default: the host name)"},
		{"    --base-url URL", "URL of the site, which its pages begin with"},
		{"    --column FIELD=NAME", "column of a field, such as loc=permalink"},
		{"    --include PATTERN", "list only pages that match, by their path"},
		{"    --exclude PATTERN", "leave out pages that match"},
		{"    --strip-params NAMES", "remove these query parameters, such as utm_*"},
		{"    --set NAME=PATTERN", "write pages that match to a sitemap of their own"},
		{"    --outputs KINDS", "files to write: xml, txt, html, rss, atom"},
		{"    --gzip", "compress the sitemap"},
		{"    --sql DATABASE", "read the pages of a database"},
		{"    --query SELECT", "what selects them"},
		{"    --strict", "stop at the first row that is wrong"},
	}},
	"links": {linksBrief, []briefFlag{
		{"    --base-url URL", "public URL of the folder"},
		{"    --exclude PATTERN", "leave out files and URLs that match"},
		{"    --external=false", "check no links to web sites"},
		{"    --allow PATTERN", "accept links to URLs that match"},
		{"    --accept STATUSES", "statuses that are not broken, such as 403,5xx"},
		{"    --fail-on FINDINGS", "exit with 1 on these (default: broken,anchors)"},
		{"    --baseline FILE", "skip the findings in this file"},
		{"    --format NAME", "text, csv, json, jsonl, sarif, junit, github, ..."},
		{"-o, --output FILE", "write to this file"},
		{"    --rate N", "requests a second, such as 1 for a slow server"},
		{"    --timeout TIME", "give up on a request after this time, such as 10s"},
		{"    --user NAME:PASSWORD", "log in to the site"},
	}},
	"report": {reportBrief, []briefFlag{
		{"    --format NAME", "text, html, csv, json, jsonl, sarif, junit, ..."},
		{"-o, --output FILE", "write to this file"},
		{"    --findings", "list what the rules found"},
		{"    --at-least SEVERITY", "of this severity or above: error, warning, info"},
		{"    --rule IDS", "of these rules, such as link-broken"},
		{"    --all", "each finding, also those that are alike"},
		{"    --reason REASON", "list the URLs with this reason, such as client-error"},
		{"    --fail-on FINDINGS", "exit with 1 on these, such as error or broken"},
		{"    --allow PATTERN", "accept links to URLs that match"},
		{"    --baseline FILE", "skip the findings in this file"},
		{"    --source-dir FOLDER", "name the line to edit, in the files of this folder"},
		{"    --lang LANGUAGE", "en or es"},
	}},
}

// isBrief reports whether -h asks for the help of a command, and not --help or the command help.
func isBrief(c *cobra.Command, args []string) bool {
	_, has := briefTexts[c.Name()]
	return has && len(args) > 0 && !slices.Contains(args, "--help")
}

// printBrief prints the usage of a command and its usual flags.
func printBrief(c *cobra.Command) {
	text := briefTexts[c.Name()]
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s.\n\nUsage: %s\n\n%s\n\nUsual flags (all: %s --help):\n",
		c.Short, c.UseLine(), text.examples, c.CommandPath())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range text.flags {
		fmt.Fprintf(table, "  %s\t%s\n", f.flag, f.help)
	}
	_ = table.Flush() // what cannot be printed has nobody to say it to
}
