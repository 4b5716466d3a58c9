package lint

import (
	"fmt"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const maxImages = sitemap.MaxImages

// imageRules are about image:image
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
var imageRules = []*Rule{imageWithoutLoc, badImageLoc, tooManyImages, deprecatedImageTag}

const imageHead = exampleHead + ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` + examplePage

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
	Title:         "image has no URL",
	Why:           "An image:image without image:loc names no image. Google ignores it.",
	Fix:           "Give every image:image one image:loc with the URL of the file, or remove it.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        imagePage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad:           imageHead + `    <image:image></image:image>` + exampleTail,
	Good: imageHead + `    <image:image><image:loc>https://example.com/steak.jpg</image:loc></image:image>` +
		exampleTail,
	needs: scan.HasImages,
	checkEntry: eachImage(func(e *entryCheck, n int, image *sitemap.Image) {
		if image.Loc == "" {
			e.report("image:image", n, "", "the image has no image:loc")
		}
	}),
}

var badImageLoc = &Rule{
	ID:            "image-loc-bad",
	Title:         "image URL is not an absolute URL",
	Why:           "Google fetches the image from image:loc. The URL must be absolute, because Google does not resolve it against the page.",
	Fix:           "Write the URL with https:// and the host.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        imagePage,
	SearchConsole: "Invalid URL",
	Since:         "0.1",
	Bad:           imageHead + `    <image:image><image:loc>/steak.jpg</image:loc></image:image>` + exampleTail,
	Good: imageHead + `    <image:image><image:loc>https://example.com/steak.jpg</image:loc></image:image>` +
		exampleTail,
	needs: scan.HasImages,
	checkEntry: eachImage(func(e *entryCheck, n int, image *sitemap.Image) {
		if image.Loc != "" && !scan.IsAbsolute(image.Loc) {
			e.report("image:image", n, image.Loc, "image:loc is not an absolute http or https URL")
		}
	}),
}

var tooManyImages = &Rule{
	ID:            "too-many-images",
	Title:         "more than 1,000 images on a page",
	Why:           "Google reads only 1,000 images of a page.",
	Fix:           "List only the page's most important images.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        imagePage,
	SearchConsole: "Invalid XML: too many tags",
	Since:         "0.1",
	Bad:           imageHead + `{{repeat 1001 "    <image:image><image:loc>https://example.com/steak.jpg</image:loc></image:image>"}}` + exampleTail,
	Good:          imageHead + `{{repeat 1000 "    <image:image><image:loc>https://example.com/steak.jpg</image:loc></image:image>"}}` + exampleTail,
	needs:         scan.HasImages,
	checkEntry: func(e *entryCheck) {
		if n := len(e.Parsed().Images); n > maxImages {
			e.report("image:image", maxImages, "", fmt.Sprintf("%d images, but Google reads only %d", n, maxImages))
		}
	},
}

var deprecatedImageTag = &Rule{
	ID:       "image-deprecated",
	Title:    "image tags that Google no longer reads",
	Why:      "Image captions, titles, locations and licenses have had no effect since 6 August 2022. They only make the file larger.",
	Fix:      "Keep only image:loc. Put licenses into the page's structured data or the image's IPTC metadata.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   deprecation,
	Since:    "0.1",
	Bad: imageHead + `    <image:image>
      <image:loc>https://example.com/steak.jpg</image:loc>
      <image:caption>A steak on a grill</image:caption>
    </image:image>` + exampleTail,
	Good: imageHead + `    <image:image>
      <image:loc>https://example.com/steak.jpg</image:loc>
    </image:image>` + exampleTail,
	needs: scan.HasImages,
	checkEntry: eachImage(func(e *entryCheck, n int, image *sitemap.Image) {
		if tags := deprecatedImageTags(image); len(tags) > 0 {
			e.report("image:image", n, "", withoutEffect(tags))
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
