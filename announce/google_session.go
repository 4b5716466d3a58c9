package announce

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

// A googleSession is the service with a token.
type googleSession struct {
	*Google
	token string
}

// session requests a token. It is sent to the provider only.
func (g *Google) session(ctx context.Context) (*googleSession, *Error) {
	timed, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, g.http), requestTime)
	defer cancel()
	source, err := g.tokens(timed)
	if err != nil {
		return nil, &Error{Provider: g.provider, Reason: ReasonCredentials, Err: &maskedError{g.clean(err.Error()), err}}
	}
	token, err := source.Token()
	if err != nil {
		return nil, g.tokenError(ctx, err)
	}
	session := &googleSession{&Google{service: &service{}, tokens: g.tokens}, token.Type() + " " + token.AccessToken}
	*session.service = *g.service
	session.hide(token.AccessToken)
	return session, nil
}

// tokenError returns the error for a token that was not granted. The answer of the token
// server is left out, except for its code: it may repeat what was sent.
func (g *Google) tokenError(ctx context.Context, err error) *Error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return g.failure(ctx, err)
	}
	a := &answer{body: refused.Body}
	if refused.Response != nil {
		a.status, a.header = refused.Response.StatusCode, refused.Response.Header
	}
	reason := ReasonCredentials
	switch {
	case a.status >= 300 && a.status < 400:
		reason = ReasonRedirect
	case a.status == http.StatusTooManyRequests || a.status >= 500:
		reason = reasonOf(a.status)
	}
	code := refused.ErrorCode
	if !tokenCode.MatchString(code) {
		code = ""
	}
	message := "no access token for the credentials"
	if code == "invalid_grant" { // also for assertions that are not valid yet, or not any more
		message += ", or the clock of this machine is wrong"
	}
	return g.refused(a, reason, code, message)
}

// tokenCode matches codes of errors (RFC 6749 section 5.2), and no credential.
var tokenCode = regexp.MustCompile(`^[a-z_]{1,40}$`)

// open chooses the property for a sitemap.
func (g *Google) open(ctx context.Context, sitemap string) (*googleSession, GoogleProperty, *Error) {
	session, e := g.session(ctx)
	if e != nil {
		return nil, GoogleProperty{}, e
	}
	properties, e := session.properties(ctx)
	if e != nil {
		return nil, GoogleProperty{}, e
	}
	property, found := ChooseProperty(properties, sitemap)
	if !found {
		return nil, property, &Error{Provider: g.provider, Reason: ReasonNoProperty,
			Message: g.clean("no property of this account covers " + sitemap + ": it has " + listProperties(properties))}
	}
	return session, property, nil
}

func listProperties(properties []GoogleProperty) string {
	const shown = 5
	var names []string
	for _, p := range properties[:min(len(properties), shown)] {
		names = append(names, p.URL)
	}
	switch {
	case len(names) == 0:
		return "none"
	case len(properties) > shown:
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// exchange sends a request with the token.
func (s *googleSession) exchange(ctx context.Context, c *call) (*answer, *Error) {
	own := *c
	own.token = s.token
	return s.service.exchange(ctx, &own, s.judge)
}

func (s *googleSession) properties(ctx context.Context) ([]GoogleProperty, *Error) {
	a, e := s.exchange(ctx, &call{method: http.MethodGet, url: googleRoot})
	if e != nil {
		return nil, e
	}
	var list struct {
		Entries []GoogleProperty `json:"siteEntry"`
	}
	if e := s.decode(a, &list); e != nil {
		return nil, e
	}
	// A name that cannot be shown as it is names no property.
	return slices.DeleteFunc(list.Entries, func(p GoogleProperty) bool { return s.clean(p.URL) != p.URL }), nil
}

// judge returns the error for an answer.
func (s *googleSession) judge(a *answer) *Error {
	if a.status >= 200 && a.status < 300 {
		return nil
	}
	var body struct {
		Error struct {
			Message string `json:"message"`
			Status  string `json:"status"`
			Errors  []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
			Details []struct {
				Reason string `json:"reason"`
			} `json:"details"`
		} `json:"error"`
	}
	message := textOf(a)
	var codes []string
	if json.Unmarshal(a.body, &body) == nil && body.Error.Message != "" {
		message = body.Error.Message
		for _, e := range body.Error.Errors {
			codes = append(codes, e.Reason)
		}
		for _, d := range body.Error.Details {
			codes = append(codes, d.Reason)
		}
		codes = append(codes, body.Error.Status)
	}
	codes = slices.DeleteFunc(codes, func(code string) bool { return code == "" })
	code := ""
	if len(codes) > 0 {
		code = codes[0]
	}
	e := s.refused(a, googleReason(a.status, codes), code, message)
	if e.Reason == ReasonQuota {
		_, e.Until = calendar.Pacific.Day(time.Now())
	}
	return e
}

// googleReasons are the codes of Google's interfaces, in both of its error formats
// (https://developers.google.com/webmaster-tools/v1/errors).
var googleReasons = map[string]Reason{
	"quotaExceeded": ReasonQuota, "dailyLimitExceeded": ReasonQuota, "siteQuotaExceeded": ReasonQuota,
	"rateLimitExceeded": ReasonTooMany, "userRateLimitExceeded": ReasonTooMany, "RATE_LIMIT_EXCEEDED": ReasonTooMany,
	"accessNotConfigured": ReasonDisabled, "SERVICE_DISABLED": ReasonDisabled,
	"insufficientPermissions": ReasonScope, "ACCESS_TOKEN_SCOPE_INSUFFICIENT": ReasonScope,
	"authError": ReasonCredentials, "backendError": ReasonServer,
}

func googleReason(status int, codes []string) Reason {
	for _, code := range codes {
		if reason, ok := googleReasons[code]; ok {
			return reason
		}
	}
	return reasonOf(status)
}

// ChooseProperty returns the property that covers a sitemap, if there is one: a
// URL-prefix property that the URL begins with, the longest first, or else the domain
// property of its domain. Properties that the account may submit to come first.
func ChooseProperty(properties []GoogleProperty, sitemap string) (best GoogleProperty, found bool) {
	u, err := url.Parse(sitemap)
	if err != nil {
		return best, false
	}
	host := strings.ToLower(u.Hostname())
	bestRank := [3]int{}
	for _, p := range properties {
		rank := [3]int{permissionRank[p.Permission], 0, len(p.URL)}
		if domain, isDomain := strings.CutPrefix(p.URL, "sc-domain:"); isDomain {
			if host != domain && !strings.HasSuffix(host, "."+domain) {
				continue
			}
		} else if rank[1] = 1; !strings.HasPrefix(sitemap, p.URL) {
			continue
		}
		if rank[0] > 0 && (!found || slices.Compare(rank[:], bestRank[:]) > 0) {
			best, bestRank, found = p, rank, true
		}
	}
	return best, found
}

// permissionRank says what an account may do. An unverified user may do nothing.
var permissionRank = map[string]int{
	"siteOwner": 2, "siteFullUser": 2, "siteRestrictedUser": 1,
}
