package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/mapatools/mapa/internal/app/httpserver"
)

// below returns a handler that answers below a path such as /mapa. The handlers of the
// application know nothing of the path: their requests begin with /, and so do their links,
// redirects and cookies, which get the path here.
func (s *Server) below(path string, next http.Handler) http.Handler {
	inside, outside := http.StripPrefix(path, next), httpserver.CloseUnclear(s.secureHeaders(outsideOf(path)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = &belowWriter{ResponseWriter: w, path: path}
		switch {
		case strings.HasPrefix(r.URL.EscapedPath(), path+"/"):
			inside.ServeHTTP(w, r)
		case isProbe(r): // of a program next to the server, without a proxy
			next.ServeHTTP(w, r)
		default:
			outside.ServeHTTP(w, r)
		}
	})
}

// outsideOf returns the handler of what does not begin with a path and a slash.
func outsideOf(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			http.Redirect(w, r, (&url.URL{Path: "/", RawQuery: r.URL.RawQuery}).String(), http.StatusPermanentRedirect)
			return
		}
		http.Error(w, "Mapa answers below "+path+"/. A proxy must keep this path.", http.StatusNotFound)
	}
}

// A belowWriter adds a path to the redirects, cookies and links of an answer.
type belowWriter struct {
	http.ResponseWriter
	path   string
	began  bool
	isPage bool // HTML to be shown; files are sent as they are
}

// WriteHeader implements [http.ResponseWriter].
func (w *belowWriter) WriteHeader(status int) {
	w.began = true
	h := w.Header()
	w.isPage = strings.HasPrefix(h.Get("Content-Type"), "text/html") && h.Get("Content-Disposition") == ""
	if to := h.Get("Location"); strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		h.Set("Location", w.path+to)
	}
	for i, line := range h["Set-Cookie"] {
		if cookie, err := http.ParseSetCookie(line); err == nil {
			cookie.Path = w.path + cookie.Path
			h["Set-Cookie"][i] = cookie.String()
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// pageLinks matches the beginnings of links to pages of the application. Nothing else looks
// like one: in what templates insert, they escape quotes.
var pageLinks = regexp.MustCompile(`([ \n](?:href|src|action|formaction|data-live)=")/([^/])`)

// Write implements [http.ResponseWriter]. A page comes in one piece.
func (w *belowWriter) Write(text []byte) (int, error) {
	if !w.began {
		w.WriteHeader(http.StatusOK)
	}
	if !w.isPage {
		return w.ResponseWriter.Write(text)
	}
	_, err := w.ResponseWriter.Write(pageLinks.ReplaceAll(text, []byte("${1}"+w.path+"/${2}")))
	return len(text), err
}

// Unwrap lets [http.ResponseController] reach the connection.
func (w *belowWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
