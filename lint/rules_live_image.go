package lint

import (
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"net/http"

	"github.com/mapatools/mapa/lint/internal/sample"
)

// mediaRules are about the listed images and thumbnails.
var mediaRules = []*Rule{
	{ID: "image-4xx", Severity: SeverityError, Engines: EngineGoogle, Source: imagePage,
		SearchConsole: "URLs not accessible", Live: true,
		checkPage: func(p *pageCheck) { reportImages(p, p.Images, "image:image") }},
	{ID: "thumbnail-4xx", Severity: SeverityError, Engines: EngineGoogle, Source: videoPage,
		SearchConsole: "Missing thumbnail URL", Live: true,
		checkPage: func(p *pageCheck) { reportImages(p, p.Thumbnails, "video:thumbnail_loc") }},
	{ID: "thumbnail-size", Severity: SeverityWarning, Engines: EngineGoogle, Source: videoPage,
		SearchConsole: "Thumbnail too small, Thumbnail too large", Live: true,
		checkPage: func(p *pageCheck) {
			for _, image := range p.Thumbnails {
				a := p.follow(image.URL, imageLimit).end()
				if a == nil || a.Status != http.StatusOK {
					continue
				}
				if size := imageSize(a.Body); !isThumbnail(size) {
					p.report(image.At, "video:thumbnail_loc", image.URL, newText("rule.thumbnail-size.found", size.X, size.Y))
				}
			}
		}},
}

// reportImages reports the images in a tag that cannot be fetched.
func reportImages(p *pageCheck, images []sample.Image, tag string) {
	for _, image := range images {
		if fault, is := imageFault(p, image); is {
			p.report(image.At, tag, image.URL, fault)
		}
	}
}

// imageFault returns why an image cannot be fetched, if it cannot.
func imageFault(p *pageCheck, image sample.Image) (fault Text, is bool) {
	t := p.follow(image.URL, imageLimit)
	switch a := t.end(); {
	case p.cancelled():
		return Text{}, false
	case t.err != nil:
		return noAnswer(t.err), true
	case t.endless:
		return newText("finding.too-many-redirects"), true
	case a.Status >= http.StatusBadRequest:
		return statusText(a.Status), true
	}
	return Text{}, false
}

// isThumbnail reports whether Google accepts a size, or whether that is unknown.
func isThumbnail(size image.Point) bool {
	return size == image.Point{} || size.X >= 60 && size.Y >= 30 && size.X <= 1920 && size.Y <= 1080
}
