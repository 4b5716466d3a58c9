package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// videoRules are about video:video
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
var videoRules = []*Rule{
	videoWithoutThumbnail, videoWithoutTitle, videoWithoutDescription, videoWithoutLocation,
	relativeVideoLoc, videoStreaming, videoAtPage, videoAtPlayer,
	longVideoTitle, longVideoDescription, videoDuration, videoRating, videoViews, tooManyVideoTags,
	videoAnswer, videoRestriction, unknownVideoCountry, videoPlatform, longUploader, uploaderHost,
	badVideoDate, videoDateWithoutZone, expiredVideo, deprecatedVideoTag,
}

const videoSchema = "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd"

// eachVideo returns a check that calls check with the videos of an entry. N counts
// them from 0.
func eachVideo(check func(e *entryCheck, n int, video *sitemap.Video)) func(*entryCheck) {
	return func(e *entryCheck) {
		videos := e.Parsed().Videos
		for n := range videos {
			check(e, n, &videos[n])
		}
	}
}

// reportVideo reports a breach by an element of the n-th video of the entry, or by the video
// itself.
func reportVideo(e *entryCheck, n int, element, evidence string, message Text) {
	e.reportIn("video:video", n, element, evidence, message)
}

var videoWithoutThumbnail = &Rule{
	ID:            "video-missing-thumbnail",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing thumbnail URL",
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ThumbnailLoc == "" {
			reportVideo(e, n, "", "", newText("rule.video-missing-thumbnail.found"))
		}
	}),
}

var videoWithoutTitle = &Rule{
	ID:            "video-missing-title",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing video title",
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.Title == "" {
			reportVideo(e, n, "", "", newText("rule.video-missing-title.found"))
		}
	}),
}

var videoWithoutDescription = &Rule{
	ID:            "video-missing-description",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.Description == "" {
			reportVideo(e, n, "", "", newText("rule.video-missing-description.found"))
		}
	}),
}

var videoWithoutLocation = &Rule{
	ID:            "video-missing-location",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ContentLoc == "" && video.Player.Loc == "" {
			reportVideo(e, n, "", "", newText("rule.video-missing-location.found"))
		}
	}),
}

var deprecatedVideoTag = &Rule{
	ID:       "video-deprecated",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   deprecation,
	needs:    scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if tags := deprecatedVideoTags(video); len(tags) > 0 {
			element, _, _ := strings.Cut(tags[0], " ")
			reportVideo(e, n, element, "", withoutEffect(tags))
		}
	}),
}

func deprecatedVideoTags(video *sitemap.Video) []string {
	return present(
		tag{"video:category", video.Category != ""},
		tag{"video:gallery_loc", video.Gallery != sitemap.Gallery{}},
		tag{"video:price", len(video.Prices) > 0},
		tag{"video:tvshow", video.TVShow != nil},
		tag{"video:player_loc allow_embed", video.Player.AllowEmbed != ""},
		tag{"video:player_loc autoplay", video.Player.Autoplay != ""},
		tag{"video:content_segment_loc", len(video.ContentSegments) > 0},
		tag{"video:id", len(video.IDs) > 0},
	)
}
