package lint

import (
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// namespaceRules are about the namespaces that a file declares.
var namespaceRules = []*Rule{
	{ID: string(sitemap.FaultNamespaceMissing), Severity: SeverityError, Source: protocolText + "#urlsetdef",
		SearchConsole: "Incorrect namespace"},
	{ID: string(sitemap.FaultNamespaceWrong), Severity: SeverityError, Source: protocolText + "#urlsetdef",
		SearchConsole: "Incorrect namespace"},
	{ID: string(sitemap.FaultNamespaceVariant), Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source: namespaceText + "#NSNameComparison", SearchConsole: "Incorrect namespace"},
	{ID: string(sitemap.FaultExtensionUndeclared), Severity: SeverityError,
		Source: namespaceText + "#ns-qualnames", SearchConsole: "Parsing error", Yandex: "Unknown tag"},
	{ID: string(sitemap.FaultExtensionVariant), Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source:        "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
		SearchConsole: "Incorrect namespace"},
	{ID: "schema-location-mismatch", Severity: SeverityInfo, Source: protocolText + "#validating",
		checkFile: func(f *fileCheck) {
			p := prologOf(f)
			location, own := "", ""
			for _, a := range p.attributes {
				switch {
				case a.Name.Local == "schemaLocation":
					location = a.Value
				case a.Name.Local == "xmlns" && a.Name.Space == "":
					own = a.Value
				}
			}
			words := strings.Fields(location)
			for i := 0; i < len(words); i += 2 {
				if words[i] == own && i+1 < len(words) {
					return
				}
			}
			if len(words) > 0 && own != "" {
				f.report(newText("rule.schema-location-mismatch.found", printable(own)))
			}
		}},
}
