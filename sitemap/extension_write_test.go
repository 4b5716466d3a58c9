package sitemap_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

const page = "https://example.com/page"

// video returns the least that may be written.
func video() sitemap.Video {
	return sitemap.Video{
		ThumbnailLoc: "https://example.com/thumbnail.jpg", Title: "Title", Description: "Description",
		ContentLoc: "https://example.com/video.mp4",
	}
}

func news() sitemap.News {
	return sitemap.News{
		PublicationName: "The Example", PublicationLanguage: "en",
		PublicationDate: "2024-02-29", Title: "Example burns",
	}
}

func TestVideoRefused(t *testing.T) {
	for _, test := range []struct {
		name, field string
		change      func(*sitemap.Video)
		why         error
	}{
		{"no thumbnail", "video:thumbnail_loc", func(v *sitemap.Video) { v.ThumbnailLoc = "" }, sitemap.ErrMissing},
		{"relative thumbnail", "video:thumbnail_loc", func(v *sitemap.Video) { v.ThumbnailLoc = "/a.jpg" },
			sitemap.ErrRelative},
		{"no title", "video:title", func(v *sitemap.Video) { v.Title = "" }, sitemap.ErrMissing},
		{"blank title", "video:title", func(v *sitemap.Video) { v.Title = " \n" }, sitemap.ErrMissing},
		{"long title", "video:title", func(v *sitemap.Video) { v.Title = strings.Repeat("é", 101) }, nil},
		{"control character in the title", "video:title", func(v *sitemap.Video) { v.Title = "a\x0bb" }, sitemap.ErrText},
		{"title that is not UTF-8", "video:title", func(v *sitemap.Video) { v.Title = "a\xff" }, sitemap.ErrText},
		{"title with a non-character", "video:title", func(v *sitemap.Video) { v.Title = "a\ufffe" }, sitemap.ErrText},
		{"no description", "video:description", func(v *sitemap.Video) { v.Description = "" }, sitemap.ErrMissing},
		{"long description", "video:description", func(v *sitemap.Video) { v.Description = strings.Repeat("a", 2049) }, nil},
		{"no location", "video:content_loc", func(v *sitemap.Video) { v.ContentLoc = "" }, nil},
		{"content is the page", "video:content_loc", func(v *sitemap.Video) { v.ContentLoc = page }, nil},
		{"content is the page otherwise spelt", "video:content_loc",
			func(v *sitemap.Video) { v.ContentLoc = " HTTPS" + page[5:] }, nil},
		{"player is the page", "video:player_loc", func(v *sitemap.Video) { v.Player.Loc = page }, nil},
		{"relative content", "video:content_loc", func(v *sitemap.Video) { v.ContentLoc = "/a.mp4" }, sitemap.ErrRelative},
		{"relative player", "video:player_loc", func(v *sitemap.Video) { v.Player.Loc = "/player" }, sitemap.ErrRelative},
		{"player without address", "video:player_loc", func(v *sitemap.Video) { v.Player.Autoplay = "ap=1" },
			sitemap.ErrMissing},
		{"allow_embed", "video:player_loc allow_embed", func(v *sitemap.Video) {
			v.Player = sitemap.VideoPlayer{Loc: "https://example.com/p", AllowEmbed: "true"}
		}, nil},
		{"autoplay", "video:player_loc autoplay",
			func(v *sitemap.Video) {
				v.Player = sitemap.VideoPlayer{Loc: "https://example.com/p",
					Autoplay: "\x00"}
			}, sitemap.ErrText},
		{"duration above", "video:duration", func(v *sitemap.Video) { v.Duration = "28801" }, nil},
		{"duration below", "video:duration", func(v *sitemap.Video) { v.Duration = "-1" }, nil},
		{"duration in minutes", "video:duration", func(v *sitemap.Video) { v.Duration = "1:30" }, nil},
		{"expiration date", "video:expiration_date", func(v *sitemap.Video) { v.ExpirationDate = "tomorrow" },
			sitemap.ErrDate},
		{"expiration month", "video:expiration_date", func(v *sitemap.Video) { v.ExpirationDate = "2024-02" },
			sitemap.ErrDate},
		{"rating above", "video:rating", func(v *sitemap.Video) { v.Rating = "5.1" }, nil},
		{"rating below", "video:rating", func(v *sitemap.Video) { v.Rating = "-0.1" }, nil},
		{"rating with an exponent", "video:rating", func(v *sitemap.Video) { v.Rating = "1e0" }, nil},
		{"segment duration", "video:content_segment_loc duration", func(v *sitemap.Video) {
			v.ContentSegments = []sitemap.ContentSegment{{Loc: "https://example.com/1", Duration: "28801"}}
		}, nil},
		{"segment without address", "video:content_segment_loc",
			func(v *sitemap.Video) { v.ContentSegments = []sitemap.ContentSegment{{Duration: "1"}} }, sitemap.ErrMissing},
		{"view count", "video:view_count", func(v *sitemap.Video) { v.ViewCount = "1,000" }, nil},
		{"publication date", "video:publication_date", func(v *sitemap.Video) { v.PublicationDate = "2024-02-29T12:00Z" },
			sitemap.ErrDate},
		{"33 tags", "video:tag", func(v *sitemap.Video) { v.Tags = slices.Repeat([]string{"tag"}, 33) }, sitemap.ErrTooMany},
		{"tag", "video:tag", func(v *sitemap.Video) { v.Tags = []string{"good", "\x1b"} }, sitemap.ErrText},
		{"long category", "video:category", func(v *sitemap.Video) { v.Category = strings.Repeat("a", 257) }, nil},
		{"family friendly", "video:family_friendly", func(v *sitemap.Video) { v.FamilyFriendly = "true" }, nil},
		{"restriction without relationship", "video:restriction relationship",
			func(v *sitemap.Video) { v.Restriction.List = "DE" }, nil},
		{"restriction to a lower-case country", "video:restriction",
			func(v *sitemap.Video) { v.Restriction = sitemap.Restriction{Relationship: "allow", List: "de"} }, nil},
		{"restriction with commas", "video:restriction",
			func(v *sitemap.Video) { v.Restriction = sitemap.Restriction{Relationship: "allow", List: "DE,FR"} }, nil},
		{"gallery without address", "video:gallery_loc", func(v *sitemap.Video) { v.Gallery.Title = "Title" },
			sitemap.ErrMissing},
		{"price without currency", "video:price currency",
			func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Amount: "1"}} }, sitemap.ErrMissing},
		{"price in an unknown form of currency", "video:price currency",
			func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Amount: "1", Currency: "eur"}} }, nil},
		{"price without anything", "video:price type", func(v *sitemap.Video) { v.Prices = []sitemap.Price{{}} },
			sitemap.ErrMissing},
		{"price below", "video:price", func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Amount: "-1", Currency: "EUR"}} },
			nil},
		{"price type", "video:price type",
			func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Amount: "1", Currency: "EUR", Type: "Rent"}} }, nil},
		{"price resolution", "video:price resolution",
			func(v *sitemap.Video) { v.Prices = []sitemap.Price{{Amount: "1", Currency: "EUR", Resolution: "4k"}} }, nil},
		{"requires subscription", "video:requires_subscription", func(v *sitemap.Video) { v.RequiresSubscription = "maybe" },
			nil},
		{"long uploader", "video:uploader", func(v *sitemap.Video) { v.Uploader.Name = strings.Repeat("a", 256) }, nil},
		{"uploader info", "video:uploader info",
			func(v *sitemap.Video) { v.Uploader = sitemap.Uploader{Name: "a", Info: "/a"} }, sitemap.ErrRelative},
		{"show without title", "video:show_title", func(v *sitemap.Video) { v.TVShow = &sitemap.TVShow{VideoType: "full"} },
			sitemap.ErrMissing},
		{"show without type", "video:video_type", func(v *sitemap.Video) { v.TVShow = &sitemap.TVShow{ShowTitle: "a"} },
			sitemap.ErrMissing},
		{"show type", "video:video_type",
			func(v *sitemap.Video) { v.TVShow = &sitemap.TVShow{ShowTitle: "a", VideoType: "Full"} }, nil},
		{"season", "video:season_number", func(v *sitemap.Video) {
			v.TVShow = &sitemap.TVShow{ShowTitle: "a", VideoType: "full", SeasonNumber: "0"}
		}, nil},
		{"episode", "video:episode_number", func(v *sitemap.Video) {
			v.TVShow = &sitemap.TVShow{ShowTitle: "a", VideoType: "full", EpisodeNumber: "1a"}
		}, nil},
		{"premiere", "video:premier_date", func(v *sitemap.Video) {
			v.TVShow = &sitemap.TVShow{ShowTitle: "a", VideoType: "full", PremierDate: "2024"}
		}, sitemap.ErrDate},
		{"platform", "video:platform",
			func(v *sitemap.Video) { v.Platform = sitemap.Restriction{Relationship: "allow", List: "web  tv"} }, nil},
		{"platform relationship", "video:platform relationship",
			func(v *sitemap.Video) { v.Platform = sitemap.Restriction{Relationship: "Allow", List: "web"} }, nil},
		{"live", "video:live", func(v *sitemap.Video) { v.Live = " yes" }, nil},
		{"id type", "video:id type", func(v *sitemap.Video) { v.IDs = []sitemap.VideoID{{Type: "imdb", Value: "1"}} }, nil},
		{"id without type", "video:id type", func(v *sitemap.Video) { v.IDs = []sitemap.VideoID{{Value: "1"}} }, nil},
		{"foreign child", "x:y", func(v *sitemap.Video) { v.Other = []sitemap.Element{{XML: "<x:y/>"}} }, sitemap.ErrElement},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := video()
			test.change(&v)
			refused(t, sitemap.FormatURLSet,
				&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{Videos: []sitemap.Video{video(), v}}}, test.field, test.why)
		})
	}
}

