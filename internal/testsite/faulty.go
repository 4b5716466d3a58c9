package testsite

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The traps of this file violate the protocol, or answer only later.

// brokenEncodings has pages in another encoding than they declare.
func brokenEncodings(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	const page = "<html><head><title>Gr\xfc\xdfe</title></head><body><p>Sch\xf6ne Gr\xfc\xdfe</p><a href=\"/\">more</a></body></html>"
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	name := strings.TrimPrefix(r.URL.Path, "/broken-encodings/")
	switch name {
	case "":
		write(w, "Encodings", "Nothing is what it says.", "latin-1", "unknown-charset", "utf-16", "not-gzip", "half-gzip",
			"unknown-coding")
		return
	case "latin-1":
	case "unknown-charset":
		header.Set("Content-Type", "text/html; charset=klingon")
	case "utf-16":
		_, _ = w.Write([]byte("\xff\xfe<\x00p\x00>\x00\xfc\x00\x00\xd8"))
		return
	case "not-gzip":
		header.Set("Content-Encoding", "gzip")
	case "half-gzip":
		header.Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb()[:2000])
		return
	case "unknown-coding":
		header.Set("Content-Encoding", "rot13")
	}
	_, _ = w.Write([]byte(page))
}

// dropped closes connections: always, in the middle of a body, or only once.
func dropped(s *TrapSite, w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/dropped/":
		write(w, "Dropped", "Some of these do not answer.", "always", "halfway", "once")
	case "/dropped/once":
		if s.first(r) {
			panic(http.ErrAbortHandler)
		}
		write(w, "Once", "It was only once.", "/")
	case "/dropped/halfway":
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "10000")
		_, _ = w.Write([]byte("<p>This page ends in the middle of a"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	default:
		panic(http.ErrAbortHandler)
	}
}

// busy refuses the first request for each of its pages with a Retry-After, in seconds
// or as a date.
func busy(s *TrapSite, w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/busy/")
	if name == "" {
		write(w, "Busy", "Come back later.", "429-seconds", "429-date", "503-seconds", "503-date")
		return
	}
	code, form, _ := strings.Cut(name, "-")
	status, err := strconv.Atoi(code)
	if err != nil || status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		http.NotFound(w, r)
		return
	}
	if !s.first(r) {
		write(w, "At your service", "This is what "+name+" was busy with.", "/")
		return
	}
	after := "1"
	if form == "date" {
		after = time.Now().Add(time.Second).UTC().Format(http.TimeFormat)
	}
	w.Header().Set("Retry-After", after)
	w.WriteHeader(status)
}

// lyingHead answers 404 to HEAD and 200 to GET.
func lyingHead(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	write(w, "Here", "It was here all the time.", "/")
}
