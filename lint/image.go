package lint

import "fmt"

const mostImages = 1000

// imageRules are about image:image
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
var imageRules = []*Rule{tooManyImages}

var tooManyImages = &Rule{
	ID:       "too-many-images",
	Title:    "more than 1,000 images on a page",
	Why:      "Google reads the first 1,000 images of a page and no more.",
	Cure:     "List the page's most important images only.",
	Severity: Error,
	Engines:  Google,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
	Since:    "0.1",
	Bad:      ``,
	Good:     ``,
	needs:    needsImages,
	check: func(v *visit) {
		if n := len(v.extensions().Images); n > mostImages {
			v.report("image:image", mostImages, "", fmt.Sprintf("%d images, and Google reads %d", n, mostImages))
		}
	},
}
