package lint

import (
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"net/http"

	"github.com/mapatools/mapa/lint/internal/sample"
)

// mediaRules are about the listed images and thumbnails.
var mediaRules = []*Rule{imageMissing, thumbnailMissing, thumbnailSize}

const thumbnailHead = exampleHead + ` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"` + examplePage

var (
	imageListed = livePage + imageHead +
		`    <image:image><image:loc>https://example.com/steak.png</image:loc></image:image>` + exampleTail
	thumbnailListed = livePage + thumbnailHead +
		`    <video:video><video:thumbnail_loc>https://example.com/steak.png</video:thumbnail_loc>` +
		`<video:title>Steak</video:title><video:description>Grilled</video:description>` +
		`<video:content_loc>https://example.com/steak.mp4</video:content_loc></video:video>` + exampleTail
	// The first 33 bytes of a PNG are the signature and a chunk with width and height.
	largePNG = "-- /steak.png --\n{{bytes \"89504e470d0a1a0a0000000d4948445200000500000002d00802000000401f4a01\"}}\n"
	smallPNG = "-- /steak.png --\n{{bytes \"89504e470d0a1a0a0000000d494844520000002000000018080200000014316863\"}}\n"
)

// imageFault returns why an image cannot be fetched, or nothing.
func imageFault(p *pageCheck, image sample.Image) string {
	t := p.follow(image.URL, imageLimit)
	switch a := t.end(); {
	case p.cancelled():
		return ""
	case t.err != nil:
		return "no answer: " + printable([]byte(rootCause(t.err).Error()))
	case t.endless:
		return "too many redirects"
	case a.Status >= http.StatusBadRequest:
		return statusText(a.Status)
	}
	return ""
}

var imageMissing = &Rule{
	ID:            "image-4xx",
	Title:         "image cannot be fetched",
	Why:           "Google lists an image only after it has fetched it.",
	Fix:           "Correct the URL, or remove the image. Make sure that the server does not reject requests from other sites.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        imagePage,
	SearchConsole: "URLs not accessible",
	Since:         "0.1",
	Live:          true,
	Bad:           imageListed,
	Good:          imageListed + largePNG,
	checkPage: func(p *pageCheck) {
		for _, image := range p.Images {
			if fault := imageFault(p, image); fault != "" {
				p.report(image.At, "image:image", image.URL, fault)
			}
		}
	},
}

var thumbnailMissing = &Rule{
	ID:            "thumbnail-4xx",
	Title:         "video thumbnail cannot be fetched",
	Why:           "Google does not show a video without a thumbnail that it can fetch.",
	Fix:           "Correct video:thumbnail_loc and keep the URL stable. Do not block it in robots.txt.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Missing thumbnail URL",
	Since:         "0.1",
	Live:          true,
	Bad:           thumbnailListed,
	Good:          thumbnailListed + largePNG,
	checkPage: func(p *pageCheck) {
		for _, image := range p.Thumbnails {
			if fault := imageFault(p, image); fault != "" {
				p.report(image.At, "video:thumbnail_loc", image.URL, fault)
			}
		}
	},
}

var thumbnailSize = &Rule{
	ID:            "thumbnail-size",
	Title:         "video thumbnail is too small or too large",
	Why:           "Google accepts thumbnails from 60 by 30 to 1920 by 1080 pixels.",
	Fix:           "Use an image of 1280 by 720 pixels, for example.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Thumbnail too small, Thumbnail too large",
	Since:         "0.1",
	Live:          true,
	Bad:           thumbnailListed + smallPNG,
	Good:          thumbnailListed + largePNG,
	checkPage: func(p *pageCheck) {
		for _, image := range p.Thumbnails {
			a := p.follow(image.URL, imageLimit).end()
			if a == nil || a.Status != http.StatusOK {
				continue
			}
			if size := imageSize(a.Body); !isThumbnail(size) {
				p.report(image.At, "video:thumbnail_loc", image.URL, fmt.Sprintf("the image has %d by %d pixels", size.X, size.Y))
			}
		}
	},
}

// isThumbnail reports whether Google accepts a size, or whether that is unknown.
func isThumbnail(size image.Point) bool {
	return size == image.Point{} || size.X >= 60 && size.Y >= 30 && size.X <= 1920 && size.Y <= 1080
}
