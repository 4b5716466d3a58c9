package sitemap_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// everything returns an entry with every field of every vocabulary, and signs
// that need escaping wherever they are allowed.
func everything(t testing.TB) *sitemap.URL {
	return &sitemap.URL{
		Loc:        "https://example.com/ä?a&b='c'",
		LastMod:    date(t, "2024-02-29T12:00:00.5+01:00"),
		ChangeFreq: sitemap.ChangeFreqWeekly,
		Priority:   sitemap.PriorityOf(0),
		Extensions: sitemap.Extensions{
			Images: []sitemap.Image{
				{Loc: "https://example.com/ä.jpg?a&b", Caption: `<b>"A & B's"</b>`, GeoLocation: "Köln",
					Title: "Two\nlines,\ta tab", License: "https://example.com/license?a&b"},
				{Loc: "https://example.com/b.jpg"},
			},
			Videos: []sitemap.Video{{
				ThumbnailLoc: "https://example.com/thumbnail.jpg?a&b", Title: "A & B", Description: "<p>Description</p>",
				ContentLoc: "https://example.com/ä.mp4",
				Player:     sitemap.VideoPlayer{Loc: "https://example.com/player ä?a&b", AllowEmbed: "yes", Autoplay: "ap=1&b"},
				Duration:   "28800", ExpirationDate: "2030-01-01", Rating: "4.", ViewCount: "12345",
				PublicationDate: "2024-02-29T12:00:00Z",
				Tags:            slices.Repeat([]string{"a & b"}, 32), FamilyFriendly: "No",
				Restriction:          sitemap.Restriction{Relationship: "deny", List: "DE  FR"},
				RequiresSubscription: "YES", Uploader: sitemap.Uploader{Info: "https://example.com/ü?a&b", Name: "Ü & co"},
				Platform: sitemap.Restriction{Relationship: "allow", List: "web mobile tv"}, Live: "no",
				ContentSegments: []sitemap.ContentSegment{{Duration: "0", Loc: "https://example.com/1?a&b"},
					{Loc: "https://example.com/2"}},
				Category: "Category", Gallery: sitemap.Gallery{Title: `"Gallery"`, Loc: "https://example.com/gallery?a&b"},
				Prices: []sitemap.Price{{Currency: "EUR", Type: "rent", Resolution: "HD", Amount: "1.99"},
					{Currency: "EUR", Amount: "2."}, {Type: "PURCHASE"}},
				TVShow: &sitemap.TVShow{ShowTitle: "Show", VideoType: "full", EpisodeTitle: "Episode", SeasonNumber: "1",
					EpisodeNumber: "2", PremierDate: "2024-02-29"},
				IDs: []sitemap.VideoID{{Type: "tms:series", Value: "1"}, {Type: "freebase", Value: "/m/1"}},
			}, video(), {
				ThumbnailLoc: "https://example.com/t.jpg", Title: strings.Repeat("é", 100), Description: strings.Repeat("漢", 2048),
				Player:      sitemap.VideoPlayer{Loc: "https://example.com/player"},
				Restriction: sitemap.Restriction{Relationship: "allow"},
				Uploader:    sitemap.Uploader{Info: "https://example.com/info"},
			}},
			News: []sitemap.News{{
				PublicationName: "A & B", PublicationLanguage: "zh-cn", PublicationDate: "2024-02-29T12:00:00+01:00",
				Title:  "<Title>",
				Access: "Subscription", Genres: "PressRelease, Blog", Keywords: "a, b & c", StockTickers: "NASDAQ:GOOG, NYSE:IBM",
			}},
			Alternates: []sitemap.Alternate{
				{Rel: "alternate", Hreflang: "de-CH", Href: "https://bücher.example/ä?a&b"},
				{Rel: "alternate", Hreflang: "x-default", Href: "https://example.com/"},
				{Rel: "alternate", Media: `only screen and (max-width: 640px)`, Type: "text/html", Href: "https://m.example.com/"},
				{Rel: "amphtml", Href: "https://example.com/amp"},
				{Rel: "alternate", Href: "android-app://com.example/http/example.com/ä?a&b[]"},
			},
			PageMaps: []sitemap.PageMap{{
				Template: "a&b.xml",
				Objects: []sitemap.DataObject{
					{Type: "document", ID: "a & b",
						Attributes: []sitemap.DataAttribute{{Name: "title", Value: "A & B"}, {Name: "empty"}}},
					{Type: "thing"},
				},
			}},
			Mobile: true,
		},
	}
}

