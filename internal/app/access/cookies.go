package access

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

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

// ReadCookies returns the cookies of a cookies.txt that belong to a URL, as NAME=VALUE.
func ReadCookies(name string, start *url.URL, now time.Time) (cookies []string, err error) {
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
