package lint

import (
	"bytes"
	"context"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/robots"
)

// A hostCheck applies the rules to the robots.txt of a host with sitemaps.
type hostCheck struct {
	address *url.URL       // of robots.txt
	robots  *robots.File   // an empty one where the host has none
	files   []*fileSummary // the sitemaps on the host

	ctx      context.Context
	site     *fetch.Site
	rule     *Rule     // the one that looks
	findings []Finding // without severity
}

// read requests robots.txt and reports whether something can be said about it.
func (h *hostCheck) read() bool {
	answer := h.follow(h.address.String(), robots.ReadLimit+1).end()
	if answer == nil || answer.Status >= http.StatusInternalServerError || answer.Status == http.StatusTooManyRequests {
		return false
	}
	h.robots = robots.FromResponse(answer.Status, bytes.NewReader(answer.Body))
	return true
}

// follow requests an address and what it redirects to.
func (h *hostCheck) follow(url string, limit int64) *chain {
	return follow(h.ctx, h.site, url, limit)
}

// cancelled reports whether answers may be missing because the run ends.
func (h *hostCheck) cancelled() bool { return h.ctx.Err() != nil }

// check applies a rule.
func (h *hostCheck) check(r *Rule) {
	h.rule = r
	r.checkHost(h)
}

// report reports a breach of the rule in a line of a file, or in the file where
// line is 0.
func (h *hostCheck) report(file string, line int, evidence string, message Text) {
	f := Finding{Rule: h.rule, File: file, Message: message, Evidence: printable(evidence)}
	if line > 0 {
		f.Line, f.Column = line, 1
	}
	h.findings = append(h.findings, f)
}

// reportLine reports a breach of the rule in a line of robots.txt.
func (h *hostCheck) reportLine(line robots.Line, message Text) {
	h.report(h.address.String(), line.Number, line.Text, message)
}
