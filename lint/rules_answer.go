package lint

import (
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// answerRules are about the answer of a server that sends the file.
var answerRules = []*Rule{
	redirectedSitemap, robotsBlocksSitemap, softNotFound, contentTypeOdd, charsetNotUTF8, gzipMisnamed,
	gzipContentEncoding,
	noValidator, sitemapIndexable,
}

var redirectedSitemap = &Rule{
	ID:       "redirected-sitemap",
	Title:    "sitemap URL redirects",
	Why:      "Every fetch costs an extra request, and the final URL decides which pages the sitemap may list. Bing asks sites to avoid redirects; Yandex wants an answer of 200.",
	Fix:      "Use the final URL in robots.txt, in the sitemap index and wherever you submitted the sitemap.",
	Severity: SeverityWarning, Overlay: Overlay{Error: EngineYandex},
	Source: "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
	Yandex: "HTTP error",
	Since:  "0.1",
	Bad:    "-- /sitemap.xml --\nHTTP 301\nLocation: https://example.com/new.xml\n\n-- /new.xml --\n" + goodSitemap,
	Good:   goodSitemap,
	checkFile: func(f *fileCheck) {
		if r := f.Response; r != nil && r.Request.Response != nil {
			f.report("the sitemap URL redirects to " + printable(f.Address()))
		}
	},
}

// crawlers are the names of the engines in robots.txt.
var crawlers = []struct {
	engine Engines
	name   string
}{{EngineSitemapsOrg, "*"}, {EngineGoogle, "Googlebot"}, {EngineBing, "bingbot"},
	{EngineYandex, "YandexBot"}}

var robotsBlocksSitemap = &Rule{
	ID:            "robots-blocks-sitemap",
	Title:         "sitemap is blocked by robots.txt",
	Why:           "Search engines check robots.txt before they fetch a sitemap, and do not fetch a blocked one.",
	Fix:           "Add Allow: /sitemap.xml to the search engine's group in robots.txt.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch: blocked by robots.txt", Yandex: "Forbidden in robots.txt",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\n" + goodSitemap + "-- /robots.txt --\nUser-agent: *\nDisallow: /sitemap\n",
	Good:  "-- /sitemap.xml --\n" + goodSitemap + "-- /robots.txt --\nUser-agent: *\nDisallow: /private\n",
	checkFile: func(f *fileCheck) {
		r := f.Response
		if r == nil {
			return
		}
		u := r.Request.URL
		file := f.robots(u)
		if file == nil {
			return
		}
		for _, c := range crawlers {
			if f.options.Engines&c.engine != 0 && !file.Group(c.name).Verdict(u.String()).Allowed {
				f.report("robots.txt blocks the sitemap for " + c.name)
				return
			}
		}
	},
}

var softNotFound = &Rule{
	ID:            "soft-404",
	Title:         `soft 404: a "not found" page with status 200`,
	Why:           "The status says success, but the page says that nothing is there. Search engines take the page for a sitemap and fail to read it.",
	Fix:           "Answer 404 for missing pages, and find out why the sitemap is missing.",
	Severity:      SeverityError,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
	SearchConsole: "Sitemap is HTML", Yandex: "Incorrect HTTP response",
	Since: "0.1",
	Bad:   "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>Nothing here.</body></html>\n",
	Good:  goodSitemap,
}

func saysNotFound(title string) bool {
	lower := strings.ToLower(title)
	return strings.Contains(lower, "not found") || strings.Contains(lower, "404")
}

var contentTypeOdd = &Rule{
	ID:       "content-type-odd",
	Title:    "Content-Type does not match the file",
	Why:      "Search engines look at the content, but caches, firewalls and simple programs rely on Content-Type. They take XML sent as text/html for a web page.",
	Fix:      "Send application/xml for XML, text/plain for text sitemaps and application/gzip for compressed files.",
	Severity: SeverityInfo,
	Source:   "https://www.rfc-editor.org/rfc/rfc7303#section-4",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: text/html\n\n" + goodSitemap,
	Good:     goodSitemap,
	checkFile: func(f *fileCheck) {
		r := f.Response
		if r == nil {
			return
		}
		media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || !isUsualType(f, media) {
			f.report("Content-Type: " + printable([]byte(r.Header.Get("Content-Type"))))
		}
	},
}

// isUsualType reports whether a media type is one of the format or, for a compressed
// file, one that servers give compressed files.
func isUsualType(f *fileCheck, media string) bool {
	if f.Reader().Inspect().Compressed() && f.Response.Header.Get("Content-Encoding") == "" {
		switch media {
		case "application/gzip", "application/x-gzip", "application/x-gunzip", "application/gzipped",
			"application/gzip-compressed",
			"gzip/document", "application/octet-stream", "binary/octet-stream":
			return true
		}
	}
	if f.Format == sitemap.FormatText {
		return media == "text/plain"
	}
	return media == "application/xml" || media == "text/xml" || strings.HasSuffix(media, "+xml")
}

var charsetNotUTF8 = &Rule{
	ID:       "http-charset-not-utf8",
	Title:    "Content-Type header names a charset other than UTF-8",
	Why:      "The charset of the header overrides the encoding that the file declares. Only a byte order mark overrides the header. Programs that follow this rule misread every non-ASCII letter, others do not.",
	Fix:      "Send Content-Type: application/xml; charset=utf-8, or no charset.",
	Severity: SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc7303#section-3",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml; charset=ISO-8859-1\n\n" + goodSitemap,
	Good:     "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml; charset=UTF-8\n\n" + goodSitemap,
	checkFile: func(f *fileCheck) {
		r := f.Response
		if r == nil {
			return
		}
		_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if charset := strings.ToLower(parameters["charset"]); err == nil && charset != "" && charset != "utf-8" &&
			charset != "utf8" {
			f.report("the Content-Type header says charset=" + printable(charset))
		}
	},
}

// isNamedGzip reports whether a location ends in .gz.
func isNamedGzip(location string) bool {
	if u, err := url.Parse(location); err == nil && u.Scheme != "" {
		location = u.Path
	}
	return strings.EqualFold(path.Ext(location), ".gz")
}

// isEncoded reports whether the server compressed the answer.
func isEncoded(f *fileCheck) bool {
	return f.Response != nil && f.Response.Header.Get("Content-Encoding") != ""
}

var gzipMisnamed = &Rule{
	ID:       "gzip-misnamed",
	Title:    "file name and gzip compression do not match",
	Why:      "Programs that rely on the name try to unpack an uncompressed file, or read compressed data as XML.",
	Fix:      "Give compressed files, and only those, names that end in .gz.",
	Severity: SeverityWarning,
	Source:   protocolText + "#index", SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml.gz --\n" + goodSitemap,
	Good:  goodGzip,
	checkFile: func(f *fileCheck) {
		switch named, compressed := isNamedGzip(f.Location), f.Reader().Inspect().Compressed(); {
		case f.Location == "-" || isEncoded(f):
		case named && !compressed:
			f.report("the name ends in .gz, but the file is not compressed")
		case compressed && !named:
			f.report("the file is compressed, but its name does not end in .gz")
		}
	},
}

var gzipContentEncoding = &Rule{
	ID:       "gzip-content-encoding",
	Title:    ".gz file is sent with Content-Encoding: gzip",
	Why:      "The header says that the compression belongs to the transfer. Clients unpack the file and store plain XML under a .gz name, or expect a second layer of compression.",
	Fix:      "Send .gz files with Content-Type: application/gzip and without Content-Encoding.",
	Severity: SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml.gz --\nHTTP 200\nContent-Type: application/xml\nContent-Encoding: gzip\n\n" + gzipExample,
	Good:     goodGzip,
	checkFile: func(f *fileCheck) {
		if isEncoded(f) && isNamedGzip(f.Location) {
			f.report("Content-Encoding: " + printable([]byte(f.Response.Header.Get("Content-Encoding"))) +
				" on a file that is already compressed")
		}
	},
}

var noValidator = &Rule{
	ID:       "no-etag-no-last-modified",
	Title:    "server sends neither ETag nor Last-Modified",
	Why:      "With either header, search engines download the file only after it has changed. Without them, both sides pay for needless traffic.",
	Fix:      "Serve the sitemap as a static file, or send Last-Modified with the newest lastmod.",
	Severity: SeverityInfo,
	Source:   "https://www.rfc-editor.org/rfc/rfc9110#section-8.8",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nETag:\n\n" + goodSitemap,
	Good:     "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nETag: \"1\"\n\n" + goodSitemap,
	checkFile: func(f *fileCheck) {
		if r := f.Response; r != nil && r.Header.Get("ETag") == "" && r.Header.Get("Last-Modified") == "" {
			f.report("the answer has neither ETag nor Last-Modified")
		}
	},
}

var sitemapIndexable = &Rule{
	ID:       "x-robots-noindex-missing",
	Title:    "sitemap can appear in search results",
	Why:      "Google indexes files that it finds links to, including sitemaps. They are of no use to people in search results.",
	Fix:      "Send X-Robots-Tag: noindex with sitemaps. Google still reads them.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nX-Robots-Tag:\n\n" + goodSitemap,
	Good:     "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nX-Robots-Tag: noindex\n\n" + goodSitemap,
	checkFile: func(f *fileCheck) {
		if r := f.Response; r != nil &&
			!strings.Contains(strings.ToLower(strings.Join(r.Header.Values("X-Robots-Tag"), ",")), "noindex") {
			f.report("the answer has no X-Robots-Tag: noindex")
		}
	},
}
