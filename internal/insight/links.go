package insight

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/lint"
)

// readLinks reads every link: it applies the rules about links, and counts what leads to each
// page.
func (j *judge) readLinks() error {
	j.counts.grow(j.urls.last)
	j.anchors = anchorSearch{ctx: j.ctx, crawled: j.crawled, on: j.rules.rule(ruleAnchor) != nil}
	page := pageLinks{judge: j, checks: j.linkChecks(), at: make([]uint32, j.urls.last+1)}
	var err error
	if j.counts.depths, _, err = j.crawled.Distances(j.ctx, page.add); err != nil {
		return err
	}
	if err := page.end(); err != nil {
		return err
	}
	return j.judgeAnchors()
}

// A pageLinks has the links of one page at a time.
type pageLinks struct {
	*judge
	checks []func(*pageLink)
	from   crawl.ID
	links  []pageLink // of the page, one for each target
	at     []uint32   // by the ID of a target: the number of its link, if the page has one
}

// A pageLink is what a page has of links to one URL.
type pageLink struct {
	from, to crawl.ID
	traits   traits // of the target
	count    int    // links that visitors or the page itself follow
	text     string // of the first such link that has one
	anchors  int    // of them, a and area elements
	named    bool   // one of these has a text
	nofollow bool   // all of these are nofollow
	next     bool   // a link element says that the target is the next or previous page
	frames   int    // frames that show the target, if it is a page of the site
	vague    string // the text of an a element that says nothing about the target
	vagues   int    // links of the page with that text, counted at the first

	crawl.Position                // of the first a or area element, or else of the first link
	vagueAt        crawl.Position // of the link with that text
}

// add adds a link. The links of a page follow each other.
func (p *pageLinks) add(e *store.PageEdge) error {
	if e.From != p.from {
		if err := p.end(); err != nil {
			return err
		}
		p.from = e.From
	}
	if err := p.anchors.add(e); err != nil {
		return err
	}
	if e.Kind == crawl.EdgeCanonical && e.To != e.From {
		p.counts.canonicals = append(p.counts.canonicals, target{e.From, e.To})
	}
	if e.To <= 0 || e.To > p.urls.last {
		return nil
	}
	if start := p.totals.start; start != nil && e.From == start.Link.ID &&
		(e.Kind == crawl.EdgeCanonical || e.Kind == crawl.EdgeFeed) {
		p.counts.named = append(p.counts.named, e.Edge)
	}
	at := p.at[e.To]
	if p.judge.end.Documents || int(at) >= len(p.links) || p.links[at].to != e.To {
		at = uint32(len(p.links))
		p.at[e.To] = at
		p.links = append(p.links, pageLink{from: e.From, to: e.To, traits: p.urls.traits[e.To], nofollow: true})
	}
	p.links[at].add(&e.Edge)
	return nil
}

// add adds a link to the same URL.
func (l *pageLink) add(e *crawl.Edge) {
	switch e.Kind {
	case crawl.EdgePagination:
		l.next = true
	case crawl.EdgeAnchor, crawl.EdgeArea:
		if l.anchors++; l.anchors == 1 {
			l.Position = e.Position
		}
		l.nofollow = l.nofollow && e.Nofollow
		text := format.Fold(e.Text)
		l.named = l.named || text != ""
		if l.vague == "" && isVague(text) && l.to != l.from {
			l.vague, l.vagueAt = text, e.Position
		}
	case crawl.EdgeFrame:
		if l.traits&isPage != 0 {
			l.frames++
			l.nofollow = l.nofollow && e.Nofollow
		}
	}
	if page.IsFollowable(e.Kind) {
		if l.count++; l.text == "" {
			l.text = format.Fold(e.Text)
		}
		if l.Line == 0 {
			l.Position = e.Position
		}
	}
}

// end judges the links of the page.
func (p *pageLinks) end() error {
	p.countVague()
	for i := range p.links {
		link := &p.links[i]
		for _, check := range p.checks {
			check(link)
		}
		p.counts.count(link)
		if link.next {
			p.texts.series(link.from, link.to)
		}
	}
	p.links = p.links[:0]
	return p.failed
}

// countVague counts the links of the page with the same vague text.
func (p *pageLinks) countVague() {
	first := map[string]int{}
	for i := range p.links {
		if text := p.links[i].vague; text != "" {
			at, known := first[text]
			if !known {
				at, first[text] = i, i
			}
			p.links[at].vagues++
		}
	}
}

// The rules about broken links, and about links whose texts say nothing.
const ruleBroken, ruleAnchor, ruleVague = "link-broken", "anchor-missing", "link-vague"

// linkRules are the rules about links, by the page that has them.
var linkRules = []struct {
	id    string
	check func(*judge, *chosenRule, *pageLink)
}{
	{ruleBroken, checkBroken},
	{"link-inconclusive", checkInconclusive},
	{"link-localhost", checkLocalhost},
	{"link-no-text", func(j *judge, r *chosenRule, l *pageLink) {
		if l.anchors > 0 && !l.named && l.to != l.from {
			j.reportLink(r, l, l.anchors)
		}
	}},
	{ruleVague, func(j *judge, r *chosenRule, l *pageLink) {
		if l.vagues > 0 {
			vague := *l
			vague.Position = l.vagueAt
			j.reportLink(r, &vague, l.vagues, l.vague)
		}
	}},
	{"pagination-broken", checkPagination},
	{"redirect-internal", checkMoved},
	{"redirect-chain", checkChain},
}

