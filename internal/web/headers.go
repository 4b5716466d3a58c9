package web

import (
	"net/http"
	"strings"
)

// policy lets a page load only what this server serves as a file, and run nothing that
// is written in the page itself. No other site may show it in a frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secureHeaders sets what limits a browser, whatever a page contains. The referrer must
// reach this server, because browsers without Sec-Fetch-Site send no Origin header
// otherwise, and nobody else, because the link to a crawl is its key.
func (s *Server) secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		if s.origin == nil || s.isSecure() { // on others, browsers ignore it with an error in the console
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
		h.Set("Cache-Control", "no-store")
		if isShare := strings.HasPrefix(r.URL.Path, sharePrefix); isShare || strings.HasPrefix(r.URL.Path, "/crawls/") {
			h.Set("X-Robots-Tag", "noindex, nofollow")
			if isShare { // the address has its token, and the page no form
				h.Set("Referrer-Policy", "no-referrer")
			}
		}
		next.ServeHTTP(w, r)
	})
}
