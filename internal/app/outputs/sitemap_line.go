package outputs

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/robots"
)

// setSitemapLine returns a robots.txt with a line that names a sitemap, and what it did.
//
// Without such a line, it corrects the first Sitemap line that means the same file: with
// http instead of https or the reverse, with or without www, in other letter case of the
// host, or relative to the site. Lines for other sitemaps stay. Where no line can be
// corrected, it adds one at the end. A Sitemap line belongs to no group, so it changes no
// rule (https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4). In a file that is longer
// than crawlers read, the line is added at the beginning.
//
// text may be empty. It is not changed.
func setSitemapLine(text []byte, sitemap string) ([]byte, RobotsEdit) {
	var similar *span
	for start := 0; start < min(len(text), robots.ReadLimit); {
		end := lineEnd(text, start)
		if value, ok := sitemapValue(text, start, end); ok {
			switch named := string(text[value.start:value.end]); {
			case named == sitemap:
				return text, RobotsUnchanged
			case similar == nil && meansSame(named, sitemap):
				similar = &value
			}
		}
		start = end
	}
	if similar != nil {
		return replacePart(text, similar.start, similar.end, sitemap), RobotsCorrected
	}
	return addLine(text, "Sitemap: "+sitemap), RobotsAdded
}

// A span is a part of a text.
type span struct{ start, end int }

// lineEnd returns where the line that starts at a position ends, its line end included.
func lineEnd(text []byte, start int) int {
	i := bytes.IndexAny(text[start:], "\r\n")
	if i < 0 {
		return len(text)
	}
	end := start + i + 1
	if text[end-1] == '\r' && end < len(text) && text[end] == '\n' {
		end++
	}
	return end
}

// sitemapValue returns where the value of a line is, if it is a Sitemap line.
func sitemapValue(text []byte, start, end int) (span, bool) {
	line := text[start:end]
	file, err := robots.Parse(bytes.NewReader(line))
	if err != nil {
		return span{}, false
	}
	found := file.Sitemaps()
	if len(found) == 0 {
		return span{}, false
	}
	after := bytes.Index(line, []byte(found[0].Key)) + len(found[0].Key)
	at := start + after + bytes.Index(line[after:], []byte(found[0].Value))
	return span{at, at + len(found[0].Value)}, true
}

// meansSame reports whether a value was probably meant to be the URL of the sitemap.
func meansSame(value, sitemap string) bool {
	wanted, err := url.Parse(sitemap)
	if err != nil {
		return false
	}
	named, err := wanted.Parse(value)
	if err != nil {
		return false
	}
	return plainHost(named) == plainHost(wanted) && named.EscapedPath() == wanted.EscapedPath() &&
		named.RawQuery == wanted.RawQuery
}

// plainHost returns the host of a URL without www and without the port of its scheme.
func plainHost(u *url.URL) string {
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host += ":" + port
	}
	return host
}

// addLine adds a line at the end, with the line ends of the file, or at the beginning where
// crawlers would not read it at the end.
func addLine(text []byte, line string) []byte {
	const mark = "\xEF\xBB\xBF"
	newline := "\n"
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		newline = string(text[i:lineEnd(text, i)])
	}
	if len(text)+len(line)+2*len(newline) > robots.ReadLimit {
		begin := 0
		if bytes.HasPrefix(text, []byte(mark)) {
			begin = len(mark)
		}
		return replacePart(text, begin, begin, line+newline)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' && text[len(text)-1] != '\r' && string(text) != mark {
		line = newline + line
	}
	return replacePart(text, len(text), len(text), line+newline)
}

// replacePart returns a text with a part of it replaced.
func replacePart(text []byte, start, end int, by string) []byte {
	patched := make([]byte, 0, len(text)+len(by))
	patched = append(patched, text[:start]...)
	patched = append(patched, by...)
	return append(patched, text[end:]...)
}
