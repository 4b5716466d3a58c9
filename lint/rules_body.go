package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// bodyRules are about whether a file is compressed, and whether it is a sitemap.
var bodyRules = []*Rule{
	emptyBody, htmlInstead, rootUnknown, gzipCorrupt, gzipTruncated, gzipTrailing, gzipDouble, bodyOverCeiling,
	inflateRatio,
}

var emptyBody = &Rule{
	ID:            string(sitemap.FaultEmptyBody),
	Title:         "file is empty",
	Why:           "Search engines find no page in it. An empty answer often means that the sitemap generator failed.",
	Fix:           "Find out why the generator writes nothing. Serve at least a urlset with one url, or remove the sitemap.",
	Severity:      SeverityError,
	Source:        protocolText + "#xmlTagDefinitions",
	SearchConsole: "Empty sitemap", Yandex: "Response contains no data",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\n\n",
	Good:  goodSitemap,
}

var htmlInstead = &Rule{
	ID:            string(sitemap.FaultHTMLInstead),
	Title:         "HTML page instead of a sitemap",
	Why:           "Search engines expect XML, a feed or a list of URLs. A login, an error handler or a single-page application answers with a page when there is no sitemap.",
	Fix:           "Open the URL in a private window to see which page answers. Exempt the sitemap from logins, rewrites and maintenance pages.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Sitemap is HTML", Yandex: "Incorrect HTTP response",
	Since: "0.1",
	Bad:   "<!DOCTYPE html>\n<html><head><title>Please log in</title></head><body>Members only.</body></html>\n",
	Good:  goodSitemap,
}

var rootUnknown = &Rule{
	ID:            string(sitemap.FaultNotASitemap),
	Title:         "file is not a sitemap",
	Why:           "Its root element or first line does not match any format that search engines read: urlset, sitemapindex, RSS, Atom or a list of URLs.",
	Fix:           "Start the file with <urlset> or <sitemapindex>, or use the URL of the right file.",
	Severity:      SeverityError,
	Source:        protocolText + "#xmlTagDefinitions",
	SearchConsole: "Unsupported format", Yandex: "Unknown tag",
	Since: "0.1",
	Bad:   `<pages><page>https://example.com/</page></pages>` + "\n",
	Good:  goodSitemap,
}

var gzipCorrupt = &Rule{
	ID:            string(sitemap.FaultGzipCorrupt),
	Title:         "gzip data is corrupt",
	Why:           "Nothing after the damaged place can be unpacked, and search engines ignore the whole file.",
	Fix:           "Compress the file again. Make sure that nothing changes it in transit, as an upload in text mode does.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   `{{bytes "1f8b08000000000000ffffffffffffffffffffffff"}}`,
	Good:  goodGzip,
}

var goodGzip = "-- /sitemap.xml.gz --\nHTTP 200\nContent-Type: application/gzip\n\n" + gzipExample

const gzipExample = `{{gzip "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/</loc></url></urlset>"}}`

var gzipTruncated = &Rule{
	ID:            string(sitemap.FaultGzipTruncated),
	Title:         "gzip data is truncated",
	Why:           "The pages at the end of the file are lost, and search engines ignore the whole file.",
	Fix:           "Write to a temporary file and rename it when it is complete. Check for a full disk or a time limit.",
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   `{{bytes "1f8b08000000000000ff"}}`,
	Good:  goodGzip,
}

var gzipTrailing = &Rule{
	ID:            string(sitemap.FaultGzipTrailing),
	Title:         "extra bytes after the gzip data",
	Why:           "The extra bytes are not compressed data. Strict readers reject the file, others ignore the bytes.",
	Fix:           "Compress the file again. The usual cause is a script that prints something after the file.",
	Severity:      SeverityError,
	Source:        "https://www.rfc-editor.org/rfc/rfc1952#section-2.2",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   goodGzip + "oops\n",
	Good:  goodGzip,
}

var gzipDouble = &Rule{
	ID:            string(sitemap.FaultGzipTwice),
	Title:         "file is compressed twice",
	Why:           "Most search engines unpack once and then find no XML.",
	Fix:           "Serve the .gz file as it is, and turn off the server's own compression for it.",
	Severity:      SeverityWarning,
	Source:        protocolText + "#index",
	SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad: "-- /sitemap.xml.gz --\n" +
		`{{gzip twice "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url></urlset>"}}`,
	Good: goodGzip,
}

var bodyOverCeiling = &Rule{
	ID:       string(sitemap.FaultCeilingReached),
	Title:    "file is larger or nested deeper than any valid sitemap",
	Why:      "Mapa stopped reading to protect itself: the file unpacks to more than 1 GiB, nests elements 64 deep, or has an entry of more than 4 MiB. Search engines do not read such a file.",
	Fix:      "Split the file into several with a sitemap index, each of at most 50,000 URLs and 52,428,800 bytes.",
	Severity: SeverityError,
	Source:   protocolText + "#index", SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
	Since: "0.1",
	Bad:   urlset(`<url><loc>https://example.com/</loc>{{repeat 70 "<a>"}}{{repeat 70 "</a>"}}</url>`),
	Good:  goodSitemap,
}

var inflateRatio = &Rule{
	ID:       "inflate-ratio",
	Title:    "file unpacks to more than 200 times its size",
	Why:      "Sitemaps compress to a tenth or a thirtieth of their size. A file that compresses further is made to fill its reader's memory, so Mapa stopped reading.",
	Fix:      "Find out what fills the file: spaces, or the same entry repeated.",
	Severity: SeverityError,
	Source:   "https://cwe.mitre.org/data/definitions/409.html", SearchConsole: "Compression error",
	Since: "0.1",
	Bad: "-- /sitemap.xml.gz --\nHTTP 200\nContent-Type: application/gzip\n\n" +
		`{{gzip "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{{repeat 18000 "<!--` + blanks +
		`-->"}}</urlset>"}}`,
	Good: goodGzip,
}
