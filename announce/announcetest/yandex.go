package announcetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

const yandexUser = "1001"

// yandex implements the parts of https://yandex.com/dev/webmaster/doc/en/ for sitemaps
// and for reindexing.
func (s *Server) yandex(w http.ResponseWriter, r *http.Request) {
	if s.options.YandexToken == "" || r.Header.Get("Authorization") != "OAuth "+s.options.YandexToken {
		yandexError(w, http.StatusUnauthorized, "INVALID_OAUTH_TOKEN", "Invalid or expired token", nil)
		return
	}
	segments := strings.Split(strings.Trim(r.URL.EscapedPath(), "/"), "/")
	switch {
	case len(segments) == 2 && segments[1] == "user":
		writeJSON(w, http.StatusOK, map[string]int{"user_id": 1001})
		return
	case len(segments) < 6 || segments[1] != "user" || segments[3] != "hosts":
		yandexError(w, http.StatusNotFound, "RESOURCE_NOT_FOUND", "No such resource", nil)
		return
	case segments[2] != yandexUser:
		yandexError(w, http.StatusForbidden, "INVALID_USER_ID", "Invalid user id. 1001 should be used.",
			map[string]any{"available_user_id": 1001})
		return
	}
	host, err := url.PathUnescape(segments[4])
	if err != nil || !strings.Contains(segments[4], "%3A") || !s.ownsHost(host) {
		yandexError(w, http.StatusNotFound, "HOST_NOT_VERIFIED", "The host is not verified", nil)
		return
	}
	resource := strings.Join(segments[5:], "/")
	switch {
	case segments[0] == "v4.1" && resource == "sitemaps/recrawl" && r.Method == http.MethodGet:
		s.yandexRecrawlQuota(w)
	case segments[0] == "v4.1" && strings.HasSuffix(resource, "/recrawl") && r.Method == http.MethodPost:
		s.yandexRecrawl(w)
	case segments[0] != "v4":
		yandexError(w, http.StatusNotFound, "RESOURCE_NOT_FOUND", "No such resource", nil)
	case resource == "user-added-sitemaps" && r.Method == http.MethodPost:
		s.yandexAdd(w, r, host)
	case resource == "recrawl/quota" && r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, map[string]int{"daily_quota": s.options.YandexQuota,
			"quota_remainder": s.left(day("yandex", calendar.Moscow), s.options.YandexQuota)})
	case resource == "recrawl/queue" && r.Method == http.MethodPost:
		s.yandexQueue(w, r, host)
	case resource == "sitemaps" && r.Method == http.MethodGet:
		s.yandexList(w, host)
	default:
		yandexError(w, http.StatusNotFound, "RESOURCE_NOT_FOUND", "No such resource", nil)
	}
}

// originOf returns the origin of a host ID such as https:example.com:443.
func originOf(host string) string {
	scheme, rest, _ := strings.Cut(host, ":")
	standard := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return scheme + "://" + strings.TrimSuffix(rest, standard)
}

func (s *Server) ownsHost(host string) bool { return s.owns(originOf(host)) }

func (s *Server) yandexURL(w http.ResponseWriter, r *http.Request, host string) (string, bool) {
	var body struct {
		URL string `json:"url"`
	}
	if !readJSON(r, &body) || !strings.HasPrefix(body.URL, originOf(host)+"/") {
		yandexError(w, http.StatusBadRequest, "INVALID_URL", "The URL is not one of the host", nil)
		return "", false
	}
	return body.URL, true
}

func (s *Server) yandexAdd(w http.ResponseWriter, r *http.Request, host string) {
	address, ok := s.yandexURL(w, r, host)
	switch {
	case !ok:
	case s.addSitemap("yandex", address):
		yandexError(w, http.StatusConflict, "SITEMAP_ALREADY_ADDED", "The sitemap was added before",
			map[string]any{"sitemap_id": "c7-fe-80-c0"})
	default:
		writeJSON(w, http.StatusCreated, map[string]string{"sitemap_id": "c7-fe-80-c0"})
	}
}

func (s *Server) yandexQueue(w http.ResponseWriter, r *http.Request, host string) {
	address, ok := s.yandexURL(w, r, host)
	name := day("yandex", calendar.Moscow)
	switch {
	case !ok:
	case s.left(day(address, calendar.Moscow), 1) == 0:
		yandexError(w, http.StatusConflict, "URL_ALREADY_ADDED", "The URL is in the queue already", nil)
	case !s.take(name, s.options.YandexQuota, 1):
		yandexError(w, http.StatusTooManyRequests, "QUOTA_EXCEEDED", "The daily quota is used up", nil)
	default:
		s.take(day(address, calendar.Moscow), 1, 1)
		writeJSON(w, http.StatusAccepted, map[string]any{"task_id": "c7fe80c0-36e3-11e6-8b2d-df96aa592c0a",
			"quota_remainder": s.left(name, s.options.YandexQuota)})
	}
}

func (s *Server) yandexRecrawlQuota(w http.ResponseWriter) {
	name := month("recrawl", calendar.Moscow)
	now := time.Now()
	next, _ := calendar.Moscow.Day(now)
	if s.left(name, s.options.RecrawlQuota) == 0 {
		_, next = calendar.Moscow.Month(now)
	}
	writeJSON(w, http.StatusOK, map[string]any{"host_sitemaps_recrawl_limit_info": map[string]any{
		"monthly_limit_requests": s.options.RecrawlQuota,
		"requests_count":         s.options.RecrawlQuota - s.left(name, s.options.RecrawlQuota),
		"nearest_allowed_day":    next.Format("2006-01-02T15:04:05.000-07:00"),
	}})
}

func (s *Server) yandexRecrawl(w http.ResponseWriter) {
	if !s.take(month("recrawl", calendar.Moscow), s.options.RecrawlQuota, 1) {
		yandexError(w, http.StatusTooManyRequests, "QUOTA_EXCEEDED", "The monthly quota is used up", nil)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) yandexList(w http.ResponseWriter, host string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := []map[string]any{}
	for name, at := range s.sitemaps {
		if feed, found := strings.CutPrefix(name, "yandex"); found && strings.HasPrefix(feed, originOf(host)+"/") {
			list = append(list, map[string]any{
				"sitemap_id": "c7-fe-80-c0", "sitemap_url": feed, "last_access_date": at.Format(time.RFC3339), "errors_count": 0,
				"urls_count": 3, "children_count": 0, "sources": []string{"WEBMASTER"}, "sitemap_type": "SITEMAP",
			})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"sitemaps": list})
}

func yandexError(w http.ResponseWriter, status int, code, message string, more map[string]any) {
	body := map[string]any{"error_code": code, "error_message": message}
	maps.Copy(body, more)
	writeJSON(w, status, body)
}

// ping answers as the pings of Google do since they are gone.
func (s *Server) ping(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprintln(w, "Sitemaps ping is deprecated.")
}
