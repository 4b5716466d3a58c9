package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const otherFormats = "https://www.sitemaps.org/protocol.html#otherformats"

// textRules are about lists of addresses, one per line
// (https://www.sitemaps.org/protocol.html#otherformats).
var textRules = []*Rule{invalidLine, blankLine, carriageReturns}

const textName = "-- /sitemap.txt --\n"

var invalidLine = &Rule{
	ID:       string(sitemap.FaultLineInvalid),
	Title:    "line in a text sitemap is not a URL",
	Why:      "A text sitemap holds only absolute URLs, one per line, without white space. Search engines skip headers, comments and lines with other columns, and the pages on them.",
	Fix:      "Keep only URLs, each with https:// and the host. Use an XML sitemap for any other data.",
	Severity: SeverityError,
	Source:   otherFormats,
	Since:    "0.1", SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Bad:  textName + "Pages of example.com\nhttps://example.com/steak\n",
	Good: textName + "https://example.com/\nhttps://example.com/steak\n",
}

var blankLine = &Rule{
	ID:       string(sitemap.FaultBlankLine),
	Title:    "blank line in a text sitemap",
	Why:      "The protocol requires a URL on each line. Search engines skip blank lines, but programs that count lines get a wrong number.",
	Fix:      "Remove the line.",
	Severity: SeverityInfo,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      textName + "https://example.com/\n\nhttps://example.com/steak\n",
	Good:     textName + "https://example.com/\nhttps://example.com/steak\n",
}

var carriageReturns = &Rule{
	ID:       "cr-only",
	Title:    "text sitemap has carriage returns as line breaks",
	Why:      "Computers before 2001 ended lines this way. Programs that know only line feeds read the whole file as one line.",
	Fix:      "Save the file with line feeds, with or without carriage returns before them.",
	Severity: SeverityInfo,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      textName + `https://example.com/{{bytes "0d"}}https://example.com/steak{{bytes "0d"}}`,
	Good:     textName + "https://example.com/\nhttps://example.com/steak\n",
	needs:    scan.InText,
	checkEntry: func(e *entryCheck) {
		if e.file.statistics.entries == 2 && e.Line() == 1 {
			e.report("", 0, "", "the second URL is on the first line")
		}
	},
}
