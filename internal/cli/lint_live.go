package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/robots"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// liveFlags are the flags about asking the site.
type liveFlags struct {
	on          bool
	sample      string
	rate        float64
	concurrency int
}

func (f *liveFlags) register(s *pflag.FlagSet) {
	s.BoolVar(&f.on, "live", false, "ask the site too: robots.txt, and a sample of the listed pages")
	s.StringVar(&f.sample, "sample", "200", "with --live, how many `PAGES` to ask for, or all")
	s.Float64Var(&f.rate, "rate", 20, "with --live, requests a second to a host, 0 for no limit")
	s.IntVar(&f.concurrency, "concurrency", 8, "with --live, requests under way at once")
}

// apply puts the flags into the linter's options.
func (f *liveFlags) apply(c *cobra.Command, o *lint.Options) (err error) {
	if !f.on {
		for _, name := range []string{"sample", "rate", "concurrency"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --live", name)
			}
		}
		return nil
	}
	if o.Sample = -1; f.sample != "all" {
		if o.Sample, err = strconv.Atoi(f.sample); err != nil || o.Sample < 1 {
			return fmt.Errorf("--sample is a number of pages or all, not %q", f.sample)
		}
	}
	if f.concurrency < 1 || f.rate < 0 {
		return errors.New("--concurrency is at least 1, --rate at least 0")
	}
	options := fetch.Options{UserAgent: userAgent(), Rate: fetch.Rate{PerSecond: f.rate, PerHost: f.concurrency}}
	if f.rate == 0 {
		options.Rate.PerSecond = -1
	}
	o.Concurrency = f.concurrency
	o.Live, err = newLiveSite(options)
	return err
}

// productToken is what robots.txt calls the program (RFC 9309, section 2.2.1).
const productToken = "Mapa"

// pictureTypes are read beside pages, for their size.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// A liveSite asks a site as politely as a crawl does and obeys its robots.txt.
type liveSite struct {
	client *fetch.Client
	mutex  sync.Mutex
	hosts  map[string]*liveHost // by origin
}

// A liveHost is what robots.txt says of one origin.
type liveHost struct {
	once  sync.Once
	group *robots.Group
	delay time.Duration
	down  error // why robots.txt could not be asked for
}

// mostLiveHosts bounds what is remembered: a robots.txt may have half a megabyte.
const mostLiveHosts = 1024

func newLiveSite(options fetch.Options) (*liveSite, error) {
	options.Types = pictureTypes
	client, err := fetch.New(options)
	if err != nil {
		return nil, err
	}
	return &liveSite{client: client, hosts: map[string]*liveHost{}}, nil
}

// Get implements lint.Live.
func (s *liveSite) Get(ctx context.Context, address string, limit int64) (*lint.Answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	request := &fetch.Request{URL: address, Limit: max(limit, 1)}
	if u.Path == "/robots.txt" {
		request.AnyType = true
	} else {
		host := s.rules(ctx, u.Scheme+"://"+u.Host)
		if host.down != nil {
			return nil, host.down
		}
		if verdict := host.group.Verdict(address); !verdict.Allowed {
			return &lint.Answer{Forbidden: verdict.String()}, nil
		}
		request.Delay = host.delay
	}
	response, err := s.client.Fetch(ctx, request)
	if err != nil && (response == nil || len(response.Body) == 0) {
		return nil, err
	}
	return &lint.Answer{
		Status: response.Status, Header: response.Header, Location: response.RedirectTo, Body: response.Body,
	}, nil
}

// rules returns the rules of an origin, which are asked for once.
func (s *liveSite) rules(ctx context.Context, origin string) *liveHost {
	h := s.host(origin)
	h.once.Do(func() {
		var file *robots.File
		if file, h.down = s.fetchRobots(ctx, origin); h.down == nil {
			h.group = file.Group(productToken)
			h.delay, _ = h.group.CrawlDelay()
		}
	})
	return h
}

func (s *liveSite) host(origin string) *liveHost {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.hosts[origin] == nil {
		if len(s.hosts) == mostLiveHosts {
			clear(s.hosts)
		}
		s.hosts[origin] = &liveHost{}
	}
	return s.hosts[origin]
}

func (s *liveSite) fetchRobots(ctx context.Context, origin string) (*robots.File, error) {
	follower := fetch.Follow(s.client, robots.MaxRedirects)
	response, err := follower.Fetch(ctx, &fetch.Request{URL: origin + "/robots.txt", Limit: robots.ReadLimit + 1, AnyType: true})
	switch {
	case errors.Is(err, fetch.TooManyRedirects), errors.Is(err, fetch.RedirectLoop), errors.Is(err, fetch.BadRedirect):
		return robots.AllowAll("robots.txt redirects without end"), nil
	case err != nil:
		return nil, err
	}
	return robots.FromResponse(response.Status, bytes.NewReader(response.Body)), nil
}