func TestNewsRefused(t *testing.T) {
	for _, test := range []struct {
		name, field string
		change      func(*sitemap.News)
		why         error
	}{
		{"no name", "news:name", func(n *sitemap.News) { n.PublicationName = "" }, sitemap.ErrMissing},
		{"no language", "news:language", func(n *sitemap.News) { n.PublicationLanguage = "" }, sitemap.ErrMissing},
		{"language with a region", "news:language", func(n *sitemap.News) { n.PublicationLanguage = "en-US" }, nil},
		{"no date", "news:publication_date", func(n *sitemap.News) { n.PublicationDate = "" }, sitemap.ErrMissing},
		{"month for a date", "news:publication_date", func(n *sitemap.News) { n.PublicationDate = "2024-02" },
			sitemap.ErrDate},
		{"no title", "news:title", func(n *sitemap.News) { n.Title = "" }, sitemap.ErrMissing},
		{"control character in the title", "news:title", func(n *sitemap.News) { n.Title = "a\x08b" }, sitemap.ErrText},
		{"access", "news:access", func(n *sitemap.News) { n.Access = "subscription" }, nil},
		{"genre", "news:genres", func(n *sitemap.News) { n.Genres = "Blog, Poem" }, nil},
		{"six tickers", "news:stock_tickers", func(n *sitemap.News) { n.StockTickers = "A:A, A:B, A:C, A:D, A:E, A:F" }, nil},
		{"ticker without exchange", "news:stock_tickers", func(n *sitemap.News) { n.StockTickers = "GOOG" }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := news()
			test.change(&n)
			refused(t, sitemap.FormatURLSet, &sitemap.URL{Loc: page, Extensions: sitemap.Extensions{News: []sitemap.News{n}}},
				test.field, test.why)
		})
	}
}

