package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
)

// comparedSettings are the settings that two crawls must share to be compared, with base-url and
// render: they decide which pages are found, and which answers the site gives. What exclude and no-list
// leave out is known of each page. What max-time ends is no base.
var comparedSettings = []string{
	"prefix", "include", "subdomains", "strip-params", "documents", "feeds", "clean-urls", "orphans", "ignore-noindex",
	"sitemap", "list", "log", "ignore-robots",
	crawl.LimitPages, crawl.LimitDepth, crawl.LimitBytes, "max-render",
	"user-agent",
}

// compared returns a hash of each compared setting that differs from its default, and of the names
// of a log-in. user is that of the start.
func (s *Settings) compared(user string) map[string]string {
	sums := map[string]string{}
	table, defaults := s.All(), NewSettings().All()
	for _, name := range comparedSettings {
		texts := sorted(setting.Find(table, name).Value.Texts())
		switch {
		case slices.Equal(texts, sorted(setting.Find(defaults, name).Value.Texts())):
			continue
		case name == "sitemap":
			texts, _ = access.CutUsers(texts)
		case name == "log": // a later one has another name
			texts = nil
		}
		sums[name] = sumOf(texts...)
	}
	for name, value := range map[string]string{
		"user": user, "cookie": s.Access.Cookie, "cookie-file": s.Access.CookieFile,
	} {
		if value != "" {
			sums[name] = sumOf()
		}
	}
	if len(s.Access.Header) > 0 {
		var names []string
		for _, line := range s.Access.Header {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, http.CanonicalHeaderKey(strings.TrimSpace(name)))
		}
		sums["header"] = sumOf(sorted(names)...)
	}
	return sums
}

func sorted(texts []string) []string { return slices.Sorted(slices.Values(texts)) }

// sumOf returns a short hash of texts: what they say may be private.
func sumOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:8])
}

// OtherOptions returns the names of the settings that keep a crawl from being compared with one
// before it, which had others.
func (s *Settings) OtherOptions(before *Settings) []string {
	return s.comparedMeta().OtherOptions(before.comparedMeta())
}

func (s *Settings) comparedMeta() crawlfile.Meta {
	return crawlfile.Meta{
		Compared: s.compared(s.Access.User), BaseURL: s.BaseURL, Render: Rendering(s.Render),
	}
}
