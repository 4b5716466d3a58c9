package lint

import (
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var videoRestriction = &Rule{
	ID:            "video-restriction-invalid",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage + "#country-restriction",
	SearchConsole: "Invalid attribute value",
	needs:         scan.HasVideos,
	checkEntry: videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
		checkRelationship(e, n, "video:restriction", video.Restriction)
		for code := range strings.SplitSeq(video.Restriction.List, " ") {
			if code != "" && !isUpperPair(code) {
				reportVideo(e, n, "video:restriction", code, newText("rule.video-restriction-invalid.found"))
				break
			}
		}
	}),
}

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

var unknownVideoCountry = &Rule{
	ID:            "video-restriction-unknown",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        videoPage + "#country-restriction",
	SearchConsole: "Invalid tag value",
	needs:         scan.HasVideos,
	checkEntry: videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
		for code := range strings.SplitSeq(video.Restriction.List, " ") {
			if isUpperPair(code) && !isRegion(code) {
				reportVideo(e, n, "video:restriction", code, newText("rule.video-restriction-unknown.found"))
			}
		}
	}),
}

var videoPlatform = videos.refused("video-platform-invalid", "Invalid attribute value",
	func(e *entryCheck, n int, video *sitemap.Video) {
		checkRelationship(e, n, "video:platform", video.Platform)
		if video.Platform.List == "" {
			return
		}
		for platform := range strings.SplitSeq(video.Platform.List, " ") {
			if !slices.Contains(platforms, platform) {
				reportVideo(e, n, "video:platform", video.Platform.List,
					newText("rule.video-platform-invalid.found", strings.Join(platforms, ", ")))
				break
			}
		}
	})

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

var badVideoDate = videos.refused("video-date-invalid", "Invalid date",
	func(e *entryCheck, n int, video *sitemap.Video) {
		videoDates(video, func(tag, text string, d sitemap.Date, err error) {
			if err != nil || d.Dialects()&sitemap.DialectXSD == 0 {
				reportVideo(e, n, tag, text, newText("rule.video-date-invalid.found", tag))
			}
		})
	})

var videoDateWithoutZone = videos.ofGoogle("video-date-no-zone", SeverityError, "Invalid date",
	func(e *entryCheck, n int, video *sitemap.Video) {
		videoDates(video, func(tag, text string, d sitemap.Date, err error) {
			if err == nil && lacksZone(d) {
				reportVideo(e, n, tag, text, newText("rule.video-date-no-zone.found", tag))
			}
		})
	})

var expiredVideo = videos.ofGoogle("video-expired", SeverityWarning, "",
	func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ExpirationDate == "" {
			return
		}
		if d, err := sitemap.ParseDate(video.ExpirationDate); err == nil && latest(d).Before(e.file.options.Now) {
			day := d.Time().Format(time.DateOnly)
			reportVideo(e, n, "video:expiration_date", video.ExpirationDate, newText("rule.video-expired.found", day))
		}
	})
