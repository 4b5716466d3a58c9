package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// ParseOrigin reads an origin such as https://maps.example.com. An empty one gives nil.
func ParseOrigin(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not an origin such as https://maps.example.com", text)
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, nil
}

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
	return protection, protection.AddTrustedOrigin(s.origin.String())
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
		isProbe := r.URL.Path == "/healthz" || r.URL.Path == "/readyz"
		if !isProbe && !s.isOwnHost(r.Host) && s.tokenRole(r) == roleNone {
			s.fail(w, r, errHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) isOwnHost(host string) bool {
	if s.origin != nil {
		return strings.EqualFold(withoutPort(host, s.origin.Scheme), withoutPort(s.origin.Host, s.origin.Scheme))
	}
	return urlnorm.IsLoopback(host)
}

// withoutPort removes the default port of a scheme from a host.
func withoutPort(host, scheme string) string {
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}
