package rules

import (
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// answerRules are about the answer of a server that sends the file.
var answerRules = []*rule.Rule{
	redirectedSitemap, robotsBlocksSitemap, softNotFound, contentTypeOdd, charsetNotUTF8, gzipMisnamed,
	gzipContentEncoding,
	noValidator, sitemapIndexable,
}

var redirectedSitemap = &rule.Rule{
	ID:       "redirected-sitemap",
	Title:    "sitemap URL redirects",
	Why:      "Every fetch costs an extra request, and the final URL decides which pages the sitemap may list. Bing asks sites to avoid redirects; Yandex wants an answer of 200.",
	Cure:     "Use the final URL in robots.txt, in the sitemap index and wherever you submitted the sitemap.",
	Severity: rule.SeverityWarning, Overlay: rule.Overlay{Error: rule.EngineYandex},
	Source: "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
	Yandex: "HTTP error",
	Since:  "0.1",
	Bad:    "-- /sitemap.xml --\nHTTP 301\nLocation: https://example.com/new.xml\n\n-- /new.xml --\n" + goodSitemap,
	Good:   goodSitemap,
	CheckFile: func(f *rule.File) {
		if r := f.Response; r != nil && r.Request.Response != nil {
			f.Report("the sitemap URL redirects to " + display.Text(f.Address()))
		}
	},
}

// crawlers are the names of the engines in robots.txt.
var crawlers = []struct {
	engine rule.Engines
	name   string
}{{rule.EngineSitemapsOrg, "*"}, {rule.EngineGoogle, "Googlebot"}, {rule.EngineBing, "bingbot"},
	{rule.EngineYandex, "YandexBot"}}

var robotsBlocksSitemap = &rule.Rule{
	ID:            "robots-blocks-sitemap",
	Title:         "sitemap is blocked by robots.txt",
	Why:           "Search engines check robots.txt before they fetch a sitemap, and do not fetch a blocked one.",
	Cure:          "Add Allow: /sitemap.xml to the search engine's group in robots.txt.",
	Severity:      rule.SeverityError,
	Source:        googleReport,
	SearchConsole: "Couldn't fetch: blocked by robots.txt", Yandex: "Forbidden in robots.txt",
	Since: "0.1",
	Bad:   "-- /sitemap.xml --\n" + goodSitemap + "-- /robots.txt --\nUser-agent: *\nDisallow: /sitemap\n",
	Good:  "-- /sitemap.xml --\n" + goodSitemap + "-- /robots.txt --\nUser-agent: *\nDisallow: /private\n",
	CheckFile: func(f *rule.File) {
		r := f.Response
		if r == nil {
			return
		}
		u := r.Request.URL
		file := f.Robots(u)
		if file == nil {
			return
		}
		for _, c := range crawlers {
			if f.Options.Engines&c.engine != 0 && !file.Group(c.name).Verdict(u.String()).Allowed {
				f.Report("robots.txt blocks the sitemap for " + c.name)
				return
			}
		}
	},
}

var softNotFound = &rule.Rule{
	ID:            "soft-404",
	Title:         `soft 404: a "not found" page with status 200`,
	Why:           "The status says success, but the page says that nothing is there. Search engines take the page for a sitemap and fail to read it.",
	Cure:          "Answer 404 for missing pages, and find out why the sitemap is missing.",
	Severity:      rule.SeverityError,
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

var contentTypeOdd = &rule.Rule{
	ID:       "content-type-odd",
	Title:    "Content-Type does not match the file",
	Why:      "Search engines look at the content, but caches, firewalls and simple programs rely on Content-Type. They take XML sent as text/html for a web page.",
	Cure:     "Send application/xml for XML, text/plain for text sitemaps and application/gzip for compressed files.",
	Severity: rule.SeverityInfo,
	Source:   "https://www.rfc-editor.org/rfc/rfc7303#section-4",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: text/html\n\n" + goodSitemap,
	Good:     goodSitemap,
	CheckFile: func(f *rule.File) {
		r := f.Response
		if r == nil {
			return
		}
		media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || !isUsualType(f, media) {
			f.Report("Content-Type: " + display.Text([]byte(r.Header.Get("Content-Type"))))
		}
	},
}

// isUsualType reports whether a media type is one of the format or, for a compressed
// file, one that servers give compressed files.
func isUsualType(f *rule.File, media string) bool {
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

var charsetNotUTF8 = &rule.Rule{
	ID:       "http-charset-not-utf8",
	Title:    "Content-Type header names a charset other than UTF-8",
	Why:      "The charset of the header overrides the encoding that the file declares. Only a byte order mark overrides the header. Programs that follow this rule misread every non-ASCII letter, others do not.",
	Cure:     "Send Content-Type: application/xml; charset=utf-8, or no charset.",
	Severity: rule.SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc7303#section-3",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml; charset=ISO-8859-1\n\n" + goodSitemap,
	Good:     "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml; charset=UTF-8\n\n" + goodSitemap,
	CheckFile: func(f *rule.File) {
		r := f.Response
		if r == nil {
			return
		}
		_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if charset := strings.ToLower(parameters["charset"]); err == nil && charset != "" && charset != "utf-8" &&
			charset != "utf8" {
			f.Report("the Content-Type header says charset=" + display.Text(charset))
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
func isEncoded(f *rule.File) bool {
	return f.Response != nil && f.Response.Header.Get("Content-Encoding") != ""
}

var gzipMisnamed = &rule.Rule{
	ID:       "gzip-misnamed",
	Title:    "file name and gzip compression do not match",
	Why:      "Programs that rely on the name try to unpack an uncompressed file, or read compressed data as XML.",
	Cure:     "Give compressed files, and only those, names that end in .gz.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#index", SearchConsole: "Compression error", Yandex: "Extraction error",
	Since: "0.1",
	Bad:   "-- /sitemap.xml.gz --\n" + goodSitemap,
	Good:  goodGzip,
	CheckFile: func(f *rule.File) {
		switch named, compressed := isNamedGzip(f.Location), f.Reader().Inspect().Compressed(); {
		case f.Location == "-" || isEncoded(f):
		case named && !compressed:
			f.Report("the name ends in .gz, but the file is not compressed")
		case compressed && !named:
			f.Report("the file is compressed, but its name does not end in .gz")
		}
	},
}

var gzipContentEncoding = &rule.Rule{
	ID:       "gzip-content-encoding",
	Title:    ".gz file is sent with Content-Encoding: gzip",
	Why:      "The header says that the compression belongs to the transfer. Clients unpack the file and store plain XML under a .gz name, or expect a second layer of compression.",
	Cure:     "Send .gz files with Content-Type: application/gzip and without Content-Encoding.",
	Severity: rule.SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml.gz --\nHTTP 200\nContent-Type: application/xml\nContent-Encoding: gzip\n\n" + gzipExample,
	Good:     goodGzip,
	CheckFile: func(f *rule.File) {
		if isEncoded(f) && isNamedGzip(f.Location) {
			f.Report("Content-Encoding: " + display.Text([]byte(f.Response.Header.Get("Content-Encoding"))) +
				" on a file that is already compressed")
		}
	},
}

var noValidator = &rule.Rule{
	ID:       "no-etag-no-last-modified",
	Title:    "server sends neither ETag nor Last-Modified",
	Why:      "With either header, search engines download the file only after it has changed. Without them, both sides pay for needless traffic.",
	Cure:     "Serve the sitemap as a static file, or send Last-Modified with the newest lastmod.",
	Severity: rule.SeverityInfo,
	Source:   "https://www.rfc-editor.org/rfc/rfc9110#section-8.8",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nETag:\n\n" + goodSitemap,
	Good:     "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nETag: \"1\"\n\n" + goodSitemap,
	CheckFile: func(f *rule.File) {
		if r := f.Response; r != nil && r.Header.Get("ETag") == "" && r.Header.Get("Last-Modified") == "" {
			f.Report("the answer has neither ETag nor Last-Modified")
		}
	},
}

var sitemapIndexable = &rule.Rule{
	ID:       "x-robots-noindex-missing",
	Title:    "sitemap can appear in search results",
	Why:      "Google indexes files that it finds links to, including sitemaps. They are of no use to people in search results.",
	Cure:     "Send X-Robots-Tag: noindex with sitemaps. Google still reads them.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag",
	Since:    "0.1",
	Bad:      "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nX-Robots-Tag:\n\n" + goodSitemap,
	Good:     "-- /sitemap.xml --\nHTTP 200\nContent-Type: application/xml\nX-Robots-Tag: noindex\n\n" + goodSitemap,
	CheckFile: func(f *rule.File) {
		if r := f.Response; r != nil &&
			!strings.Contains(strings.ToLower(strings.Join(r.Header.Values("X-Robots-Tag"), ",")), "noindex") {
			f.Report("the answer has no X-Robots-Tag: noindex")
		}
	},
}
