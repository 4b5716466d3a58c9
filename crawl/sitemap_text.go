package crawl

import (
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// maxText is how many characters a video's description, and an article's title, may have.
const maxText = sitemap.MaxVideoDescription

// sitemapDate formats a date for a sitemap, or returns "" if it is not valid.
func sitemapDate(date []byte, now time.Time) string {
	at, err := extract.ParseMoment(date)
	if err != nil || !isPlausible(at.Time, now) {
		return ""
	}
	return dateOf(at).String()
}

// firstText returns the first text that is not empty, without the characters that XML
// does not allow (XML 1.0, section 2.2).
func firstText(texts ...[]byte) string {
	for _, text := range texts {
		if clean := strings.TrimSpace(strings.Map(xmlCharacter, string(text))); clean != "" {
			return clean
		}
	}
	return ""
}

func xmlCharacter(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ' '
	case r < ' ', r == 0xfffe, r == 0xffff:
		return -1
	}
	return r
}

// cut shortens a text to at most that many characters.
func cut(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