// TestWriteValidates holds everything that can be written against the schemas,
// each vocabulary also alone.
func TestWriteValidates(t *testing.T) {
	all := everything(t)
	plain := sitemap.URL{Loc: all.Loc}
	for name, extensions := range map[string]sitemap.Extensions{
		"all":        all.Extensions,
		"images":     {Images: all.Images},
		"videos":     {Videos: all.Videos},
		"news":       {News: all.News},
		"alternates": {Alternates: all.Alternates},
		"page maps":  {PageMaps: all.PageMaps},
		"mobile":     {Mobile: true},
		"none":       {},
	} {
		t.Run(name, func(t *testing.T) {
			u := *all
			u.Extensions = extensions
			file := write(t, nil, &plain, &u, &plain, &u)
			validate(t, "all.xsd", []byte(file))
			entries, err := readURLs(file)
			if err != nil || len(entries) != 4 {
				t.Errorf("read back %d entries: %v", len(entries), err)
			}
		})
	}
}

func TestWriteIndexValidates(t *testing.T) {
	for _, options := range []sitemap.WriterOptions{
		{Format: sitemap.FormatIndex}, {Format: sitemap.FormatIndex, Stylesheets: []string{"/index.xsl?a&b"}},
	} {
		u := everything(t)
		validate(t, "all.xsd", []byte(write(t, &options, u, &sitemap.URL{Loc: longLoc(2047)}, u)))
		validate(t, "siteindex.xsd", []byte(write(t, &options, u)))
	}
}

// TestWriteEdgesValidate holds single values at the edge of what is allowed
// against the schema: what the writer lets through must be valid.
func TestWriteEdgesValidate(t *testing.T) {
	var urls []*sitemap.URL
	offer := func(u *sitemap.URL) {
		if sitemap.NewWriter(&strings.Builder{}).Write(u) == nil {
			urls = append(urls, u)
		}
	}
	values := []string{
		"", " ", "0", "00", "+1", "-0", "1", "1.", ".5", ".", "0.0", "5", "5.0", "5.00000001", "1e1", "NaN", "INF", "28800",
		"028800",
		"99999999999999999999", "yes", "Yes", "YES", "yeS", "no ", "DE", "DE ", " DE", "DE FR", "web", "web tv", "web  tv",
		"allow",
		"2024-02-29", "2023-02-29", "2024-02-29Z", "2024-02-29+14:00", "2024-02-29+14:01", "2024-02-29T24:00:00",
		"2024-02-29T24:00:00Z",
		"2024-02-29T12:00:00", "2024-02-29T12:00:00.1", "2024-02-29T12:00:00.", "2024-02-29T12:00:00-00:00",
		"2024-02-29T12:00:60Z",
		"2024-02-29t12:00:00z", "2024-02-29 12:00:00Z", "2024-02-29T12:00:00+0100", "0001-01-01",
		"9999-12-31T23:59:59.999999999+14:00",
		"en", "EN", "eng", "engl", "en-us", "zh-tw", "zh-TW", "x-default", "de-1996", "deutschlandwo", "a-b-c-d", "-", "de-",
		"Blog", "Blog,Blog", "Blog, ", "Blog , Blog", "A:B", "A:B,C:D", "Ä:B", "A:", "tms:series", "rovi:program", "url",
		"full", "Full",
		"rent", "Rent", "EUR", "EURO", "hd", "4k", "Subscription", "alternate", "amphtml", "a\u00a0b", "\u2028", "a\tb\r\nc",
		"]]>",
		"https://example.com/", "https://example.com:/", "https://example.com:65535/", "https://a:b@example.com/",
		"https://example.com/%",
		"https://example.com/a%zzb%41[]{}|\\^`<>\"' ü\x00\xff#a#b", "https://[::1]/path", "https://[::ffff:1.2.3.4]:80/",
		"android-app://a/b c",
		"a:b", "a:", "mailto:a@b", "urn:x:[", "tel:+1", "ftp://[::1", "x://a:b:c/", "x://%zz@:99999/", "../a b.xml", ":",
		"1:2", "//", "#", "%",
	}
	for _, value := range values {
		for _, video := range videoVariants(value) {
			offer(&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{Videos: []sitemap.Video{video}}})
		}
		for i := range 8 {
			n := news()
			*[]*string{&n.PublicationName, &n.PublicationLanguage, &n.PublicationDate, &n.Title, &n.Access, &n.Genres,
				&n.Keywords, &n.StockTickers}[i] = value
			offer(&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{News: []sitemap.News{n}}})
		}
		for i := range 5 {
			a := sitemap.Alternate{Href: page}
			*[]*string{&a.Rel, &a.Hreflang, &a.Media, &a.Type, &a.Href}[i] = value
			offer(&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{Alternates: []sitemap.Alternate{a}}})
		}
		for i := range 5 {
			image := sitemap.Image{Loc: page}
			*[]*string{&image.Loc, &image.Caption, &image.GeoLocation, &image.Title, &image.License}[i] = value
			offer(&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{Images: []sitemap.Image{image}}})
		}
		attributes := []sitemap.DataAttribute{{Name: value, Value: value}}
		offer(&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{PageMaps: []sitemap.PageMap{
			{Template: value, Objects: []sitemap.DataObject{{Type: "a", ID: value, Attributes: attributes}}}}}})
		offer(&sitemap.URL{Loc: value})
	}
	for _, value := range []float64{0, 1, 1.0 / 3, 1e-10 / 3, math.SmallestNonzeroFloat64, math.Nextafter(1, 0),
		math.Copysign(0, -1)} {
		offer(&sitemap.URL{Loc: page, Priority: sitemap.PriorityOf(value)})
	}
	file := write(t, nil, urls...)
	for _, fault := range validityErrors(t, "all.xsd", []byte(file)) {
		t.Error(fault)
	}
	if len(urls) < 500 {
		t.Errorf("only %d values were written", len(urls))
	}
}

