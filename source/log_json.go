package source

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// A jsonLogLine has the fields of a line of an access log in JSON: those of Caddy, of
// Traefik, and the usual ones of nginx, which are named after its variables.
type jsonLogLine struct {
	Request       json.RawMessage // an object in Caddy, a text such as "GET / HTTP/1.1" in nginx
	RequestURI    string          `json:"request_uri"`
	URI           string
	RequestMethod string `json:"request_method"`
	Method        string
	Host          string
	HTTPHost      string `json:"http_host"`
	Status        json.RawMessage

	TraefikMethod string          `json:"RequestMethod"`
	TraefikPath   string          `json:"RequestPath"`
	TraefikHost   string          `json:"RequestHost"`
	TraefikStatus json.RawMessage `json:"DownstreamStatus"`
}

// caddyRequest is the request of a line of Caddy.
type caddyRequest struct{ Method, Host, URI string }

// isJSONLog reports whether a line is one of an access log in JSON.
func isJSONLog(text []byte) bool {
	_, ok := parseJSONLogLine(text)
	return ok
}

// parseJSONLogLine parses a line in JSON.
func parseJSONLogLine(text []byte) (request, bool) {
	var l jsonLogLine
	if len(text) == 0 || text[0] != '{' || json.Unmarshal(text, &l) != nil {
		return request{}, false
	}
	r := request{isPlain: true, host: first(l.HTTPHost, l.Host, l.TraefikHost)}
	method, target := first(l.RequestMethod, l.Method, l.TraefikMethod), first(l.RequestURI, l.TraefikPath)
	switch {
	case len(l.Request) > 0 && l.Request[0] == '{':
		var caddy caddyRequest
		if json.Unmarshal(l.Request, &caddy) != nil {
			return request{}, false
		}
		method, target, r.host = caddy.Method, caddy.URI, first(caddy.Host, r.host)
	case len(l.Request) > 0 && l.Request[0] == '"' && target == "":
		var line string
		_ = json.Unmarshal(l.Request, &line) // it was parsed as a part of the line
		method, target, _ = strings.Cut(line, " ")
		target, _, _ = strings.Cut(target, " HTTP/")
	case target == "" && method != "":
		target = l.URI
	}
	status := l.Status
	if len(status) == 0 {
		status = l.TraefikStatus
	}
	var ok bool
	r.status, ok = statusOf(append([]byte(" "), bytes.Trim(status, `"`)...))
	if target == "" || !ok {
		return request{}, false
	}
	if method == "" {
		method = "GET"
	}
	r.text = []byte(method + " " + target)
	return r, true
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// originOf returns the origin of the pages of a host that a log names. base is that of the
// site, whose host may have another spelling or the usual port.
func originOf(base, host string) string {
	scheme, own, _ := strings.Cut(base, "://")
	host = strings.ToLower(host)
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	if host == "" || host == own || strings.ContainsAny(host, "/?#@\\ \"<>") || len(host) > urlnorm.MaxLength {
		return base
	}
	return scheme + "://" + host
}
