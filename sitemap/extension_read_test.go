package sitemap_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestExtensions reads every field of every vocabulary, those without effect
// today too.
func TestExtensions(t *testing.T) {
	for _, c := range []struct {
		name, inner string
		want        sitemap.Extensions
	}{
		{"image", `<image:image><image:loc> http://a/?b&amp;c </image:loc><image:caption><![CDATA[a & b]]></image:caption><image:geo_location>Limerick, Ireland</image:geo_location>
			<image:title>a &lt; <!-- c -->b</image:title><image:license>http://l/</image:license></image:image><image:image><image:loc>http://b/</image:loc></image:image>`,
			sitemap.Extensions{Images: []sitemap.Image{
				{Loc: "http://a/?b&c", Caption: "a & b", GeoLocation: "Limerick, Ireland", Title: "a < b", License: "http://l/"},
				{Loc: "http://b/"},
			}}},
		{"video", `<video:video>
			<video:thumbnail_loc>http://t/</video:thumbnail_loc><video:title>a</video:title><video:description>b</video:description>
			<video:content_loc>http://c/</video:content_loc><video:player_loc allow_embed="yes" autoplay='ap=1'>http://p/</video:player_loc>
			<video:duration>600</video:duration><video:expiration_date>2030-01-01</video:expiration_date><video:rating>4.2</video:rating>
			<video:view_count>12</video:view_count><video:publication_date>2024-01-01</video:publication_date>
			<video:tag>x</video:tag><video:tag>y</video:tag><video:category>d</video:category><video:family_friendly>yes</video:family_friendly>
			<video:restriction relationship="allow">IE GB</video:restriction><video:gallery_loc title="g">http://g/</video:gallery_loc>
			<video:price currency="EUR" type="rent" resolution="hd">1.99</video:price><video:price currency="USD">2</video:price>
			<video:requires_subscription>no</video:requires_subscription><video:uploader info="http://u/">u</video:uploader>
			<video:platform relationship="deny">web tv</video:platform><video:live>no</video:live>
			<video:content_segment_loc duration="10">http://s/1</video:content_segment_loc><video:content_segment_loc>http://s/2</video:content_segment_loc>
			<video:tvshow><video:show_title>s</video:show_title><video:video_type>full</video:video_type><video:episode_title>e</video:episode_title>
			<video:season_number>1</video:season_number><video:episode_number>2</video:episode_number><video:premier_date>2020-01-01</video:premier_date></video:tvshow>
			<video:id type="tms:series">i</video:id><video:id type="url">http://i/</video:id><video:foo>z</video:foo></video:video>`,
			sitemap.Extensions{Videos: []sitemap.Video{{
				ThumbnailLoc: "http://t/", Title: "a", Description: "b", ContentLoc: "http://c/",
				Player:   sitemap.VideoPlayer{Loc: "http://p/", AllowEmbed: "yes", Autoplay: "ap=1"},
				Duration: "600", ExpirationDate: "2030-01-01", Rating: "4.2", ViewCount: "12", PublicationDate: "2024-01-01",
				Tags: []string{"x", "y"}, Category: "d", FamilyFriendly: "yes",
				Restriction: sitemap.Restriction{Relationship: "allow", List: "IE GB"},
				Gallery:     sitemap.Gallery{Title: "g", Loc: "http://g/"},
				Prices: []sitemap.Price{{Currency: "EUR", Type: "rent", Resolution: "hd", Amount: "1.99"},
					{Currency: "USD", Amount: "2"}},
				RequiresSubscription: "no", Uploader: sitemap.Uploader{Info: "http://u/", Name: "u"},
				Platform: sitemap.Restriction{Relationship: "deny", List: "web tv"}, Live: "no",
				ContentSegments: []sitemap.ContentSegment{{Duration: "10", Loc: "http://s/1"}, {Loc: "http://s/2"}},
				TVShow: &sitemap.TVShow{ShowTitle: "s", VideoType: "full", EpisodeTitle: "e", SeasonNumber: "1",
					EpisodeNumber: "2", PremierDate: "2020-01-01"},
				IDs: []sitemap.VideoID{{Type: "tms:series", Value: "i"}, {Type: "url", Value: "http://i/"}},
				Other: []sitemap.Element{{XML: "<video:foo>z</video:foo>",
					Namespaces: []sitemap.Namespace{{Prefix: "video", URI: "http://www.google.com/schemas/sitemap-video/1.1"}}}},
			}}}},
		{"news", `<news:news><news:publication><news:name>n</news:name><news:language>zh-cn</news:language></news:publication>
			<news:access>Registration</news:access><news:genres>Blog, Satire</news:genres><news:publication_date>2024-01-01</news:publication_date>
			<news:title>t</news:title><news:keywords>a, b</news:keywords><news:stock_tickers>NASDAQ:A</news:stock_tickers></news:news>`,
			sitemap.Extensions{News: []sitemap.News{{PublicationName: "n", PublicationLanguage: "zh-cn",
				PublicationDate: "2024-01-01", Title: "t",
				Access: "Registration", Genres: "Blog, Satire", Keywords: "a, b", StockTickers: "NASDAQ:A"}}}},
		{"alternates", `<xhtml:link rel="alternate" hreflang="de-CH" href="http://a/?b&amp;c"/>
			<xhtml:link rel="alternate" media="only screen and (max-width: 640px)" href='http://m/'></xhtml:link>
			<xhtml:link rel="amphtml" type="text/html" href="http://amp/"/><xhtml:link rel="alternate" href="android-app://p/http/a"/>`,
			sitemap.Extensions{Alternates: []sitemap.Alternate{
				{Rel: "alternate", Hreflang: "de-CH", Href: "http://a/?b&c"},
				{Rel: "alternate", Media: "only screen and (max-width: 640px)", Href: "http://m/"},
				{Rel: "amphtml", Type: "text/html", Href: "http://amp/"},
				{Rel: "alternate", Href: "android-app://p/http/a"},
			}}},
		{"pagemap", `<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><Template src="s"/><DataObject type="document" id="h">
			<Attribute name="title">a &amp; b</Attribute><Attribute name="c" value="d"/></DataObject><DataObject type="x"/></PageMap>`,
			sitemap.Extensions{PageMaps: []sitemap.PageMap{{Template: "s", Objects: []sitemap.DataObject{
				{Type: "document", ID: "h", Attributes: []sitemap.DataAttribute{{Name: "title", Value: "a & b"},
					{Name: "c", Value: "d"}}},
				{Type: "x"},
			}}}}},
		{"mobile", `<mobile:mobile/>`, sitemap.Extensions{Mobile: true}},
		{"mobile with an end", `<mobile:mobile></mobile:mobile>`, sitemap.Extensions{Mobile: true}},
		{"between the four", `<mobile:mobile/><lastmod>2024</lastmod><image:image><image:loc>a</image:loc></image:image><priority>1</priority>`,
			sitemap.Extensions{Mobile: true, Images: []sitemap.Image{{Loc: "a"}}}},
		{"unknown", `<geo:geo xmlns:geo="http://www.google.com/geo/schemas/sitemap/1.0"><geo:format>kml</geo:format></geo:geo><y:z a="&quot;" xmlns:y="u"> <![CDATA[<]]>&amp;<!-- c --></y:z>`,
			sitemap.Extensions{Other: []sitemap.Element{
				{XML: `<geo:geo xmlns:geo="http://www.google.com/geo/schemas/sitemap/1.0"><geo:format>kml</geo:format></geo:geo>`},
				{XML: `<y:z a="&quot;" xmlns:y="u"> <![CDATA[<]]>&amp;<!-- c --></y:z>`},
			}}},
		{"unknown of the protocol", `<expires>2030-01-01</expires>`,
			sitemap.Extensions{Other: []sitemap.Element{{XML: "<expires>2030-01-01</expires>"}}}},
		{"unknown with prefixes from around",
			`<x:a xmlns:x="u"><image:b xhtml:c="" xml:lang="de"/><x:d xmlns:news="own"><news:e/></x:d></x:a>`,
			sitemap.Extensions{Other: []sitemap.Element{{
				XML: `<x:a xmlns:x="u"><image:b xhtml:c="" xml:lang="de"/><x:d xmlns:news="own"><news:e/></x:d></x:a>`,
				Namespaces: []sitemap.Namespace{{Prefix: "image", URI: "http://www.google.com/schemas/sitemap-image/1.1"},
					{Prefix: "xhtml", URI: "http://www.w3.org/1999/xhtml"}},
			}}}},
		{"broken references repaired", `<x:a xmlns:x="u">b&c &eacute; &foo; &#0;</x:a>`,
			sitemap.Extensions{Other: []sitemap.Element{{XML: `<x:a xmlns:x="u">b&amp;c é &amp;foo; &amp;#0;</x:a>`}}}},
		{"another vocabulary inside", `<video:video><video:title>a</video:title><m:title xmlns:m="u">b</m:title></video:video>`,
			sitemap.Extensions{Videos: []sitemap.Video{{Title: "a",
				Other: []sitemap.Element{{XML: `<m:title xmlns:m="u">b</m:title>`}}}}}},
		{"the first of two", `<image:image><image:loc>a</image:loc><image:loc>b</image:loc></image:image>`,
			sitemap.Extensions{Images: []sitemap.Image{{Loc: "a"}}}},
		{"the first of two with attributes", `<video:video><video:restriction relationship="allow">IE</video:restriction><video:restriction relationship="deny">GB</video:restriction>
			<video:tvshow><video:show_title>a</video:show_title></video:tvshow><video:tvshow/></video:video>`,
			sitemap.Extensions{Videos: []sitemap.Video{{Restriction: sitemap.Restriction{Relationship: "allow", List: "IE"},
				TVShow: &sitemap.TVShow{ShowTitle: "a"}}}}},
		{"empty", `<image:image/><video:video/><news:news/><xhtml:link/>`,
			sitemap.Extensions{Images: []sitemap.Image{{}}, Videos: []sitemap.Video{{}}, News: []sitemap.News{{}},
				Alternates: []sitemap.Alternate{{}}}},
		{"HTML entities and nested tags", `<image:image><image:title>caf&eacute; <b>x</b>y</image:title></image:image>`,
			sitemap.Extensions{Images: []sitemap.Image{{Title: "café y"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, urlset(url("http://x/", c.inner), url("http://y/")), sitemap.ReaderOptions{})
			got.wantErr(t, "")
			got.wantLocs(t, "http://x/", "http://y/")
			if e := got.Entries[0]; !equalExtensions(e.Extensions, c.want) || e.ExtensionsErr != "" {
				t.Errorf("read %s\n%+v, want\n%+v", e.ExtensionsErr, e.Extensions, c.want)
			}
			if e := got.Entries[1]; !e.Extensions.IsZero() {
				t.Errorf("an entry without extensions has %+v", e.Extensions)
			}
		})
	}
}

// equalExtensions compares with no difference between nil and empty slices at
// the top.
func equalExtensions(a, b sitemap.Extensions) bool {
	return len(a.Images) == len(b.Images) && len(a.Videos) == len(b.Videos) && len(a.News) == len(b.News) &&
		len(a.Alternates) == len(b.Alternates) && len(a.PageMaps) == len(b.PageMaps) && len(a.Other) == len(b.Other) &&
		a.Mobile == b.Mobile &&
		(len(a.Images) == 0 || reflect.DeepEqual(a.Images, b.Images)) &&
		(len(a.Videos) == 0 || reflect.DeepEqual(a.Videos, b.Videos)) &&
		(len(a.News) == 0 || reflect.DeepEqual(a.News, b.News)) &&
		(len(a.Alternates) == 0 || reflect.DeepEqual(a.Alternates, b.Alternates)) &&
		(len(a.PageMaps) == 0 || reflect.DeepEqual(a.PageMaps, b.PageMaps)) &&
		(len(a.Other) == 0 || reflect.DeepEqual(a.Other, b.Other))
}

// TestExtensionsFaults finds faults inside extensions at their place, without
// spoiling what is right.
func TestExtensionsFaults(t *testing.T) {
	for name, c := range map[string]struct {
		inner string
		kinds []sitemap.FaultKind
	}{
		"right": {`<image:image><image:loc>a</image:loc></image:image><lastmod>2024</lastmod><mobile:mobile/>`,
			nil},
		"bare ampersand": {`<image:image><image:loc>a▼&b</image:loc></image:image>`,
			[]sitemap.FaultKind{sitemap.FaultBareAmpersand}},
		"in an attribute": {`<xhtml:link href="a?b▼&c"/>`, []sitemap.FaultKind{sitemap.FaultBareAmpersand}},
		"HTML entity": {`<news:news><news:title>▼&nbsp;x</news:title></news:news>`,
			[]sitemap.FaultKind{sitemap.FaultUndeclaredEntity}},
		"stray text": {`<image:image>▼x<image:loc>a</image:loc></image:image>`,
			[]sitemap.FaultKind{sitemap.FaultStrayText}},
		"duplicate": {`<image:image><image:loc>a</image:loc><▼image:loc>b</image:loc></image:image>`,
			[]sitemap.FaultKind{sitemap.FaultDuplicateChild}},
		"nested tag": {`<image:image><image:loc>a<▼b/></image:loc></image:image>`,
			[]sitemap.FaultKind{sitemap.FaultNestedTag}},
		"broken attribute":   {`▼<xhtml:link href=a/>`, []sitemap.FaultKind{sitemap.FaultNotWellFormed}},
		"in an element kept": {`<x:y xmlns:x="u">▼&</x:y>`, []sitemap.FaultKind{sitemap.FaultBareAmpersand}},
	} {
		t.Run(name, func(t *testing.T) {
			document := urlset(url("http://x/", c.inner))
			before, _, _ := strings.Cut(document, markAt)
			got := read(t, strings.Replace(document, markAt, "", 1), sitemap.ReaderOptions{})
			got.wantErr(t, "")
			got.wantLocs(t, "http://x/")
			got.wantKinds(t, c.kinds...)
			if len(got.Faults) == 1 && got.Faults[0].Offset != int64(len(before)) {
				t.Errorf("%v, want byte %d", got.Faults[0].Error(), len(before))
			}
		})
	}
}

// TestExtensionsReuse reads one entry after another into one value.
func TestExtensionsReuse(t *testing.T) {
	document := urlset(
		url("http://a/", `<video:video><video:tag>x</video:tag><video:tag>y</video:tag><video:tvshow/></video:video><image:image><image:loc>i</image:loc><image:foo/></image:image><mobile:mobile/>`),
		url("http://b/", `<video:video><video:title>t</video:title></video:video><image:image/>`),
		url("http://c/"))
	var into sitemap.Extensions
	var got []sitemap.Extensions
	for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		if err := entry.Extensions(&into); err != nil {
			t.Fatal(err)
		}
		var fresh sitemap.Extensions
		if err := entry.Clone().Extensions(&fresh); err != nil || !equalExtensions(into, fresh) {
			t.Errorf("%s: re-used %+v, fresh %+v (%v)", entry.Loc, into, fresh, err)
		}
		got = append(got, into)
	}
	if len(got) != 3 || !got[2].IsZero() {
		t.Errorf("%+v", got)
	}
}

