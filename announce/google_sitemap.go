package announce

import (
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
	Warnings       int64           `json:"warnings,string"`
	Errors         int64           `json:"errors,string"`
	Contents       []GoogleContent `json:"contents"`
}

// A GoogleContent counts the entries of one type in a sitemap.
type GoogleContent struct {
	Type      ContentType `json:"type"`
	Submitted int64       `json:"submitted,string"`
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
	*t = readEnum(text, TypeAtomFeed, TypeNotSitemap, TypePatternSitemap, TypeRSSFeed, TypeSitemap, TypeURLList)
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
	*t = readEnum(text, ContentAndroidApp, ContentImage, ContentIOSApp, ContentMobile, ContentNews, ContentPattern,
		ContentVideo, ContentWeb)
	return nil
}

// readEnum returns the known value that is equal to a text but for case and underscores, or else the text.
func readEnum[T ~string](text []byte, known ...T) T {
	for _, value := range known {
		if strings.EqualFold(strings.ReplaceAll(string(text), "_", ""), string(value)) {
			return value
		}
	}
	return T(text)
}
