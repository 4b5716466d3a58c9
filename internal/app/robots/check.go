// Package robots says which URLs the robots.txt of their site allows, and why. Begin
// with [Check].
package robots

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/robots"
)

// Settings say how to test a robots.txt.
type Settings struct {
	// Text is the robots.txt to test. When it is empty, that of the URLs' host is
	// requested.
	Text string
	// Agent is the product token of the crawler, such as Googlebot; empty means Mapa's.
	Agent   string
	Request access.RequestSettings
}

// A Result is what a robots.txt says of URLs to one crawler.
type Result struct {
	URL       string // of the robots.txt, after redirects; empty for a text
	Status    int    // of the answer; 0 without one
	Text      string // of the robots.txt, at most [robots.ReadLimit] bytes of it, without user information
	Truncated bool   // it is longer
	Agent     string
	Verdicts  []Verdict     // of the URLs, in their order
	Delay     time.Duration // that it asks for between two requests
	Sitemaps  []string      // as written

	file *robots.File
}

// A Verdict is what a robots.txt says of a URL.
type Verdict struct {
	URL string
	robots.Verdict
}

// Check tests whether a crawler may fetch URLs. They are absolute or, where the
// settings have a text, paths. All have one robots.txt, that of the first one's host. An
// answer of the server that is not a robots.txt is not an error, since it decides too.
func Check(ctx context.Context, a *app.App, urls []string, s *Settings) (*Result, error) {
	check := &Result{Agent: cmp.Or(strings.TrimSpace(s.Agent), fetch.ProductToken), Text: s.Text}
	file, err := robots.Parse(strings.NewReader(s.Text))
	if err == nil && s.Text == "" {
		file, err = requestRobots(ctx, a, urls, &s.Request, check)
	}
	if err != nil {
		return nil, err
	}
	check.file = file
	group := file.Group(check.Agent)
	for _, address := range urls {
		check.Verdicts = append(check.Verdicts, Verdict{address, group.Verdict(address)})
	}
	check.Delay, _ = group.CrawlDelay()
	for _, line := range file.Sitemaps() {
		check.Sitemaps = append(check.Sitemaps, format.MaskUser(line.Value))
	}
	check.Truncated = check.Truncated || file.Truncated()
	return check, nil
}

// requestRobots gets the robots.txt of the host of the first URL.
func requestRobots(
	ctx context.Context, a *app.App, urls []string, s *access.RequestSettings, check *Result,
) (*robots.File, error) {
	if len(urls) == 0 {
		return nil, fmt.Errorf("%w: no URL was given", addresses.ErrNotPage)
	}
	clean, users := access.CutUsers(urls)
	at := urlnorm.ParseHTTP(addresses.WithScheme(clean[0]))
	if at == nil {
		return nil, fmt.Errorf("%s: %w", addresses.TruncatedAddress(clean[0]), addresses.ErrNotPage)
	}
	own, err := s.Access(a.UserAgent(), clean[:1], users)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(&fetch.Options{Access: own})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if !strings.Contains(clean[0], "://") {
		at.Scheme = access.SchemeOf(ctx, client, at.Host)
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
