package announce

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A GoogleProperty is a property of Search Console.
type GoogleProperty struct {
	// URL is a prefix such as https://example.com/, or a domain such as
	// sc-domain:example.com.
	URL string `json:"siteUrl"`
	// Permission is siteOwner, siteFullUser, siteRestrictedUser or siteUnverifiedUser.
	Permission string `json:"permissionLevel"`
}

// A GoogleSitemap is what Search Console says about a sitemap.
type GoogleSitemap struct {
	Path           string          `json:"path"`
	Type           SitemapType     `json:"type"`
	IsPending      bool            `json:"isPending"`
	IsIndex        bool            `json:"isSitemapsIndex"`
	LastSubmitted  time.Time       `json:"lastSubmitted"`
	LastDownloaded time.Time       `json:"lastDownloaded"`
	Warnings       Count           `json:"warnings"`
	Errors         Count           `json:"errors"`
	Contents       []GoogleContent `json:"contents"`
}

// A GoogleContent counts the entries of one type in a sitemap.
type GoogleContent struct {
	Type      ContentType `json:"type"`
	Submitted Count       `json:"submitted"`
}

// A Count is a number that Google writes as a JSON string. It is read from a number, too.
type Count int64

// UnmarshalJSON implements [json.Unmarshaler].
func (c *Count) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	n, err := strconv.ParseInt(string(bytes.Trim(text, `"`)), 10, 64)
	if err != nil {
		return fmt.Errorf("count: %s is not a whole number", text)
	}
	*c = Count(n)
	return nil
}

// A SitemapType is a format of a sitemap, in the spelling of Google's documentation. Types
// that are not listed here are kept as Google writes them.
type SitemapType string

// The types.
const (
	TypeAtomFeed       SitemapType = "atomFeed"
	TypeNotSitemap     SitemapType = "notSitemap"
	TypePatternSitemap SitemapType = "patternSitemap"
	TypeRSSFeed        SitemapType = "rssFeed"
	TypeSitemap        SitemapType = "sitemap"
	TypeURLList        SitemapType = "urlList"
)

// UnmarshalText reads a type in either spelling: rssFeed, or RSS_FEED as in the discovery
// document.
func (t *SitemapType) UnmarshalText(text []byte) error {
	*t = SitemapType(text)
	for _, known := range []SitemapType{
		TypeAtomFeed, TypeNotSitemap, TypePatternSitemap, TypeRSSFeed, TypeSitemap, TypeURLList,
	} {
		if isSameEnum(string(text), string(known)) {
			*t = known
		}
	}
	return nil
}

// A ContentType is what entries of a sitemap are about, in the spelling of Google's
// documentation. Types that are not listed here are kept as Google writes them.
type ContentType string

// The types of contents.
const (
	ContentAndroidApp ContentType = "androidApp"
	ContentImage      ContentType = "image"
	ContentIOSApp     ContentType = "iosApp"
	ContentMobile     ContentType = "mobile"
	ContentNews       ContentType = "news"
	ContentPattern    ContentType = "pattern"
	ContentVideo      ContentType = "video"
	ContentWeb        ContentType = "web"
)

// UnmarshalText reads a type in either spelling, like that of [SitemapType].
func (t *ContentType) UnmarshalText(text []byte) error {
	*t = ContentType(text)
	for _, known := range []ContentType{
		ContentAndroidApp, ContentImage, ContentIOSApp, ContentMobile, ContentNews, ContentPattern, ContentVideo,
		ContentWeb,
	} {
		if isSameEnum(string(text), string(known)) {
			*t = known
		}
	}
	return nil
}

// isSameEnum compares without regard to case and underscores.
func isSameEnum(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "_", ""), strings.ReplaceAll(b, "_", ""))
}
