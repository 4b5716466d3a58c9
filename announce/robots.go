package announce

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
)

// A RobotsCheck is what the robots.txt files of a site say about its sitemap.
type RobotsCheck struct {
	// URL is the robots.txt of the pages.
	URL string `json:"url"`
	// Status is the HTTP status of robots.txt; 0 without an answer.
	Status int `json:"status,omitempty"`
	// Unanswered is why robots.txt has no answer, in words.
	Unanswered string `json:"unanswered,omitempty"`
	// Named reports whether a Sitemap line names the sitemap.
	Named bool `json:"named"`
	// Sitemaps are the values of the Sitemap lines, at most 20.
	Sitemaps []string `json:"sitemaps,omitempty"`
	// Line is the line to add when the sitemap is not named.
	Line string `json:"line,omitempty"`
	// Blocked is the rule of the robots.txt of the sitemap's host that keeps engines
	// from reading the sitemap, with the engine, or empty.
	Blocked string `json:"blocked,omitempty"`
	// SitemapStatus is the HTTP status of the sitemap itself; 0 without an answer.
	SitemapStatus int `json:"sitemap_status,omitempty"`
	// CrossHost reports that the sitemap is on another host than the pages. The line
	// in the robots.txt of the pages then proves that this is wanted
	// (https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
	CrossHost bool `json:"cross_host,omitempty"`
	// Problems say what is wrong, one sentence each. It is empty when every engine
	// finds and reads the sitemap.
	Problems []string `json:"problems,omitempty"`
}

// engineTokens are the crawlers that a robots.txt is read for.
var engineTokens = []string{"Googlebot", "bingbot", "YandexBot", "Baiduspider", "*"}

// maxNamed is the most Sitemap lines that a check shows.
const maxNamed = 20

// CheckRobots requests the robots.txt of the site of a page, that of the sitemap's host,
// and the sitemap. The error is that of ctx. Options.Endpoint does not apply.
func CheckRobots(ctx context.Context, page, sitemap string, options *Options) (*RobotsCheck, error) {
	own := *options.withDefaults()
	own.Endpoint = ""
	s, err := newService(ProviderRobots, &own)
	if err != nil {
		return nil, err
	}
	check := &RobotsCheck{URL: strings.TrimSuffix(site(page), "/") + "/robots.txt"}
	check.CrossHost = site(page) != site(sitemap)
	file := check.read(ctx, s, check.URL)
	for _, line := range file.Sitemaps() {
		check.Named = check.Named || sameAddress(line.Value, sitemap)
		if len(check.Sitemaps) < maxNamed {
			check.Sitemaps = append(check.Sitemaps, s.clean(line.Value))
		}
	}
	if !check.Named {
		if check.Status != 0 {
			check.Line = "Sitemap: " + sitemap
		}
		check.Problems = append(check.Problems, check.notNamed(sitemap))
	}
	if check.CrossHost {
		file = (&RobotsCheck{}).read(ctx, s, strings.TrimSuffix(site(sitemap), "/")+"/robots.txt")
	}
	for _, engine := range engineTokens {
		if verdict := file.Group(engine).Verdict(sitemap); !verdict.Allowed {
			check.Blocked = s.clean(engine + ": " + verdict.String())
			check.Problems = append(check.Problems, "robots.txt blocks the sitemap for "+check.Blocked)
			break
		}
	}
	check.readSitemap(ctx, s, sitemap)
	return check, ctx.Err()
}

// sameAddress reports whether two URLs are the same, with hosts in Unicode or in Punycode.
func sameAddress(a, b string) bool {
	x, err := sitemap.EncodeLoc(a)
	if err != nil {
		return a == b
	}
	y, err := sitemap.EncodeLoc(b)
	return err == nil && x == y
}

// notNamed says that the sitemap is not named, and how to repair a line that means it.
func (check *RobotsCheck) notNamed(sitemap string) string {
	switch {
	case check.Status == 0:
		return check.URL + " does not answer: " + check.Unanswered
	case check.Status != http.StatusOK:
		return fmt.Sprintf("%s answers %d %s", check.URL, check.Status, http.StatusText(check.Status))
	case len(check.Sitemaps) > 0:
		return fmt.Sprintf("%s does not name %s, but %s", check.URL, format.Printable(sitemap),
			strings.Join(check.Sitemaps[:min(len(check.Sitemaps), 3)], ", "))
	}
	return check.URL + " names no sitemap"
}

// read requests a robots.txt, with up to five redirects (RFC 9309 section 2.3.1.2). One
// without an answer blocks nothing: nobody knows what it says.
func (check *RobotsCheck) read(ctx context.Context, s *service, address string) *robots.File {
	for range robots.MaxRedirects + 1 {
		response, body, err := s.get(ctx, address, robots.ReadLimit+1)
		if err != nil {
			check.Unanswered = s.clean(fetch.Why(err))
			return robots.AllowAll("it does not answer")
		}
		check.Status = response.StatusCode
		if next := redirectOf(response); next != "" {
			address = next
			continue
		}
		return robots.FromResponse(response.StatusCode, bytes.NewReader(body))
	}
	return robots.AllowAll("too many redirects")
}

func redirectOf(response *http.Response) string {
	if response.StatusCode < 300 || response.StatusCode >= 400 {
		return ""
	}
	next, err := response.Location()
	if err != nil || next.Scheme != "http" && next.Scheme != "https" {
		return ""
	}
	return next.String()
}

// readSitemap requests the sitemap and reads its first bytes.
func (check *RobotsCheck) readSitemap(ctx context.Context, s *service, sitemap string) {
	const head = 512
	response, body, err := s.get(ctx, sitemap, head)
	if err != nil {
		check.Problems = append(check.Problems, "the sitemap does not answer: "+s.clean(fetch.Why(err)))
		return
	}
	check.SitemapStatus = response.StatusCode
	switch {
	case response.StatusCode != http.StatusOK:
		check.Problems = append(check.Problems, fmt.Sprintf("the sitemap answers %d %s: deploy it at %s",
			response.StatusCode, http.StatusText(response.StatusCode), format.Printable(sitemap)))
	case strings.Contains(strings.ToLower(string(body)), "<html"):
		check.Problems = append(check.Problems, "an HTML page answers at the URL of the sitemap")
	}
}

// get requests something of the site itself, once and without credentials.
func (s *service) get(ctx context.Context, address string, limit int64) (*http.Response, []byte, error) {
	timed, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	request, err := http.NewRequestWithContext(timed, http.MethodGet, address, nil)
	if err != nil {
		return nil, nil, s.failure(ctx, err)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return nil, nil, s.failure(ctx, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	if err != nil {
		return nil, nil, s.failure(ctx, err)
	}
	return response, body, nil
}
