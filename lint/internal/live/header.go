package live

import (
	"net/http"
	"strings"
)

// headerLink is a link of a Link header
// (https://www.rfc-editor.org/rfc/rfc8288#section-3).
type headerLink struct{ target, rel, hreflang string }

func headerLinks(header http.Header) (links []headerLink) {
	for _, value := range header.Values("Link") {
		for {
			_, rest, found := strings.Cut(value, "<")
			target, rest, closed := strings.Cut(rest, ">")
			if !found || !closed {
				break
			}
			parameters, next := rest, ""
			if i := strings.Index(rest, "<"); i >= 0 {
				parameters, next = rest[:i], rest[i:]
			}
			link := headerLink{target: strings.TrimSpace(target)}
			for parameter := range strings.SplitSeq(parameters, ";") {
				name, text, _ := strings.Cut(strings.Trim(parameter, ", \t"), "=")
				text = strings.Trim(text, `" `)
				switch strings.ToLower(strings.TrimSpace(name)) {
				case "rel":
					link.rel = text
				case "hreflang":
					link.hreflang = text
				}
			}
			links = append(links, link)
			value = next
		}
	}
	return links
}
