package announce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

// The Search Console API, as its discovery document describes it
// (https://searchconsole.googleapis.com/$discovery/rest?version=v1).
const (
	googleRoot  = "https://searchconsole.googleapis.com/webmasters/v3/sites"
	googleScope = "https://www.googleapis.com/auth/webmasters"
)

// A Google submits sitemaps to Google Search Console. Google takes no URLs of pages.
type Google struct {
	*service
	tokens func(context.Context) (oauth2.TokenSource, error)
	grant  call // that asks for a token, as it is shown
}

// GoogleOptions configure a [Google].
type GoogleOptions struct {
	// CredentialsFile is the JSON of a service account, or of a user's application
	// default credentials. When it is empty, the application default credentials
	// apply (https://cloud.google.com/docs/authentication/application-default-credentials).
	CredentialsFile string
}

// maxCredentials is the largest file of credentials, in bytes.
const maxCredentials = 1 << 20

var errCredentials = errors.New("not the JSON of a service account or of application default credentials")

// NewGoogle returns an announcer. It reads the credentials, and requests no token yet.
func NewGoogle(o GoogleOptions, options *Options) (*Google, error) {
	s, err := newService(ProviderGoogle, options)
	if err != nil {
		return nil, err
	}
	g := &Google{service: s, tokens: defaultTokens, grant: call{method: http.MethodPost, url: "{token-server}"}}
	if o.CredentialsFile == "" {
		return g, nil
	}
	text, err := readLimited(o.CredentialsFile, maxCredentials)
	if err != nil {
		return nil, err
	}
	var kind struct {
		Type     google.CredentialsType `json:"type"`
		TokenURL string                 `json:"token_uri"`
	}
	// Other types name URLs or programs that yield tokens. A file does not decide that.
	known := []google.CredentialsType{google.ServiceAccount, google.AuthorizedUser}
	if err := json.Unmarshal(text, &kind); err != nil || !slices.Contains(known, kind.Type) {
		return nil, errCredentials
	}
	g.grant = call{method: http.MethodPost, url: cmp.Or(kind.TokenURL, google.JWTTokenURL), contentType: formType,
		body: []byte("assertion=***&grant_type=" + url.QueryEscape("urn:ietf:params:oauth:grant-type:jwt-bearer"))}
	if kind.Type == google.AuthorizedUser {
		g.grant.url, g.grant.body = google.Endpoint.TokenURL, []byte("grant_type=refresh_token&refresh_token=***")
	}
	g.tokens = func(ctx context.Context) (oauth2.TokenSource, error) {
		c, err := google.CredentialsFromJSONWithType(ctx, text, kind.Type, googleScope)
		if err != nil {
			return nil, errCredentials // the cause may show parts of the file
		}
		return c.TokenSource, nil
	}
	return g, nil
}

func defaultTokens(ctx context.Context) (oauth2.TokenSource, error) {
	c, err := google.FindDefaultCredentials(ctx, googleScope)
	if err != nil {
		return nil, err
	}
	return c.TokenSource, nil
}

// readLimited reads a file that is not larger than limit bytes.
func readLimited(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, &os.PathError{Op: "read", Path: name, Err: errCredentials}
	}
	return os.ReadFile(name)
}

// Plan implements [Announcer].
func (g *Google) Plan(a *Announcement) iter.Seq2[Request, error] {
	if a.Sitemap.URL == "" {
		return g.shownAll()
	}
	list := &call{method: http.MethodGet, url: googleRoot, token: "Bearer"}
	submit := g.sitemapCall(http.MethodPut, "", a.Sitemap.URL)
	submit.url = googleRoot + "/{property}/sitemaps/" + segment(a.Sitemap.URL)
	return g.shownAll(&g.grant, list, submit)
}

