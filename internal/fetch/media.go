package fetch

import (
	"slices"
	"strings"
)

// mediaTypes are worth reading for links and facts.
var mediaTypes = []string{
	"text/html", "application/xhtml+xml", "text/xml", "application/xml", "text/plain", "application/pdf",
}

// media knows which bodies are worth reading.
type media struct{ wanted []string }

func newMedia(more []string) media {
	wanted := slices.Clone(mediaTypes)
	for _, one := range more {
		wanted = append(wanted, essence(one))
	}
	return media{wanted}
}

// accepts judges a Content-Type. Without one a browser would look at the body,
// so it is read. Every application type in XML counts as XML (RFC 7303 section
// 4.2): feeds among them; images in XML do not.
func (m media) accepts(contentType string) bool {
	kind := essence(contentType)
	return kind == "" || slices.Contains(m.wanted, kind) ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+xml")
}

// essence is a media type without its parameters.
func essence(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
