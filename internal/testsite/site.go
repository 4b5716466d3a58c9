// Package testsite has websites for tests, served in the process of the test.
//
// [Parse] returns a [Site] with the pages of a txtar archive. [Traps] returns a
// [TrapSite] with everything that can trap a crawler. [NewTruthSite] returns a
// [TruthSite] with the results that a crawl of it should have. [NewScriptSite] returns a
// [ScriptSite], whose pages are empty until a browser runs their scripts.
package testsite

import (
	"bytes"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/textproto"
	"path"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// A Site serves the files of an archive and counts the requests. It is safe for
// concurrent use.
type Site struct {
	pages map[string]page // by request target

	mu       sync.Mutex
	requests map[string]int
}

type page struct {
	status int
	header http.Header
	body   string
}

// Parse returns a site with the files of a txtar archive. The name of a file is the
// target of its request: the path with the query, as a client sends it. The leading
// slash may be omitted, except for the home page "/".
//
// A file is the body of a response with status 200, and the content type of its
// extension, or HTML without one. A file whose first line is "HTTP" and a
// status begins with header lines, which end with a blank line:
//
//	-- /old --
//	HTTP 301
//	Location: http://$HOST/new
//
//	moved
//
// In bodies and headers, $HOST is replaced by the host and port of the request.
func Parse(archive []byte) (*Site, error) {
	s := &Site{pages: map[string]page{}, requests: map[string]int{}}
	for _, file := range txtar.Parse(archive).Files {
		target := "/" + strings.TrimPrefix(file.Name, "/")
		if _, twice := s.pages[target]; twice {
			return nil, fmt.Errorf("test site: %s is twice in the archive", target)
		}
		p, err := parsePage(target, file.Data)
		if err != nil {
			return nil, fmt.Errorf("test site: %s: %w", target, err)
		}
		s.pages[target] = p
	}
	return s, nil
}

func parsePage(target string, data []byte) (page, error) {
	p := page{status: http.StatusOK, header: http.Header{"Content-Type": {contentType(target)}}}
	status, rest, _ := bytes.Cut(data, []byte("\n"))
	code, headed := bytes.CutPrefix(status, []byte("HTTP "))
	if !headed {
		p.body = string(data)
		return p, nil
	}
	var err error
	if p.status, err = strconv.Atoi(strings.TrimSpace(string(code))); err != nil || p.status < 200 || p.status > 999 {
		return page{}, fmt.Errorf("%q is no final status", code)
	}
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		name, value, ok := strings.Cut(string(line), ":")
		if !ok {
			return page{}, fmt.Errorf("the header line %q has no colon", line)
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		if name == "Content-Type" {
			p.header.Del(name)
		}
		p.header.Add(name, strings.TrimSpace(value))
	}
	p.body = string(rest)
	return p, nil
}

func contentType(target string) string {
	name, _, _ := strings.Cut(target, "?")
	switch extension := path.Ext(name); extension {
	case "", ".html":
		return "text/html; charset=utf-8"
	case ".xml":
		return "application/xml"
	case ".txt":
		return "text/plain; charset=utf-8"
	default:
		if known := mime.TypeByExtension(extension); known != "" {
			return known
		}
		return "application/octet-stream"
	}
}

// ServeHTTP answers with the file for the target of the request, or with 404.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests[r.RequestURI]++
	s.mu.Unlock()
	p, ok := s.pages[r.RequestURI]
	if !ok {
		http.NotFound(w, r)
		return
	}
	for name, values := range p.header {
		for _, value := range values {
			w.Header().Add(name, strings.ReplaceAll(value, "$HOST", r.Host))
		}
	}
	w.WriteHeader(p.status)
	// The client may have disconnected.
	_, _ = strings.NewReplacer("$HOST", r.Host).WriteString(w, p.body)
}

// Requests returns how often each target was requested, with any method.
func (s *Site) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.requests)
}
