package lint

import (
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

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

var relativeVideoLoc = videos.ofGoogle("video-loc-relative", SeverityError, "Invalid URL",
	func(e *entryCheck, n int, video *sitemap.Video) {
		for _, a := range videoAddresses(video) {
			if a.value == "" {
				continue
			}
			scheme := scan.Scheme(a.value)
			if scheme == "" || (scheme == "http" || scheme == "https") && !scan.IsAbsolute(a.value) {
				reportVideo(e, n, a.tag, a.value, newText("rule.video-loc-relative.found", a.tag))
			}
		}
	})

var videoStreaming = videos.ofGoogle("video-streaming-scheme", SeverityError, "Invalid URL",
	func(e *entryCheck, n int, video *sitemap.Video) {
		for _, a := range videoAddresses(video) {
			switch scan.Scheme(a.value) {
			case "", "http", "https", "ftp":
			default:
				reportVideo(e, n, a.tag, a.value, newText("rule.video-streaming-scheme.found", a.tag))
			}
		}
	})

var videoAtPage = &Rule{
	ID:            "video-loc-equals-page",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Video location and play page location are the same",
	needs:         scan.HasVideos,
	checkEntry: func(e *entryCheck) {
		page := samePage{loc: string(e.Loc)}
		for n, video := range e.Parsed().Videos {
			for _, a := range videoAddresses(&video) {
				if a.tag != "video:thumbnail_loc" && a.value != "" && page.is(a.value) {
					reportVideo(e, n, a.tag, a.value, newText("rule.video-loc-equals-page.found", a.tag))
				}
			}
		}
	},
}

var videoAtPlayer = videos.ofGoogle("video-content-equals-player", SeverityWarning,
	"Video location URL appears to be a play page URL", func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ContentLoc != "" && video.ContentLoc == video.Player.Loc {
			reportVideo(e, n, "video:content_loc", video.ContentLoc, newText("rule.video-content-equals-player.found"))
		}
	})

var uploaderHost = videos.ofGoogle("video-uploader-info-host", SeverityError, "Invalid attribute value",
	func(e *entryCheck, n int, video *sitemap.Video) {
		if info := video.Uploader.Info; info != "" && !isOfDomain(info, e.Address()) {
			reportVideo(e, n, "video:uploader", info, newText("rule.video-uploader-info-host.found"))
		}
	})

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
