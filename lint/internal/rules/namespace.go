package rules

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// namespaceRules are about the vocabularies that a file says it is written in.
var namespaceRules = []*rule.Rule{
	namespaceMissing, namespaceWrong, namespaceVariant, extensionUndeclared, extensionVariant,
	schemaLocationMismatch,
}

var namespaceMissing = &rule.Rule{
	ID:            string(sitemap.FaultNamespaceMissing),
	Title:         "the root element has no namespace",
	Why:           "Without the namespace the elements are not those of the protocol, and Google reports an error.",
	Cure:          `Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" into the root element.`,
	Severity:      rule.SeverityError,
	Source:        protocolText + "#urlsetdef",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad:           "<urlset>" + goodURL + "</urlset>\n",
	Good:          goodSitemap,
}

var namespaceWrong = &rule.Rule{
	ID:            string(sitemap.FaultNamespaceWrong),
	Title:         "the root element has a namespace that is not the protocol's",
	Why:           "Engines tell sitemaps by their namespace, letter by letter; Google reports an error.",
	Cure:          `Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9": with www, with http, without a slash at the end.`,
	Severity:      rule.SeverityError,
	Source:        protocolText + "#urlsetdef",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad:           `<urlset xmlns="http://www.example.org/schemas/sitemap/0.9">` + goodURL + "</urlset>\n",
	Good:          goodSitemap,
}

var namespaceVariant = &rule.Rule{
	ID:       string(sitemap.FaultNamespaceVariant),
	Title:    "the namespace is spelled in another way than the protocol does",
	Why:      "A namespace is a name, not an address: https, a missing www, a slash at the end or Google's name of 2005 make another one. Engines forgive some of them, schemas none.",
	Cure:     `Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9".`,
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        namespaceText + "#NSNameComparison",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad:           `<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9">` + goodURL + "</urlset>\n",
	Good:          goodSitemap,
}

var extensionUndeclared = &rule.Rule{
	ID:            string(sitemap.FaultExtensionUndeclared),
	Title:         "a prefix that is not declared",
	Why:           "A prefix means nothing before an xmlns attribute says what it stands for; an XML reader has to refuse the file.",
	Cure:          `Declare it in the root element, as in xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".`,
	Severity:      rule.SeverityError,
	Source:        namespaceText + "#ns-qualnames",
	SearchConsole: "Parsing error", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/", "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>")),
	Good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">` +
		page("https://example.com/", "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>") + "</urlset>\n",
}

var extensionVariant = &rule.Rule{
	ID:       string(sitemap.FaultExtensionVariant),
	Title:    "the namespace of an extension is spelled in another way than documented",
	Why:      "Google documents one spelling of each; with https or a slash at the end it may pass over what the extension says.",
	Cure:     `Copy the namespace from the documentation, as in xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".`,
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="https://www.google.com/schemas/sitemap-image/1.1">` +
		page("https://example.com/", "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>") + "</urlset>\n",
	Good: extensionUndeclared.Good,
}

var schemaLocationMismatch = &rule.Rule{
	ID:       "schema-location-mismatch",
	Title:    "xsi:schemaLocation does not fit the namespace",
	Why:      "The attribute holds pairs of a namespace and the address of its schema. Validators that go by it look for another vocabulary than the file's.",
	Cure:     `Write xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", or leave it out.`,
	Severity: rule.SeverityInfo,
	Source:   protocolText + "#validating",
	Since:    "0.1",
	Bad: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
		`xsi:schemaLocation="http://www.google.com/schemas/sitemap/0.84 http://www.google.com/schemas/sitemap/0.84/sitemap.xsd">` + goodURL + "</urlset>\n",
	Good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
		`xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd">` + goodURL + "</urlset>\n",
	CheckFile: func(f *rule.File) {
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
			f.Report("no schema for " + display.Text(own) + " in xsi:schemaLocation")
		}
	},
}
