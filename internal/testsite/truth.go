package testsite

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// TruthOptions configure [NewTruthSite]. The same options make the same site.
type TruthOptions struct {
	Seed uint64
	// Size is the number of pages of each kind, at least 1.
	Size int
	// Now is the time of the first crawl, to which the dates are relative.
	Now time.Time
	// Stamped makes Last-Modified the time of the answer on nearly all pages.
	Stamped bool
	// ETags gives every page an ETag of its content. Otherwise some have one,
	// some a Last-Modified that allows conditional requests, and some neither.
	ETags bool
}

// A TruthSite is a website with the results that a crawl of it should have. It answers
// unknown targets with 200 and a page that says that they are missing. It is safe for
// concurrent use.
type TruthSite struct {
	options TruthOptions

	mu       sync.Mutex
	pages    map[string]*truthPage // by request target
	truth    map[string]Expected
	edits    []func()
	requests int
	bodies   map[string]int
}

// Seen, as Expected.LastMod, means the time at which the change was found.
const Seen = "seen"

// Expected is the correct result for one URL.
type Expected struct {
	// Kind is the name of the case that the URL tests.
	Kind string
	// Reason is why the sitemap does not list it, by the names of crawl.Reason;
	// empty when it does.
	Reason string
	// Detail are parts of the text that explains the reason.
	Detail []string
	// Target is the target of a redirect, a canonical link or a duplicate, on
	// the site or as an absolute URL. When a page names two, the other is
	// Rival.
	Target, Rival string
	// LastMod is a date as in the sitemap, Seen, or empty for none.
	LastMod string
	// Step is the source of that date: json-ld, meta, microdata, time,
	// last-modified or content; empty when it does not matter.
	Step string
	// Images are required, MoreImages are allowed: other sizes of the same
	// image.
	Images, MoreImages []string
	Videos             []ExpectedVideo
	// Alternates are the targets in other languages, by hreflang.
	// MoreAlternates allows further ones, in a cluster with an error.
	Alternates, MoreAlternates map[string]string
	// Fault is the error in the languages of the page: self-missing or
	// not-reciprocal.
	Fault string
	News  *ExpectedNews
}

// ExpectedVideo is a video of a listed page. URLs on the site are targets, others are
// absolute.
type ExpectedVideo struct {
	Thumbnail, Title, Description, Content, Player, Duration, Published string
}

// ExpectedNews is a news article of the last two days.
type ExpectedNews struct{ Title, Published, Language string }

// The truth holds for a crawl with the arguments TruthFlags and a mapa.yaml with TruthSettings.
var (
	TruthFlags    = []string{"--exclude", "^/excluded/", "--no-list", "^/unlisted/"}
	TruthSettings = "add: ^/added/\n"
)

const truthRobots = `User-agent: otherbot
Disallow: /

User-agent: *
Disallow: /private/
Allow: /private/press/
Disallow: /*.cgi$
Disallow: /*?print=
`

// NewTruthSite returns the site for the options.
func NewTruthSite(o TruthOptions) *TruthSite {
	o.Now = o.Now.UTC().Truncate(time.Second)
	s := &TruthSite{options: o, pages: map[string]*truthPage{}, truth: map[string]Expected{}, bodies: map[string]int{}}
	b := &truthBuilder{site: s, random: rand.New(rand.NewPCG(o.Seed, 1))}
	home := b.hidden("/", Expected{Kind: "home"})
	home.still, home.nav = true, `<a href="/index.html">Start</a> <a href="/about">About</a>`
	about := b.hidden("/about", Expected{Kind: "about"})
	about.still = true
	index := *home
	s.pages["/index.html"], s.truth["/index.html"] = &index, Expected{Kind: "home again", Reason: "duplicate", Target: "/"}
	for _, kinds := range [][]truthKind{indexKinds, canonicalKinds, redirectKinds, addressKinds, dateKinds, languageKinds,
		mediaKinds, editKinds} {
		for _, kind := range kinds {
			for b.number = 1; b.number <= max(1, o.Size); b.number++ {
				b.name = kind.name
				kind.make(b)
			}
		}
	}
	b.hubs(home)
	index.nav = home.nav
	return s
}

// Truth returns the current correct results, by request target, or by URL on other
// sites.
func (s *TruthSite) Truth() map[string]Expected {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.truth)
}

// Edit applies the changes of the site. It may be called once.
func (s *TruthSite) Edit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, edit := range s.edits {
		edit()
	}
	s.edits = nil
}

// Bodies returns the targets of the pages whose body was sent with status 200
// since the last call, and how often.
func (s *TruthSite) Bodies() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent := s.bodies
	s.bodies = map[string]int{}
	return sent
}

// ServeHTTP implements [http.Handler].
func (s *TruthSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, truthRobots)
		return
	}
	target := plainTarget(r.URL)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	moment := churn{number: s.requests, now: time.Now().UTC()}
	page, known := s.pages[target]
	if !known {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, missingPage.render("http://"+r.Host, moment))
		return
	}
	for _, line := range page.header {
		name, value, _ := strings.Cut(line, ": ")
		w.Header().Add(name, strings.ReplaceAll(value, "$ORIGIN", "http://"+r.Host))
	}
	if page.mediaType != "" {
		w.Header().Set("Content-Type", page.mediaType)
	}
	if page.status == http.StatusOK && s.unchanged(page, w.Header(), r, moment) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(page.status)
	if page.status == http.StatusOK {
		s.bodies[target]++
	}
	fmt.Fprint(w, page.render("http://"+r.Host, moment))
}

