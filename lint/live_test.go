package lint

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestSampleIsStable wants the same sample whatever the order of the pages, and
// the one that a sort of all pages gives.
func TestSampleIsStable(t *testing.T) {
	var locs []string
	for i := range 5000 {
		locs = append(locs, fmt.Sprintf("https://example.com/%s/%d", []string{"a", "b", "c/d"}[i%3], i))
	}
	locs = append(locs, "https://example.com/", "https://example.com/about.html", "https://example.com/find?q=1")
	var first []string
	for range 5 {
		rand.Shuffle(len(locs), func(i, j int) { locs[i], locs[j] = locs[j], locs[i] })
		s := newSampler(40)
		for _, loc := range locs {
			stratum, hash := stratumOf(0, []byte(loc))
			s.offer(stratum, hash, 0, func() *listing { return &listing{Loc: loc} })
			if s.held > 4*40 {
				t.Fatalf("%d pages held", s.held)
			}
		}
		var got []string
		for _, c := range s.sample() {
			got = append(got, c.page.Loc)
		}
		slices.Sort(got)
		if first == nil {
			first = got
		}
		if len(got) != 40 || !slices.Equal(got, first) {
			t.Fatalf("%d pages, not those of the first order", len(got))
		}
	}
	for _, rare := range []string{"https://example.com/", "https://example.com/about.html", "https://example.com/find?q=1"} {
		if !slices.Contains(first, rare) {
			t.Errorf("%s is the only one of its kind and not chosen", rare)
		}
	}
	for _, folder := range []string{"/a/", "/b/", "/c/"} {
		n := 0
		for _, loc := range first {
			if strings.Contains(loc, folder) {
				n++
			}
		}
		if n != 12 && n != 13 {
			t.Errorf("%d pages of %s, want 12 or 13", n, folder)
		}
	}
}

func TestStrata(t *testing.T) {
	same := [][2]string{
		{"https://example.com/a/1", "https://example.com/a/2"},
		{"https://example.com/2024/x", "https://example.com/2025/y"},
		{"https://example.com/one", "https://example.com/two"},
		{"https://example.com/a?x=1&y=2", "https://example.com/b?x=3&y=4"},
	}
	for _, pair := range same {
		if one, _ := stratumOf(0, []byte(pair[0])); one != stratumSum(pair[1]) {
			t.Errorf("%s and %s are of one kind", pair[0], pair[1])
		}
	}
	apart := [][2]string{
		{"https://example.com/a/1", "https://example.com/b/1"},
		{"https://example.com/a/1", "https://example.com/a/1/2"},
		{"https://example.com/a", "https://example.net/a"},
		{"https://example.com/a", "https://example.com/a.pdf"},
		{"https://example.com/a?x=1", "https://example.com/a?y=1"},
	}
	for _, pair := range apart {
		if one, _ := stratumOf(0, []byte(pair[0])); one == stratumSum(pair[1]) {
			t.Errorf("%s and %s are of two kinds", pair[0], pair[1])
		}
	}
}

func stratumSum(loc string) uint64 {
	stratum, _ := stratumOf(0, []byte(loc))
	return stratum
}

// A gate is a site that counts what is asked of it at once.
type gate struct {
	mutex      sync.Mutex
	asked      map[string]int
	under, top int
	stop       func()
}

func (g *gate) Get(_ context.Context, url string, _ int64) (*Answer, error) {
	g.mutex.Lock()
	g.asked[url]++
	g.under++
	g.top = max(g.top, g.under)
	if g.stop != nil && len(g.asked) == 20 {
		g.stop()
	}
	g.mutex.Unlock()
	defer func() {
		g.mutex.Lock()
		g.under--
		g.mutex.Unlock()
	}()
	return &Answer{Status: http.StatusNotFound, Header: http.Header{}}, nil
}

func gateSitemap(t *testing.T, pages int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(goodHead)
	for i := range pages {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d</loc></url>\n", i)
	}
	b.WriteString("</urlset>")
	path := filepath.Join(t.TempDir(), "sitemap.xml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAsking wants every page of a sample, or of all, asked for once, in no more
// requests at a time than allowed, and the findings in the order of the lines.
func TestAsking(t *testing.T) {
	path := gateSitemap(t, 3000)
	for sample, want := range map[int]int{0: 200, 7: 7, -1: 3000} {
		g := &gate{asked: map[string]int{}}
		options := Options{Live: g, Sample: sample, Concurrency: 3, MaxPerRule: -1, Enable: []string{"page-4xx"}}
		lines, last := 0, 0
		for f, err := range New(options).Check(t.Context(), path) {
			if err != nil {
				t.Fatal(err)
			}
			if f.Line < last {
				t.Errorf("line %d behind %d", f.Line, last)
			}
			last = f.Line
			lines++
		}
		if lines != want || len(g.asked) != want {
			t.Errorf("sample %d: %d findings, %d pages asked for, want %d", sample, lines, len(g.asked), want)
		}
		for url, n := range g.asked {
			if n != 1 {
				t.Errorf("%s asked for %d times", url, n)
			}
		}
		if g.top > 3 {
			t.Errorf("%d requests at once", g.top)
		}
	}
}

// TestAskingEnds wants an end soon after the caller has had enough.
func TestAskingEnds(t *testing.T) {
	path := gateSitemap(t, 3000)
	g := &gate{asked: map[string]int{}}
	for range New(Options{Live: g, Sample: -1, Enable: []string{"page-4xx"}}).Check(t.Context(), path) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := &gate{asked: map[string]int{}, stop: cancel}
	var failed error
	for _, err := range New(Options{Live: h, Sample: -1, Enable: []string{"page-4xx"}}).Check(ctx, path) {
		failed = err
	}
	if failed == nil {
		t.Error("a cancelled check ends without an error")
	}
	for _, n := range []int{len(g.asked), len(h.asked)} {
		if n > 200 {
			t.Errorf("%d pages asked for", n)
		}
	}
}

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
		if got := sizeOf(file); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := sizeOf([]byte("<svg/>")); got != (image.Point{}) {
		t.Errorf("SVG: %v", got)
	}
}
