package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const maxImages = sitemap.MaxImages

// imageRules are about image:image
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
var imageRules = []*Rule{imageWithoutLoc, badImageLoc, tooManyImages, deprecatedImageTag}

// eachImage returns a check that calls check with the images of an entry. N counts
// them from 0.
func eachImage(check func(e *entryCheck, n int, image *sitemap.Image)) func(*entryCheck) {
	return func(e *entryCheck) {
		images := e.Parsed().Images
		for n := range images {
			check(e, n, &images[n])
		}
	}
}

var imageWithoutLoc = &Rule{
	ID:            "image-loc-missing",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        imagePage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasImages,
	checkEntry: eachImage(func(e *entryCheck, n int, image *sitemap.Image) {
		if image.Loc == "" {
			e.report("image:image", n, "", newText("rule.image-loc-missing.found"))
		}
	}),
}

var badImageLoc = &Rule{
	ID:            "image-loc-bad",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        imagePage,
	SearchConsole: "Invalid URL",
	needs:         scan.HasImages,
	checkEntry: eachImage(func(e *entryCheck, n int, image *sitemap.Image) {
		if image.Loc != "" && !scan.IsAbsolute(image.Loc) {
			e.reportIn("image:image", n, "image:loc", image.Loc, newText("rule.image-loc-bad.found"))
		}
	}),
}

var tooManyImages = &Rule{
	ID:            "too-many-images",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        imagePage,
	SearchConsole: "Invalid XML: too many tags",
	needs:         scan.HasImages,
	checkEntry: func(e *entryCheck) {
		if n := len(e.Parsed().Images); n > maxImages {
			e.report("image:image", maxImages, "", newText("rule.too-many-images.found", n, maxImages))
		}
	},
}

var deprecatedImageTag = &Rule{
	ID:       "image-deprecated",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   deprecation,
	needs:    scan.HasImages,
	checkEntry: eachImage(func(e *entryCheck, n int, image *sitemap.Image) {
		if tags := deprecatedImageTags(image); len(tags) > 0 {
			e.reportIn("image:image", n, tags[0], "", withoutEffect(tags))
		}
	}),
}

func deprecatedImageTags(image *sitemap.Image) (tags []string) {
	return present(
		tag{"image:caption", image.Caption != ""},
		tag{"image:geo_location", image.GeoLocation != ""},
		tag{"image:title", image.Title != ""},
		tag{"image:license", image.License != ""},
	)
}
