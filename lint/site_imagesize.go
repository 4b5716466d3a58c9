package lint

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif" // with WebP, the formats whose size is read
	_ "image/jpeg"
	_ "image/png"
)

// imageSize returns the size of a PNG, JPEG, GIF or WebP that begins with these
// bytes, or the zero point where it is unknown.
func imageSize(head []byte) image.Point {
	if size := webPSize(head); size != (image.Point{}) {
		return size
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(head))
	if err != nil {
		return image.Point{}
	}
	return image.Pt(config.Width, config.Height)
}

// webPSize reads the first chunk
// (https://developers.google.com/speed/webp/docs/riff_container).
func webPSize(b []byte) image.Point {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return image.Point{}
	}
	switch string(b[12:16]) {
	case "VP8X": // both less one, in 24 bits
		return image.Pt(1+int(b[24])|int(b[25])<<8|int(b[26])<<16, 1+int(b[27])|int(b[28])<<8|int(b[29])<<16)
	case "VP8L": // both less one, in 14 bits, after a signature
		bits := binary.LittleEndian.Uint32(b[21:])
		return image.Pt(1+int(bits&0x3fff), 1+int(bits>>14&0x3fff))
	case "VP8 ": // in 14 bits, after a frame tag and a start code
		return image.Pt(int(binary.LittleEndian.Uint16(b[26:])&0x3fff), int(binary.LittleEndian.Uint16(b[28:])&0x3fff))
	}
	return image.Point{}
}
