package app

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/robots"
)

// RobotsSettings say how to test a robots.txt.
type RobotsSettings struct {
	// Text is the robots.txt to test. When it is empty, that of the URLs' host is
	// requested.
	Text string
	// Agent is the product token of the crawler, such as Googlebot; empty means Mapa's.
	Agent   string
	Request RequestSettings
}

// A RobotsCheck is what a robots.txt says of URLs to one crawler.
type RobotsCheck struct {
	URL       string // of the robots.txt, after redirects; empty for a text
	Status    int    // of the answer; 0 without one
	Text      string // of the robots.txt, at most [robots.ReadLimit] bytes of it, without user information
	Truncated bool   // it is longer
	Agent     string
	Verdicts  []RobotsVerdict // of the URLs, in their order
	Delay     time.Duration   // that it asks for between two requests
	Sitemaps  []string        // as written
}

// A RobotsVerdict is what a robots.txt says of a URL.
type RobotsVerdict struct {
	URL string
	robots.Verdict
}

// CheckRobots tests whether a crawler may fetch URLs. They are absolute or, where the
// settings have a text, paths. All have one robots.txt, that of the first one's host. An
// answer of the server that is not a robots.txt is not an error, since it decides too.
func (a *App) CheckRobots(ctx context.Context, urls []string, s *RobotsSettings) (*RobotsCheck, error) {
	check := &RobotsCheck{Agent: cmp.Or(strings.TrimSpace(s.Agent), fetch.ProductToken), Text: s.Text}
	file, err := robots.Parse(strings.NewReader(s.Text))
	if err == nil && s.Text == "" {
		file, err = a.requestRobots(ctx, urls, &s.Request, check)
	}
	if err != nil {
		return nil, err
	}
	group := file.Group(check.Agent)
	for _, address := range urls {
		check.Verdicts = append(check.Verdicts, RobotsVerdict{address, group.Verdict(address)})
	}
	check.Delay, _ = group.CrawlDelay()
	for _, line := range file.Sitemaps() {
		check.Sitemaps = append(check.Sitemaps, format.MaskUser(line.Value))
	}
	check.Truncated = check.Truncated || file.Truncated()
	return check, nil
}

// requestRobots gets the robots.txt of the host of the first URL.
func (a *App) requestRobots(
	ctx context.Context, urls []string, s *RequestSettings, check *RobotsCheck,
) (*robots.File, error) {
	if len(urls) == 0 {
		return nil, fmt.Errorf("%w: no URL was given", ErrNotPage)
	}
	clean, users := cutUsers(urls)
	at, err := url.Parse(withScheme(clean[0]))
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("%s: %w", truncatedAddress(clean[0]), ErrNotPage)
	}
	options, err := s.client(a, clean[:1], users)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(options)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if !strings.Contains(clean[0], "://") {
		at.Scheme = schemeOf(ctx, client, at.Host)
	}
	check.URL = at.Scheme + "://" + at.Host + "/robots.txt"
	response, err := fetch.Follow(client, robots.MaxRedirects).Fetch(ctx,
		&fetch.Request{URL: check.URL, Limit: robots.ReadLimit + 1, AnyType: true})
	if err != nil {
		return nil, &crawl.StartError{URL: check.URL, Err: err, Detail: err.Error()}
	}
	check.URL, check.Status = response.URL, response.Status
	if response.Status/100 == 2 {
		check.Text = format.MaskUser(string(response.Body[:min(len(response.Body), robots.ReadLimit)]))
		check.Truncated = len(response.Body) > robots.ReadLimit
	}
	return robots.FromResponse(response.Status, bytes.NewReader(response.Body)), nil
}
