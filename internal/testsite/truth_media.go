package testsite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// languageKinds are clusters of the same page in several languages.
var languageKinds = []truthKind{
	{"languages", func(b *truthBuilder) {
		cluster := b.cluster("", "en", "de", "fr-CA", "x-default")
		for _, language := range []string{"en", "de", "fr-CA"} {
			p := b.page(cluster[language], Expected{Alternates: cluster})
			p.lang, p.head = language, hreflangs(cluster)
		}
	}},
	{"languages-header", func(b *truthBuilder) {
		cluster := b.cluster("", "en", "pt-BR")
		for _, language := range slices.Sorted(maps.Keys(cluster)) {
			p := b.page(cluster[language], Expected{Alternates: cluster})
			p.lang = language
			for _, name := range slices.Sorted(maps.Keys(cluster)) {
				p.header = append(p.header, fmt.Sprintf(`Link: <%s>; rel="alternate"; hreflang="%s"`, "$ORIGIN"+cluster[name],
					name))
			}
		}
	}},
	{"languages-relative", func(b *truthBuilder) {
		cluster := b.cluster("", "en", "zh-Hant-TW")
		for _, language := range slices.Sorted(maps.Keys(cluster)) {
			b.page(cluster[language], Expected{Alternates: cluster}).head = fmt.Sprintf(
				`<link href="%s" hreflang=en rel=alternate><LINK REL="Alternate" HREFLANG="zh-Hant-TW" HREF='%s'>`, cluster["en"],
				cluster["zh-Hant-TW"])
		}
	}},
	{"languages-self-missing", func(b *truthBuilder) {
		cluster := b.cluster("", "en", "de")
		for _, language := range slices.Sorted(maps.Keys(cluster)) {
			others := maps.Clone(cluster)
			delete(others, language)
			p := b.page(cluster[language], Expected{Alternates: others, MoreAlternates: cluster, Fault: "self-missing"})
			p.lang, p.head = language, hreflangs(others)
		}
	}},
	{"languages-one-way", func(b *truthBuilder) {
		cluster := b.cluster("", "en", "de")
		b.page(cluster["en"], Expected{Alternates: map[string]string{}, MoreAlternates: cluster,
			Fault: "not-reciprocal"}).head = hreflangs(cluster)
		b.page(cluster["de"], Expected{})
	}},
	{"languages-elsewhere", func(b *truthBuilder) {
		target := b.path("")
		cluster := map[string]string{"en": target, "de": fmt.Sprintf("http://elsewhere.example/de-%d", b.number)}
		b.expect(cluster["de"], Expected{Reason: "out-of-scope"})
		b.page(target, Expected{Alternates: cluster}).head = hreflangs(cluster)
	}},
	{"languages-feed", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).head = `<link rel="alternate" type="application/rss+xml" href="/about">`
	}},
}

// cluster has a target for each language; x-default is that of the first.
func (b *truthBuilder) cluster(suffix string, languages ...string) map[string]string {
	base := b.path(suffix)
	cluster := map[string]string{}
	for _, language := range languages {
		cluster[language] = base + "-" + language
	}
	if _, has := cluster["x-default"]; has {
		cluster["x-default"] = cluster[languages[0]]
	}
	return cluster
}

func hreflangs(cluster map[string]string) (head string) {
	for _, language := range slices.Sorted(maps.Keys(cluster)) {
		address := cluster[language]
		if address[0] == '/' {
			address = "$ORIGIN" + address
		}
		head += fmt.Sprintf("<link rel=\"alternate\" hreflang=%q href=%q>\n", language, address)
	}
	return head
}