func TestExtensionRefused(t *testing.T) {
	image := sitemap.Image{Loc: "https://example.com/a.jpg"}
	for _, test := range []struct {
		name, field string
		extensions  sitemap.Extensions
		why         error
	}{
		{"1,001 images", "image:image", sitemap.Extensions{Images: slices.Repeat([]sitemap.Image{image}, 1001)},
			sitemap.ErrTooMany},
		{"image without address", "image:loc", sitemap.Extensions{Images: []sitemap.Image{image, {Title: "a"}}},
			sitemap.ErrMissing},
		{"relative image", "image:loc", sitemap.Extensions{Images: []sitemap.Image{{Loc: "a.jpg"}}}, sitemap.ErrRelative},
		{"caption", "image:caption", sitemap.Extensions{Images: []sitemap.Image{{Loc: image.Loc, Caption: "\x00"}}},
			sitemap.ErrText},
		{"license", "image:license", sitemap.Extensions{Images: []sitemap.Image{{Loc: image.Loc, License: "CC-BY"}}},
			sitemap.ErrRelative},
		{"alternate without href", "xhtml:link href", sitemap.Extensions{Alternates: []sitemap.Alternate{{Hreflang: "de"}}},
			sitemap.ErrMissing},
		{"relative alternate", "xhtml:link href",
			sitemap.Extensions{Alternates: []sitemap.Alternate{{Hreflang: "de", Href: "/de"}}}, sitemap.ErrRelative},
		{"alternate without host", "xhtml:link href",
			sitemap.Extensions{Alternates: []sitemap.Alternate{{Hreflang: "de", Href: "http:///de"}}}, sitemap.ErrHost},
		{"alternate of another relation", "xhtml:link rel",
			sitemap.Extensions{Alternates: []sitemap.Alternate{{Rel: "canonical", Href: page}}}, nil},
		{"language with an underscore", "xhtml:link hreflang",
			sitemap.Extensions{Alternates: []sitemap.Alternate{{Hreflang: "de_CH", Href: page}}}, nil},
		{"alternate of an app without a good address", "xhtml:link href",
			sitemap.Extensions{Alternates: []sitemap.Alternate{{Href: "android-app://a:b:c/"}}}, nil},
		{"alternate of an app with signs in the user", "xhtml:link href",
			sitemap.Extensions{Alternates: []sitemap.Alternate{{Href: "app://@@a/"}}}, nil},
		{"media", "xhtml:link media", sitemap.Extensions{Alternates: []sitemap.Alternate{{Media: "\x00", Href: page}}},
			sitemap.ErrText},
		{"object without type", "DataObject type",
			sitemap.Extensions{PageMaps: []sitemap.PageMap{{Objects: []sitemap.DataObject{{ID: "a"}}}}}, sitemap.ErrMissing},
		{"attribute without name", "Attribute name",
			sitemap.Extensions{PageMaps: []sitemap.PageMap{{Objects: []sitemap.DataObject{{
				Type: "a", Attributes: []sitemap.DataAttribute{{Value: "b"}}}}}}}, sitemap.ErrMissing},
		{"blank template", "Template src", sitemap.Extensions{PageMaps: []sitemap.PageMap{{Template: " "}}},
			sitemap.ErrMissing},
		{"template", "Template src", sitemap.Extensions{PageMaps: []sitemap.PageMap{{Template: "1:2"}}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			refused(t, sitemap.FormatURLSet, &sitemap.URL{Loc: page, Extensions: test.extensions}, test.field, test.why)
		})
	}
}

