package insight

import (
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

// A hostTable has what the answers of each host say, the first host first.
type hostTable struct{ hosts []*hostAnswers }

// maxHosts is how many hosts of a site are judged.
const maxHosts = 1000

type hostAnswers struct {
	name           string
	secure         bool     // https
	page           crawl.ID // the first page
	security       crawl.Security
	certificateEnd time.Time // the earliest
}

// add adds the answer for a page.
func (t *hostTable) add(s *subject) {
	if s.traits&isDocument == 0 || s.Page.Security&crawl.SecurityKnown == 0 && s.Page.CertificateEnd.IsZero() {
		return
	}
	name, secure := hostOf(s.Link.URL), strings.HasPrefix(s.Link.URL, "https:")
	at := slices.IndexFunc(t.hosts, func(h *hostAnswers) bool { return h.name == name && h.secure == secure })
	if at < 0 {
		if len(t.hosts) == maxHosts {
			return
		}
		at = len(t.hosts)
		t.hosts = append(t.hosts, &hostAnswers{name: name, secure: secure, page: s.id})
	}
	host := t.hosts[at]
	host.security |= s.Page.Security
	if end := s.Page.CertificateEnd; !end.IsZero() && (host.certificateEnd.IsZero() || end.Before(host.certificateEnd)) {
		host.certificateEnd = end
	}
}

// answers reports whether a host has answered with what a rule about hosts needs.
func (h *hostAnswers) answers(rule string) bool {
	switch rule {
	case "tls-expiry":
		return !h.certificateEnd.IsZero()
	case "header-hsts":
		return h.secure && h.security&crawl.SecurityKnown != 0
	}
	return h.security&crawl.SecurityKnown != 0
}

// judgeHosts applies the rules about hosts. A header is missing where no answer has it.
func (j *judge) judgeHosts() error {
	for _, host := range j.hosts.hosts {
		for _, header := range []struct {
			id  string
			bit crawl.Security
		}{
			{"header-hsts", crawl.SecurityHSTS},
			{"header-nosniff", crawl.SecurityNosniff},
			{"header-csp", crawl.SecurityCSP},
			{"header-frame", crawl.SecurityFrame},
		} {
			rule := j.rules.rule(header.id)
			if rule != nil && host.answers(header.id) && host.security&header.bit == 0 {
				j.report(rule, rule.Severity, host.page, 0, 1, host.name)
			}
		}
		j.judgeCertificate(host)
	}
	return j.failed
}

func (j *judge) judgeCertificate(host *hostAnswers) {
	rule := j.rules.rule("tls-expiry")
	if rule == nil || !host.answers(rule.ID) {
		return
	}
	const day = 24 * time.Hour // the end is known to the day
	days := int(host.certificateEnd.Sub(j.totals.Last.Truncate(day)) / day)
	if severity, _ := rule.beyond(days); severity != lint.SeverityOff {
		j.report(rule, severity, host.page, 0, 1, host.name, days)
	}
}
