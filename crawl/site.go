package crawl

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// site is what the options say about one crawl, ready for use. Nothing in it
// changes after newSite, so workers use it without the lock; client and hosts have
// locks of their own.
type site struct {
	options  Options // with defaults
	start    string  // normalized
	scope    scopeMatcher
	traps    trapDetector
	tracking *urlnorm.Parameters // removed from every URL
	strip    *urlnorm.Parameters // removed from every key; a session may have to be sent
	session  *urlnorm.Parameters // the part of strip that carries a session
	hasher   keyHasher
	client   *fetch.Client
	hosts    *hostTable
}

// maxStartShown is how much of a start that is too long an error shows.
const maxStartShown = 200

func newSite(o *Options) (*site, error) {
	options := o.withDefaults()
	base, err := urlnorm.NewBase([]byte(options.Start))
	if errors.Is(err, urlnorm.ErrTooLong) {
		shown := options.Start[:maxStartShown] + "…"
		return nil, &StartError{URL: shown, Err: err, Detail: fmt.Sprintf("longer than %d bytes", urlnorm.MaxLength)}
	}
	if err != nil {
		return nil, &StartError{URL: options.Start, Err: errStartScheme, Detail: errStartScheme.Error()}
	}
	start, err := url.Parse(base.String())
	if err != nil {
		return nil, &StartError{URL: options.Start, Err: err, Detail: err.Error()}
	}
	s := &site{
		options:  options,
		start:    base.String(),
		scope:    newScopeMatcher(start, base.String(), options.Scope),
		traps:    newTrapDetector(options.Traps, time.Now()),
		tracking: urlnorm.NewParameters(urlnorm.TrackingParameters()...),
		strip:    urlnorm.PageParameters(options.StripParameters...),
		session:  urlnorm.NewParameters(urlnorm.SessionParameters()...),
		hasher:   newKeyHasher(),
	}
	if reason, detail := s.scope.fetchReason([]byte(s.start)); reason != ReasonListed {
		return nil, &startScopeError{s.start, reason, detail}
	}
	if s.client, err = fetch.New(options.fetchOptions(start)); err != nil {
		return nil, err
	}
	s.hosts = newHostTable(s.client, start.Scheme+"://"+start.Host, options.IgnoreRobots)
	return s, nil
}
