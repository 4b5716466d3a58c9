package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var videoRestriction = &Rule{
	ID:            "video-restriction-invalid",
	Title:         "invalid country restriction of a video",
	Why:           "Google cannot tell where the video may be shown. A restriction is a list of two-letter codes separated by spaces, with the relationship allow or deny.",
	Fix:           `Write it as in <video:restriction relationship="allow">IE GB US</video:restriction>.`,
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage + "#country-restriction",
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           videoStart + `      <video:restriction>IE GB US</video:restriction>` + videoTail,
	Good:          videoStart + `      <video:restriction relationship="allow">IE GB US</video:restriction>` + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		checkRelationship(e, n, "video:restriction", video.Restriction)
		for code := range strings.SplitSeq(video.Restriction.List, " ") {
			if code != "" && !isUpperPair(code) {
				reportVideo(e, n, code, "video:restriction is not a list of two-letter upper-case codes separated by spaces")
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
		reportVideo(e, n, "", tag+" has no relationship")
	case restriction.Relationship != "allow" && restriction.Relationship != "deny":
		reportVideo(e, n, restriction.Relationship, "the relationship of "+tag+" is neither allow nor deny")
	}
}

func isUpperPair(code string) bool {
	return len(code) == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z'
}

var unknownVideoCountry = &Rule{
	ID:            "video-restriction-unknown",
	Title:         "video restriction names an unknown country",
	Why:           "Countries are named by ISO 3166-1 codes. A code that names no country restricts nothing.",
	Fix:           "Look up the code: the United Kingdom is GB, Greece is GR.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        videoPage + "#country-restriction",
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad:           videoStart + `      <video:restriction relationship="allow">IE UK US</video:restriction>` + videoTail,
	Good:          videoStart + `      <video:restriction relationship="allow">IE GB US</video:restriction>` + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		for code := range strings.SplitSeq(video.Restriction.List, " ") {
			if isUpperPair(code) && !isRegion(code) {
				reportVideo(e, n, code, "the code is not a country in ISO 3166-1")
			}
		}
	}),
}

var videoPlatform = &Rule{
	ID:            "video-platform-invalid",
	Title:         "invalid platform restriction of a video",
	Why:           "Google cannot tell on which devices the video may be shown. A restriction is a list of web, mobile and tv, each separated by one space, with the relationship allow or deny.",
	Fix:           `Write it as in <video:platform relationship="allow">web tv</video:platform>.`,
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid attribute value",
	Since:         "0.1",
	Bad:           videoStart + `      <video:platform relationship="allow">desktop</video:platform>` + videoTail,
	Good:          videoStart + `      <video:platform relationship="allow">web</video:platform>` + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		checkRelationship(e, n, "video:platform", video.Platform)
		if video.Platform.List == "" {
			return
		}
		for platform := range strings.SplitSeq(video.Platform.List, " ") {
			if !slices.Contains(platforms, platform) {
				reportVideo(e, n, video.Platform.List,
					"video:platform is not a list of "+strings.Join(platforms, ", ")+", each separated by one space")
				break
			}
		}
	}),
}

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

var badVideoDate = &Rule{
	ID:            "video-date-invalid",
	Title:         "invalid date of a video",
	Why:           "A date is a day, or a day with a time to the second. Neither Google nor the schema of video sitemaps accepts another form.",
	Fix:           "Write 2024-01-08 or 2024-01-08T19:20:30+08:00.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        videoPage,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           videoStart + "      <video:publication_date>8 January 2024</video:publication_date>" + videoTail,
	Good:          videoStart + "      <video:publication_date>2024-01-08</video:publication_date>" + videoTail,
	needs:         scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		videoDates(video, func(tag, text string, d sitemap.Date, err error) {
			if err != nil || d.Dialects()&sitemap.DialectXSD == 0 {
				reportVideo(e, n, text, tag+" is not a day, or a day with a time to the second")
			}
		})
	}),
}

var videoDateWithoutZone = &Rule{
	ID:            "video-date-no-zone",
	Title:         "video date has a time without a time zone",
	Why:           "Google reads a time only with a time zone. Without one, the video may expire, or count as new, at a different hour than you intend.",
	Fix:           "Add Z for UTC at the end, or an offset such as +02:00.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad:           videoStart + "      <video:publication_date>2024-01-08T19:20:30</video:publication_date>" + videoTail,
	Good: videoStart + "      <video:publication_date>2024-01-08T19:20:30+08:00</video:publication_date>" +
		videoTail,
	needs: scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		videoDates(video, func(tag, text string, d sitemap.Date, err error) {
			if err == nil && lacksZone(d) {
				reportVideo(e, n, text, tag+" has a time without a time zone")
			}
		})
	}),
}

var expiredVideo = &Rule{
	ID:       "video-expired",
	Title:    "video has expired",
	Why:      "Google does not show a video after its video:expiration_date.",
	Fix:      "Remove the video. If people can still watch it, set a new date or remove the date.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   videoPage,
	Since:    "0.1",
	Bad:      videoStart + "      <video:expiration_date>{{today -3}}</video:expiration_date>" + videoTail,
	Good:     videoStart + "      <video:expiration_date>{{today 3}}</video:expiration_date>" + videoTail,
	needs:    scan.HasVideos,
	checkEntry: eachVideo(func(e *entryCheck, n int, video *sitemap.Video) {
		if video.ExpirationDate == "" {
			return
		}
		if d, err := sitemap.ParseDate(video.ExpirationDate); err == nil && latest(d).Before(e.file.options.Now) {
			reportVideo(e, n, video.ExpirationDate, fmt.Sprintf("the video expired on %s", d.Time().Format("2 January 2006")))
		}
	}),
}
