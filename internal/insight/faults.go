package insight

import (
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// A faultRule is a rule whose breaches the crawl records, as a [crawl.Fault].
type faultRule struct {
	id        string
	documents bool // it judges every HTML page, and not only listed ones
	counts    bool // the message has a number, and no text
}

var faultRules = []faultRule{
	{id: "title-multiple", counts: true},
	{id: "description-multiple", counts: true},
	{id: "meta-in-body"},
	{id: "h1-multiple", counts: true},
	{id: "canonical-multiple", documents: true},
	{id: "canonical-relative", documents: true},
	{id: "canonical-in-body", documents: true},
	{id: "robots-conflict", documents: true},
	{id: "link-invalid", documents: true},
	{id: "link-uncrawlable", documents: true},
	{id: "image-size", counts: true},
	{id: "mixed-content"},
	{id: "insecure-form"},
	{id: "json-ld-invalid"},
	{id: "og-url-mismatch"},
	{id: "soft-404-text"},
	{id: "http-page"},
}

// A faultCheck reports a fault of a page.
type faultCheck func(*subject, *crawl.Fault)

// faultChecks returns the rules of the faults, by their IDs.
func (j *judge) faultChecks() map[string]faultCheck {
	checks := map[string]faultCheck{}
	for _, rule := range faultRules {
		if chosen := j.rules.rule(rule.id); chosen != nil {
			checks[rule.id] = func(s *subject, fault *crawl.Fault) { j.reportFault(chosen, &rule, s, fault) }
		}
	}
	return checks
}

// judgeFaults reports what the crawl found wrong in the markup of a page.
func (j *judge) judgeFaults(checks map[string]faultCheck, s *subject) {
	if s.Page.Facts == nil || s.traits&isDocument == 0 {
		return
	}
	for i := range s.Page.Facts.Faults {
		fault := &s.Page.Facts.Faults[i]
		if check := checks[fault.Rule]; check != nil {
			check(s, fault)
		}
	}
}

// reportFault reports a fault of a page that breaks a rule.
func (j *judge) reportFault(r *chosenRule, rule *faultRule, s *subject, fault *crawl.Fault) {
	isMissing := r.ID == "title-multiple" && format.Fold(s.Page.Title) == ""
	if !rule.documents && !s.isContent() || isMissing {
		return
	}
	severity, count := r.Severity, max(fault.Count, 1)
	switch {
	case rule.counts:
		j.report(r, severity, s.id, 0, count, count)
	case r.ID == "robots-conflict":
		j.report(r, severity, s.id, 0, count, lint.Text{Code: "rule.robots-conflict." + fault.Kind}, agentOf(fault.Text))
	case r.ID == "mixed-content":
		if fault.Kind == "active" {
			severity = r.Escalated
		}
		j.report(r, severity, s.id, 0, count, fault.Text, lint.Text{Code: "rule.mixed-content." + fault.Kind})
	default:
		j.emitFinding(r, &Finding{Severity: severity, Page: s.id, Position: fault.Position, Count: count,
			Arguments: Arguments{fault.Text}})
	}
}

// agentOf returns the user agent of a robots rule as an argument of a message.
func agentOf(name string) any {
	if name == "" {
		return lint.Text{Code: "rule.robots-conflict.everyone"}
	}
	return name
}
