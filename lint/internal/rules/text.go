package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const otherFormats = "https://www.sitemaps.org/protocol.html#otherformats"

// textRules are about lists of addresses, one a line
// (https://www.sitemaps.org/protocol.html#otherformats).
var textRules = []*rule.Rule{invalidLine, blankLine, carriageReturns}

const textName = "-- /sitemap.txt --\n"

var invalidLine = &rule.Rule{
	ID:       string(sitemap.FaultLineInvalid),
	Title:    "a line of a text sitemap that is no address",
	Why:      "A text file holds addresses alone, one a line, whole and without white space; headers, comments and columns of other data are none, and the pages of such lines are lost.",
	Cure:     "Leave only addresses, each with https:// and the host; what is to be said of pages needs an XML sitemap.",
	Severity: rule.SeverityError,
	Source:   otherFormats,
	Since:    "0.1", SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Bad:  textName + "Pages of example.com\nhttps://example.com/steak\n",
	Good: textName + "https://example.com/\nhttps://example.com/steak\n",
}

var blankLine = &rule.Rule{
	ID:       string(sitemap.FaultBlankLine),
	Title:    "a blank line in a text sitemap",
	Why:      "The protocol wants an address on each line. Search engines pass over blank ones, but a program that counts lines is misled.",
	Cure:     "Remove the line.",
	Severity: rule.SeverityInfo,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      textName + "https://example.com/\n\nhttps://example.com/steak\n",
	Good:     textName + "https://example.com/\nhttps://example.com/steak\n",
}

var carriageReturns = &rule.Rule{
	ID:       "cr-only",
	Title:    "lines of a text sitemap that end with carriage returns alone",
	Why:      "Such lines are those of computers before 2001; a program that knows only line feeds takes the whole file for one line.",
	Cure:     "Save the file with line feeds, with or without carriage returns before them.",
	Severity: rule.SeverityInfo,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      textName + `https://example.com/{{bytes "0d"}}https://example.com/steak{{bytes "0d"}}`,
	Good:     textName + "https://example.com/\nhttps://example.com/steak\n",
	Needs:    scan.InText,
	CheckEntry: func(e *rule.Entry) {
		if e.File.Statistics.Entries == 2 && e.Line() == 1 {
			e.Report("", 0, "", "the second address is on the first line")
		}
	},
}
