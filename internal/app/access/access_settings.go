// Package access holds the settings of how sites are asked: rates and time limits, headers,
// passwords, cookies, certificates and proxies, and which of them may go to which site. Every
// command that sends requests uses it: see [AccessSettings] and [RequestSettings].
package access

import (
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
)

// AccessSettings say how a site that is crawled is asked.
type AccessSettings struct {
	RequestSettings
	Concurrency int
	Rate        access.Rate
	Accept      []string       // failures that are no broken link
	Policy      []LinkSettings // of links, before Accept
	// ExternalMaxAge is how old an answer of another site may be that an earlier crawl of the
	// user got; 0 requests every URL of other sites.
	ExternalMaxAge time.Duration
}

// NewAccessSettings returns the defaults.
func NewAccessSettings() AccessSettings {
	return AccessSettings{Concurrency: DefaultConcurrency, ExternalMaxAge: crawl.DefaultAnswerAge}
}

// All returns the table of the settings.
func (s *AccessSettings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "concurrency", Value: setting.Int(&s.Concurrency), Risk: setting.RiskNone,
			Help: "maximum number of concurrent requests to a host"},
		{Name: "rate", Value: setting.Rate(&s.Rate), Risk: setting.RiskNone,
			Help: "at most `N` requests per second to a host, 0 for no limit (as on localhost), auto to adapt to it"},
		{Name: "accept", Value: setting.List(&s.Accept), Risk: setting.RiskNone,
			Help: "`STATUSES` that are not a broken link, such as 200-299,403, 5xx or timeout; they never list a page"},
		{Name: "external-max-age", Value: setting.Duration(&s.ExternalMaxAge), Risk: setting.RiskNone, FileOnly: true,
			Help: "take answers of other sites from runs in this time, such as 24h; 0 requests them every time"},
		{Name: "link-policy", Value: setting.Entries(&s.Policy, (*LinkSettings).all), Risk: setting.RiskNone, FileOnly: true,
			Help: "policy of links: what is wrong with which URL, and how they are requested"},
	}, s.RequestSettings.All()...)
}

// SetOptions validates the settings, and sets what they are about in the options of a crawl. a
// is how the sites that the user names are requested.
func (s *AccessSettings) SetOptions(o *crawl.Options, a access.Access) (err error) {
	if err := CheckConcurrency(s.Concurrency); err != nil {
		return err
	}
	if s.ExternalMaxAge < 0 {
		return setting.InvalidKey("external-max-age", "%s must be 0 (off) or more")
	}
	o.Access, o.Concurrency, o.AnswerAge = a, s.Concurrency, s.ExternalMaxAge
	o.Access.Rate = s.Rate
	o.Checks.Policy, o.Checks.Origins, err = s.links()
	return err
}

const (
	// DefaultConcurrency is the number of requests at once without the setting.
	DefaultConcurrency = 8
	maxConcurrency     = 10_000 // each request has a worker with buffers
)

// CheckConcurrency validates the concurrency setting.
func CheckConcurrency(n int) error {
	switch {
	case n < 1:
		return setting.Invalid("concurrency", "%s must be 1 or more, not %d", n)
	case n > maxConcurrency:
		return setting.Invalid("concurrency", "%s must be %d or less, not %d", maxConcurrency, n)
	}
	return nil
}

// SampleAll is the sample of live checks that checks every page.
const SampleAll = "all"
