package fetch

import (
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
)

// UserAgent returns the User-Agent of Mapa: the product token, the version unless it
// is empty, and a URL with more information (RFC 9110 section 10.1.5).
func UserAgent(version string) string {
	const about = " (+https://github.com/mapatools/mapa)"
	if version == "" {
		return "Mapa" + about
	}
	return "Mapa/" + version + about
}

// identity holds the request header for each origin.
type identity struct {
	common   http.Header            // for origins without a header of their own
	byOrigin map[string]http.Header // by origin, complete
	cookies  *cookies               // nil when cookies are off
}

func newIdentity(options *Options) (*identity, error) {
	id := &identity{
		common: http.Header{
			"User-Agent":      {options.UserAgent},
			"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
			"Accept-Encoding": {"gzip, br, zstd, deflate"},
		},
		byOrigin: make(map[string]http.Header),
	}
	if err := checkField("User-Agent", options.UserAgent); err != nil {
		return nil, err
	}
	for _, origin := range slices.Sorted(maps.Keys(options.Headers)) {
		if err := id.add(origin, options.Headers[origin]); err != nil {
			return nil, err
		}
	}
	if options.Cookies {
		id.cookies = newCookies()
	}
	return id, nil
}

// add adds the header for an origin, which is a URL: what is after the port does not count.
// It replaces default fields.
func (id *identity) add(origin string, given http.Header) error {
	to, err := parseTarget(origin)
	if err != nil {
		return fmt.Errorf("header for an origin: %w", err)
	}
	header := id.byOrigin[to.origin()]
	if header == nil {
		header = maps.Clone(id.common)
		id.byOrigin[to.origin()] = header
	}
	for name, values := range given {
		if slices.Contains(framingFields, textproto.CanonicalMIMEHeaderKey(name)) {
			return fmt.Errorf("header for %s: field %s is set by the request", to.origin(), name)
		}
		for _, value := range values {
			if err := checkField(name, value); err != nil {
				return fmt.Errorf("header for %s: %w", to.origin(), err)
			}
		}
		header[textproto.CanonicalMIMEHeaderKey(name)] = values
	}
	return nil
}

// framingFields are set by net/http, which ignores them in a header.
var framingFields = []string{"Host", "Content-Length", "Transfer-Encoding", "Trailer"}

func checkField(name, value string) error {
	if name == "" || strings.ContainsAny(name, " :\r\n\t\x00") || strings.ContainsAny(value, "\r\n\x00") {
		return fmt.Errorf("field %q cannot be sent with its value", name) // which may be a secret
	}
	return nil
}

// store stores the cookies that a response of the target sets, unless they are off.
func (id *identity) store(from *target, header http.Header) {
	if id.cookies != nil {
		id.cookies.store(from, header)
	}
}

// header returns the header for a request to the target. It is shared and must not
// be changed.
func (id *identity) header(to *target, req *Request) http.Header {
	header := id.common
	if len(id.byOrigin) > 0 {
		if own := id.byOrigin[to.origin()]; own != nil {
			header = own
		}
	}
	cookie := ""
	if id.cookies != nil {
		cookie = id.cookies.header(to)
	}
	if cookie == "" && req.IfNoneMatch == "" && req.IfModifiedSince == "" && req.UserAgent == "" {
		return header
	}
	header = maps.Clone(header)
	if req.UserAgent != "" {
		header["User-Agent"] = []string{req.UserAgent}
	}
	if req.IfNoneMatch != "" {
		header["If-None-Match"] = []string{req.IfNoneMatch}
	}
	if req.IfModifiedSince != "" {
		header["If-Modified-Since"] = []string{req.IfModifiedSince}
	}
	if cookie != "" {
		given := header["Cookie"] // one field holds them all (RFC 6265 section 5.4)
		header["Cookie"] = []string{strings.Join(append(given[:len(given):len(given)], cookie), "; ")}
	}
	return header
}
