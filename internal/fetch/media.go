package fetch

import (
	"slices"
	"strings"
)

// mediaTypes are the types that are read for links and facts.
var mediaTypes = []string{
	"text/html", "application/xhtml+xml", "text/xml", "application/xml", "text/plain", "application/pdf",
}

// media decides which bodies are read, by their Content-Type.
type media struct{ wanted []string }

func newMedia(more []string) media {
	wanted := slices.Clone(mediaTypes)
	for _, one := range more {
		wanted = append(wanted, essence(one))
	}
	return media{wanted}
}

// accepts reports whether a body with this Content-Type is read. Without a type it
// is, since a browser would look at the body. Every application type with the suffix
// +xml counts as XML (RFC 7303 section 4.2), such as feeds; images do not.
func (m media) accepts(contentType string) bool {
	kind := essence(contentType)
	return kind == "" || slices.Contains(m.wanted, kind) ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+xml")
}

// essence returns a media type in lower case, without its parameters.
func essence(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
