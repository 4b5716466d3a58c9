package lint

import (
	"slices"
	"strings"
	"time"

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
	videos.ofGoogle("video-loc-relative", SeverityError, "Invalid URL",
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
		}),
	videos.ofGoogle("video-streaming-scheme", SeverityError, "Invalid URL",
		func(e *entryCheck, n int, video *sitemap.Video) {
			for _, a := range videoAddresses(video) {
				switch scan.Scheme(a.value) {
				case "", "http", "https", "ftp":
				default:
					reportVideo(e, n, a.tag, a.value, newText("rule.video-streaming-scheme.found", a.tag))
				}
			}
		}),
	{ID: "video-loc-equals-page", Severity: SeverityError, Engines: EngineGoogle, Source: videoPage,
		SearchConsole: "Video location and play page location are the same", needs: scan.HasVideos,
		checkEntry: func(e *entryCheck) {
			page := samePage{loc: string(e.Loc)}
			for n, video := range e.Parsed().Videos {
				for _, a := range videoAddresses(&video) {
					if a.tag != "video:thumbnail_loc" && a.value != "" && page.is(a.value) {
						reportVideo(e, n, a.tag, a.value, newText("rule.video-loc-equals-page.found", a.tag))
					}
				}
			}
		}},
	videos.ofGoogle("video-content-equals-player", SeverityWarning,
		"Video location URL appears to be a play page URL", func(e *entryCheck, n int, video *sitemap.Video) {
			if video.ContentLoc != "" && video.ContentLoc == video.Player.Loc {
				reportVideo(e, n, "video:content_loc", video.ContentLoc, newText("rule.video-content-equals-player.found"))
			}
		}),
	{ID: "video-title-too-long", Severity: SeverityError, Engines: schemaOfGoogle,
		Overlay: Overlay{Off: EngineBing | EngineYandex, Warning: EngineGoogle}, Source: videoSchema,
		SearchConsole: "Invalid tag value", needs: scan.HasVideos,
		checkEntry: longText("video:title", maxTitle, func(video *sitemap.Video) string { return video.Title })},
	{ID: "video-description-too-long", Severity: SeverityError, Engines: schemaOfGoogle, Overlay: notElsewhere,
		Source: videoPage, SearchConsole: "Invalid tag value", needs: scan.HasVideos,
		checkEntry: longText("video:description", maxDescription,
			func(video *sitemap.Video) string { return video.Description })},
	videos.refused("video-duration-range", "Invalid tag value",
		func(e *entryCheck, n int, video *sitemap.Video) {
			if d := video.Duration; d != "" && !isSeconds(d) {
				reportVideo(e, n, "video:duration", d, newText("rule.video-duration-range.found", maxDuration))
			}
		}),
	videos.field("video-rating-range", "Invalid tag value", "video:rating", func(v *sitemap.Video) (string, bool) {
		return v.Rating, v.Rating != "" && !isRating(v.Rating)
	}),
	videos.field("video-views-invalid", "Invalid tag value", "video:view_count", func(v *sitemap.Video) (string, bool) {
		return v.ViewCount, strings.Trim(strings.TrimPrefix(v.ViewCount, "+"), "0123456789") != ""
	}),
	videos.refused("video-too-many-tags", "Invalid XML: too many tags",
		func(e *entryCheck, n int, video *sitemap.Video) {
			if tags := len(video.Tags); tags > maxVideoTags {
				reportVideo(e, n, "", "", newText("rule.video-too-many-tags.found", tags, maxVideoTags))
			}
		}),
	videos.refused("video-yesno-invalid", "Invalid tag value",
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
		}),
	{ID: "video-restriction-invalid", Severity: SeverityError, Engines: schemaOfGoogle, Overlay: notElsewhere,
		Source: videoPage + "#country-restriction", SearchConsole: "Invalid attribute value", needs: scan.HasVideos,
		checkEntry: videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
			checkRelationship(e, n, "video:restriction", video.Restriction)
			for code := range strings.SplitSeq(video.Restriction.List, " ") {
				if code != "" && !isUpperPair(code) {
					reportVideo(e, n, "video:restriction", code, newText("rule.video-restriction-invalid.found"))
					break
				}
			}
		})},
	{ID: "video-restriction-unknown", Severity: SeverityWarning, Engines: EngineGoogle,
		Source: videoPage + "#country-restriction", SearchConsole: "Invalid tag value", needs: scan.HasVideos,
		checkEntry: videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
			for code := range strings.SplitSeq(video.Restriction.List, " ") {
				if isUpperPair(code) && !isRegion(code) {
					reportVideo(e, n, "video:restriction", code, newText("rule.video-restriction-unknown.found"))
				}
			}
		})},
	videos.refused("video-platform-invalid", "Invalid attribute value",
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
		}),
	{ID: "video-uploader-too-long", Severity: SeverityError, Engines: EngineGoogle, Source: videoPage,
		SearchConsole: "Invalid tag value", needs: scan.HasVideos,
		checkEntry: longText("video:uploader", maxUploader,
			func(video *sitemap.Video) string { return video.Uploader.Name })},
	videos.ofGoogle("video-uploader-info-host", SeverityError, "Invalid attribute value",
		func(e *entryCheck, n int, video *sitemap.Video) {
			if info := video.Uploader.Info; info != "" && !isOfDomain(info, e.Address()) {
				reportVideo(e, n, "video:uploader", info, newText("rule.video-uploader-info-host.found"))
			}
		}),
	videos.refused("video-date-invalid", "Invalid date",
		func(e *entryCheck, n int, video *sitemap.Video) {
			videoDates(video, func(tag, text string, d sitemap.Date, err error) {
				if err != nil || d.Dialects()&sitemap.DialectXSD == 0 {
					reportVideo(e, n, tag, text, newText("rule.video-date-invalid.found", tag))
				}
			})
		}),
	videos.ofGoogle("video-date-no-zone", SeverityError, "Invalid date",
		func(e *entryCheck, n int, video *sitemap.Video) {
			videoDates(video, func(tag, text string, d sitemap.Date, err error) {
				if err == nil && lacksZone(d) {
					reportVideo(e, n, tag, text, newText("rule.video-date-no-zone.found", tag))
				}
			})
		}),
	videos.ofGoogle("video-expired", SeverityWarning, "",
		func(e *entryCheck, n int, video *sitemap.Video) {
			if video.ExpirationDate == "" {
				return
			}
			if d, err := sitemap.ParseDate(video.ExpirationDate); err == nil && latest(d).Before(e.file.options.Now) {
				day := d.Time().Format(time.DateOnly)
				reportVideo(e, n, "video:expiration_date", video.ExpirationDate, newText("rule.video-expired.found", day))
			}
		}),
	{ID: "video-deprecated", Severity: SeverityInfo, Engines: EngineGoogle, Source: deprecation, needs: scan.HasVideos,
		checkEntry: videos.each(func(e *entryCheck, n int, video *sitemap.Video) {
			if tags := deprecatedVideoTags(video); len(tags) > 0 {
				element, _, _ := strings.Cut(tags[0], " ")
				reportVideo(e, n, element, "", withoutEffect(tags))
			}
		})},
}

const videoSchema = "https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd"

// reportVideo reports a breach by an element of the n-th video of the entry, or by the video
// itself.
func reportVideo(e *entryCheck, n int, element, evidence string, message Text) {
	e.reportIn("video:video", n, element, evidence, message)
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
