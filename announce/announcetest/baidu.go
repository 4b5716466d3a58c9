package announcetest

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/internal/calendar"
)

// baidu implements links submission (https://ziyuan.baidu.com/linksubmit/index).
func (s *Server) baidu(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	text, _ := io.ReadAll(r.Body) // it is in memory
	urls := strings.Split(strings.TrimSpace(string(text)), "\n")
	host := query.Get("site")
	isOwn := slices.ContainsFunc(s.options.Sites, func(origin string) bool { return strings.HasSuffix(origin, "//"+host) })
	switch {
	case r.Header.Get("Content-Type") != "text/plain":
		baiduError(w, http.StatusBadRequest, "content type error")
	case s.options.BaiduToken == "" || query.Get("token") != s.options.BaiduToken:
		baiduError(w, http.StatusUnauthorized, "token is not valid")
	case !isOwn:
		baiduError(w, http.StatusBadRequest, "site error")
	case urls[0] == "":
		baiduError(w, http.StatusBadRequest, "empty content")
	case len(urls) > announce.BaiduBatch:
		baiduError(w, http.StatusBadRequest, "only 2000 urls are allowed once")
	case !s.take(day("baidu", calendar.Shanghai), s.options.BaiduQuota, len(urls)):
		baiduError(w, http.StatusBadRequest, "over quota")
	default:
		s.baiduTake(w, urls, host)
	}
}

func (s *Server) baiduTake(w http.ResponseWriter, urls []string, host string) {
	taken, other, invalid := 0, []string{}, []string{}
	for _, address := range urls {
		switch u, err := url.Parse(address); {
		case err != nil || u.Host == "":
			invalid = append(invalid, address)
		case u.Host != host:
			other = append(other, address)
		default:
			taken++
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"remain":  s.left(day("baidu", calendar.Shanghai), s.options.BaiduQuota),
		"success": taken, "not_same_site": other, "not_valid": invalid,
	})
}

func baiduError(w http.ResponseWriter, code int, message string) {
	writeJSON(w, code, map[string]any{"error": code, "message": message})
}

// hub implements what hubs of WebSub take from publishers.
func (s *Server) hub(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || r.ParseForm() != nil ||
		r.PostForm.Get("hub.mode") != "publish" {
		http.Error(w, "hub.mode must be publish", http.StatusBadRequest)
		return
	}
	topic := r.PostForm.Get("hub.url")
	if topic == "" || topic != r.PostForm.Get("hub.topic") || !s.owns(topic) {
		http.Error(w, "Topic not found", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
