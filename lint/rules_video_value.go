package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
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
	return eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		s := text(video)
		if len(s) <= most {
			return
		}
		if characters := utf8.RuneCountInString(s); characters > most {
			reportVideo(e, n, s, fmt.Sprintf("%s has %d characters, but the limit is %d", tag, characters, most))
		}
	})
}

var longVideoTitle = &Rule{
	ID:            "video-title-too-long",
	Title:         "video title of more than 100 characters",
	Why:           "The schema of video sitemaps allows 100 characters. Google's page names no limit.",
	Fix:           "Shorten video:title to 100 characters.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       Overlay{Off: EngineBing | EngineYandex, Warning: EngineGoogle},
	Source:        videoSchema,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad: videoHead + videoThumbnail + `      <video:title>{{repeat 101 "e"}}</video:title>
` + videoDescription + videoContent + videoTail,
	Good: videoHead + videoThumbnail + `      <video:title>{{repeat 100 "e"}}</video:title>
` + videoDescription + videoContent + videoTail,
	needs:      scan.HasVideos,
	checkEntry: longText("video:title", maxTitle, func(video *sitemap.Video) string { return video.Title }),
}

var longVideoDescription = &Rule{
	ID:            "video-description-too-long",
	Title:         "video description of more than 2,048 characters",
	Why:           "Google and the schema of video sitemaps allow 2,048 characters.",
	Fix:           "Shorten video:description. People see its beginning.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad: videoHead + videoThumbnail + videoTitle + `      <video:description>{{repeat 2049 "e"}}</video:description>
` + videoContent + videoTail,
	Good: videoHead + videoThumbnail + videoTitle + `      <video:description>{{repeat 2048 "e"}}</video:description>
` + videoContent + videoTail,
	needs: scan.HasVideos,
	checkEntry: longText("video:description", maxDescription,
		func(video *sitemap.Video) string { return video.Description }),
}

var longUploader = &Rule{
	ID:            "video-uploader-too-long",
	Title:         "video uploader name of more than 255 characters",
	Why:           "Google reads names of at most 255 characters.",
	Fix:           "Write only the uploader's name in video:uploader, without a description.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad:           videoStart + `      <video:uploader>{{repeat 256 "e"}}</video:uploader>` + videoTail,
	Good:          videoStart + `      <video:uploader>{{repeat 255 "e"}}</video:uploader>` + videoTail,
	needs:         scan.HasVideos,
	checkEntry: longText("video:uploader", maxUploader,
		func(video *sitemap.Video) string { return video.Uploader.Name }),
}

var videoDuration = &Rule{
	ID:            "video-duration-range",
	Title:         "video duration is not 1 to 28,800 seconds",
	Why:           "A duration is a whole number of seconds, up to eight hours. Google rejects any other value, and the schema rejects longer durations.",
	Fix:           "Write the number of seconds in digits: 90, not 1:30 or PT1M30S. Leave the tag out if you do not know the duration.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad:           videoStart + "      <video:duration>1:30</video:duration>" + videoTail,
	Good:          videoStart + "      <video:duration>90</video:duration>" + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if d := video.Duration; d != "" && !isSeconds(d) {
			reportVideo(e, n, d, fmt.Sprintf("video:duration is not a whole number from 1 to %d", maxDuration))
		}
	}),
}

// isSeconds reports whether a text is a whole number in the range of durations.
func isSeconds(text string) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, 64)
	return err == nil && n >= 1 && n <= maxDuration
}

var videoRating = &Rule{
	ID:            "video-rating-range",
	Title:         "video rating is not 0.0 to 5.0",
	Why:           "A rating is a decimal number from 0.0 to 5.0. Google and the schema know no other scale.",
	Fix:           "Convert other scales: 80 of 100 becomes 4.0. Write a point, not a comma.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad:           videoStart + "      <video:rating>8.4</video:rating>" + videoTail,
	Good:          videoStart + "      <video:rating>4.2</video:rating>" + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if rating := video.Rating; rating != "" && !isRating(rating) {
			reportVideo(e, n, rating, "video:rating is not a decimal number from 0.0 to 5.0")
		}
	}),
}

// isRating reports whether a text is an xsd:decimal from 0 to 5.
func isRating(text string) bool {
	if strings.Trim(text, "+-.0123456789") != "" {
		return false
	}
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n >= 0 && n <= 5
}

var videoViews = &Rule{
	ID:            "video-views-invalid",
	Title:         "video view count is not a whole number",
	Why:           "video:view_count is a whole number. The schema of video sitemaps rejects anything else.",
	Fix:           "Write only digits: 12345, not 12,345 or 12K.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad:           videoStart + "      <video:view_count>12,345</video:view_count>" + videoTail,
	Good:          videoStart + "      <video:view_count>12345</video:view_count>" + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if views := video.ViewCount; views != "" && strings.Trim(strings.TrimPrefix(views, "+"), "0123456789") != "" {
			reportVideo(e, n, views, "video:view_count is not a whole number")
		}
	}),
}

var tooManyVideoTags = &Rule{
	ID:            "video-too-many-tags",
	Title:         "more than 32 tags on a video",
	Why:           "Google and the schema of video sitemaps allow 32 video:tag elements per video.",
	Fix:           "Keep the tags that distinguish this video from others.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid XML: too many tags",
	Since:         "0.1",
	Bad:           videoStart + `{{repeat 33 "      <video:tag>steak</video:tag>"}}` + videoTail,
	Good:          videoStart + `{{repeat 32 "      <video:tag>steak</video:tag>"}}` + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if tags := len(video.Tags); tags > maxVideoTags {
			reportVideo(e, n, "", fmt.Sprintf("%d tags, but the limit is %d", tags, maxVideoTags))
		}
	}),
}

var videoAnswer = &Rule{
	ID:            "video-yesno-invalid",
	Title:         "video value is neither yes nor no",
	Why:           "video:family_friendly, video:requires_subscription and video:live are yes or no. The schema rejects true, 1 and all other values.",
	Fix:           "Write yes or no.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad:           videoStart + "      <video:family_friendly>true</video:family_friendly>" + videoTail,
	Good:          videoStart + "      <video:family_friendly>yes</video:family_friendly>" + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		for _, answer := range [...]struct{ tag, value string }{
			{"video:family_friendly", video.FamilyFriendly},
			{"video:requires_subscription", video.RequiresSubscription},
			{"video:live", video.Live},
		} {
			if answer.value != "" && !slices.Contains(answers, answer.value) {
				reportVideo(e, n, answer.value, answer.tag+" is neither yes nor no")
			}
		}
	}),
}

// answers are the values that the schema allows.
var answers = []string{"yes", "Yes", "YES", "no", "No", "NO"}
