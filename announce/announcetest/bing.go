package announcetest

import (
	"net/http"
	"strings"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/internal/calendar"
)

// bing implements the methods of IWebmasterApi with JSON
// (https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi).
func (s *Server) bing(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if s.options.BingKey == "" || query.Get("apikey") != s.options.BingKey {
		bingError(w, 3, "InvalidApiKey")
		return
	}
	switch method := strings.TrimPrefix(r.URL.Path, "/webmaster/api.svc/json/"); {
	case method == "SubmitFeed" && r.Method == http.MethodPost:
		s.bingFeed(w, r)
	case method == "SubmitUrlbatch" && r.Method == http.MethodPost:
		s.bingURLs(w, r)
	case method == "GetFeeds" && r.Method == http.MethodGet:
		s.bingFeeds(w, query.Get("siteUrl"))
	case method == "GetUrlSubmissionQuota" && r.Method == http.MethodGet:
		left := s.left(day("bing", calendar.UTC), s.options.BingQuota)
		writeJSON(w, http.StatusOK, map[string]any{"d": map[string]any{
			"__type": "UrlSubmissionQuota:#Microsoft.Bing.Webmaster.Api", "DailyQuota": left, "MonthlyQuota": 30 * left}})
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *Server) bingFeed(w http.ResponseWriter, r *http.Request) {
	var body struct {
		SiteURL string `json:"siteUrl"`
		FeedURL string `json:"feedUrl"`
	}
	switch {
	case !readJSON(r, &body) || body.SiteURL == "":
		bingError(w, 8, "InvalidParameter")
	case !s.owns(body.SiteURL):
		bingError(w, 14, "NotAuthorized")
	case !strings.HasPrefix(body.FeedURL, body.SiteURL):
		bingError(w, 7, "InvalidUrl")
	default:
		s.addSitemap("bing", body.FeedURL)
		writeJSON(w, http.StatusOK, map[string]any{"d": nil})
	}
}

func (s *Server) bingURLs(w http.ResponseWriter, r *http.Request) {
	var body struct {
		SiteURL string   `json:"siteUrl"`
		URLList []string `json:"urlList"`
	}
	if !readJSON(r, &body) || len(body.URLList) == 0 || len(body.URLList) > announce.BingBatch {
		bingError(w, 8, "InvalidParameter")
		return
	}
	if !s.owns(body.SiteURL) {
		bingError(w, 14, "NotAuthorized")
		return
	}
	for _, address := range body.URLList {
		if !strings.HasPrefix(address, body.SiteURL) {
			bingError(w, 7, "InvalidUrl")
			return
		}
	}
	if !s.take(day("bing", calendar.UTC), s.options.BingQuota, len(body.URLList)) {
		bingError(w, 2, "ERROR!!! Quota remaining for today: 0, Submitted: more")
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"d": nil})
}

func (s *Server) bingFeeds(w http.ResponseWriter, site string) {
	if !s.owns(site) {
		bingError(w, 14, "NotAuthorized")
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	feeds := []map[string]any{}
	for name := range s.sitemaps {
		if feed, found := strings.CutPrefix(name, "bing"); found && strings.HasPrefix(feed, site) {
			feeds = append(feeds, map[string]any{
				"__type": "Feed:#Microsoft.Bing.Webmaster.Api", "Url": feed, "Type": "Sitemap", "Status": "Success",
				"Submitted": "/Date(1399100400000-0700)/", "LastCrawled": "/Date(1399186800000-0700)/", "UrlCount": 3,
				"FileSize": 1024, "Compressed": false,
			})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"d": feeds})
}

func bingError(w http.ResponseWriter, code int, message string) {
	writeJSON(w, http.StatusBadRequest, map[string]any{"ErrorCode": code, "Message": message})
}