// videoVariants returns a good video for each of its fields, with value there.
func videoVariants(value string) []sitemap.Video {
	var videos []sitemap.Video
	set := func(change func(v *sitemap.Video)) {
		v := video()
		change(&v)
		videos = append(videos, v)
	}
	set(func(v *sitemap.Video) { v.ThumbnailLoc = value })
	set(func(v *sitemap.Video) { v.Title = value })
	set(func(v *sitemap.Video) { v.Description = value })
	set(func(v *sitemap.Video) { v.ContentLoc = value })
	set(func(v *sitemap.Video) { v.Player.Loc = value })
	set(func(v *sitemap.Video) { v.Player = sitemap.VideoPlayer{Loc: page + "/a", AllowEmbed: value} })
	set(func(v *sitemap.Video) { v.Player = sitemap.VideoPlayer{Loc: page + "/a", Autoplay: value} })
	set(func(v *sitemap.Video) { v.Duration = value })
	set(func(v *sitemap.Video) { v.ExpirationDate = value })
	set(func(v *sitemap.Video) { v.Rating = value })
	set(func(v *sitemap.Video) { v.ViewCount = value })
	set(func(v *sitemap.Video) { v.PublicationDate = value })
	set(func(v *sitemap.Video) { v.Tags = []string{value} })
	set(func(v *sitemap.Video) { v.FamilyFriendly = value })
	set(func(v *sitemap.Video) { v.Restriction = sitemap.Restriction{Relationship: value, List: "DE"} })
	set(func(v *sitemap.Video) { v.Restriction = sitemap.Restriction{Relationship: "allow", List: value} })
	set(func(v *sitemap.Video) { v.RequiresSubscription = value })
	set(func(v *sitemap.Video) { v.Uploader.Name = value })
	set(func(v *sitemap.Video) { v.Uploader.Info = value })
	set(func(v *sitemap.Video) { v.Platform = sitemap.Restriction{Relationship: "deny", List: value} })
	set(func(v *sitemap.Video) { v.Live = value })
	set(func(v *sitemap.Video) { v.ContentSegments = []sitemap.ContentSegment{{Duration: value, Loc: page}} })
	set(func(v *sitemap.Video) { v.ContentSegments = []sitemap.ContentSegment{{Loc: value}} })
	set(func(v *sitemap.Video) { v.Category = value })
	set(func(v *sitemap.Video) { v.Gallery = sitemap.Gallery{Title: value, Loc: page} })
	set(func(v *sitemap.Video) { v.Gallery.Loc = value })
	set(func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Currency: value, Amount: "1"}} })
	set(func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Currency: "EUR", Amount: value}} })
	set(func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Type: value}} })
	set(func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Type: "rent", Resolution: value}} })
	for i := range 6 {
		s := &sitemap.TVShow{ShowTitle: "Show", VideoType: "full"}
		*[]*string{&s.ShowTitle, &s.VideoType, &s.EpisodeTitle, &s.SeasonNumber, &s.EpisodeNumber, &s.PremierDate}[i] = value
		set(func(v *sitemap.Video) { v.TVShow = s })
	}
	set(func(v *sitemap.Video) { v.IDs = []sitemap.VideoID{{Type: value, Value: "1"}} })
	set(func(v *sitemap.Video) { v.IDs = []sitemap.VideoID{{Type: "url", Value: value}} })
	return videos
}
