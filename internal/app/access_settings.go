package app

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
)

// AccessSettings say how a site that is crawled is asked.
type AccessSettings struct {
	RequestSettings
	Concurrency int
	Rate        crawl.Rate
	Accept      List // statuses and ranges of them
}

func (s *AccessSettings) all() []Setting {
	return append([]Setting{
		{Name: "concurrency", Value: &s.Concurrency, Risk: RiskNone, Help: "maximum number of concurrent requests"},
		{Name: "rate", Value: &s.Rate, Risk: RiskNone,
			Help: "at most `N` requests per second to a host, 0 for no limit (as on localhost), auto to adapt to it"},
		{Name: "accept", Value: &s.Accept, Risk: RiskNone,
			Help: "`STATUSES` that are not a broken link, such as 200-299,403; they never list a page"},
	}, s.RequestSettings.all()...)
}

// options validates the settings for a site.
func (s *AccessSettings) options(start *url.URL) (crawl.Access, error) {
	a := crawl.Access{
		Concurrency: s.Concurrency, Rate: s.Rate, UserAgent: s.UserAgent, User: s.User, Proxy: s.Proxy,
		Timeout: s.Timeout, PublicOnly: s.PublicOnly,
	}
	err := checkConcurrency(s.Concurrency)
	if err == nil {
		err = s.check()
	}
	if err == nil {
		a.Header, err = s.header(start)
	}
	if err == nil {
		a.TLS, err = s.tls()
	}
	return a, err
}

// accepted reads the accept setting: statuses, and ranges such as 200-299.
func (s *AccessSettings) accepted() (ranges []crawl.StatusRange, err error) {
	for _, text := range s.Accept {
		first, last, isRange := strings.Cut(text, "-")
		if !isRange {
			last = first
		}
		var r crawl.StatusRange
		var errs [2]error
		r.First, errs[0] = strconv.Atoi(first)
		r.Last, errs[1] = strconv.Atoi(last)
		if errors.Join(errs[:]...) != nil || r.First < 100 || r.Last > 999 || r.First > r.Last {
			return nil, badSetting("accept", "%s must be statuses such as 200-299,403, not %q", text)
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}