// Announce implements [Announcer]. It submits the sitemap to the property that covers it.
func (g *Google) Announce(ctx context.Context, a *Announcement) []Result {
	if a.Sitemap.URL == "" {
		return nil
	}
	session, property, e := g.open(ctx, a.Sitemap.URL)
	if e != nil {
		r := Result{Provider: g.provider, Kind: KindSitemap}
		r.fail(e, 1)
		if e.Reason == ReasonQuota {
			r.Until = e.Until
		}
		return []Result{r}
	}
	return g.deliver(ctx, &job{
		kind: KindSitemap, items: single(a.Sitemap), size: 1, zone: calendar.Pacific,
		target: func(Item) (string, *Error) { return property.URL, nil },
		send: func(ctx context.Context, _ string, items []Item) sendResult {
			_, e := session.exchange(ctx, g.sitemapCall(http.MethodPut, property.URL, items[0].URL))
			return sendResult{err: e}
		},
	})
}

// Submit submits a sitemap to a property. The error is an [*Error].
func (g *Google) Submit(ctx context.Context, property, sitemap string) error {
	return g.do(ctx, g.sitemapCall(http.MethodPut, property, sitemap), nil)
}

// Delete removes a sitemap from a property. It does not stop Google from reading it. The
// error is an [*Error].
func (g *Google) Delete(ctx context.Context, property, sitemap string) error {
	return g.do(ctx, g.sitemapCall(http.MethodDelete, property, sitemap), nil)
}

// Get returns what a property says about a sitemap. The error is an [*Error].
func (g *Google) Get(ctx context.Context, property, sitemap string) (*GoogleSitemap, error) {
	var found GoogleSitemap
	if err := g.do(ctx, g.sitemapCall(http.MethodGet, property, sitemap), &found); err != nil {
		return nil, err
	}
	return &found, nil
}

// List returns the sitemaps of a property. The error is an [*Error].
func (g *Google) List(ctx context.Context, property string) ([]GoogleSitemap, error) {
	var list struct {
		Sitemap []GoogleSitemap `json:"sitemap"`
	}
	err := g.do(ctx, &call{method: http.MethodGet, url: googleRoot + "/" + segment(property) + "/sitemaps"}, &list)
	return list.Sitemap, err
}

// Properties returns the properties of the account. The error is an [*Error].
func (g *Google) Properties(ctx context.Context) ([]GoogleProperty, error) {
	session, e := g.session(ctx)
	if e != nil {
		return nil, e
	}
	properties, e := session.properties(ctx)
	if e != nil {
		return nil, e
	}
	return properties, nil
}

// ReadStatus implements [StatusReader].
func (g *Google) ReadStatus(ctx context.Context, sitemap string) (*SitemapStatus, error) {
	session, property, e := g.open(ctx, sitemap)
	if e != nil {
		return nil, e
	}
	status := &SitemapStatus{Provider: g.provider, Target: property.URL, Errors: -1, Warnings: -1, URLs: -1}
	var found GoogleSitemap
	a, e := session.exchange(ctx, g.sitemapCall(http.MethodGet, property.URL, sitemap))
	if e == nil {
		e = g.decode(a, &found)
	}
	switch {
	case e != nil && e.Status == http.StatusNotFound:
		return status, nil
	case e != nil:
		return nil, e
	}
	status.Known, status.Pending = true, found.IsPending
	status.Submitted, status.Read = found.LastSubmitted, found.LastDownloaded
	status.Errors, status.Warnings, status.Text = int64(found.Errors), int64(found.Warnings), g.clean(string(found.Type))
	status.URLs = 0
	for _, content := range found.Contents {
		if content.Type == ContentWeb {
			status.URLs += int64(content.Submitted)
		}
	}
	return status, nil
}

// sitemapCall returns a request about one sitemap of a property.
func (g *Google) sitemapCall(method, property, sitemap string) *call {
	return &call{
		method: method, url: googleRoot + "/" + segment(property) + "/sitemaps/" + segment(sitemap), token: "Bearer",
	}
}

// segment returns a text as one segment of a path: Google takes a whole URL as one.
func segment(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// do sends a request and decodes its answer, unless into is nil.
func (g *Google) do(ctx context.Context, c *call, into any) error {
	session, e := g.session(ctx)
	if e != nil {
		return e
	}
	a, e := session.exchange(ctx, c)
	if e == nil && into != nil {
		e = g.decode(a, into)
	}
	if e != nil {
		return e
	}
	return nil
}
