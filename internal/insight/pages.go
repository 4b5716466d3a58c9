package insight

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// readPages applies the rules that need one page only, and remembers what the others need.
func (j *judge) readPages() error {
	j.urls.failures, j.urls.levels = map[crawl.ID]Why{}, map[crawl.ID]lint.Severity{}
	j.urls.policy = j.rules.links
	if j.end.Documents {
		j.urls.moved = map[crawl.ID]crawl.Detail{}
	}
	faults := j.faultChecks()
	var checks []func(*subject)
	for _, rule := range pageRules {
		if chosen := j.rules.rule(rule.id); chosen != nil {
			checks = append(checks, func(s *subject) { rule.check(j, chosen, s) })
		}
	}
	for record, err := range j.crawled.Pages(j.ctx) {
		if err != nil {
			return err
		}
		s := subject{Record: &record, id: record.Link.ID, traits: j.urls.add(&record)}
		if record.Link.OnlyEarlier() {
			continue
		}
		j.totals.add(&s)
		for _, check := range checks {
			check(&s)
		}
		j.judgeFaults(faults, &s)
		j.texts.add(j, &s)
		j.hosts.add(&s)
		j.versions.add(&s)
		if j.failed != nil {
			return j.failed
		}
	}
	if end, _ := j.urls.follow(1); end > 0 && end <= j.urls.last {
		j.urls.traits[end] |= isStart // where visitors of the start get
	}
	return nil
}

// A subject is a URL that is judged.
type subject struct {
	*crawl.Record
	id     crawl.ID
	traits traits
}

// isContent reports whether a URL is a listed HTML page, whose text and markup is judged.
// What people see of an inconclusive one is not known.
func (s *subject) isContent() bool {
	return s.traits&(isListed|isDocument) == isListed|isDocument && !s.Page.Rendered.Inconclusive()
}

// A pageRule finds what is wrong with a URL, by itself.
type pageRule struct {
	id    string
	check func(*judge, *chosenRule, *subject)
}

// contentRule returns the check of listed HTML pages that break a rule where is says so.
func contentRule(is func(*crawl.Page) bool) func(*judge, *chosenRule, *subject) {
	return func(j *judge, r *chosenRule, s *subject) {
		if s.isContent() && is(&s.Page) {
			j.report(r, r.Severity, s.id, 0, 1)
		}
	}
}

// pageRules are the rules that need one page only, apart from those that the crawl has found to be
// broken; see [faultRules].
var pageRules = []pageRule{
	{"title-missing", contentRule(func(p *crawl.Page) bool { return format.Fold(p.Title) == "" })},
	{"title-length", func(j *judge, r *chosenRule, s *subject) { j.checkLength(r, s, s.Page.Title) }},
	{"description-missing", contentRule(func(p *crawl.Page) bool { return format.Fold(p.Facts.Description) == "" })},
	{"description-length", func(j *judge, r *chosenRule, s *subject) {
		if s.Page.Facts != nil {
			j.checkLength(r, s, s.Page.Facts.Description)
		}
	}},
	{"h1-missing", contentRule(func(p *crawl.Page) bool { return format.Fold(p.Facts.H1) == "" })},
	{"thin-content", checkThinContent},
	{"rendered-differs", checkRendered},
	{"render-inconclusive", checkNotRendered},
	{"html-too-large", checkSize},
	{"slow-response", checkDuration},
	{"image-alt", func(j *judge, r *chosenRule, s *subject) {
		if s.isContent() && s.Page.Facts.ImagesWithoutAlt > 0 {
			j.report(r, r.Severity, s.id, 0, s.Page.Facts.ImagesWithoutAlt, s.Page.Facts.ImagesWithoutAlt)
		}
	}},
	{"image-large", checkImageSize},
	{"og-incomplete", checkOpenGraph},
	{"lang-missing", contentRule(func(p *crawl.Page) bool { return p.Language == "" })},
	{"viewport-missing", contentRule(func(p *crawl.Page) bool { return p.Facts.Parts&crawl.PartViewport == 0 })},
}

