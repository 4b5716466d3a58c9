package sitemap_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

var everyFormat = []sitemap.Format{sitemap.FormatURLSet, sitemap.FormatIndex, sitemap.FormatText, sitemap.FormatRSS,
	sitemap.FormatAtom}

// TestLimitBytes offers entries of many sizes, kinds and dates to files of every
// small limit: what is written must never exceed it, and Size must be right.
func TestLimitBytes(t *testing.T) {
	for _, format := range everyFormat {
		random := rand.New(rand.NewPCG(1, uint64(format)))
		first := int64(200)
		if format == sitemap.FormatRSS || format == sitemap.FormatAtom {
			first = 300 // room for the channel
		}
		for limit := first; limit <= 2000; limit++ {
			var file strings.Builder
			limits := sitemap.Limits{Bytes: limit}
			w := sitemap.NewWriter(&file, &sitemap.WriterOptions{Format: format, Feed: feed, Limits: limits})
			written := 0
			for range 40 {
				u := randomURL(random)
				size, count, newest := w.Size(), w.Count(), w.NewestLastMod()
				err := w.Write(u)
				switch {
				case err == nil:
					written++
				case written == 0 && !errors.Is(err, sitemap.ErrEntryTooLarge), written > 0 && !errors.Is(err, sitemap.ErrFull):
					t.Fatalf("%s, limit %d, %d entries: %v", format, limit, written, err)
				case w.Size() != size || w.Count() != count || w.NewestLastMod() != newest:
					t.Fatalf("%s, limit %d: a refused entry changed size %d to %d", format, limit, size, w.Size())
				}
				if w.Size() > limit {
					t.Fatalf("%s: size %d passes the limit %d", format, w.Size(), limit)
				}
			}
			size := w.Size()
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if n := int64(file.Len()); n > limit || n != size || n != w.Size() {
				t.Fatalf("%s, limit %d: the file has %d bytes, Size said %d, then %d", format, limit, n, size, w.Size())
			}
			if w.Count() != written {
				t.Fatalf("%s: count %d, want %d", format, w.Count(), written)
			}
		}
	}
}

// randomURL has a date always, since Atom demands one.
func randomURL(random *rand.Rand) *sitemap.URL {
	u := &sitemap.URL{Loc: longLoc(20 + random.IntN(200)), LastMod: sitemap.DateOf(noon.AddDate(0, 0, random.IntN(100)))}
	if random.IntN(2) == 0 {
		u.LastMod = sitemap.DateOf(noon.AddDate(0, 0, random.IntN(100)).Add(123456789))
	}
	switch random.IntN(4) {
	case 0:
		u.Images = []sitemap.Image{{Loc: longLoc(20 + random.IntN(200)), Title: "<&>"}}
	case 1:
		u.Alternates = []sitemap.Alternate{{Hreflang: "de", Href: longLoc(30)}}
	case 2:
		u.Mobile = true
	}
	return u
}

// TestLimitBytesExact finds, for one entry, the smallest limit that lets it in.
func TestLimitBytesExact(t *testing.T) {
	for _, format := range everyFormat {
		u := &sitemap.URL{Loc: longLoc(300), LastMod: sitemap.DayOf(noon)}
		options := &sitemap.WriterOptions{Format: format, Feed: feed}
		size := int64(len(write(t, options, u)))
		options.Limits.Bytes = size
		write(t, options, u)
		options.Limits.Bytes = size - 1
		if err := sitemap.NewWriter(&strings.Builder{}, options).Write(u); !errors.Is(err, sitemap.ErrEntryTooLarge) {
			t.Errorf("%s: %d bytes into %d: %v", format, size, size-1, err)
		}
	}
}

// TestLimitBytesAfterFirstFlush does the same where part of the file is out of
// the buffer already.
func TestLimitBytesAfterFirstFlush(t *testing.T) {
	const limit = 600_000
	var file strings.Builder
	w := sitemap.NewWriter(&file, &sitemap.WriterOptions{Limits: sitemap.Limits{Bytes: limit}})
	random := rand.New(rand.NewPCG(2, 2))
	var err error
	for err == nil {
		err = w.Write(randomURL(random))
	}
	if !errors.Is(err, sitemap.ErrFull) {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if file.Len() > limit || file.Len() < limit-1000 || w.Size() != int64(file.Len()) {
		t.Errorf("the file has %d bytes, Size says %d, the limit is %d", file.Len(), w.Size(), limit)
	}
	validate(t, "all.xsd", []byte(file.String()))
}

func TestLimitCount(t *testing.T) {
	for _, test := range []struct {
		format sitemap.Format
		limits sitemap.Limits
		want   int
	}{
		{sitemap.FormatURLSet, sitemap.Limits{}, 50_000},
		{sitemap.FormatIndex, sitemap.Limits{}, 50_000},
		{sitemap.FormatText, sitemap.Limits{}, 50_000},
		{sitemap.FormatRSS, sitemap.Limits{}, 50_000},
		{sitemap.FormatURLSet, sitemap.Limits2007(), 50_000},
		{sitemap.FormatIndex, sitemap.Limits2007(), 1_000},
		{sitemap.FormatURLSet, sitemap.Limits{URLs: 3, Sitemaps: 5}, 3},
		{sitemap.FormatIndex, sitemap.Limits{URLs: 3, Sitemaps: 5}, 5},
	} {
		t.Run(fmt.Sprint(test.format, test.limits), func(t *testing.T) {
			var file strings.Builder
			w := sitemap.NewWriter(&file, &sitemap.WriterOptions{Format: test.format, Limits: test.limits, Feed: feed})
			u := &sitemap.URL{Loc: "https://example.com/"}
			for i := range test.want {
				if err := w.Write(u); err != nil {
					t.Fatalf("entry %d: %v", i, err)
				}
			}
			if err := w.Write(u); !errors.Is(err, sitemap.ErrFull) {
				t.Errorf("one entry too many: %v", err)
			}
			if err := w.Close(); err != nil || w.Count() != test.want {
				t.Errorf("close: %v, count %d", err, w.Count())
			}
			entries, err := readURLs(file.String())
			if err != nil || len(entries) != test.want {
				t.Errorf("read back %d entries, %v, want %d", len(entries), err, test.want)
			}
		})
	}
}

// TestLimitImages writes as many images as a page may have.
func TestLimitImages(t *testing.T) {
	u := &sitemap.URL{Loc: page}
	for i := range 1000 {
		u.Images = append(u.Images, sitemap.Image{Loc: fmt.Sprintf("https://example.com/%d.jpg", i)})
	}
	entries, err := readURLs(write(t, nil, u))
	if err != nil || len(entries) != 1 || len(entries[0].Images) != 1000 {
		t.Errorf("read back %d entries: %v", len(entries), err)
	}
}

// TestLimits2007Bytes writes as much as the first edition allowed in a file.
func TestLimits2007Bytes(t *testing.T) {
	var file strings.Builder
	w := sitemap.NewWriter(&file, &sitemap.WriterOptions{Limits: sitemap.Limits2007()})
	u := &sitemap.URL{Loc: longLoc(2000)}
	var err error
	for err == nil {
		err = w.Write(u)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const limit = 10 << 20
	if !errors.Is(err, sitemap.ErrFull) || file.Len() > limit || file.Len() < limit-2100 {
		t.Errorf("%d bytes, then %v", file.Len(), err)
	}
}
