package storetest

import (
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/sitemap"
)

// Sample returns a small crawl in which every field is set: URLs that are fetched,
// skipped and waiting, and strings from a hostile site.
func Sample() []crawl.Commit {
	hostile := "'; drop table url; --\x00\xff\u202e"
	return []crawl.Commit{
		{Found: []crawl.Link{
			{ID: 1, URL: "https://example.com/"},
			{ID: 2, URL: "https://example.com/add", Depth: 1},
		}, Seeds: []crawl.Link{{ID: 1, SeededBy: crawl.SeedStart}, {ID: 1, SeededBy: crawl.SeedLog},
			{ID: 2, SeededBy: crawl.SeedSitemap}}},
		{
			Done: []crawl.Page{{
				ID: 1, Time: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC), Status: 200,
				MediaType: "text/html", Size: 15_000, Transferred: 4_000, Duration: 1234 * time.Microsecond,
				Title: "Start", LastMod: date("2026-03"), LastModSource: "json-ld",
				ETag: `W/"1"`, LastModified: "Wed, 04 Mar 2026 05:06:07 GMT", Digest: 1<<63 | 5,
				Words: 120, Body: 1<<63 | 7, Language: "de-CH", Conflict: crawl.Detail(hostile), Reused: true, SessionLinks: 2,
				Security:       crawl.SecurityKnown | crawl.SecurityCSP | crawl.SecurityHSTS,
				CertificateEnd: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC),
				Extensions: &sitemap.Extensions{
					Images:     []sitemap.Image{{Loc: "https://example.com/a.png"}},
					Alternates: []sitemap.Alternate{{Hreflang: "fr", Href: "https://example.com/fr/"}},
				},
				Facts: &crawl.Facts{
					Description: hostile, H1: "Welcome", Images: 7, ImagesWithoutAlt: 3,
					Parts:     crawl.PartVideo | crawl.PartViewport,
					OpenGraph: crawl.OpenGraphTitle | crawl.OpenGraphImage, OpenGraphType: hostile,
					JSONLD: "Article, BreadcrumbList", NeedsScript: true,
					Faults: []crawl.Fault{
						{Rule: "title-multiple", Text: "'; drop table url; --\x00\u202e\ufffd", Count: 2},
						{Rule: "robots-conflict", Kind: "index", Count: 1, Position: crawl.Position{Line: 3, Column: 5}},
					},
				},
				RenderReason: render.ReasonRoot,
				Rendered: &crawl.Rendered{
					Duration: 1234 * time.Millisecond, Requests: 3, Bytes: 5000,
					Before: &crawl.PageState{Title: "App", Links: 1},
					After: &crawl.PageState{Title: "Start", Description: "Text", Canonical: "https://example.com/", Robots: "nofollow",
						H1: "Welcome", Links: 4, Words: 120},
				},
				Content: content.Sums{Version: 1, Text: 1<<63 | 9, Numbers: 2, Places: 6, Today: 7, Pictures: 3, Links: 4,
					Data: 5, Prices: 1<<64 - 1},
				Given: date("2026-03-01T10:00:00+01:00"),
				Difference: &content.Difference{
					Sums: [8]uint64{0, 1<<64 - 1, 7}, Noise: content.PartLinks, Dated: true, Moved: true, Fresh: true,
					Old:     content.Dates{LastMod: "2026-03", Source: "json-ld", Given: "2026-02-03"},
					New:     content.Dates{LastMod: "2026-03-01T10:00:00+01:00", Source: "meta"},
					Updated: true, Template: content.PartNumbers,
				},
				Anchors: []uint32{0, 7, 1<<32 - 1}, Shingles: []uint32{3, 1<<32 - 2},
				Links: []crawl.Edge{
					{To: 3, Kind: crawl.EdgeAnchor, Text: "Missing", Position: crawl.Position{Line: 7, Column: 300}},
					{To: 1, Kind: crawl.EdgeAnchor, Fragment: "top", Position: crawl.Position{Line: 9, Column: 1}},
					{To: 6, Kind: crawl.EdgeImage, Nofollow: true},
					{To: 4, Kind: crawl.EdgeMedia, Nofollow: true, Fragment: hostile, Text: hostile},
				},
			}},
			Found: []crawl.Link{
				{ID: 3, URL: "https://example.com/missing", RequestedURL: "https://example.com/missing?sid=1", From: 1, Depth: 1},
				{ID: 4, URL: "https://example.com/old?a='b'", From: 1, Depth: 1, Hops: 2},
				{ID: 5, URL: "https://example.com/private", From: 1, Depth: 1, Reason: crawl.ReasonExcluded,
					Detail: crawl.NewDetail(crawl.DetailPattern, "/private*")},
				{ID: 6, URL: "https://elsewhere.example/a.png", From: 1, Depth: 1, Role: crawl.RoleExternal},
			},
		},
		{
			Done: []crawl.Page{
				{ID: 4, Status: 301, Reason: crawl.ReasonRedirect, Target: 1, Detail: crawl.Detail(hostile), Title: hostile},
				{ID: 3, RenderReason: render.ReasonNoText,
					Rendered: &crawl.Rendered{Failure: crawl.NewDetail(crawl.DetailRenderFailed, "script")},
					Status:   404, Reason: crawl.ReasonClientError,
					Links: []crawl.Edge{{To: 3, Kind: crawl.EdgeAnchor, Text: "self"}}},
			},
			Found: []crawl.Link{{ID: 7, URL: "https://example.com/waiting", From: 4, Depth: 2, Role: crawl.RoleAsset}},
		},
		{Done: []crawl.Page{{
			ID: 2, LastMod: date("2026-01-02T03:04:05+02:00"), MediaType: "application/pdf", TooManyLinks: true,
			Facts: &crawl.Facts{},
		}}},
	}
}

// date parses a date of this package.
func date(text string) sitemap.Date {
	d, err := sitemap.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// flatten returns links and pages of commits, each by ID.
func flatten(commits []crawl.Commit) (links []crawl.Link, pages []crawl.Page) {
	for _, commit := range commits {
		links = append(links, commit.Found...)
		for _, mark := range commit.Seeds {
			links[mark.ID-1].SeededBy |= mark.SeededBy
		}
		pages = append(pages, commit.Done...)
	}
	slices.SortFunc(pages, func(a, b crawl.Page) int { return int(a.ID - b.ID) })
	return links, pages
}

// sampleRecords returns the records of the sample crawl by ID, from 1.
func sampleRecords() []crawl.Record {
	links, pages := flatten(Sample())
	records := make([]crawl.Record, len(links))
	for i, link := range links {
		records[i].Link = link
	}
	for _, page := range pages {
		records[page.ID-1].Page, records[page.ID-1].Fetched = page, true
	}
	return records
}
