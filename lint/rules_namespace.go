package lint

import (
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// namespaceRules are about the namespaces that a file declares.
var namespaceRules = []*Rule{
	namespaceMissing, namespaceWrong, namespaceVariant, extensionUndeclared, extensionVariant,
	schemaLocationMismatch,
}

var namespaceMissing = &Rule{
	ID:            string(sitemap.FaultNamespaceMissing),
	Title:         "root element has no namespace",
	Why:           "Without the namespace, the elements are not those of the protocol. Google reports an error.",
	Fix:           `Add xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" to the root element.`,
	Severity:      SeverityError,
	Source:        protocolText + "#urlsetdef",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad:           "<urlset>" + goodURL + "</urlset>\n",
	Good:          goodSitemap,
}

var namespaceWrong = &Rule{
	ID:            string(sitemap.FaultNamespaceWrong),
	Title:         "root element has the wrong namespace",
	Why:           "Search engines recognize a sitemap by its exact namespace. Google reports an error.",
	Fix:           `Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9": with www, with http, without a slash at the end.`,
	Severity:      SeverityError,
	Source:        protocolText + "#urlsetdef",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad:           `<urlset xmlns="http://www.example.org/schemas/sitemap/0.9">` + goodURL + "</urlset>\n",
	Good:          goodSitemap,
}

var namespaceVariant = &Rule{
	ID:       string(sitemap.FaultNamespaceVariant),
	Title:    "misspelled sitemap namespace",
	Why:      "A namespace is a name, not a URL. https, a missing www, a slash at the end or Google's namespace of 2005 make a different one. Search engines accept some of these, schemas accept none.",
	Fix:      `Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9".`,
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        namespaceText + "#NSNameComparison",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad:           `<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9">` + goodURL + "</urlset>\n",
	Good:          goodSitemap,
}

var extensionUndeclared = &Rule{
	ID:            string(sitemap.FaultExtensionUndeclared),
	Title:         "namespace prefix is not declared",
	Why:           "A prefix has no meaning without an xmlns attribute. XML readers must reject the file.",
	Fix:           `Declare it in the root element, as in xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".`,
	Severity:      SeverityError,
	Source:        namespaceText + "#ns-qualnames",
	SearchConsole: "Parsing error", Yandex: "Unknown tag",
	Since: "0.1",
	Bad: urlset(page("https://example.com/",
		"<image:image><image:loc>https://example.com/a.png</image:loc></image:image>")),
	Good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">` +
		page("https://example.com/", "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>") +
		"</urlset>\n",
}

var extensionVariant = &Rule{
	ID:       string(sitemap.FaultExtensionVariant),
	Title:    "misspelled extension namespace",
	Why:      "Google documents one spelling of each namespace. With https or a slash at the end, it may ignore the extension.",
	Fix:      `Copy the namespace from the documentation, as in xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".`,
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
	SearchConsole: "Incorrect namespace",
	Since:         "0.1",
	Bad: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="https://www.google.com/schemas/sitemap-image/1.1">` +
		page("https://example.com/", "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>") +
		"</urlset>\n",
	Good: extensionUndeclared.Good,
}

var schemaLocationMismatch = &Rule{
	ID:       "schema-location-mismatch",
	Title:    "xsi:schemaLocation does not match the namespace",
	Why:      "The attribute holds pairs of a namespace and the URL of its schema. Validators that rely on it expect a different namespace from the file's.",
	Fix:      `Write xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd", or leave it out.`,
	Severity: SeverityInfo,
	Source:   protocolText + "#validating",
	Since:    "0.1",
	Bad: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
		`xsi:schemaLocation="http://www.google.com/schemas/sitemap/0.84 http://www.google.com/schemas/sitemap/0.84/sitemap.xsd">` + goodURL + "</urlset>\n",
	Good: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
		`xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd">` + goodURL + "</urlset>\n",
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
			f.report("xsi:schemaLocation has no schema for " + printable(own))
		}
	},
}
