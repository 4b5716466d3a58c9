package rule

import (
	"bytes"
	"context"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/live"
	"github.com/mapatools/mapa/robots"
)

// Host is the robots.txt of a host with sitemaps as a check sees it.
type Host struct {
	Address *url.URL     // of robots.txt
	Robots  *robots.File // an empty one where the host has none
	Files   []*Summary   // the sitemaps on the host

	ctx   context.Context
	site  live.Site
	rule  *Rule // the one that looks
	found []Finding
}

// NewHost returns what checks see of the host with a robots.txt.
func NewHost(ctx context.Context, site live.Site, address *url.URL) *Host {
	return &Host{Address: address, ctx: ctx, site: site}
}

// Read requests robots.txt and reports whether something can be said about it.
func (h *Host) Read() bool {
	answer := h.Follow(h.Address.String(), robots.ReadLimit+1).End()
	if answer == nil || answer.Status >= http.StatusInternalServerError || answer.Status == http.StatusTooManyRequests {
		return false
	}
	h.Robots = robots.FromResponse(answer.Status, bytes.NewReader(answer.Body))
	return true
}

// Follow requests an address and what it redirects to.
func (h *Host) Follow(url string, limit int64) *live.Chain {
	return live.Follow(h.ctx, h.site, url, limit)
}

// Cancelled reports whether answers may be missing because the run ends.
func (h *Host) Cancelled() bool { return h.ctx.Err() != nil }

// Check applies a rule.
func (h *Host) Check(r *Rule) {
	h.rule = r
	r.CheckHost(h)
}

// Found returns the findings of all checks, without severity.
func (h *Host) Found() []Finding { return h.found }

// Report reports a breach of the rule in a line of a file, or in the file where
// line is 0.
func (h *Host) Report(file string, line int, evidence, message string) {
	f := Finding{Rule: h.rule, File: file, Message: message, Evidence: display.Text(evidence)}
	if line > 0 {
		f.Line, f.Column = line, 1
	}
	h.found = append(h.found, f)
}

// ReportLine reports a breach of the rule in a line of robots.txt.
func (h *Host) ReportLine(line robots.Line, message string) {
	h.Report(h.Address.String(), line.Number, line.Text, message)
}
