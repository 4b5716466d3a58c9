package access

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/fetch"
)

// RequestSettings say how requests are made. They are those of every command that
// requests something.
type RequestSettings struct {
	Timeout                        time.Duration
	Header                         []string
	User, Cookie, Proxy, UserAgent string
	CookieFile                     string
	Insecure                       bool
	CAFile                         string
	// PublicOnly refuses everything that is not on the public internet: private addresses,
	// other ports than 80 and 443, proxies, and files of this machine. Servers set it for
	// requests of strangers. Users cannot change it.
	PublicOnly bool
}

// All returns the table of the settings.
func (s *RequestSettings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "timeout", Value: setting.PositiveDuration(&s.Timeout), Risk: setting.RiskNone,
			Help: "give up on a request after this time, such as 10s"},
		{Name: "header", Value: setting.Strings(&s.Header), Risk: setting.RiskNone, Help: "send this `HEADER: VALUE` to the site"},
		{Name: "user", Value: setting.String(&s.User), Risk: setting.RiskNone, Help: "`NAME:PASSWORD` for the site"},
		{Name: "cookie", Value: setting.String(&s.Cookie), Risk: setting.RiskNone, Help: "send this cookie to the site: `NAME=VALUE`"},
		{Name: "cookie-file", Value: setting.String(&s.CookieFile), Risk: setting.RiskFile,
			Help: "send the site's cookies from this `FILE` in the format of curl and browsers (cookies.txt)"},
		{Name: "proxy", Value: setting.String(&s.Proxy), Risk: setting.RiskOutside, Help: "`URL` of a proxy"},
		{Name: "user-agent", Value: setting.String(&s.UserAgent), Risk: setting.RiskNone, Help: "User-Agent header to send"},
		{Name: "ca-file", Value: setting.String(&s.CAFile), Risk: setting.RiskOutside, Help: "trust the certificates in this PEM `FILE` too"},
		{Name: "insecure", Value: setting.Bool(&s.Insecure), Risk: setting.RiskOutside, Help: "do not verify the site's certificate"},
	}
}

// HasCredentials reports whether a setting holds a credential, or a header, which may be one.
func (s *RequestSettings) HasCredentials() bool {
	return s.User != "" || s.Cookie != "" || s.CookieFile != "" || len(s.Header) > 0
}

// check validates the settings that need no site.
func (s *RequestSettings) check() error {
	switch {
	case s.Proxy != "" && !strings.Contains(s.Proxy, "://"):
		return setting.Invalid("proxy", "%s must be a URL such as http://proxy.example:8080")
	case s.User != "" && !strings.Contains(s.User, ":"):
		return setting.Invalid("user", "%s must be NAME:PASSWORD")
	}
	return nil
}

// Access returns how sites, each given by its URL, are requested. agent is the User-Agent
// without the setting, and users have the user information of some sites by origin. Headers
// are sent to the origins of these sites only, and credentials are refused for more than one.
func (s *RequestSettings) Access(agent string, sites []string, users map[string]string) (access.Access, error) {
	a := access.Access{
		UserAgent: cmp.Or(s.UserAgent, agent), Proxy: s.Proxy, Timeout: s.Timeout, PublicOnly: s.PublicOnly,
	}
	err := s.check()
	if err == nil {
		err = s.CheckOrigins(sites, users)
	}
	if err == nil {
		a.TLS, err = s.tls()
	}
	if err == nil {
		err = s.SetHeaders(&a, sites, users)
	}
	return a, err
}

// SetHeaders replaces the headers of a by those for sites, as [RequestSettings.Access] has
// them. Origins without any are left out.
func (s *RequestSettings) SetHeaders(a *access.Access, sites []string, users map[string]string) error {
	a.Headers = map[string]http.Header{}
	for _, site := range sites {
		origin := addresses.NamedOrigin(site)
		address, err := url.Parse(addresses.WithScheme(site))
		if err != nil || origin == "" {
			continue // a file
		}
		header, err := s.headerFor(address)
		if err != nil {
			return err
		}
		if known := a.Headers[origin]; known != nil {
			maps.Copy(known, header)
		} else if len(header) > 0 {
			a.Headers[origin] = header
		}
		if user := cmp.Or(users[origin], s.User); user != "" {
			SetUser(a, origin, user)
		}
	}
	return nil
}

// SetUser adds NAME:PASSWORD for an origin.
func SetUser(a *access.Access, origin, user string) {
	name, password, _ := strings.Cut(user, ":")
	a.SetBasicAuth(origin, name, password)
}

// headerFor returns the headers that the settings name for a site, except that of User. The
// values may be secrets, so no error shows them.
func (s *RequestSettings) headerFor(site *url.URL) (http.Header, error) {
	header := http.Header{}
	for _, line := range s.Header {
		name, value, found := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" || strings.ContainsAny(name, " \t") || !isHeaderText(line) {
			return nil, setting.Invalid("header", "%s must be NAME: VALUE on one line")
		}
		header.Add(name, value)
	}
	var cookies []string
	if s.Cookie != "" {
		if !strings.Contains(s.Cookie, "=") || !isHeaderText(s.Cookie) {
			return nil, setting.Invalid("cookie", "%s must be NAME=VALUE on one line")
		}
		cookies = append(cookies, s.Cookie)
	}
	if s.CookieFile != "" {
		read, err := ReadCookies(s.CookieFile, site, time.Now())
		if err != nil {
			return nil, setting.Wrap("cookie-file", err)
		}
		cookies = append(cookies, read...)
	}
	if len(cookies) > 0 {
		header.Set("Cookie", strings.Join(cookies, "; "))
	}
	return header, nil
}

// isHeaderText reports whether a text can be a part of a header.
func isHeaderText(text string) bool { return !strings.ContainsAny(text, "\r\n\x00") }

var errNoCertificate = errors.New("no certificate in PEM format")

// tls returns the settings of TLS, nil for the defaults.
func (s *RequestSettings) tls() (*tls.Config, error) {
	if !s.Insecure && s.CAFile == "" {
		return nil, nil
	}
	config := &tls.Config{InsecureSkipVerify: s.Insecure}
	if s.CAFile == "" {
		return config, nil
	}
	text, err := os.ReadFile(s.CAFile)
	if err != nil {
		return nil, setting.Wrap("ca-file", err)
	}
	if config.RootCAs, err = x509.SystemCertPool(); err != nil {
		config.RootCAs = x509.NewCertPool()
	}
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, setting.Wrap("ca-file", fmt.Errorf("%s: %w", s.CAFile, errNoCertificate))
	}
	return config, nil
}

// LacksTLS reports whether a request failed because its host does not speak TLS.
func LacksTLS(err error) bool {
	for _, kind := range []fetch.Kind{
		fetch.KindRefused, fetch.KindUnreachable, fetch.KindConnectTimeout, fetch.KindHandshakeTimeout,
		fetch.KindDropped, fetch.KindMalformed,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	failed, is := errors.AsType[*fetch.TLSError](err)
	return is && failed.Fault == fetch.TLSMissing
}
