package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const maxImages = sitemap.MaxImages

// imageRules are about image:image
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
var imageRules = []*Rule{
	images.field("image-loc-missing", "Missing XML tag", "", func(i *sitemap.Image) (string, bool) {
		return "", i.Loc == ""
	}),
	images.ofGoogle("image-loc-bad", SeverityError, "Invalid URL",
		func(e *entryCheck, n int, image *sitemap.Image) {
			if image.Loc != "" && !scan.IsAbsolute(image.Loc) {
				e.reportIn("image:image", n, "image:loc", image.Loc, newText("rule.image-loc-bad.found"))
			}
		}),
	{ID: "too-many-images", Severity: SeverityError, Engines: EngineGoogle, Source: imagePage,
		SearchConsole: "Invalid XML: too many tags", needs: scan.HasImages,
		checkEntry: func(e *entryCheck) {
			if n := len(e.Parsed().Images); n > maxImages {
				e.report("image:image", maxImages, "", newText("rule.too-many-images.found", n, maxImages))
			}
		}},
	{ID: "image-deprecated", Severity: SeverityInfo, Engines: EngineGoogle, Source: deprecation, needs: scan.HasImages,
		checkEntry: images.each(func(e *entryCheck, n int, image *sitemap.Image) {
			if tags := deprecatedImageTags(image); len(tags) > 0 {
				e.reportIn("image:image", n, tags[0], "", withoutEffect(tags))
			}
		})},
}

func deprecatedImageTags(image *sitemap.Image) (tags []string) {
	return present(
		tag{"image:caption", image.Caption != ""},
		tag{"image:geo_location", image.GeoLocation != ""},
		tag{"image:title", image.Title != ""},
		tag{"image:license", image.License != ""},
	)
}
