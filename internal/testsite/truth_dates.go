package testsite

import (
	"fmt"
	"net/http"
	"time"
)

// dated adds a page that declares a date in its head or in its main part.
func (b *truthBuilder) dated(lastMod, head, extra string) *truthPage {
	p := b.page(b.path(""), Expected{LastMod: lastMod})
	p.head, p.extra = head, extra
	return p
}

func jsonLD(members string) string {
	return `<script type="application/ld+json">{"@context": "https://schema.org", ` + members + `}</script>`
}

func modifiedMeta(date string) string {
	return `<meta property="article:modified_time" content="` + date + `">`
}

// dateKinds have a date from each source: JSON-LD, article:modified_time, microdata or
// time, Last-Modified, none. A date that cannot be that of a change, such as one in
// the future, is ignored.
var dateKinds = []truthKind{
	{"date-json-ld", func(b *truthBuilder) {
		at := stamp(b.ago(30))
		b.dated(at, jsonLD(`"@type": "Article", "headline": "x", "datePublished": "2020-01-02", "dateModified": "`+at+`"`),
			"")
	}},
	{"date-json-ld-day", func(b *truthBuilder) {
		day := b.ago(31).Format(time.DateOnly)
		b.dated(day, jsonLD(`"@type": "WebPage", "dateModified": "`+day+`"`), "")
	}},
	{"date-json-ld-zone", func(b *truthBuilder) {
		at := b.ago(32).In(time.FixedZone("", 5*3600+1800))
		b.dated(stamp(at), jsonLD(`"@type": "BlogPosting", "dateModified": "`+at.Format(time.RFC3339)+`"`), "")
	}},
	{"date-json-ld-zone-west", func(b *truthBuilder) {
		at := b.ago(32).In(time.FixedZone("", -8*3600))
		b.dated(stamp(at), jsonLD(`"@type": "Article", "dateModified": "`+at.Format("2006-01-02T15:04:05-0700")+`"`), "")
	}},
	{"date-json-ld-graph", func(b *truthBuilder) {
		at := stamp(b.ago(33))
		b.dated(at, jsonLD(`"@graph": [{"@type": "WebSite", "name": "x"}, {"@type": ["WebPage", "FAQPage"], "dateModified": "`+at+`"}]`), "")
	}},
	{"date-json-ld-comment", func(b *truthBuilder) {
		b.dated("", jsonLD(`"@type": "Article", "comment": [{"@type": "Comment", "text": "x", "dateModified": "`+
			stamp(b.ago(5))+`"}]`), "")
	}},
	{"date-published-only", func(b *truthBuilder) {
		b.dated("", jsonLD(`"@type": "Article", "datePublished": "`+stamp(b.ago(34))+`"`), "")
	}},
	{"date-meta", func(b *truthBuilder) {
		at := stamp(b.ago(35))
		b.dated(at, `<meta property="article:published_time" content="2020-01-02">`+modifiedMeta(at), "")
	}},
	{"date-microdata", func(b *truthBuilder) {
		at := stamp(b.ago(36))
		b.dated(at, "", `<div itemscope itemtype="https://schema.org/Article"><meta itemprop="dateModified" content="`+at+
			`"></div>`)
	}},
	{"date-microdata-time", func(b *truthBuilder) {
		at := b.ago(37)
		b.dated(stamp(at), "", `<div itemscope itemtype="https://schema.org/Article">Changed <time itemprop="dateModified" datetime="`+stamp(at)+`">`+at.Format("2 January")+`</time></div>`)
	}},
	{"date-time-updated", func(b *truthBuilder) {
		at := b.ago(38)
		b.dated(stamp(at), "", `<p class="meta"><time class="published" datetime="2020-01-02">2 January 2020</time> <time class="updated" datetime="`+stamp(at)+`">`+at.Format("2 January")+`</time></p>`)
	}},
	// A date in a text may be that of anything.
	{"date-time", func(b *truthBuilder) {
		at := b.ago(38)
		b.dated("", "", `<p>They met on <time datetime="`+stamp(at)+`">`+at.Format("2 January")+`</time>.</p>`)
	}},
	{"date-time-list", func(b *truthBuilder) {
		old, new := stamp(b.ago(90)), stamp(b.ago(38))
		b.dated("", "", `<article><h2>x</h2><time class="published" datetime="`+old+`"></time></article>`+
			`<article><h2>y</h2><time class="published" datetime="`+new+`"></time></article>`)
	}},
	// A time without a zone is known to its day.
	{"date-no-zone-json-ld", func(b *truthBuilder) {
		day := b.ago(31).Format(time.DateOnly)
		b.dated(day, jsonLD(`"@type": "Article", "dateModified": "`+day+`T23:30:00"`), "")
	}},
	{"date-no-zone-meta", func(b *truthBuilder) {
		day := b.ago(31).Format(time.DateOnly)
		b.dated(day, modifiedMeta(day+" 23:30:00"), "")
	}},
	{"date-no-zone-microdata", func(b *truthBuilder) {
		day := b.ago(31).Format(time.DateOnly)
		b.dated(day, "", `<p itemscope><time itemprop="dateModified" datetime="`+day+`T23:30">late</time></p>`)
	}},
	{"date-header", func(b *truthBuilder) {
		at := b.ago(39)
		p := b.page(b.path(""), Expected{LastMod: b.header(at)})
		if !p.stamped {
			p.modified = at
		}
	}},
	{"date-header-more", func(b *truthBuilder) {
		for _, suffix := range []string{"-a", "-b", "-c", "-d"} {
			at := b.ago(40)
			p := b.page(b.path(suffix), Expected{LastMod: b.header(at)})
			if !p.stamped {
				p.modified = at
			}
		}
	}},
	// On a site with made-up headers on most pages, the others are not believed
	// either.
	{"date-header-always", func(b *truthBuilder) {
		at := b.ago(41)
		p := b.page(b.path(""), Expected{LastMod: b.header(at)})
		p.modified, p.stamped = at, false
	}},
	{"date-header-now", func(b *truthBuilder) { b.page(b.path(""), Expected{}).stamped = true }},
	{"date-header-now-declared", func(b *truthBuilder) {
		at := stamp(b.ago(42))
		b.dated(at, modifiedMeta(at), "").stamped = true
	}},
	{"date-header-epoch", func(b *truthBuilder) {
		p := b.page(b.path(""), Expected{})
		p.modified, p.stamped = time.Unix(0, 0).UTC(), false
	}},
	{"date-header-future", func(b *truthBuilder) {
		p := b.page(b.path(""), Expected{})
		p.modified, p.stamped = b.site.options.Now.AddDate(0, 2, 0), false
	}},
	{"date-header-broken", func(b *truthBuilder) {
		p := b.page(b.path(""), Expected{})
		p.header, p.stamped = []string{"Last-Modified: last Tuesday"}, false
	}},
	{"date-none", func(b *truthBuilder) { b.page(b.path(""), Expected{}) }},
	{"date-conflict-all", func(b *truthBuilder) {
		at := stamp(b.ago(90))
		p := b.dated(at, modifiedMeta(stamp(b.ago(20)))+jsonLD(`"@type": "Article", "dateModified": "`+at+`"`),
			microdata(b.ago(10)))
		p.modified, p.stamped = b.ago(5), false
	}},
	{"date-conflict-meta", func(b *truthBuilder) {
		at := stamp(b.ago(91))
		p := b.dated(at, modifiedMeta(at), microdata(b.ago(10)))
		p.modified, p.stamped = b.ago(5), false
	}},
	{"date-conflict-microdata", func(b *truthBuilder) {
		at := b.ago(92)
		p := b.dated(stamp(at), "", microdata(at))
		p.modified, p.stamped = b.ago(5), false
	}},
	{"date-broken-rung", func(b *truthBuilder) {
		at := stamp(b.ago(93))
		b.dated(at, modifiedMeta(at)+jsonLD(`"@type": "Article", "dateModified": "last Tuesday"`), "")
	}},
	{"date-future-rung", func(b *truthBuilder) {
		at := b.ago(94)
		b.dated(stamp(at), jsonLD(`"@type": "Article", "dateModified": "`+stamp(b.site.options.Now.AddDate(1, 0, 0))+`"`),
			microdata(at))
	}},
	{"date-future", func(b *truthBuilder) {
		b.dated("", modifiedMeta(stamp(b.site.options.Now.AddDate(0, 0, 9))), "")
	}},
	{"date-early-rung", func(b *truthBuilder) {
		at := stamp(b.ago(95))
		b.dated(at, modifiedMeta(at)+jsonLD(`"@type": "Article", "dateModified": "1970-01-01T00:00:00+00:00"`), "")
	}},
	{"date-early", func(b *truthBuilder) {
		b.dated("", modifiedMeta([]string{"0001-01-01T00:00:00Z", "1985-02-03", "1899-12-30T00:00:00Z"}[b.number%3]), "")
	}},
	{"date-pseudo", func(b *truthBuilder) {
		b.dated("", modifiedMeta([]string{"2024-02-31T10:00:00Z", "0000-00-00 00:00:00", "today"}[b.number%3]), "")
	}},
}

