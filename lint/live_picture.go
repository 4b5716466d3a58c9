package lint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/gif" // beside WebP, the formats whose size can be told
	_ "image/jpeg"
	_ "image/png"
	"net/http"
)

// pictureRules are about the images and thumbnails that pages list.
var pictureRules = []*Rule{imageMissing, thumbnailMissing, thumbnailSize}

const thumbnailHead = exampleHead + ` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"` + examplePage

var (
	imageListed     = livePage + imageHead + `    <image:image><image:loc>https://example.com/steak.png</image:loc></image:image>` + exampleTail
	thumbnailListed = livePage + thumbnailHead + `    <video:video><video:thumbnail_loc>https://example.com/steak.png</video:thumbnail_loc>` +
		`<video:title>Steak</video:title><video:description>Grilled</video:description>` +
		`<video:content_loc>https://example.com/steak.mp4</video:content_loc></video:video>` + exampleTail
	// A PNG is told by its first 33 bytes: the signature, and a chunk with width and
	// height.
	largePNG = "-- /steak.png --\n{{bytes \"89504e470d0a1a0a0000000d4948445200000500000002d00802000000401f4a01\"}}\n"
	smallPNG = "-- /steak.png --\n{{bytes \"89504e470d0a1a0a0000000d494844520000002000000018080200000014316863\"}}\n"
)

// pictureFault says what is wrong with a picture's answer, or nothing.
func (e *encounter) pictureFault(p picture) string {
	t := e.ask(p.URL, pictureLimit)
	switch a := t.end(); {
	case e.ctx.Err() != nil:
		return ""
	case t.err != nil:
		return "no answer: " + printable([]byte(rootOf(t.err).Error()))
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
	Cure:          "Correct the URL, or remove the image. Make sure that the server does not reject requests from other sites.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        imagePage,
	SearchConsole: "URLs not accessible",
	Since:         "0.1",
	Live:          true,
	Bad:           imageListed,
	Good:          imageListed + largePNG,
	live: func(e *encounter) {
		for _, p := range e.page.Images {
			if fault := e.pictureFault(p); fault != "" {
				e.report(p.At, "image:image", p.URL, fault)
			}
		}
	},
}

var thumbnailMissing = &Rule{
	ID:            "thumbnail-4xx",
	Title:         "video thumbnail cannot be fetched",
	Why:           "Google does not show a video without a thumbnail that it can fetch.",
	Cure:          "Correct video:thumbnail_loc and keep the URL stable. Do not block it in robots.txt.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Missing thumbnail URL",
	Since:         "0.1",
	Live:          true,
	Bad:           thumbnailListed,
	Good:          thumbnailListed + largePNG,
	live: func(e *encounter) {
		for _, p := range e.page.Thumbnails {
			if fault := e.pictureFault(p); fault != "" {
				e.report(p.At, "video:thumbnail_loc", p.URL, fault)
			}
		}
	},
}

var thumbnailSize = &Rule{
	ID:            "thumbnail-size",
	Title:         "video thumbnail is too small or too large",
	Why:           "Google accepts thumbnails from 60 by 30 to 1920 by 1080 pixels.",
	Cure:          "Use an image of 1280 by 720 pixels, for example.",
	Severity:      SeverityWarning,
	Engines:       EngineGoogle,
	Source:        videoPage,
	SearchConsole: "Thumbnail too small, Thumbnail too large",
	Since:         "0.1",
	Live:          true,
	Bad:           thumbnailListed + smallPNG,
	Good:          thumbnailListed + largePNG,
	live: func(e *encounter) {
		for _, p := range e.page.Thumbnails {
			a := e.ask(p.URL, pictureLimit).end()
			if a == nil || a.Status != http.StatusOK {
				continue
			}
			if size := sizeOf(a.Body); !isThumbnail(size) {
				e.report(p.At, "video:thumbnail_loc", p.URL, fmt.Sprintf("the image has %d by %d pixels", size.X, size.Y))
			}
		}
	},
}

// isThumbnail reports whether a size is one that Google takes, or not known.
func isThumbnail(size image.Point) bool {
	return size == image.Point{} || size.X >= 60 && size.Y >= 30 && size.X <= 1920 && size.Y <= 1080
}

// sizeOf returns the size of a PNG, JPEG, GIF or WebP that begins with these
// bytes, or nothing.
func sizeOf(head []byte) image.Point {
	if size := sizeOfWebP(head); size != (image.Point{}) {
		return size
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(head))
	if err != nil {
		return image.Point{}
	}
	return image.Pt(config.Width, config.Height)
}

// sizeOfWebP reads the first chunk
// (https://developers.google.com/speed/webp/docs/riff_container).
func sizeOfWebP(b []byte) image.Point {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return image.Point{}
	}
	switch string(b[12:16]) {
	case "VP8X": // both less one, in 24 bits
		return image.Pt(1+int(b[24])|int(b[25])<<8|int(b[26])<<16, 1+int(b[27])|int(b[28])<<8|int(b[29])<<16)
	case "VP8L": // both less one, in 14 bits, behind a signature
		bits := binary.LittleEndian.Uint32(b[21:])
		return image.Pt(1+int(bits&0x3fff), 1+int(bits>>14&0x3fff))
	case "VP8 ": // in 14 bits, behind a frame tag and a start code
		return image.Pt(int(binary.LittleEndian.Uint16(b[26:])&0x3fff), int(binary.LittleEndian.Uint16(b[28:])&0x3fff))
	}
	return image.Point{}
}
