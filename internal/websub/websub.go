// Package websub finds the hubs of a topic, as publishers advertise them (WebSub,
// W3C Recommendation of 2 June 2026, section 4: Discovery). [Discover] is all of it.
package websub

import (
	"bytes"
	"encoding/xml"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// MaxHubs is the most hubs of one topic that count.
const MaxHubs = 5

// Links are what a topic advertises.
type Links struct {
	Hubs []string // absolute http and https URLs
	Self string   // the URL of the topic itself, or empty
}

// Discover returns the hubs of a response for a topic at the URL base, which is that
// after redirects. Links in the header come first; without a hub there, those of an HTML
// page's head or of an XML feed count.
func Discover(header http.Header, body []byte, base string) Links {
	var found Links
	from, err := url.Parse(base)
	if err != nil {
		return found
	}
	for _, link := range extract.ParseLinkHeader(header.Values("Link")) {
		found.add(from, link.URL, link.Rel)
	}
	if len(found.Hubs) > 0 {
		return found
	}
	media, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	if media == "text/html" {
		found.readHTML(from, body, header.Get("Content-Type"))
	} else {
		found.readXML(from, body)
	}
	return found
}

// add takes a link that names a hub or the topic.
func (l *Links) add(base *url.URL, address string, rel extract.Rel) {
	u, err := base.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	u.User = nil // credentials that a site names are not sent
	if rel&extract.RelHub != 0 && len(l.Hubs) < MaxHubs {
		l.Hubs = append(l.Hubs, u.String())
	}
	if rel&extract.RelSelf != 0 && l.Self == "" {
		l.Self = u.String()
	}
}

// readHTML reads the link elements of a page's head.
func (l *Links) readHTML(base *url.URL, page []byte, contentType string) {
	var scanner extract.Scanner
	for _, link := range scanner.Scan(page, contentType, extract.Options{}).Links {
		if link.Head {
			l.add(base, string(link.URL), link.Rel)
		}
	}
}

// readXML reads the link elements of a feed up to its first item or entry.
func (l *Links) readXML(base *url.URL, feed []byte) {
	decoder := xml.NewDecoder(bytes.NewReader(feed))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // URLs are ASCII
	for {
		token, err := decoder.Token()
		if err != nil {
			return
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch element.Name.Local {
		case "item", "entry":
			return
		case "link":
			attributes := map[string]string{}
			for _, a := range element.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if href := attributes["href"]; href != "" {
				l.add(base, href, extract.ParseRel(attributes["rel"]))
			}
		}
	}
}