// dateSteps are the sources of the dates of the kinds.
var dateSteps = map[string]string{
	"date-json-ld": "json-ld", "date-json-ld-day": "json-ld", "date-json-ld-zone": "json-ld",
	"date-json-ld-zone-west": "json-ld", "date-json-ld-graph": "json-ld",
	"date-meta": "meta", "date-microdata": "microdata", "date-microdata-time": "microdata", "date-time-updated": "time",
	"date-no-zone-json-ld": "json-ld", "date-no-zone-meta": "meta", "date-no-zone-microdata": "microdata",
	"date-header": "last-modified", "date-header-more": "last-modified", "date-header-always": "last-modified",
	"document": "last-modified", "date-header-now-declared": "meta",
	"date-conflict-all": "json-ld", "date-conflict-meta": "meta", "date-conflict-microdata": "microdata",
	"date-broken-rung": "meta", "date-future-rung": "microdata", "date-early-rung": "meta",
}

func microdata(at time.Time) string {
	return `<div itemscope itemtype="https://schema.org/Article"><time itemprop="dateModified" datetime="` + stamp(at) +
		`"></time></div>`
}

// editKinds are pages that [TruthSite.Edit] changes. The next crawl reports a page as
// changed when its main content has changed: with the date that the page or its header
// then declares if that is later than before, or else with the time of the crawl. When
// only dates or churn change, nothing is reported. No page changes only a date, a time
// or a bare number in its text, which cannot be distinguished from today's date, a
// clock or a counter.
var editKinds = func() []truthKind {
	kinds := []truthKind{
		{"edit-declared", func(b *truthBuilder) {
			before, after := b.ago(60), b.ago(3)
			p := b.dated(stamp(before), modifiedMeta(stamp(before)), "")
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[0] += " It has another end now."
				p.head, e.LastMod = modifiedMeta(stamp(after)), stamp(after)
			})
		}},
		{"edit-declared-json-ld", func(b *truthBuilder) {
			before, after := b.ago(61), b.ago(2)
			p := b.dated(stamp(before), jsonLD(`"@type": "Article", "dateModified": "`+stamp(before)+`"`), "")
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs = p.paragraphs[1:]
				p.head, e.LastMod = jsonLD(`"@type": "Article", "dateModified": "`+stamp(after)+`"`), stamp(after)
			})
		}},
		{"edit-declared-new", func(b *truthBuilder) {
			after := b.ago(2)
			p := b.dated("", "", "")
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[1] = "All of this is new."
				p.head, e.LastMod = modifiedMeta(stamp(after)), stamp(after)
			})
		}},
		{"edit-not-declared", func(b *truthBuilder) {
			before := stamp(b.ago(62))
			p := b.dated(before, modifiedMeta(before), "")
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[2] += " No date mentions this."
				e.LastMod = Seen
			})
		}},
		{"edit-declared-back", func(b *truthBuilder) {
			before, after := stamp(b.ago(62)), stamp(b.ago(90))
			p := b.dated(before, modifiedMeta(before), "")
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[2] += " This is older than it was."
				p.head, e.LastMod = modifiedMeta(after), after
			})
		}},
		{"edit-declared-future", func(b *truthBuilder) {
			before, after := stamp(b.ago(62)), stamp(b.site.options.Now.AddDate(0, 1, 0))
			p := b.dated(before, modifiedMeta(before), "")
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[2] += " This is from next month."
				p.head, e.LastMod = modifiedMeta(after), Seen
			})
		}},
		{"edit-header", func(b *truthBuilder) {
			before, after := b.ago(63), b.ago(1)
			p := b.page(b.path(""), Expected{LastMod: b.header(before)})
			if !p.stamped {
				p.modified = before
			}
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[0] += " The header knows it."
				e.LastMod = Seen
				if !p.stamped {
					p.modified = after // which is before the first crawl
				}
			})
		}},
		{"edit-header-now", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{})
			p.stamped = true
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.paragraphs[0] += " The header says so at all times."
				e.LastMod = Seen
			})
		}},
		{"edit-document", func(b *truthBuilder) {
			before, after := b.ago(64), b.ago(1)
			target := b.path(".pdf")
			p := b.page(target, Expected{LastMod: b.header(before)})
			p.mediaType, p.raw, p.still, p.stamped = "application/pdf", "%PDF-1.4\n% "+p.title, true, false
			if !b.site.options.Stamped {
				p.modified = before
			}
			b.edit(target, func(p *truthPage, e *Expected) {
				p.raw += " second edition"
				e.LastMod = Seen
				if !p.modified.IsZero() {
					p.modified = after
				}
			})
		}},
		// The following do not change the main content.
		{"bump-declared", func(b *truthBuilder) {
			before, after := stamp(b.ago(65)), stamp(b.ago(2))
			p := b.dated(before, modifiedMeta(before), "")
			b.edit(p.about, func(p *truthPage, e *Expected) { p.head, e.LastMod = modifiedMeta(after), after })
		}},
		{"bump-declared-today", func(b *truthBuilder) {
			before, after := stamp(b.ago(65)), stamp(time.Now().Add(-time.Hour))
			p := b.dated(before, modifiedMeta(before), "")
			b.edit(p.about, func(p *truthPage, _ *Expected) { p.head = modifiedMeta(after) })
		}},
		{"bump-header", func(b *truthBuilder) {
			before, after := b.ago(66), b.ago(1)
			p := b.page(b.path(""), Expected{LastMod: b.header(before)})
			if !p.stamped {
				p.modified = before
				b.edit(p.about, func(p *truthPage, _ *Expected) { p.modified = after })
			}
		}},
		{"bump-appears", func(b *truthBuilder) {
			p := b.dated("", "", "")
			b.edit(p.about, func(p *truthPage, _ *Expected) { p.head = modifiedMeta(stamp(time.Now().Add(time.Second))) })
		}},
		{"bump-disappears", func(b *truthBuilder) {
			before := stamp(b.ago(67))
			p := b.dated(before, modifiedMeta(before), "")
			b.edit(p.about, func(p *truthPage, _ *Expected) { p.head = "" })
		}},
		{"restyle", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{})
			b.edit(p.about, func(p *truthPage, _ *Expected) {
				p.head = `<style>p { color: red }</style><link rel="icon" href="/icon.png">`
			})
		}},
		// Pages that are added, removed and moved.
		{"gone", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{})
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.status, p.etag = http.StatusNotFound, false
				*e = Expected{Kind: e.Kind, Reason: "client-error"}
			})
		}},
		{"back", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{Reason: "client-error"})
			p.status = http.StatusNotFound
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.status = http.StatusOK
				*e = Expected{Kind: e.Kind}
			})
		}},
		{"moved", func(b *truthBuilder) {
			at := stamp(b.ago(70))
			p := b.dated(at, modifiedMeta(at), "")
			end := b.path("-new")
			b.site.edits = append(b.site.edits, func() {
				moved := *b.site.pages[p.about]
				b.site.pages[end], b.site.truth[end] = &moved, Expected{Kind: "moved-end", LastMod: at}
				*p = truthPage{status: http.StatusMovedPermanently, header: []string{"Location: " + end}, still: true, raw: "Moved"}
			})
			b.edit(p.about, func(_ *truthPage, e *Expected) { *e = Expected{Kind: e.Kind, Reason: "redirect", Target: end} })
		}},
		{"hide", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{})
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.head = `<meta name="robots" content="noindex">`
				*e = Expected{Kind: e.Kind, Reason: "noindex"}
			})
		}},
		{"show", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{Reason: "noindex"})
			p.head = `<meta name="robots" content="noindex">`
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.head = ""
				*e = Expected{Kind: e.Kind}
			})
		}},
		{"yield", func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{})
			b.edit(p.about, func(p *truthPage, e *Expected) {
				p.head = `<link rel="canonical" href="/about">`
				*e = Expected{Kind: e.Kind, Reason: "canonical", Target: "/about"}
			})
		}},
		{"new", func(b *truthBuilder) {
			at := stamp(b.ago(1))
			one, two := b.path("-dated"), b.path("-undated")
			b.hidden(one, Expected{LastMod: at}).head = modifiedMeta(at)
			b.hidden(two, Expected{})
			pages := []*truthPage{b.site.pages[one], b.site.pages[two]}
			truths := []Expected{b.site.truth[one], b.site.truth[two]}
			for _, target := range []string{one, two} {
				delete(b.site.pages, target)
				delete(b.site.truth, target)
			}
			p := b.page(b.path("-list"), Expected{})
			b.edit(p.about, func(p *truthPage, _ *Expected) {
				p.nav = fmt.Sprintf(`<a href="%s">New</a> <a href="%s">Also new</a>`, one, two)
				for i, target := range []string{one, two} {
					b.site.pages[target], b.site.truth[target] = pages[i], truths[i]
				}
			})
		}},
	}
	for _, flavour := range []struct{ name, before, after string }{
		{"word", "There is a red door in the wall.", "There is a green door in the wall."},
		{"negation", "It may be opened by guests.", "It may not be opened by guests."},
		{"price", "A ticket costs $12.50 here.", "A ticket costs $14.50 here."},
		{"order", "First the salt, then the oil.", "First the oil, then the salt."},
		{"paragraph", "This is all.", "This is all.</p><p>Nearly: there is another paragraph."},
		{"version", "Version 2.3.1 is the one to take.", "Version 2.4.0 is the one to take."},
		{"heading", "<b>Opening</b> of the house", "<b>Closing</b> of the house"},
		{"number", "The wall is 12 metres high and 40 long.", "The wall is 15 metres high and 40 long."},
		{"link-text", `Ask <a href="/about">the gardener</a> about it, please.`,
			`Ask <a href="/about">the cook</a> about it, please.`},
	} {
		kinds = append(kinds, truthKind{"edit-" + flavour.name, func(b *truthBuilder) {
			p := b.page(b.path(""), Expected{})
			p.paragraphs[1] = flavour.before
			b.edit(p.about, func(p *truthPage, e *Expected) { p.paragraphs[1], e.LastMod = flavour.after, Seen })
		}})
	}
	return kinds
}()
