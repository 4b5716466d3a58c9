package app

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// AccessSettings say how the site is asked.
type AccessSettings struct {
	Concurrency                    int
	Rate                           crawl.Rate
	Timeout                        time.Duration
	Header                         []string
	User, Cookie, Proxy, UserAgent string
	CookieFile                     string
	Insecure                       bool
	CAFile                         string
	Accept                         List // statuses and ranges of them
}

func (s *AccessSettings) all() []Setting {
	return []Setting{
		{Name: "concurrency", Value: &s.Concurrency, Help: "maximum number of concurrent requests"},
		{Name: "rate", Value: &s.Rate, Help: "at most `N` requests per second to a host, 0 for no limit"},
		{Name: "timeout", Value: &s.Timeout, Help: "give up on a request after this time, such as 10s"},
		{Name: "header", Value: &s.Header, Help: "send this `HEADER: VALUE` to the site"},
		{Name: "user", Value: &s.User, Help: "`NAME:PASSWORD` for the site"},
		{Name: "cookie", Value: &s.Cookie, Help: "send this cookie to the site: `NAME=VALUE`"},
		{Name: "cookie-file", Value: &s.CookieFile,
			Help: "send the site's cookies from this `FILE` in the format of curl and browsers (cookies.txt)"},
		{Name: "proxy", Value: &s.Proxy, Help: "`URL` of a proxy"},
		{Name: "user-agent", Value: &s.UserAgent, Help: "User-Agent header to send"},
		{Name: "ca-file", Value: &s.CAFile, Help: "trust the certificates in this PEM `FILE` too"},
		{Name: "insecure", Value: &s.Insecure, Help: "do not verify the site's certificate"},
		{Name: "accept", Value: &s.Accept,
			Help: "`STATUSES` that are not a broken link, such as 200-299,403; they never list a page"},
	}
}

// options validates the settings for a site.
func (s *AccessSettings) options(start *url.URL) (crawl.Access, error) {
	a := crawl.Access{
		Concurrency: s.Concurrency, Rate: s.Rate, UserAgent: s.UserAgent, User: s.User, Proxy: s.Proxy,
		Header: http.Header{}, Timeout: s.Timeout,
	}
	if err := checkConcurrency(s.Concurrency); err != nil {
		return a, err
	}
	if s.Timeout < 0 {
		return a, badSetting("timeout", "%s must be 0 (the default) or more")
	}
	if s.Proxy != "" && !strings.Contains(s.Proxy, "://") {
		return a, badSetting("proxy", "%s must be a URL such as http://proxy.example:8080")
	}
	if err := s.addHeaders(a.Header, start); err != nil {
		return a, err
	}
	if s.User != "" && !strings.Contains(s.User, ":") {
		return a, badSetting("user", "%s must be NAME:PASSWORD")
	}
	var err error
	a.TLS, err = s.tls()
	return a, err
}

// addHeaders adds the headers that the settings name. The values may be secrets, so no
// error shows them.
func (s *AccessSettings) addHeaders(header http.Header, start *url.URL) error {
	for _, line := range s.Header {
		name, value, found := strings.Cut(line, ":")
		if !found {
			return badSetting("header", "%s must be NAME: VALUE")
		}
		header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	var cookies []string
	if s.Cookie != "" {
		if !strings.Contains(s.Cookie, "=") {
			return badSetting("cookie", "%s must be NAME=VALUE")
		}
		cookies = append(cookies, s.Cookie)
	}
	if s.CookieFile != "" {
		read, err := readCookies(s.CookieFile, start, time.Now())
		if err != nil {
			return wrapSetting("cookie-file", err)
		}
		cookies = append(cookies, read...)
	}
	if len(cookies) > 0 {
		header.Set("Cookie", strings.Join(cookies, "; "))
	}
	return nil
}

var errNoCertificate = errors.New("no certificate in PEM format")

// tls returns the settings of TLS, nil for the defaults.
func (s *AccessSettings) tls() (*tls.Config, error) {
	if !s.Insecure && s.CAFile == "" {
		return nil, nil
	}
	config := &tls.Config{InsecureSkipVerify: s.Insecure}
	if s.CAFile == "" {
		return config, nil
	}
	text, err := os.ReadFile(s.CAFile)
	if err != nil {
		return nil, wrapSetting("ca-file", err)
	}
	if config.RootCAs, err = x509.SystemCertPool(); err != nil {
		config.RootCAs = x509.NewCertPool()
	}
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, wrapSetting("ca-file", fmt.Errorf("%s: %w", s.CAFile, errNoCertificate))
	}
	return config, nil
}

// accepted reads the accept setting: statuses, and ranges such as 200-299.
func (s *AccessSettings) accepted() (ranges []crawl.StatusRange, err error) {
	for _, text := range s.Accept {
		first, last, isRange := strings.Cut(text, "-")
		if !isRange {
			last = first
		}
		var r crawl.StatusRange
		var errs [2]error
		r.First, errs[0] = strconv.Atoi(first)
		r.Last, errs[1] = strconv.Atoi(last)
		if errors.Join(errs[:]...) != nil || r.First < 100 || r.Last > 999 || r.First > r.Last {
			return nil, badSetting("accept", "%s must be statuses such as 200-299,403, not %q", text)
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}

// The fields of a line of cookies.txt (https://curl.se/docs/http-cookies.html).
const (
	cookieDomain = iota
	cookieSubdomains
	cookiePath
	cookieSecure
	cookieExpires
	cookieName
	cookieValue
	cookieFields
)

// readCookies returns the cookies of a cookies.txt that belong to a URL, as NAME=VALUE.
func readCookies(name string, start *url.URL, now time.Time) (cookies []string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimPrefix(strings.TrimSuffix(lines.Text(), "\r"), "#HttpOnly_")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != cookieFields {
			return nil, fmt.Errorf("%s, line %d: not the 7 fields of a cookies.txt, separated by tabs", name, number)
		}
		if cookieFits(fields, start, now) {
			cookies = append(cookies, fields[cookieName]+"="+fields[cookieValue])
		}
	}
	return cookies, lines.Err()
}

// cookieFits reports whether a browser sends a cookie with a request (RFC 6265 section
// 5.4).
func cookieFits(fields []string, to *url.URL, now time.Time) bool {
	host, domain := strings.ToLower(to.Hostname()), strings.ToLower(strings.TrimPrefix(fields[cookieDomain], "."))
	if host != domain && !(fields[cookieSubdomains] == "TRUE" && strings.HasSuffix(host, "."+domain)) {
		return false
	}
	if fields[cookieSecure] == "TRUE" && to.Scheme != "https" {
		return false
	}
	if expires, err := strconv.ParseInt(fields[cookieExpires], 10, 64); err == nil && expires > 0 && expires < now.Unix() {
		return false
	}
	path, of := to.Path, strings.TrimSuffix(fields[cookiePath], "/")
	return path == of || strings.HasPrefix(path, of+"/") || of == ""
}
