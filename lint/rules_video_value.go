package lint

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap"
	"golang.org/x/net/publicsuffix"
)

const (
	maxTitle       = sitemap.MaxVideoTitle
	maxDescription = sitemap.MaxVideoDescription
	maxUploader    = sitemap.MaxVideoUploader
	maxDuration    = sitemap.MaxVideoSeconds
	maxVideoTags   = sitemap.MaxVideoTags
)

// longText returns a check of the number of characters in a text of a video.
func longText(tag string, most int, text func(*sitemap.Video) string) func(*entryCheck) {
	return videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
		s := text(video)
		if len(s) <= most {
			return
		}
		if characters := utf8.RuneCountInString(s); characters > most {
			reportVideo(e, n, tag, s, newText("finding.too-long", tag, characters, most))
		}
	})
}

// isSeconds reports whether a text is a whole number in the range of durations.
func isSeconds(text string) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, 64)
	return err == nil && n >= 1 && n <= maxDuration
}

// isRating reports whether a text is an xsd:decimal from 0 to 5.
func isRating(text string) bool {
	if strings.Trim(text, "+-.0123456789") != "" {
		return false
	}
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n >= 0 && n <= 5
}

// answers are the values that the schema allows.
var answers = []string{"yes", "Yes", "YES", "no", "No", "NO"}

// checkRelationship reports a restriction that is neither allow nor deny.
func checkRelationship(e *entryCheck, n int, tag string, restriction sitemap.Restriction) {
	switch {
	case restriction == sitemap.Restriction{}:
	case restriction.Relationship == "":
		reportVideo(e, n, tag, "", newText("finding.no-relationship", tag))
	case restriction.Relationship != "allow" && restriction.Relationship != "deny":
		reportVideo(e, n, tag, restriction.Relationship, newText("finding.bad-relationship", tag))
	}
}

func isUpperPair(code string) bool {
	return len(code) == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z'
}

var platforms = []string{"web", "mobile", "tv"}

// videoDates calls each with the dates of a video. Err means that a date is invalid.
func videoDates(video *sitemap.Video, each func(tag, text string, d sitemap.Date, err error)) {
	for _, date := range [...]struct{ tag, text string }{
		{"video:expiration_date", video.ExpirationDate},
		{"video:publication_date", video.PublicationDate},
	} {
		if date.text != "" {
			d, err := sitemap.ParseDate(date.text)
			each(date.tag, date.text, d, err)
		}
	}
}

// videoAddress is an address of a video.
type videoAddress struct{ tag, value string }

// videoAddresses returns the addresses that Google fetches.
func videoAddresses(video *sitemap.Video) [3]videoAddress {
	return [...]videoAddress{
		{"video:thumbnail_loc", video.ThumbnailLoc},
		{"video:content_loc", video.ContentLoc},
		{"video:player_loc", video.Player.Loc},
	}
}

// isOfDomain reports whether an address is on the registered domain of a page, or that
// is unknown.
func isOfDomain(address string, page *url.URL) bool {
	if page == nil || page.Hostname() == "" {
		return true
	}
	u, err := url.Parse(strings.TrimSpace(address))
	return err == nil && registeredDomain(u.Hostname()) == registeredDomain(page.Hostname())
}

// registeredDomain returns the registered part of a host, or the host itself for one
// that has none, such as an IP address.
func registeredDomain(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}