// unchanged sets the validators of a page, and answers a conditional request.
func (s *TruthSite) unchanged(page *truthPage, header http.Header, r *http.Request, moment churn) bool {
	modified := page.modified
	if page.stamped {
		modified = moment.now
	}
	if !modified.IsZero() {
		header.Set("Last-Modified", modified.Format(http.TimeFormat))
	}
	if page.etag || s.options.ETags {
		sum := fnv.New64a()
		fmt.Fprint(sum, page.render("", churn{}))
		tag := fmt.Sprintf(`"%x"`, sum.Sum64())
		if !page.still {
			tag = "W/" + tag
		}
		header.Set("ETag", tag)
		if asked := r.Header.Get("If-None-Match"); asked != "" {
			return asked == "*" || slices.ContainsFunc(strings.Split(asked, ","), func(one string) bool {
				return strings.TrimPrefix(strings.TrimSpace(one), "W/") == strings.TrimPrefix(tag, "W/")
			})
		}
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	return err == nil && !page.modified.IsZero() && !page.stamped && !page.modified.After(since)
}

// plainTarget returns a request target without session and tracking parameters.
func plainTarget(u *url.URL) string {
	path, _, _ := strings.Cut(u.EscapedPath(), ";jsessionid=")
	var kept []string
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		switch {
		case parameter == "", strings.HasPrefix(name, "utm_"), name == "gclid", name == "fbclid", name == "PHPSESSID",
			name == "sid":
		default:
			kept = append(kept, parameter)
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + strings.Join(kept, "&")
}

// A truthKind is one case, with its correct results.
type truthKind struct {
	name string
	make func(b *truthBuilder)
}

// A truthBuilder builds the pages of one site.
type truthBuilder struct {
	site   *TruthSite
	random *rand.Rand
	name   string // of the kind that is being built
	number int
	links  []string
}

// path returns a new target with the name of the kind.
func (b *truthBuilder) path(suffix string) string {
	folder := []string{"/garden/", "/kitchen/", "/library/", "/"}[b.random.IntN(4)]
	return folder + b.name + "-" + strconv.Itoa(b.number) + suffix
}

// expect sets the result for a URL, which may not exist on the site.
func (b *truthBuilder) expect(target string, e Expected) {
	if e.Kind == "" {
		e.Kind = b.name
	}
	if e.LastMod != "" {
		e.Step = dateSteps[b.name]
	}
	b.site.truth[target] = e
}

// hidden adds a page without links to it.
func (b *truthBuilder) hidden(target string, e Expected) *truthPage {
	b.expect(target, e)
	text := newText(b.random)
	page := &truthPage{status: http.StatusOK, lang: "en", title: text.title(), paragraphs: text.paragraphs(),
		layout: b.random.IntN(3), about: target, etag: b.random.IntN(3) == 0, stamped: b.site.options.Stamped}
	b.site.pages[target] = page
	return page
}

// page adds a page with a link from a hub.
func (b *truthBuilder) page(target string, e Expected) *truthPage {
	p := b.hidden(target, e)
	b.link(target)
	return p
}

// link adds links from a hub to the targets, in this order.
func (b *truthBuilder) link(targets ...string) {
	var html strings.Builder
	for _, target := range targets {
		fmt.Fprintf(&html, `<a href="%s">Go to number %d</a> `, strings.ReplaceAll(target, "&", "&amp;"), len(b.links))
	}
	b.links = append(b.links, html.String())
}

// linkNofollow adds a nofollow link from a hub to the target.
func (b *truthBuilder) linkNofollow(target, rel string) {
	b.links = append(b.links, fmt.Sprintf(`<a href="%s" rel="%s">Go there at your own risk</a> `, target, rel))
}

// hubs distributes the links to pages that the home page links to.
func (b *truthBuilder) hubs(home *truthPage) {
	b.random.Shuffle(len(b.links), func(i, j int) { b.links[i], b.links[j] = b.links[j], b.links[i] })
	number := 0
	for some := range slices.Chunk(b.links, 40) {
		number++
		target := "/hub-" + strconv.Itoa(number)
		hub := b.hidden(target, Expected{Kind: "hub"})
		hub.nav = strings.Join(some, "\n")
		home.nav += fmt.Sprintf(` <a href="%s">Hub %d</a>`, target, number)
	}
}

// ago returns a time some days before the site's now, different at each call.
func (b *truthBuilder) ago(days int) time.Time {
	back := time.Duration(days)*24*time.Hour + time.Duration(1+b.random.IntN(80_000))*time.Second
	at := b.site.options.Now.Add(-back)
	if at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
		return at.Add(time.Second)
	}
	return at
}

// header returns the correct date of a page that has only a Last-Modified: none on a
// site with made-up ones.
func (b *truthBuilder) header(at time.Time) string {
	if b.site.options.Stamped {
		return ""
	}
	return stamp(at)
}

// edit adds a change for Edit.
func (b *truthBuilder) edit(target string, change func(*truthPage, *Expected)) {
	b.site.edits = append(b.site.edits, func() {
		e := b.site.truth[target]
		change(b.site.pages[target], &e)
		if e.LastMod == Seen {
			e.Step = "content"
		}
		b.site.truth[target] = e
	})
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
