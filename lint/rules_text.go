package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const otherFormats = "https://www.sitemaps.org/protocol.html#otherformats"

// textRules are about lists of addresses, one per line
// (https://www.sitemaps.org/protocol.html#otherformats).
var textRules = []*Rule{
	{ID: string(sitemap.FaultLineInvalid), Severity: SeverityError, Source: otherFormats,
		SearchConsole: "Invalid URL", Yandex: "Incorrect page address"},
	{ID: string(sitemap.FaultBlankLine), Severity: SeverityInfo, Source: otherFormats},
	{ID: "cr-only", Severity: SeverityInfo, Source: otherFormats, needs: scan.InText,
		checkEntry: func(e *entryCheck) {
			if e.file.statistics.entries == 2 && e.Line() == 1 {
				e.report("", 0, "", newText("rule.cr-only.found"))
			}
		}},
}
