package lint

import (
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

const (
	videoHead = exampleHead + ` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"` + examplePage +
		"    <video:video>\n"
	videoThumbnail   = "      <video:thumbnail_loc>https://example.com/steak.jpg</video:thumbnail_loc>\n"
	videoTitle       = "      <video:title>Grilling steaks for summer</video:title>\n"
	videoDescription = "      <video:description>How to get them right every time.</video:description>\n"
	videoContent     = "      <video:content_loc>https://example.com/steak.mp4</video:content_loc>\n"
	videoStart       = videoHead + videoThumbnail + videoTitle + videoDescription + videoContent
	videoTail        = "\n    </video:video>" + exampleTail

	videoSchema = "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd"
)

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

// reportVideo reports a breach by the n-th video of the entry.
func reportVideo(e *entryCheck, n int, evidence, message string) {
	e.report("video:video", n, evidence, message)
}

var videoWithoutThumbnail = &Rule{
	ID:            "video-missing-thumbnail",
	Title:         "video has no thumbnail",
	Why:           "Google does not show a video without a thumbnail, and the schema of video sitemaps requires one.",
	Fix:           "Put the URL of an image of at least 60 by 30 pixels in video:thumbnail_loc.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing thumbnail URL",
	Since:         "0.1",
	Bad:           videoHead + videoTitle + videoDescription + videoContent + videoTail,
	Good:          videoStart + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ThumbnailLoc == "" {
			reportVideo(e, n, "", "the video has no video:thumbnail_loc")
		}
	}),
}

var videoWithoutTitle = &Rule{
	ID:            "video-missing-title",
	Title:         "video has no title",
	Why:           "Google cannot list a video without a title, and the schema of video sitemaps requires one.",
	Fix:           "Copy the title that the page shows with the video into video:title.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing video title",
	Since:         "0.1",
	Bad:           videoHead + videoThumbnail + videoDescription + videoContent + videoTail,
	Good:          videoStart + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.Title == "" {
			reportVideo(e, n, "", "the video has no video:title")
		}
	}),
}

var videoWithoutDescription = &Rule{
	ID:            "video-missing-description",
	Title:         "video has no description",
	Why:           "Google and the schema of video sitemaps require a description of every video.",
	Fix:           "Describe the video in video:description with the same content as the page, not necessarily in the same words.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad:           videoHead + videoThumbnail + videoTitle + videoContent + videoTail,
	Good:          videoStart + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.Description == "" {
			reportVideo(e, n, "", "the video has no video:description")
		}
	}),
}

var videoWithoutLocation = &Rule{
	ID:            "video-missing-location",
	Title:         "video has neither a file nor a player URL",
	Why:           "Google requires video:content_loc or video:player_loc. Without either it has nothing to fetch.",
	Fix:           "Put the URL of the file in video:content_loc. If you have none, as with embedded videos, put the URL of the player in video:player_loc.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad:           videoHead + videoThumbnail + videoTitle + videoDescription + videoTail,
	Good:          videoStart + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ContentLoc == "" && video.Player.Loc == "" {
			reportVideo(e, n, "", "the video has neither video:content_loc nor video:player_loc")
		}
	}),
}

var deprecatedVideoTag = &Rule{
	ID:       "video-deprecated",
	Title:    "video tags that Google no longer reads",
	Why:      "Categories, galleries, prices, TV shows and player permissions have had no effect since 6 August 2022. Segments and catalog numbers remain only in the schema.",
	Fix:      "Remove them: they only make the file larger.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   deprecation,
	Since:    "0.1",
	Bad:      videoStart + "      <video:category>Grilling</video:category>" + videoTail,
	Good:     videoStart + "      <video:tag>Grilling</video:tag>" + videoTail,
	needs:    scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if tags := deprecatedVideoTags(video); len(tags) > 0 {
			reportVideo(e, n, "", withoutEffect(tags))
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
