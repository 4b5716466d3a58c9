package lint

import (
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

var longVideoTitle = &Rule{
	ID:            "video-title-too-long",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       Overlay{Off: EngineBing | EngineYandex, Warning: EngineGoogle},
	Source:        videoSchema,
	SearchConsole: "Invalid tag value",
	needs:         scan.HasVideos,
	checkEntry:    longText("video:title", maxTitle, func(video *sitemap.Video) string { return video.Title }),
}

var longVideoDescription = &Rule{
	ID:            "video-description-too-long",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	needs:         scan.HasVideos,
	checkEntry: longText("video:description", maxDescription,
		func(video *sitemap.Video) string { return video.Description }),
}

var longUploader = &Rule{
	ID:            "video-uploader-too-long",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Invalid tag value",
	needs:         scan.HasVideos,
	checkEntry: longText("video:uploader", maxUploader,
		func(video *sitemap.Video) string { return video.Uploader.Name }),
}

var videoDuration = videos.refused("video-duration-range", "Invalid tag value",
	func(e *entryCheck, n int, video *sitemap.Video) {
		if d := video.Duration; d != "" && !isSeconds(d) {
			reportVideo(e, n, "video:duration", d, newText("rule.video-duration-range.found", maxDuration))
		}
	})

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

var tooManyVideoTags = videos.refused("video-too-many-tags", "Invalid XML: too many tags",
	func(e *entryCheck, n int, video *sitemap.Video) {
		if tags := len(video.Tags); tags > maxVideoTags {
			reportVideo(e, n, "", "", newText("rule.video-too-many-tags.found", tags, maxVideoTags))
		}
	})

var videoAnswer = videos.refused("video-yesno-invalid", "Invalid tag value",
	func(e *entryCheck, n int, video *sitemap.Video) {
		for _, answer := range [...]struct{ tag, value string }{
			{"video:family_friendly", video.FamilyFriendly},
			{"video:requires_subscription", video.RequiresSubscription},
			{"video:live", video.Live},
		} {
			if answer.value != "" && !slices.Contains(answers, answer.value) {
				reportVideo(e, n, answer.tag, answer.value, newText("rule.video-yesno-invalid.found", answer.tag))
			}
		}
	})

// answers are the values that the schema allows.
var answers = []string{"yes", "Yes", "YES", "no", "No", "NO"}
