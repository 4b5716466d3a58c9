package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/lint"
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
	o.Live, err = newLiveSite(options, func(message string) {
		fmt.Fprintln(c.ErrOrStderr(), "mapa: "+printable(message))
	})
	return err
}

// pictureTypes are read beside pages, for their size.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// maxLiveDelay is the longest Crawl-delay that a check waits for: a sample of 200
// pages takes 100 minutes with it. A host that asks for more is not checked.
const maxLiveDelay = 30 * time.Second

// A liveSite requests pages as politely as a crawl does and obeys robots.txt.
type liveSite struct {
	fetcher *fetch.Robots
	warn    func(message string)

	mutex   sync.Mutex
	skipped map[string]bool // hosts that were warned about
}

func newLiveSite(options fetch.Options, warn func(message string)) (*liveSite, error) {
	options.Types = pictureTypes
	client, err := fetch.New(&options)
	if err != nil {
		return nil, err
	}
	robots := fetch.NewRobots(client, &fetch.RobotsOptions{MaxDelay: maxLiveDelay})
	return &liveSite{fetcher: robots, warn: warn, skipped: map[string]bool{}}, nil
}

// Get implements lint.Live.
func (s *liveSite) Get(ctx context.Context, address string, limit int64) (*lint.Answer, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	response, err := s.fetcher.Fetch(ctx, &fetch.Request{
		URL: address, Limit: max(limit, 1), AnyType: u.Path == "/robots.txt",
	})
	if refused, ok := errors.AsType[*fetch.RobotsError](err); ok {
		return s.refused(u.Host, refused), nil
	}
	if err != nil && (response == nil || len(response.Body) == 0) {
		return nil, err
	}
	return &lint.Answer{
		Status: response.Status, Header: response.Header, Location: response.RedirectTo, Body: response.Body,
	}, nil
}

// refused returns the answer for an address that robots.txt keeps from being
// requested. A host that is skipped altogether is warned about once.
func (s *liveSite) refused(host string, refused *fetch.RobotsError) *lint.Answer {
	if refused.Delay == 0 {
		return &lint.Answer{Forbidden: refused.Error()}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	const maxWarnings = 20
	if !s.skipped[host] && len(s.skipped) < maxWarnings {
		s.skipped[host] = true
		s.warn(fmt.Sprintf("%s was not checked: %v, and a check waits for %v at most", host, refused, maxLiveDelay))
	}
	return &lint.Answer{Skipped: "not checked: " + refused.Error()}
}
