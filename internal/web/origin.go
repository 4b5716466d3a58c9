package web

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// ParseOrigin reads an origin such as https://maps.example.com, which may have a path, as in
// https://example.com/mapa. The path of the result has no slash at its end. An empty text
// gives nil.
func ParseOrigin(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u := urlnorm.ParseHTTP(text)
	if u == nil || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not an origin such as https://maps.example.com", text)
	}
	below := strings.TrimRight(u.EscapedPath(), "/")
	if below != "" && (!plainPath.MatchString(below) || path.Clean(below) != below) {
		return nil, fmt.Errorf("the path of %q is not one such as /mapa, of letters, digits, hyphens and dots", text)
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: below}, nil
}

// plainPath matches paths that are written in one way only, in URLs, cookies and pages.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// isSecure reports whether people reach the server by https, so that cookies may demand
// it.
func (s *Server) isSecure() bool { return s.origin != nil && s.origin.Scheme == "https" }

// crossOriginProtection refuses requests of pages of other origins that change something
// (CSRF).
func (s *Server) crossOriginProtection() (*http.CrossOriginProtection, error) {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, errCrossOrigin)
	}))
	if s.origin == nil {
		return protection, nil
	}
	return protection, protection.AddTrustedOrigin(s.origin.Scheme + "://" + s.origin.Host)
}

var errCrossOrigin = &statusError{
	status: http.StatusForbidden, code: "cross-origin", detail: "the request comes from a page of another site",
}

var errHost = &statusError{
	status: http.StatusMisdirectedRequest, code: "host", detail: "the server is not known by this host name",
}

// checkHost refuses requests for host names that are not the server's. A page of another
// site could otherwise give its own name the address of this server, and read the
// answers (DNS rebinding). Such a page knows no token, and learns nothing from whether
// the server lives.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isProbe(r) && !s.isOwnHost(r.Host) && s.tokenRole(r) == roleNone {
			s.fail(w, r, errHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isProbe reports whether a request asks whether the server lives.
func isProbe(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

func (s *Server) isOwnHost(host string) bool {
	if s.origin != nil {
		return strings.EqualFold(withoutPort(host, s.origin.Scheme), withoutPort(s.origin.Host, s.origin.Scheme))
	}
	name, _, _ := strings.Cut(host, ":")
	isRooted := strings.HasSuffix(name, ".") // some resolvers ask a name server for localhost with a dot
	return urlnorm.IsLoopback(host) && !isRooted
}

// withoutPort removes the default port of a scheme from a host.
func withoutPort(host, scheme string) string {
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}
