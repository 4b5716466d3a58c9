package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// videoRules are about video:video
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
var videoRules = []*Rule{
	videos.field("video-missing-thumbnail", "Missing thumbnail URL", "", func(v *sitemap.Video) (string, bool) {
		return "", v.ThumbnailLoc == ""
	}),
	videos.field("video-missing-title", "Missing video title", "", func(v *sitemap.Video) (string, bool) {
		return "", v.Title == ""
	}),
	videos.field("video-missing-description", "Missing XML tag", "", func(v *sitemap.Video) (string, bool) {
		return "", v.Description == ""
	}),
	videos.field("video-missing-location", "Missing XML tag", "", func(v *sitemap.Video) (string, bool) {
		return "", v.ContentLoc == "" && v.Player.Loc == ""
	}),
	relativeVideoLoc, videoStreaming, videoAtPage, videoAtPlayer, longVideoTitle, longVideoDescription,
	videoDuration,
	videos.field("video-rating-range", "Invalid tag value", "video:rating", func(v *sitemap.Video) (string, bool) {
		return v.Rating, v.Rating != "" && !isRating(v.Rating)
	}),
	videos.field("video-views-invalid", "Invalid tag value", "video:view_count", func(v *sitemap.Video) (string, bool) {
		return v.ViewCount, strings.Trim(strings.TrimPrefix(v.ViewCount, "+"), "0123456789") != ""
	}),
	tooManyVideoTags, videoAnswer, videoRestriction, unknownVideoCountry, videoPlatform, longUploader,
	uploaderHost, badVideoDate, videoDateWithoutZone, expiredVideo, deprecatedVideoTag,
}

const videoSchema = "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd"

// reportVideo reports a breach by an element of the n-th video of the entry, or by the video
// itself.
func reportVideo(e *entryCheck, n int, element, evidence string, message Text) {
	e.reportIn("video:video", n, element, evidence, message)
}

var deprecatedVideoTag = &Rule{
	ID:       "video-deprecated",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   deprecation,
	needs:    scan.HasVideos,
	checkEntry: videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
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
