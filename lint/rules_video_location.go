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

var relativeVideoLoc = &Rule{
	ID:            "video-loc-relative",
	Title:         "video URL is relative",
	Why:           "Google fetches thumbnails, videos and players from these URLs, and does not resolve them against the page.",
	Fix:           "Write the URL with https:// and the host.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Invalid URL",
	Since:         "0.1",
	Bad: videoHead + videoThumbnail + videoTitle + videoDescription +
		"      <video:content_loc>/steak.mp4</video:content_loc>" + videoTail,
	Good:  videoStart + videoTail,
	needs: scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		for _, a := range videoAddresses(video) {
			if a.value == "" {
				continue
			}
			scheme := scan.Scheme(a.value)
			if scheme == "" || (scheme == "http" || scheme == "https") && !scan.IsAbsolute(a.value) {
				reportVideo(e, n, a.value, a.tag+" is not an absolute URL")
			}
		}
	}),
}

var videoStreaming = &Rule{
	ID:            "video-streaming-scheme",
	Title:         "video URL is neither HTTP nor FTP",
	Why:           "Google fetches videos over HTTP and FTP. It does not support streaming protocols.",
	Fix:           "Use an https:// URL of the same video, or the URL of its player.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Invalid URL",
	Since:         "0.1",
	Bad: videoHead + videoThumbnail + videoTitle + videoDescription +
		"      <video:content_loc>rtmp://example.com/steak</video:content_loc>" + videoTail,
	Good:  videoStart + videoTail,
	needs: scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		for _, a := range videoAddresses(video) {
			switch scan.Scheme(a.value) {
			case "", "http", "https", "ftp":
			default:
				reportVideo(e, n, a.value, a.tag+" has a scheme that Google does not fetch")
			}
		}
	}),
}

var videoAtPage = &Rule{
	ID:            "video-loc-equals-page",
	Title:         "video URL is the URL of its page",
	Why:           "The page is not the video. Google requires that the URLs of the file and the player differ from the page's URL.",
	Fix:           "Use the URL of the file itself, or of the player inside the page, such as the src of its iframe.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Video location and play page location are the same",
	Since:         "0.1",
	Bad: videoHead + videoThumbnail + videoTitle + videoDescription +
		"      <video:content_loc>https://example.com/steak</video:content_loc>" + videoTail,
	Good:  videoStart + videoTail,
	needs: scan.HasVideos,
	checkEntry: func(e *entryCheck) {
		page := samePage{loc: string(e.Loc)}
		for n, video := range e.Parsed().Videos {
			for _, a := range videoAddresses(&video) {
				if a.tag != "video:thumbnail_loc" && a.value != "" && page.is(a.value) {
					reportVideo(e, n, a.value, a.tag+" is the URL of the page")
				}
			}
		}
	},
}

var videoAtPlayer = &Rule{
	ID:            "video-content-equals-player",
	Title:         "video file and player have the same URL",
	Why:           "One of the two is wrong: video:content_loc is the media file, video:player_loc is its player.",
	Fix:           "Keep the URL in the element that fits, and correct or remove the other.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Video location URL appears to be a play page URL",
	Since:         "0.1",
	Bad:           videoStart + "      <video:player_loc>https://example.com/steak.mp4</video:player_loc>" + videoTail,
	Good: videoStart + "      <video:player_loc>https://example.com/player?v=steak</video:player_loc>" +
		videoTail,
	needs: scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ContentLoc != "" && video.ContentLoc == video.Player.Loc {
			reportVideo(e, n, video.ContentLoc, "video:content_loc and video:player_loc are the same")
		}
	}),
}

var uploaderHost = &Rule{
	ID:            "video-uploader-info-host",
	Title:         "video uploader info is on another site",
	Why:           "Google accepts the info of video:uploader only on the domain of the page.",
	Fix:           "Link to a page about the uploader on your own site, or leave the attribute out.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           videoStart + `      <video:uploader info="https://example.net/cook">Cook</video:uploader>` + videoTail,
	Good:          videoStart + `      <video:uploader info="https://example.com/cook">Cook</video:uploader>` + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if info := video.Uploader.Info; info != "" && !isOfDomain(info, e.Address()) {
			reportVideo(e, n, info, "the info of video:uploader is not on the domain of the page")
		}
	}),
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