func TestElementRefused(t *testing.T) {
	bound := []sitemap.Namespace{{Prefix: "x", URI: "urn:x"}}
	for _, test := range []struct {
		name, field string
		element     sitemap.Element
	}{
		{"empty", "", sitemap.Element{}},
		{"text", "text", sitemap.Element{XML: "text"}},
		{"space before", "", sitemap.Element{XML: " <a/>"}},
		{"not closed", "a", sitemap.Element{XML: "<a><b></b>"}},
		{"cut", "a", sitemap.Element{XML: "<a"}},
		{"wrong end tag", "a", sitemap.Element{XML: "<a></b>"}},
		{"end tag too many", "a", sitemap.Element{XML: "<a></a></url>"}},
		{"two", "a", sitemap.Element{XML: "<a/><b/>"}},
		{"text after it", "a", sitemap.Element{XML: "<a/>text"}},
		{"bare ampersand", "a", sitemap.Element{XML: "<a>b & c</a>"}},
		{"entity of HTML", "a", sitemap.Element{XML: "<a>&nbsp;</a>"}},
		{"control character", "a", sitemap.Element{XML: "<a>\x01</a>"}},
		{"control character by number", "a", sitemap.Element{XML: "<a>&#1;</a>"}},
		{"control character in a comment", "a", sitemap.Element{XML: "<a><!-- \x01 --></a>"}},
		{"bytes that are not UTF-8", "a", sitemap.Element{XML: "<a b='\xff'/>"}},
		{"attribute twice", "a", sitemap.Element{XML: "<a b='1' b='2'/>"}},
		{"attribute twice by namespace", "a", sitemap.Element{XML: "<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>"}},
		{"attributes without space", "a", sitemap.Element{XML: "<a b='1'c='2'/>"}},
		{"attribute without value", "a", sitemap.Element{XML: "<a b/>"}},
		{"document type", "a", sitemap.Element{XML: "<a><!DOCTYPE b></a>"}},
		{"XML declaration", "a", sitemap.Element{XML: `<a><?xml version="1.0"?></a>`}},
		{"undeclared prefix", "x:a", sitemap.Element{XML: "<x:a/>"}},
		{"undeclared prefix inside", "a", sitemap.Element{XML: "<a><x:b/></a>"}},
		{"undeclared prefix of an attribute", "a", sitemap.Element{XML: "<a x:b='1'/>"}},
		{"prefix declared by a sibling", "a", sitemap.Element{XML: "<a><x:b xmlns:x='u'/><x:c/></a>"}},
		{"prefix without a namespace", "x:a", sitemap.Element{XML: "<x:a/>", Namespaces: []sitemap.Namespace{{Prefix: "x"}}}},
		{"prefix declared as nothing", "x:a", sitemap.Element{XML: "<x:a xmlns:x=''/>"}},
		{"empty prefix declared", "a", sitemap.Element{XML: "<a xmlns:='u'/>"}},
		{"digit for a prefix", "a", sitemap.Element{XML: "<a xmlns:0='u'/>"}},
		{"empty prefix", ":a", sitemap.Element{XML: "<:a/>"}},
		{"empty name", "x:", sitemap.Element{XML: "<x:/>", Namespaces: bound}},
		{"attribute with an empty prefix", "a", sitemap.Element{XML: "<a :b='1'/>"}},
		{"attribute with an empty name", "a", sitemap.Element{XML: "<a x:='1'/>", Namespaces: bound}},
		{"prefix that cannot be declared", "a", sitemap.Element{XML: "<a xmlns:xml='u'/>"}},
		{"namespace twice", "x:a", sitemap.Element{XML: "<x:a/>", Namespaces: append(bound, bound...)}},
		{"prefix that is markup", "x:a",
			sitemap.Element{XML: "<x:a/>", Namespaces: []sitemap.Namespace{{Prefix: "y='><b/>", URI: "u"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			refused(t, sitemap.FormatURLSet,
				&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{Other: []sitemap.Element{test.element}}}, test.field,
				sitemap.ErrElement)
		})
	}
}