// TestExtensionsError says in which entry the markup is broken.
func TestExtensionsError(t *testing.T) {
	document := "<urlset>\n<url><loc>http://a/</loc><image:image><image:loc>i</image:loc></image:image><xhtml:link href=a></xhtml:link></url>\n</urlset>"
	for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		u, err := entry.URL()
		var fault *sitemap.Fault
		if !errors.As(err, &fault) || fault.Kind != sitemap.FaultNotWellFormed || fault.Line != 2 || fault.Offset != 9 {
			t.Errorf("%v", err)
		}
		if u.Loc != "http://a/" || len(u.Images) != 1 {
			t.Errorf("%+v", u)
		}
	}
}

// TestExtensionsBroken finds broken markup in extensions: while reading where
// faults are reported or the entry is left out, and otherwise when they are parsed,
// without losing the entries around.
func TestExtensionsBroken(t *testing.T) {
	deep := strings.Repeat("<x:a>", 5_000) + strings.Repeat("</x:a>", 5_000)
	for name, c := range map[string]struct {
		inner string
		kind  sitemap.FaultKind
	}{
		"a wrong end tag":             {"<x:a></x:b>", sitemap.FaultNotWellFormed},
		"tags that overlap":           {"<x:a><x:b></x:a></x:b>", sitemap.FaultNotWellFormed},
		"no end tag":                  {"<x:a>", sitemap.FaultNotWellFormed},
		"no end tag inside":           {"<x:a><x:b></x:a>", sitemap.FaultNotWellFormed},
		"an end tag too many":         {"<x:a/></x:a>", sitemap.FaultNotWellFormed},
		"an image without end":        {"<image:image><image:loc>a</image:loc>", sitemap.FaultNotWellFormed},
		"a leaf without end":          {"<image:image><image:loc>a</image:image>", sitemap.FaultNotWellFormed},
		"a text like an end tag":      {"<image:image><image:loc>a</image:loc>x/image:image>", sitemap.FaultNotWellFormed},
		"a wrong end tag in an image": {"<image:image></image:loc></image:image>", sitemap.FaultNotWellFormed},
		"a wrong end tag in a leaf": {"<news:news><news:title>a<x:b></news:title></x:b></news:news>",
			sitemap.FaultNotWellFormed},
		"a wrong end of a link":           {"<xhtml:link></xhtml:lick>", sitemap.FaultNotWellFormed},
		"a link without end":              {`<xhtml:link href="a">`, sitemap.FaultNotWellFormed},
		"a < in a value of a link":        {`<xhtml:link href="<x:a"/>`, sitemap.FaultNotWellFormed},
		"a tag in a value":                {`<x:a b="<x:c>"/>`, sitemap.FaultNotWellFormed},
		"an end tag in a value":           {`<x:a b="</x:a>"/>`, sitemap.FaultNotWellFormed},
		"the end of the entry in a value": {`<x:a b="</url><url><loc>http://c/</loc>`, sitemap.FaultNotWellFormed},
		"a tag in a tag":                  {"<x:a <x:b/>", sitemap.FaultNotWellFormed},
		"thousands of elements, nested":   {deep, sitemap.FaultCeilingReached},
		"thousands in an image": {"<image:image><image:loc>" + deep + "</image:loc></image:image>",
			sitemap.FaultCeilingReached},
		"thousands in a link":              {"<xhtml:link>" + deep + "</xhtml:link>", sitemap.FaultCeilingReached},
		"thousands of elements left open":  {strings.Repeat("<image:image>", 5_000), sitemap.FaultCeilingReached},
		"thousands of half tags in values": {strings.Repeat(`<x:a b="</x:`, 5_000), sitemap.FaultNotWellFormed},
	} {
		t.Run(name, func(t *testing.T) {
			good := url("http://a/", "<x:a/>")
			document := "<urlset>" + good + good + url("http://b/", c.inner) + good + "</urlset>"
			for _, options := range []sitemap.ReaderOptions{{Strict: true}, {OnFault: func(*sitemap.Fault) {}}} {
				reading := readFrom(strings.NewReader(strings.ReplaceAll(document, "<urlset>", declaringAll)), options)
				reading.wantErr(t, c.kind)
				reading.wantLocs(t, "http://a/", "http://a/")
			}
			for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
				if err != nil {
					t.Fatal(err)
				}
				err = entry.Extensions(new(sitemap.Extensions))
				var fault *sitemap.Fault
				if broken := string(entry.Loc) == "http://b/"; !broken && err != nil || broken &&
					(!errors.As(err, &fault) || fault.Kind != c.kind || fault.Offset != entry.Offset()) {
					t.Errorf("%s: %v", entry.Loc, err)
				}
			}
			for _, loc := range []string{"", "<loc/>", "<loc> </loc>"} {
				// Nobody gets the entry: its error ends the reading, with a report and without.
				leftOut := declaringAll + good + good + "<url>" + loc + c.inner + "</url>" + good + "</urlset>"
				reading := read(t, leftOut, sitemap.ReaderOptions{})
				reading.wantErr(t, c.kind)
				reading.wantLocs(t, "http://a/", "http://a/")
			}
		})
	}
}

// declaringAll is a root element that gives no reason for a fault.
const declaringAll = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="u" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` +
	` xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`

// TestExtensionsHostile refuses an element with more namespaces than any file
// needs, whose bookkeeping would take quadratic time.
func TestExtensionsHostile(t *testing.T) {
	var inner strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&inner, "<n%d:a/>", i)
	}
	document := "<urlset>" + url("http://a/", "<x>"+inner.String()+"</x>") + "</urlset>"
	for entry, err := range sitemap.NewReader(strings.NewReader(document)).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		var fault *sitemap.Fault
		if err := entry.Extensions(new(sitemap.Extensions)); !errors.As(err, &fault) ||
			fault.Kind != sitemap.FaultNotWellFormed {
			t.Errorf("%v", err)
		}
	}
}
