package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// bodyRules are about what a file is at all: compressed or not, a sitemap or not.
var bodyRules = []*rule.Rule{
	emptyBody, htmlInstead, rootUnknown, gzipCorrupt, gzipTruncated, gzipTrailing, gzipDouble, bodyOverCeiling, inflateRatio,
}

var emptyBody = &rule.Rule{
	ID:            string(sitemap.FaultEmptyBody),
	Title:         "the file is empty",
	Why:           "There is nothing to read, so the engine learns of no page. An empty answer often means that the program which makes the sitemap has failed.",
	Cure:          "Look why nothing is written. Serve at least a urlset with one url, or remove the sitemap.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#xmlTagDefinitions",
	SearchConsole: "Empty sitemap", Yandex: "Response contains no data",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\n\n",
	Good:  goodSitemap,
}

var htmlInstead = &rule.Rule{
	ID:            string(sitemap.FaultHTMLInstead),
	Title:         "an HTML page stands where the sitemap should be",
	Why:           "Engines expect XML, a feed or a list of addresses. A page is what a login, an error handler or a single-page application answers when there is no sitemap.",
	Cure:          "Open the address in a private window and see which page answers. Exempt the sitemap from logins, rewrites and maintenance pages.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Sitemap is HTML", Yandex: "Incorrect HTTP response",
	Since: "0.1",
	Bad:   "<!DOCTYPE html>\n<html><head><title>Please log in</title></head><body>Members only.</body></html>\n",
	Good:  goodSitemap,
}

var rootUnknown = &rule.Rule{
	ID:            string(sitemap.FaultNotASitemap),
	Title:         "the file is no sitemap",
	Why:           "Its root element, or its first line, is that of no format which engines read: urlset, sitemapindex, RSS, Atom or a list of addresses.",
	Cure:          "Begin the file with <urlset> or <sitemapindex>, or give the address of the right file.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#xmlTagDefinitions",
	SearchConsole: "Unsupported format", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   `<pages><page>https://example.com/</page></pages>` + "\n",
	Good:  goodSitemap,
}

var gzipCorrupt = &rule.Rule{
	ID:            string(sitemap.FaultGzipCorrupt),
	Title:         "the compressed data is broken",
	Why:           "Nothing behind the broken place can be unpacked, and engines give up the whole file.",
	Cure:          "Compress the file anew, and see that nothing rewrites it on its way: uploading as text does.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   `{{bytes "1f8b08000000000000ffffffffffffffffffffffff"}}`,
	Good:  goodGzip,
}

var goodGzip = "-- /sitemap.xml.gz --\nHTTP 200\nContent-Type: application/gzip\n\n" + gzipExample

const gzipExample = `{{gzip "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/</loc></url></urlset>"}}`

var gzipTruncated = &rule.Rule{
	ID:            string(sitemap.FaultGzipTruncated),
	Title:         "the compressed data ends early",
	Why:           "The file was cut, so pages at its end are lost and engines give up the whole file.",
	Cure:          "Write to a temporary file and rename it when it is complete; look for a full disk or a time limit.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   `{{bytes "1f8b08000000000000ff"}}`,
	Good:  goodGzip,
}

var gzipTrailing = &rule.Rule{
	ID:            string(sitemap.FaultGzipTrailing),
	Title:         "there are bytes behind the compressed data",
	Why:           "What follows is no compressed data; strict readers refuse the file, the others pass over it.",
	Cure:          "Compress the file anew. A script that prints something behind the file is the usual cause.",
	Severity:      rule.SeverityError,
	Source:        "https://www.rfc-editor.org/rfc/rfc1952#section-2.2",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   goodGzip + "oops\n",
	Good:  goodGzip,
}

var gzipDouble = &rule.Rule{
	ID:            string(sitemap.FaultGzipTwice),
	Title:         "the file is compressed twice",
	Why:           "Most engines unpack once and then find no XML.",
	Cure:          "Serve the .gz file as it is, and switch the server's own compression off for it.",
	Severity:      rule.SeverityWarning,
	Source:        protocolText + "#index",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml.gz --\n" + `{{gzip twice "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url></urlset>"}}`,
	Good:  goodGzip,
}

var bodyOverCeiling = &rule.Rule{
	ID:       string(sitemap.FaultCeilingReached),
	Title:    "the file is larger or deeper than any sitemap is",
	Why:      "Reading stopped to protect the reader: more than 1 GiB unpacked, 64 elements inside each other or an entry of more than 4 MiB. No engine reads such a file.",
	Cure:     "Split the file into several with an index, each of at most 50,000 pages and 52,428,800 bytes.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#index", SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
	Since: "0.1",
	Bad:   urlset(`<url><loc>https://example.com/</loc>{{repeat 70 "<a>"}}{{repeat 70 "</a>"}}</url>`),
	Good:  goodSitemap,
}

var inflateRatio = &rule.Rule{
	ID:       "inflate-ratio",
	Title:    "the file unpacks to more than 200 times its size",
	Why:      "Sitemaps shrink to a tenth or a thirtieth. What shrinks further is made to fill up the memory of its reader, so reading stopped.",
	Cure:     "Look what the file is full of: blanks, or one entry over and over.",
	Severity: rule.SeverityError,
	Source:   "https://cwe.mitre.org/data/definitions/409.html", SearchConsole: "Compression error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml.gz --\nHTTP 200\nContent-Type: application/gzip\n\n" + `{{gzip "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{{repeat 18000 "<!--` + blanks + `-->"}}</urlset>"}}`,
	Good:  goodGzip,
}
