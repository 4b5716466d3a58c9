// Package lintexample holds an example of a site that breaks each rule of package lint,
// and of one that keeps it, in the folder rules.
//
// rules/ID.txtar has the files of both: bad/sitemap.xml and good/sitemap.xml, and what
// else a site serves at https://example.com, such as good/robots.txt. The first file is
// the one that is checked, and a rule over crawled pages is checked by a crawl from / instead,
// with which the files in the folder /export are joined;
// good//host/path is a file of another host. A file may begin
// with its status and headers, as in package testsite: "HTTP 301", "Location: /a" and an
// empty line. A header Failure replaces the response; it is dns, tls, timeout, refused,
// or missing as of a local file. Responses have an ETag and X-Robots-Tag: noindex unless
// they name these headers. The site began on 1 January 2010, its sitemap listed ten pages
// the last time, and a crawl found every page.
//
// The files contain directives, which [Expand] replaces. {{repeat 3 "<url/>"}} repeats a
// text, in which {{n}} is the number of the repetition. {{today}} and {{today -3}} are
// dates, {{now}} is the time. {{bytes "fffe"}} are bytes in hexadecimal. {{gzip "text"}}
// is the text compressed, and {{gzip twice "text"}} compressed twice.
//
// Examples of rules over crawled pages have more of them, so that a page breaks only the rule
// that it is for. {{head /steak}} and {{body /steak}} are the two halves of a page: its
// headers and the elements of its head, and its links, heading and text. What is special about
// the page is between them, in the head, or after them, in the body. {{pages / /wine}} are
// such pages as files. The links lead to /, /steak and /wine. These directives can leave out
// parts, as in {{head /steak without title viewport}}: headers, hsts, nosniff, csp, frame,
// lang, viewport, title, description, links, h1 and text. {{note the text}} generates nothing
// and says what no file of a site can show, such as the certificate.
package lintexample

import (
	"embed"
	"strings"
)

//go:embed rules/*.txtar
var files embed.FS

// Of returns the examples of a rule with its directives: two sitemaps, or for each several
// files of a site, each after a line with its path, as in "-- /robots.txt --". They are
// empty for a rule without examples.
func Of(id string) (bad, good string) {
	text, err := files.ReadFile("rules/" + id + ".txtar")
	if err != nil {
		return "", ""
	}
	bad, good = site(string(text), "bad"), site(string(text), "good")
	if sitemap, alone := onlySitemap(bad); alone {
		if other, both := onlySitemap(good); both {
			return sitemap, other
		}
	}
	return bad, good
}

// onlySitemap returns the sitemap of a site without other files.
func onlySitemap(site string) (sitemap string, is bool) {
	sitemap, is = strings.CutPrefix(site, "-- /sitemap.xml --\n")
	return sitemap, is && strings.TrimSpace(sitemap) != "" && !strings.HasPrefix(sitemap, "HTTP ") &&
		!strings.Contains(sitemap, "\n-- ")
}

// site returns the files of an archive below a folder.
func site(archive, folder string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(archive) {
		name, isHeader := fileName(line)
		if !isHeader {
			if inside {
				b.WriteString(line)
			}
			continue
		}
		var path string
		if path, inside = strings.CutPrefix(name, folder); inside {
			b.WriteString("-- " + path + " --\n")
		}
	}
	return b.String()
}

// fileName returns the name in a line between two files.
func fileName(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimSpace(line), "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " --")
}
