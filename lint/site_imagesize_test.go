package lint

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

func TestSizes(t *testing.T) {
	want := image.Pt(70, 40)
	picture := image.NewPaletted(image.Rectangle{Max: want}, color.Palette{color.Black})
	files := map[string][]byte{
		"VP8X": []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x45\x00\x00\x27\x00\x00"),
		"VP8L": []byte("RIFF\x00\x00\x00\x00WEBPVP8L\x0a\x00\x00\x00\x2f\x45\xc0\x09\x00\x00\x00\x00\x00\x00"),
		"VP8":  []byte("RIFF\x00\x00\x00\x00WEBPVP8 \x0a\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x46\x00\x28\x00"),
	}
	for name, encode := range map[string]func(*bytes.Buffer) error{
		"PNG":  func(b *bytes.Buffer) error { return png.Encode(b, picture) },
		"JPEG": func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) },
		"GIF":  func(b *bytes.Buffer) error { return gif.Encode(b, picture, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		files[name] = b.Bytes()
	}
	for name, file := range files {
		if got := imageSize(file); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := imageSize([]byte("<svg/>")); got != (image.Point{}) {
		t.Errorf("SVG: %v", got)
	}
}