// checkLength reports a text that is too long or too short. Without one it is missing.
func (j *judge) checkLength(r *chosenRule, s *subject, text string) {
	if !s.isContent() {
		return
	}
	if n := format.Columns(text); n > 0 {
		if severity, _ := r.beyond(n); severity != lint.SeverityOff {
			limits := r.Threshold.Limits()
			j.report(r, severity, s.id, 0, 1, n, limits[0], limits[1])
		}
	}
}

// manyImages is how many images make a page without text a gallery.
const manyImages = 5

func checkThinContent(j *judge, r *chosenRule, s *subject) {
	if !s.isContent() || s.Page.Facts.NeedsScript || s.Page.Facts.Images > manyImages ||
		s.Page.Facts.Parts&(crawl.PartForm|crawl.PartVideo) != 0 {
		return
	}
	if severity, limit := r.beyond(s.Page.Words); severity != lint.SeverityOff {
		j.report(r, severity, s.id, 0, 1, s.Page.Words, limit)
	}
}

// checkRendered reports scripts that change what search engines read in the head of a page.
func checkRendered(j *judge, r *chosenRule, s *subject) {
	var changes []string
	severity := r.Severity
	for _, field := range s.Page.Rendered.Changes() {
		switch field {
		case "canonical", "robots":
			severity = r.Escalated
			fallthrough
		case "title", "description":
			changes = append(changes, field)
		}
	}
	if len(changes) > 0 {
		j.report(r, severity, s.id, 0, 1, strings.Join(changes, ", "))
	}
}

// checkNotRendered reports a page that was not rendered to its end.
func checkNotRendered(j *judge, r *chosenRule, s *subject) {
	if !s.Page.Rendered.Inconclusive() {
		return
	}
	j.report(r, r.Severity, s.id, 0, 1, detailText(s.Page.Rendered.Failure))
}

// detailText returns a detail as an argument of a message.
func detailText(d crawl.Detail) lint.Text {
	code, texts := d.Split()
	text := lint.Text{Code: "detail." + code}
	for _, argument := range texts {
		text.Arguments = append(text.Arguments, argument)
	}
	return text
}

// maxIndexed is how many bytes of HTML Google reads
// (https://developers.google.com/search/docs/crawling-indexing/googlebot).
const maxIndexed = 2 << 20

// checkSize reports large HTML: as an error only where search engines miss a part that matters.
func checkSize(j *judge, r *chosenRule, s *subject) {
	if !s.isContent() {
		return
	}
	severity, limit := r.beyond(int(s.Page.Size))
	if slices.ContainsFunc(s.Page.Facts.Faults, func(f crawl.Fault) bool { return f.Rule == r.ID }) {
		severity, limit = r.Escalated, maxIndexed
	}
	if severity != lint.SeverityOff {
		j.report(r, severity, s.id, 0, 1, int(s.Page.Size), limit)
	}
}

func checkDuration(j *judge, r *chosenRule, s *subject) {
	if s.traits&isPage == 0 || !s.Requested() || s.Page.Status == 0 {
		return
	}
	took := int(s.Page.Duration.Milliseconds())
	if severity, limit := r.beyond(took); severity != lint.SeverityOff {
		j.report(r, severity, s.id, 0, 1, took, limit)
	}
}

func checkImageSize(j *judge, r *chosenRule, s *subject) {
	if !s.Fetched || s.Page.Status != http.StatusOK || !isImage(s.Page.MediaType) {
		return
	}
	if severity, limit := r.beyond(int(s.Page.Size)); severity != lint.SeverityOff {
		j.report(r, severity, s.id, s.Link.From, 1, int(s.Page.Size), limit)
	}
}

func isImage(mediaType string) bool { return len(mediaType) > 6 && mediaType[:6] == "image/" }

// requiredOpenGraph are the properties that every page with Open Graph has
// (https://ogp.me/#metadata).
const requiredOpenGraph = crawl.OpenGraphTitle | crawl.OpenGraphType | crawl.OpenGraphImage | crawl.OpenGraphURL

func checkOpenGraph(j *judge, r *chosenRule, s *subject) {
	if !s.isContent() {
		return
	}
	missing := requiredOpenGraph &^ s.Page.Facts.OpenGraph
	if missing == 0 || missing == requiredOpenGraph {
		return
	}
	names := ""
	for _, name := range missing.Names() {
		names += ", og:" + name
	}
	j.report(r, r.Severity, s.id, 0, 1, names[2:])
}