func (j *judge) linkChecks() (checks []func(*pageLink)) {
	for _, rule := range linkRules {
		if chosen := j.rules.rule(rule.id); chosen != nil {
			checks = append(checks, func(l *pageLink) { rule.check(j, chosen, l) })
		}
	}
	return checks
}

// checkBroken reports a link to a URL that is broken, also after redirects. A redirect loop is
// the matter of its own rule.
func checkBroken(j *judge, r *chosenRule, l *pageLink) {
	if l.count == 0 {
		return
	}
	broken := l.to
	if l.traits&isRedirect != 0 {
		broken, _ = j.urls.follow(l.to)
	}
	if !j.urls.has(broken, isBroken) || j.urls.has(broken, isLoop) {
		return
	}
	severity := r.Escalated
	if j.urls.has(broken, isExternal) {
		severity = r.Severity
	}
	j.counts.used[broken] = true
	if !j.counts.room(r.ID, l.to) {
		return
	}
	r = r.at(j.urls.levels[broken])
	if r.replaced != lint.SeverityOff {
		severity = r.replaced
	}
	if combine := j.end.Combine; combine != nil && combine(l.from, l.to, l.Position, severity) {
		return
	}
	f := &Finding{Severity: severity, Page: l.from, Other: l.to, Position: l.Position, Count: l.count,
		Arguments: Arguments{j.urls.failures[broken], linkText(l.text)}}
	if broken != l.to {
		end, err := j.crawled.Link(broken)
		j.failed = cmp.Or(j.failed, err)
		f.Message, f.Arguments = MessageRedirected, slices.Insert(f.Arguments, 0, any(end.URL))
	}
	j.emitFinding(r, f)
}

// reportLink emits a finding about the links of a page to a URL.
func (j *judge) reportLink(r *chosenRule, l *pageLink, count int, arguments ...any) {
	j.emitFinding(r, &Finding{
		Severity: r.Severity, Page: l.from, Other: l.to, Position: l.Position, Count: count, Arguments: arguments,
	})
}

// MessageRedirected is the message of a link to a redirect that leads to a broken URL, which is
// its first argument.
const MessageRedirected = "rule.link-broken.redirected"

// messageUnlinked is the message of a broken URL without a link to it.
const messageUnlinked = "rule.link-broken.unlinked"

// linkText returns the text of a link as an argument of a message.
func linkText(text string) any {
	if text == "" {
		return lint.Text{Code: "rule.link-broken.no-text"}
	}
	return text
}

// checkInconclusive reports a link to a URL that is refused to programs, also after redirects.
func checkInconclusive(j *judge, r *chosenRule, l *pageLink) {
	end, _ := j.urls.follow(l.to)
	if l.count > 0 && j.urls.has(end, isInconclusive) && j.counts.room(r.ID, l.to) {
		j.reportLink(r.at(j.urls.levels[end]), l, l.count, j.urls.failures[end])
	}
}

// checkLocalhost reports a link to a private address, as a note where its text is an address too:
// instructions name the addresses of the reader's own computer.
func checkLocalhost(j *judge, r *chosenRule, l *pageLink) {
	if l.count == 0 || l.traits&isPrivate == 0 || j.urls.has(l.from, isPrivate) {
		return
	}
	if r.replaced == lint.SeverityOff && privateAddress.MatchString(l.text) {
		r = r.at(lint.SeverityInfo)
	}
	j.reportLink(r, l, l.count)
}

// privateAddress is the text of a link that shows its address.
var privateAddress = regexp.MustCompile(`^(https?://\S+|localhost[:/]\S*|127\.0\.0\.1\S*)$`)

// checkPagination reports a next or previous page that is broken, also after redirects.
func checkPagination(j *judge, r *chosenRule, l *pageLink) {
	end, _ := j.urls.follow(l.to)
	if l.next && j.urls.has(end, isBroken) && !j.urls.has(end, isLoop) {
		j.report(r, r.Severity, l.from, l.to, 1, j.urls.failures[end])
	}
}

// checkMoved reports a link of a document to a URL of another site that redirects for good.
func checkMoved(j *judge, r *chosenRule, l *pageLink) {
	if _, arguments := j.urls.moved[l.to].Split(); l.count > 0 && len(arguments) == 2 && j.counts.room(r.ID, l.to) {
		j.emitFinding(r, &Finding{
			Severity: r.Severity, Page: l.from, Other: l.to, Position: l.Position, Count: l.count,
			Message: messageMoved, Arguments: Arguments{arguments[1], linkText(l.text)},
		})
	}
}

// checkChain reports a link of a document to a URL of another site that redirects several times.
func checkChain(j *judge, r *chosenRule, l *pageLink) {
	_, arguments := j.urls.moved[l.to].Split()
	if l.count == 0 || len(arguments) == 0 || !j.counts.room(r.ID, l.to) {
		return
	}
	steps, err := strconv.Atoi(arguments[0])
	j.failed = cmp.Or(j.failed, err)
	if severity, _ := r.beyond(steps); severity != lint.SeverityOff {
		j.emitFinding(r, &Finding{
			Severity: severity, Page: l.from, Other: l.to, Position: l.Position, Count: l.count,
			Message: "rule.redirect-chain.link", Arguments: Arguments{steps, linkText(l.text)},
		})
	}
}

// messageMoved is the message of a link to a URL that has moved to its first argument, and messageListedMoved that of
// such a URL in a sitemap.
const messageMoved, messageListedMoved = "rule.redirect-internal.link", "rule.redirect-internal.listed"
