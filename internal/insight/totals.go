package insight

import (
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint"
)

// Totals count the URLs of a crawl.
type Totals struct {
	Listed  int       // pages in the sitemap
	Waiting int       // URLs to fetch
	Beyond  int       // URLs beyond the limit of the depth
	Last    time.Time // of the last request

	problems        int // errors and warnings
	fetched         int // pages that answered, redirects and errors apart
	redirects       int
	linkedRedirects int
	reasons         map[crawl.Reason]int // of fetched
	scripts         int                  // of them that need JavaScript
	rendered        int                  // of fetched: those that were to be rendered
	renderLimited   int                  // of rendered: those that Limits.Render kept from it
	unrendered      int                  // pages that a browser could not render
	contentless     int                  // of them, those that are not of fetched: a request for their content failed
	unrenderedWhy   crawl.Detail         // of the first of them
	start           *crawl.Record        // where the redirects of the start end
	landing         crawl.ID             // that URL, while it is not known yet
	forms           []crawl.ID           // pages with a password field, at most maxForms
	canonicals      []target             // of pages that name another URL as canonical, the first ones
	blocked         int                  // pages that robots.txt forbids
	others          map[string]int       // URLs of other sites, by their origins
	askedOthers     bool                 // one of them was requested
	hasHTTP         bool                 // a page has http, and a host that may have https
}

// The first pages of a kind are enough to tell a cause.
const (
	maxForms      = 100
	maxCanonicals = 1000
	maxOthers     = 1000
)

// count counts a finding.
func (t *Totals) count(severity lint.Severity) {
	if severity >= lint.SeverityWarning {
		t.problems++
	}
}

// add adds a URL. URLs are added in the order of their IDs.
func (t *Totals) add(s *subject) {
	if s.traits&isListed != 0 {
		t.Listed++
	}
	if !s.Fetched && s.Link.Reason == crawl.ReasonListed {
		t.Waiting++
	}
	if s.Link.Detail == crawl.DetailMaxDepth {
		t.Beyond++
	}
	if s.traits&isExternal != 0 && s.Link.Role != crawl.RoleAsset {
		t.addOther(s.Link.URL)
		t.askedOthers = t.askedOthers || s.Fetched
	}
	if s.traits&isBlocked != 0 {
		t.blocked++
	}
	if !s.Requested() {
		return
	}
	if s.Page.Time.After(t.Last) {
		t.Last = s.Page.Time
	}
	t.addStart(s)
	t.addUnrendered(&s.Page)
	switch reason := s.Page.Reason; {
	case reason == crawl.ReasonRedirect || reason == crawl.ReasonRedirectLoop:
		t.redirects++
		return
	case s.Page.Broken() || reason == crawl.ReasonInconclusive || reason == crawl.ReasonNotAPage:
		return
	}
	t.addPage(s)
}

// addOther counts a URL of another site.
func (t *Totals) addOther(url string) {
	if t.others == nil {
		t.others = map[string]int{}
	}
	origin := urlnorm.Origin(url)
	if _, known := t.others[origin]; known || len(t.others) < maxOthers {
		t.others[origin]++
	}
}

// addStart remembers the start page.
func (t *Totals) addStart(s *subject) {
	if s.traits&isStart == 0 && s.id != t.landing {
		return
	}
	if s.id == 1 || s.id == t.landing {
		record := *s.Record
		t.start, t.landing = &record, s.Page.Target
		if s.traits&isRedirect == 0 {
			t.landing = 0
		}
	}
}

// unrenderedWhy returns why a browser could not render a page, or not with its content; empty for other pages. A page
// whose scripts ran and show nothing was rendered.
func unrenderedWhy(p *crawl.Page) crawl.Detail {
	why := p.Detail
	if p.Rendered.Inconclusive() {
		why = p.Rendered.Failure
	}
	switch why.Code() {
	case crawl.DetailRenderFailed, crawl.DetailRenderScript, crawl.DetailRenderError, crawl.DetailRenderPartial:
		return why
	}
	return ""
}

// addUnrendered counts a page that a browser could not render.
func (t *Totals) addUnrendered(p *crawl.Page) {
	why := unrenderedWhy(p)
	if why == "" {
		return
	}
	if t.unrendered++; t.unrendered == 1 {
		t.unrenderedWhy = why
	}
	if p.Reason == crawl.ReasonInconclusive {
		t.contentless++
	}
}

// addPage counts a page that answered.
func (t *Totals) addPage(s *subject) {
	t.fetched++
	if host, found := strings.CutPrefix(urlnorm.Origin(s.Link.URL), "http://"); found {
		t.hasHTTP = t.hasHTTP || !strings.Contains(host, ":") && !urlnorm.IsLoopback(host)
	}
	if t.reasons == nil {
		t.reasons = map[crawl.Reason]int{}
	}
	t.reasons[s.Page.Reason]++
	if s.Page.Reason == crawl.ReasonCanonical && len(t.canonicals) < maxCanonicals {
		t.canonicals = append(t.canonicals, target{s.id, s.Page.Target})
	}
	if s.Page.Rendered != nil {
		t.rendered++
		if s.Page.Rendered.Failure == crawl.DetailMaxRender {
			t.renderLimited++
		}
	}
	if facts := s.Page.Facts; facts != nil && extract.IsHTML(s.Page.MediaType) {
		if facts.NeedsScript && unrenderedWhy(&s.Page) == "" {
			t.scripts++
		}
		if facts.Parts&crawl.PartPassword != 0 && len(t.forms) < maxForms {
			t.forms = append(t.forms, s.id)
		}
	}
}
