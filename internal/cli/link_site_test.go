package cli_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
)

// A linkSite serves files, and answers below /do/ as the path says.
type linkSite struct {
	origin string
	files  string // their folder

	mutex sync.Mutex
	asked map[string]int // by method and path
}

// count returns how often a request was seen, with this one.
func (s *linkSite) count(r *http.Request) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[r.Method+r.URL.Path]++
	return s.asked[r.Method+r.URL.Path]
}

func (s *linkSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	what, isTask := strings.CutPrefix(r.URL.Path, "/do/")
	if !isTask {
		s.serveFile(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	task, argument, _ := strings.Cut(what, "/")
	status, err := strconv.Atoi(task)
	switch {
	case err == nil:
		w.WriteHeader(status)
	case linkAnswers[task] == nil:
		http.NotFound(w, r)
	default:
		linkAnswers[task](s, w, r, argument)
	}
}

// serveFile serves a file, and the index of a folder.
func (s *linkSite) serveFile(w http.ResponseWriter, r *http.Request) {
	name := filepath.Join(s.files, filepath.FromSlash(r.URL.Path))
	if strings.HasSuffix(r.URL.Path, "/") {
		name = filepath.Join(name, "index.html")
	}
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		http.NotFound(w, r)
		return
	case filepath.Ext(name) == ".html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	case filepath.Ext(name) == ".xml":
		w.Header().Set("Content-Type", "application/xml")
	}
	_, _ = w.Write(text)
}

// linked is a page with the anchor #here.
const linked = "<title>Page</title><p id=here>text"

// linkAnswers are what a site answers.
var linkAnswers = map[string]func(s *linkSite, w http.ResponseWriter, r *http.Request, argument string){
	"to": func(s *linkSite, w http.ResponseWriter, _ *http.Request, argument string) { // STATUS/PATH
		status, path, _ := strings.Cut(argument, "/")
		code, _ := strconv.Atoi(status)
		w.Header().Set("Location", "/"+path)
		w.WriteHeader(code)
	},
	"hops": func(_ *linkSite, w http.ResponseWriter, r *http.Request, argument string) {
		if n, _ := strconv.Atoi(argument); n > 0 {
			http.Redirect(w, r, "/do/hops/"+strconv.Itoa(n-1), http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, linked)
	},
	"no-location": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusFound) },
	"cookie-first": func(_ *linkSite, w http.ResponseWriter, r *http.Request, _ string) {
		if _, err := r.Cookie("seen"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}
	},
	"only-get": func(_ *linkSite, w http.ResponseWriter, r *http.Request, status string) {
		if code, _ := strconv.Atoi(status); r.Method != http.MethodGet {
			w.WriteHeader(code)
		}
	},
	"reset-head": func(_ *linkSite, _ http.ResponseWriter, r *http.Request, _ string) {
		if r.Method != http.MethodGet {
			panic(http.ErrAbortHandler)
		}
	},
	"once": func(s *linkSite, w http.ResponseWriter, r *http.Request, argument string) { // STATUS[/Retry-After]
		status, after, _ := strings.Cut(argument, "/")
		if code, _ := strconv.Atoi(status); s.count(r) == 1 {
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			w.WriteHeader(code)
		}
	},
	"twice": func(s *linkSite, w http.ResponseWriter, r *http.Request, _ string) {
		if s.count(r) > 1 {
			w.WriteHeader(http.StatusNotFound)
		}
	},
	"reset": func(*linkSite, http.ResponseWriter, *http.Request, string) { panic(http.ErrAbortHandler) },
	"short": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, linked)
	},
	"gzip": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		encode(w, "gzip", func(to io.Writer) io.WriteCloser { return gzip.NewWriter(to) })
	},
	"deflate": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		encode(w, "deflate", func(to io.Writer) io.WriteCloser { return zlib.NewWriter(to) })
	},
	"brotli": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		encode(w, "br", func(to io.Writer) io.WriteCloser { return brotli.NewWriter(to) })
	},
	"latin-1": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		_, _ = io.WriteString(w, "<p id='f\xfcnf'>Gr\xfc\xdfe")
	},
	"invalid-utf-8": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		_, _ = io.WriteString(w, "\xff\xc3"+linked)
	},
	"slow": func(_ *linkSite, _ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() },
	"auth": func(_ *linkSite, w http.ResponseWriter, r *http.Request, want string) { // NAME:PASSWORD
		if name, password, _ := r.BasicAuth(); name+":"+password != want {
			w.WriteHeader(http.StatusUnauthorized)
		}
	},
	"header": func(_ *linkSite, w http.ResponseWriter, r *http.Request, want string) { // NAME/VALUE
		if name, value, _ := strings.Cut(want, "/"); r.Header.Get(name) != value {
			w.WriteHeader(http.StatusNotFound)
		}
	},
	"no-header": func(_ *linkSite, w http.ResponseWriter, r *http.Request, name string) {
		if r.Header.Get(name) != "" {
			w.WriteHeader(http.StatusNotFound)
		}
	},
	"challenge": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
	},
	"type": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, mediaType string) {
		w.Header().Set("Content-Type", mediaType)
		fmt.Fprint(w, "x")
	},
	"page": func(_ *linkSite, w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, linked) },
}

// encode writes the page in a coding.
func encode(w http.ResponseWriter, coding string, writer func(io.Writer) io.WriteCloser) {
	w.Header().Set("Content-Encoding", coding)
	var body bytes.Buffer
	to := writer(&body)
	_, _ = io.WriteString(to, linked)
	_ = to.Close()
	_, _ = w.Write(body.Bytes())
}

// startTLS starts a server whose certificate nobody signed.
func startTLS(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}
