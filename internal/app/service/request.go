package service

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/jobs"
)

// A Request asks for a crawl.
type Request struct {
	URL      string              // as a person writes it: example.com, or a URL
	Options  map[string][]string // by the names of the flags of mapa crawl
	Client   string              // whose quota it uses; empty is the owner
	Language string              // of what is written to people, such as es
	// Like is the ID of a crawl whose secrets take the place of [Redacted] in Options, so
	// that it can be repeated. They are for its origin only: see [ErrSecret].
	Like string
	// Once refuses a crawl of a start that has one of the client that has not ended, by an [*ActiveError].
	Once bool
}

// An ActiveError says that a crawl of the same start has not ended.
type ActiveError struct {
	ID    string // of that crawl
	Other bool   // it has other options
}

// Error names the crawl.
func (e *ActiveError) Error() string { return "the site is being crawled already, by " + e.ID }

// Start queues a crawl. The error is an [*OptionError] when an option cannot be used, a
// [*LimitError] when the client has to wait, an [*ActiveError], or that of the address: it wraps
// [addresses.ErrScheme], [addresses.ErrNoFolder] or [addresses.ErrInvalidURL].
func (s *Service) Start(ctx context.Context, r Request) (*Crawl, error) {
	before, err := s.targetOf(ctx, r.Like)
	if err != nil {
		return nil, err
	}
	record, site, err := s.newCrawl(ctx, &r, before)
	if err != nil {
		return nil, err
	}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		if r.Once {
			if err := checkActive(tx, record); err != nil {
				return err
			}
		}
		if err := s.checkLimits(tx, r.Client, record.Created); err != nil {
			return err
		}
		if record.Site, err = siteOf(tx, site); err != nil {
			return err
		}
		if s.options.Public != nil {
			record.Uncapped, err = tx.IsOwner(r.Client, site.Name, record.Created)
			if err := errors.Join(err, tx.AddUsage(record.Created, r.Client, jobs.Usage{Crawls: 1})); err != nil {
				return err
			}
		}
		return tx.AddCrawl(record)
	})
	if err != nil {
		return nil, err
	}
	s.log.Info("crawl queued", "crawl", record.ID, "site", record.Site, "client", record.Client)
	s.reorder(ctx)
	s.wakeUp()
	return s.view(record), nil
}

// Check returns the error of Start, and starts nothing.
func (s *Service) Check(ctx context.Context, r Request) error {
	before, err := s.targetOf(ctx, r.Like)
	if err != nil {
		return err
	}
	record, _, err := s.newCrawl(ctx, &r, before)
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *jobs.Tx) error { return s.checkLimits(tx, r.Client, record.Created) })
}

// checkActive returns an [*ActiveError] when the client has a crawl of the start of another that has not ended: one
// with the same options if there is one.
func checkActive(tx *jobs.Tx, like *jobs.Crawl) error {
	var other error
	for _, state := range []State{StateRunning, StateQueued, StatePaused} {
		crawls, err := tx.InState(state)
		if err != nil {
			return err
		}
		for _, c := range crawls {
			switch {
			case c.Client != like.Client || c.Start != like.Start:
			case maps.EqualFunc(c.Options, like.Options, slices.Equal):
				return &ActiveError{ID: c.ID}
			case other == nil:
				other = &ActiveError{c.ID, true}
			}
		}
	}
	return other
}

// targetOf returns the target of a crawl that is repeated, an empty one without an ID.
func (s *Service) targetOf(ctx context.Context, id string) (before storedTarget, err error) {
	if id == "" {
		return before, nil
	}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		c, err := tx.Crawl(id)
		if err == nil {
			before = storedTarget{c.URL, c.Options}
		}
		return err
	})
	return before, err
}

// newCrawl returns the crawl that a request asks for, not stored yet and without its site, and
// its address. It keeps secrets of before.
func (s *Service) newCrawl(
	ctx context.Context, r *Request, before storedTarget,
) (*jobs.Crawl, *addresses.SiteAddress, error) {
	site, options, err := s.readTarget(r.URL, r.Options, before)
	if err == nil {
		err = s.checkBrowser(ctx, options["render"])
	}
	if err != nil {
		return nil, nil, err
	}
	return &jobs.Crawl{
		ID: newID(), Start: site.Start, Host: site.Owner, Client: r.Client, State: StateQueued,
		Created: s.now().Truncate(time.Millisecond),
		Details: jobs.Details{URL: site.URL, Language: r.Language, Options: options},
	}, site, nil
}

// ErrUser means that an address has user information, which a server for strangers does
// not take.
var ErrUser = errors.New("the address must have no user name and password")

// readTarget validates an address and options, which keep secrets of before. User
// information of the address becomes an option, so that it is not shown.
func (s *Service) readTarget(
	address string, options map[string][]string, before storedTarget,
) (*addresses.SiteAddress, map[string][]string, error) {
	site, err := addresses.ReadSiteAddress(address)
	if err == nil {
		options, err = keepSecrets(site, options, before)
	}
	if err != nil {
		return nil, nil, err
	}
	if site.User != "" {
		if s.options.Public != nil {
			return nil, nil, ErrUser
		}
		options = withUser(options, site.User)
	}
	settings, err := s.settings(options)
	if err != nil {
		return nil, nil, err
	}
	return site, options, validate(settings, site)
}

// withUser returns options with a name and a password, unless they have others.
func withUser(options map[string][]string, user string) map[string][]string {
	full := map[string][]string{"user": {user}}
	maps.Copy(full, options)
	return full
}

// settingsOf returns the settings of a crawl that was validated.
func (s *Service) settingsOf(c *jobs.Crawl) (*appcrawl.Settings, error) {
	settings, err := s.settings(c.Options)
	if err != nil {
		return nil, err
	}
	settings.Output, settings.KeepFinished, settings.Browser = s.folder(c.ID), true, s.options.Browser
	if c.Options["lang"] == nil && slices.Contains(catalog.Languages(), catalog.Language(c.Language)) {
		settings.Lang = c.Language
	}
	if s.options.Public != nil {
		s.options.Public.apply(settings, c.Uncapped)
		return settings, nil
	}
	place := s.figuresOf(c.Site)
	settings.Figures = &place
	return settings, nil
}
