package sitemaphttp

import (
	"net/http"
	"strings"
)

// Robots returns a handler for /robots.txt that serves the rules and a line with the
// URL of the index, by which every search engine finds it. The rules may be empty.
func (h *Handler) Robots(rules string) http.Handler {
	if rules != "" && !strings.HasSuffix(rules, "\n") {
		rules += "\n"
	}
	text := rules + "Sitemap: " + h.IndexURL() + "\n"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			notAllowed(w)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(text)) // the client has gone
	})
}