// mediaKinds have images, videos and news.
var mediaKinds = []truthKind{
	{"image", func(b *truthBuilder) {
		one, two := b.path(".jpg"), b.path("-2.png")
		b.page(b.path(""), Expected{Images: []string{one,
			two}}).extra = fmt.Sprintf(`<img src="%s" alt="One"><p><IMG SRC='$ORIGIN%s'></p><img src="%[1]s">`, one, two)
	}},
	{"image-srcset", func(b *truthBuilder) {
		one, large := b.path(",w_400.jpg"), b.path(",w_800.jpg")
		b.page(b.path(""), Expected{Images: []string{one},
			MoreImages: []string{large}}).extra = fmt.Sprintf(`<img src="%[1]s" srcset="%[1]s 400w, %[2]s 800w" sizes="100vw">`, one, large)
	}},
	{"image-picture", func(b *truthBuilder) {
		one, webp := b.path(".jpg"), b.path(".webp")
		b.page(b.path(""), Expected{Images: []string{one},
			MoreImages: []string{webp}}).extra = fmt.Sprintf(`<picture><source type="image/webp" srcset="%s"><img src="%s"></picture>`, webp, one)
	}},
	{"image-lazy", func(b *truthBuilder) {
		one := b.path(".jpg")
		b.page(b.path(""), Expected{Images: []string{one}}).extra = fmt.Sprintf(`<img class="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="%s">`, one)
	}},
	{"image-og", func(b *truthBuilder) {
		one := b.path(".jpg")
		b.page(b.path(""), Expected{Images: []string{one}}).head = `<meta property="og:image" content="$ORIGIN` + one +
			`"><meta property="og:image:width" content="1200">`
	}},
	{"image-og-same", func(b *truthBuilder) {
		one := b.path(".jpg")
		p := b.page(b.path(""), Expected{Images: []string{one}})
		p.head, p.extra = `<meta property="og:image" content="$ORIGIN`+one+`">`, `<img src="`+one+`">`
	}},
	{"image-elsewhere", func(b *truthBuilder) {
		one := fmt.Sprintf("http://images.example/%d.jpg", b.number)
		b.page(b.path(""), Expected{Images: []string{one}}).extra = `<img src="` + one + `">`
	}},
	{"image-none", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).extra = `<!-- <img src="/comment.jpg"> --><script>var i = '<img src="/script.jpg">'</script><img alt="nothing"><img src="data:image/png;base64,iVBORw0KGgo=">`
	}},
	{"image-noindex", func(b *truthBuilder) {
		p := b.page(b.path(""), Expected{Reason: "noindex"})
		p.head, p.extra = `<meta name="robots" content="noindex">`, `<img src="/hidden.jpg">`
	}},
	{"video-json-ld", func(b *truthBuilder) {
		v := ExpectedVideo{Thumbnail: b.path("-v.jpg"), Title: "A film & its making", Description: "How it was made.",
			Content: b.path("-v.mp4"), Player: b.path("-player"), Duration: "93", Published: stamp(b.ago(20))}
		b.page(b.path(""), Expected{Videos: []ExpectedVideo{v}}).head = jsonLD(fmt.Sprintf(`"@type": "VideoObject", "name": %q, "description": %q, "thumbnailUrl": ["$ORIGIN%s", "/other.jpg"], "contentUrl": "$ORIGIN%s", "embedUrl": "$ORIGIN%s", "duration": "PT1M33S", "uploadDate": %q`,
			v.Title, v.Description, v.Thumbnail, v.Content, v.Player, v.Published))
	}},
	{"video-nested", func(b *truthBuilder) {
		v := ExpectedVideo{Thumbnail: b.path("-v.jpg"), Title: "Nested", Description: "Inside an article.",
			Player: b.path("-player"), Duration: "3600"}
		b.page(b.path(""), Expected{Videos: []ExpectedVideo{v}}).head = jsonLD(fmt.Sprintf(`"@type": "Article", "video": {"@type": "VideoObject", "name": %q, "description": %q, "thumbnailUrl": "%s", "embedUrl": "%s", "duration": "PT1H"}`,
			v.Title, v.Description, v.Thumbnail, v.Player))
	}},
	{"video-og", func(b *truthBuilder) {
		v := ExpectedVideo{Thumbnail: b.path("-v.jpg"), Title: "Moving pictures", Description: "Of trees.",
			Content: b.path("-v.mp4")}
		b.page(b.path(""), Expected{Videos: []ExpectedVideo{v},
			Images: []string{v.Thumbnail}}).head = fmt.Sprintf(`<meta property="og:title" content="%s"><meta property="og:description" content="%s"><meta property="og:image" content="$ORIGIN%s"><meta property="og:video" content="$ORIGIN%s"><meta property="og:video:type" content="video/mp4">`,
			v.Title, v.Description, v.Thumbnail, v.Content)
	}},
	{"video-og-player", func(b *truthBuilder) {
		v := ExpectedVideo{Thumbnail: b.path("-v.jpg"), Title: "In a frame", Description: "Of bees.",
			Player: b.path("-embed")}
		b.page(b.path(""), Expected{Videos: []ExpectedVideo{v},
			Images: []string{v.Thumbnail}}).head = fmt.Sprintf(`<meta property="og:title" content="%s"><meta property="og:description" content="%s"><meta property="og:image" content="$ORIGIN%s"><meta property="og:video:url" content="$ORIGIN%s"><meta property="og:video:type" content="text/html">`,
			v.Title, v.Description, v.Thumbnail, v.Player)
	}},
	{"video-no-thumbnail", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).head = jsonLD(`"@type": "VideoObject", "name": "x", "description": "y", "contentUrl": "/x.mp4"`)
	}},
	// Invalid values are left out of the sitemap; the page is listed.
	{"odd-image", func(b *truthBuilder) {
		long := b.path(".jpg?" + strings.Repeat("x", 3000))
		b.page(b.path(""), Expected{MoreImages: []string{long}}).extra = `<img src="ftp://files.example/x.jpg"><img src="javascript:alert(1)"><img src="http://[bad/x.jpg"><img src=""><img src="` + long + `">`
	}},
	{"odd-language", func(b *truthBuilder) {
		b.page(b.path(""), Expected{MoreAlternates: map[string]string{"en_US": "/about",
			"klingon-in-latin": "/about"}}).head = `<link rel="alternate" hreflang="en_US" href="/about"><link rel="alternate" hreflang="klingon-in-latin" href="/about"><link rel="alternate" hreflang="" href="/about"><link rel="alternate" hreflang="de" href="javascript:alert(1)"><link rel="alternate" hreflang="fr" href="">`
	}},
	{"odd-video-thumbnail", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).head = jsonLD(`"@type": "VideoObject", "name": "x", "description": "y", "contentUrl": "/x.mp4", "thumbnailUrl": "javascript:alert(1)"`)
	}},
	{"odd-video-title", func(b *truthBuilder) {
		v := ExpectedVideo{Thumbnail: b.path("-v.jpg"), Title: strings.Repeat("ä", 100), Description: "It \"rings\" <b>.",
			Content: b.path("-v.mp4")}
		b.page(b.path(""), Expected{Videos: []ExpectedVideo{v}}).head = jsonLD(fmt.Sprintf(`"@type": "VideoObject", "name": "%sä", "description": "It \"rings\" \u003cb>.\u0007", "thumbnailUrl": "%s", "contentUrl": "%s", "duration": "soon", "uploadDate": "0000-00-00"`,
			v.Title, v.Thumbnail, v.Content))
	}},
	{"odd-video-player", func(b *truthBuilder) {
		target := b.path("")
		b.page(target, Expected{}).head = jsonLD(`"@type": "VideoObject", "name": "x", "description": "y", "embedUrl": "` +
			target + `", "thumbnailUrl": "/x.jpg"`)
	}},
	{"odd-news", func(b *truthBuilder) {
		p := b.page(b.path(""), Expected{})
		p.lang = "no language at all"
		p.head = jsonLD(`"@type": "NewsArticle", "headline": "A \u0000 bell \u0007", "datePublished": "tomorrow"`)
	}},
	{"news-today", func(b *truthBuilder) {
		at := stamp(b.site.options.Now.Add(-time.Duration(b.number) * time.Hour))
		b.news("en", at, true)
	}},
	{"news-yesterday", func(b *truthBuilder) { b.news("de", stamp(b.site.options.Now.Add(-30*time.Hour)), true) }},
	{"news-three-days", func(b *truthBuilder) { b.news("en", stamp(b.site.options.Now.Add(-73*time.Hour)), false) }},
	{"news-last-week", func(b *truthBuilder) { b.news("en", stamp(b.ago(7)), false) }},
	{"news-undated", func(b *truthBuilder) {
		b.page(b.path(""), Expected{}).head = jsonLD(`"@type": "NewsArticle", "headline": "Undated"`)
	}},
}

func (b *truthBuilder) news(language, published string, recent bool) {
	e := Expected{}
	headline := fmt.Sprintf("The %s, number %d", b.name, b.number)
	if recent {
		e.News = &ExpectedNews{Title: headline, Published: published, Language: language}
	}
	p := b.page(b.path(""), e)
	p.lang = language
	p.head = jsonLD(fmt.Sprintf(`"@type": "NewsArticle", "headline": %q, "datePublished": %q`, headline, published))
}
