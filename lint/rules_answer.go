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
	{ID: "redirected-sitemap", Severity: SeverityWarning, Overlay: Overlay{Error: EngineYandex},
		Source: "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
		Yandex: "HTTP error",
		checkFile: func(f *fileCheck) {
			if r := f.Response; r != nil && r.Request.Response != nil {
				f.report(newText("rule.redirected-sitemap.found", printable(f.Address())))
			}
		}},
	{ID: "robots-blocks-sitemap", Severity: SeverityError, Source: googleReport,
		SearchConsole: "Couldn't fetch: blocked by robots.txt", Yandex: "Forbidden in robots.txt",
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
					f.report(newText("rule.robots-blocks-sitemap.found", c.name))
					return
				}
			}
		}},
	softNotFound,
	{ID: "content-type-odd", Severity: SeverityInfo, Source: "https://www.rfc-editor.org/rfc/rfc7303#section-4",
		checkFile: func(f *fileCheck) {
			r := f.Response
			if r == nil {
				return
			}
			media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
			if err != nil || !isUsualType(f, media) {
				f.report(newText("finding.content-type", printable(r.Header.Get("Content-Type"))))
			}
		}},
	{ID: "http-charset-not-utf8", Severity: SeverityWarning, Source: "https://www.rfc-editor.org/rfc/rfc7303#section-3",
		checkFile: func(f *fileCheck) {
			r := f.Response
			if r == nil {
				return
			}
			_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
			if charset := strings.ToLower(parameters["charset"]); err == nil && charset != "" && charset != "utf-8" &&
				charset != "utf8" {
				f.report(newText("rule.http-charset-not-utf8.found", printable(charset)))
			}
		}},
	{ID: "gzip-misnamed", Severity: SeverityWarning, Source: protocolText + "#index",
		SearchConsole: "Compression error", Yandex: "Extraction error",
		checkFile: func(f *fileCheck) {
			switch named, compressed := isNamedGzip(f.Location), f.Reader().Inspect().Compressed(); {
			case f.Location == "-" || isEncoded(f):
			case named && !compressed:
				f.report(newText("rule.gzip-misnamed.only-name"))
			case compressed && !named:
				f.report(newText("rule.gzip-misnamed.only-content"))
			}
		}},
	{ID: "gzip-content-encoding", Severity: SeverityWarning,
		Source: "https://www.rfc-editor.org/rfc/rfc9110#section-8.4",
		checkFile: func(f *fileCheck) {
			if isEncoded(f) && isNamedGzip(f.Location) {
				f.report(newText("rule.gzip-content-encoding.found", printable(f.Response.Header.Get("Content-Encoding"))))
			}
		}},
	{ID: "no-etag-no-last-modified", Severity: SeverityInfo,
		Source: "https://www.rfc-editor.org/rfc/rfc9110#section-8.8",
		checkFile: func(f *fileCheck) {
			if r := f.Response; r != nil && r.Header.Get("ETag") == "" && r.Header.Get("Last-Modified") == "" {
				f.report(newText("rule.no-etag-no-last-modified.found"))
			}
		}},
	{ID: "x-robots-noindex-missing", Severity: SeverityInfo, Engines: EngineGoogle,
		Source: googleRobotsMeta + "#xrobotstag",
		checkFile: func(f *fileCheck) {
			if r := f.Response; r != nil &&
				!strings.Contains(strings.ToLower(strings.Join(r.Header.Values("X-Robots-Tag"), ",")), "noindex") {
				f.report(newText("rule.x-robots-noindex-missing.found"))
			}
		}},
}

// crawlers are the names of the engines in robots.txt.
var crawlers = []struct {
	engine Engines
	name   string
}{{EngineSitemapsOrg, "*"}, {EngineGoogle, "Googlebot"}, {EngineBing, "bingbot"},
	{EngineYandex, "YandexBot"}}

var softNotFound = &Rule{ID: "soft-404", Severity: SeverityError,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
	SearchConsole: "Sitemap is HTML", Yandex: "Incorrect HTTP response"}

func saysNotFound(title string) bool {
	lower := strings.ToLower(title)
	return strings.Contains(lower, "not found") || strings.Contains(lower, "404")
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
