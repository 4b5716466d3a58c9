package lint

// setRules are about the pages of all files together.
var setRules = []*Rule{
	duplicateLoc, duplicateAcrossFiles, equivalentLoc, conflictingMetadata, hreflangNotReciprocal, hreflangInconsistent,
}

var duplicateLoc = &Rule{
	ID:       "duplicate-loc",
	Title:    "a page stands twice in a file",
	Why:      "The second entry says nothing new and takes the place of a page; of different dates nobody knows which counts.",
	Cure:     "List every page once.",
	Severity: Warning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad:      urlset(goodURL + goodURL),
	Good:     urlset(goodURL + page("https://example.com/a", "")),
}

var duplicateAcrossFiles = &Rule{
	ID:       "duplicate-across-files",
	Title:    "a page stands in two sitemaps of one kind",
	Why:      "Engines read it twice and learn nothing new; reports by file count it twice. Feeds, lists and sitemaps of images, videos or news alone may repeat what others list.",
	Cure:     "Decide which sitemap a page belongs to. Two programs that each make sitemaps of one site are the usual cause.",
	Severity: Warning,
	Source:   protocolText + "#urldef",
	Since:    "0.1",
	Bad: "-- /sitemap.xml --\n" + indexOf(child("https://example.com/a.xml")+child("https://example.com/b.xml")) +
		"-- /a.xml --\n" + goodSitemap + "-- /b.xml --\n" + goodSitemap,
	Good: goodIndex,
}

var equivalentLoc = &Rule{
	ID:       "equivalent-loc",
	Title:    "a page is listed in two spellings",
	Why:      "Capital letters in the host, the port that goes without saying, escapes that need none or a fragment do not make another page: engines see a duplicate.",
	Cure:     "Choose one spelling, the one that the page's canonical link has, and list only that.",
	Severity: Warning,
	Source:   uriText + "#section-6.2.2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/~a", "") + page("https://example.com/%7Ea", "")),
	Good:     urlset(page("https://example.com/~a", "") + page("https://example.com/~b", "")),
}

var conflictingMetadata = &Rule{
	ID:       "conflicting-metadata",
	Title:    "a page is listed with different dates, frequencies or priorities",
	Why:      "One of them is wrong, and engines drop what they cannot rely on: the date of the last change first.",
	Cure:     "List the page once, with its real date.",
	Severity: Warning,
	Source:   protocolText + "#lastmoddef",
	Since:    "0.1",
	Bad: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/", "<lastmod>2024-02-09</lastmod>")),
	Good: urlset(page("https://example.com/", "<lastmod>2024-01-08</lastmod>") +
		page("https://example.com/a", "<lastmod>2024-02-09</lastmod>")),
}

// A group sees the records of one page after the other and finds what is wrong
// between them. It holds no more of a page than a bounded number of links.
type group struct {
	run     *run
	hits    *hits
	key     pageKey
	begun   bool
	first   record // the page as it is listed first
	known   bool   // there is a first
	out     []record
	in      []record
	meeting meeting // of the page with a crawl
	seen    int
	done    <-chan struct{} // nobody waits for the end any more
}

// mostLinks is how many links of one page are compared with each other. Sites
// have versions in a few hundred languages and regions at most.
const mostLinks = 1 << 14

// take reports whether it wants more.
func (g *group) take(r *record) bool {
	if g.seen++; g.seen%65536 == 0 {
		select {
		case <-g.done:
			return false
		default:
		}
	}
	g.compare(r)
	return true
}

func (g *group) compare(r *record) {
	if !g.begun || g.key != r.key {
		g.end()
		g.key, g.begun, g.known = r.key, true, false
	}
	switch r.kind() {
	case pageRecord:
		if !g.known {
			g.first, g.known = *r, true
			return
		}
		g.again(r)
	case outRecord:
		if len(g.out) < mostLinks {
			g.out = append(g.out, *r)
		}
	case inRecord:
		if len(g.in) < mostLinks {
			g.in = append(g.in, *r)
		}
	case crawledRecord:
		g.meeting.take(r)
	}
}

// again judges a page that was listed before.
func (g *group) again(r *record) {
	rule := duplicateLoc
	file, first := g.run.set.files[r.file()], g.run.set.files[g.first.file()]
	switch {
	case file.format != first.format:
		return // a feed of what is new, or a list, may stand beside the sitemap
	case r.a != g.first.a:
		rule = equivalentLoc
	case file != first && file.media != first.media:
		rule = nil
	case file != first:
		rule = duplicateAcrossFiles
	}
	if rule != nil {
		g.hit(rule, r, &g.first)
	}
	if conflict(r.b, g.first.b) {
		g.hit(conflictingMetadata, r, &g.first)
	}
}

func (g *group) hit(rule *Rule, at, other *record) {
	if _, applied := g.run.plan.severity[rule]; applied {
		g.hits.add(hit{rule, pageAt{at.file(), at.entry}, pageAt{other.file(), other.entry}})
	}
}

// end judges the links of the page that is complete.
func (g *group) end() {
	if g.known && len(g.in) > 0 {
		g.judgeLinks()
	}
	if g.meeting.met || g.meeting.isListed {
		g.judgeCrawl()
	}
	g.out, g.in = g.out[:0], g.in[:0]
}
