package crawl

import (
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// site is what the options say about one crawl, ready for use. Nothing in it
// changes after newSite, so workers use it without the lock; client and hosts have
// locks of their own.
type site struct {
	options  Options        // with defaults
	start    string         // normalized, and public
	address  *publicAddress // nil if the site is crawled at its public address
	scope    scopeMatcher
	traps    trapDetector
	tracking *urlnorm.Parameters // removed from every URL
	strip    *urlnorm.Parameters // removed from every key; a session may have to be sent
	session  *urlnorm.Parameters // the part of strip that carries a session
	hasher   keyHasher
	client   *siteClient
	hosts    *hostTable
	agents   []Agent // to ask with; set when robots.txt is read
}

func newSite(o *Options) (*site, error) {
	options := o.withDefaults()
	public, start, address, err := options.addresses()
	if err != nil {
		return nil, err
	}
	if address != nil {
		public = address.publicURL(public)
	}
	s := &site{
		options:  options,
		start:    public,
		address:  address,
		scope:    newScopeMatcher(public, address, &options),
		traps:    newTrapDetector(options.Traps, time.Now()),
		tracking: urlnorm.NewParameters(urlnorm.TrackingParameters...),
		strip:    urlnorm.PageParameters(options.StripParameters...),
		session:  urlnorm.NewParameters(urlnorm.SessionParameters...),
		hasher:   newKeyHasher(),
	}
	landing := (&normalizer{site: s}).toPage([]byte(s.start), 0)
	s.scope.start = string(landing)
	if reason, detail := s.scope.fetchReason(landing); reason != ReasonListed {
		return nil, &StartScopeError{s.start, reason, detail}
	}
	client, err := fetch.New(options.fetchOptions(start))
	if err != nil {
		return nil, err
	}
	s.client = &siteClient{client, address}
	s.hosts = newHostTable(client, fetch.RobotsOptions{
		Site: start.Scheme + "://" + start.Host, IgnoreRules: options.Scope.IgnoreRobots,
		// The delay is meant for the public site, not for a copy on this machine.
		IgnoreDelay: address != nil && fetch.IsLoopback(start.Host),
		OnSite:      s.readRobots,
	})
	return s, nil
}
