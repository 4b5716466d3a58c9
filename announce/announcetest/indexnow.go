package announcetest

import (
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce"
)

// indexNow implements https://www.indexnow.org/documentation.
func (s *Server) indexNow(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Host        string   `json:"host"`
		Key         string   `json:"key"`
		KeyLocation string   `json:"keyLocation"`
		URLList     []string `json:"urlList"`
	}
	switch r.Method {
	case http.MethodGet:
		query := r.URL.Query()
		body.Key, body.KeyLocation, body.URLList = query.Get("key"), query.Get("keyLocation"), []string{query.Get("url")}
		if u, err := url.Parse(query.Get("url")); err == nil {
			body.Host = u.Host
		}
	case http.MethodPost:
		if !readJSON(r, &body) {
			indexNowError(w, http.StatusBadRequest, "InvalidRequestParameters", "The body is not the JSON that is documented")
			return
		}
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	switch {
	case announce.CheckKeyForm(body.Key) != nil:
		indexNowError(w, http.StatusUnprocessableEntity, "InvalidKey", "The key has a wrong form")
	case len(body.URLList) == 0 || len(body.URLList) > announce.IndexNowBatch:
		indexNowError(w, http.StatusUnprocessableEntity, "InvalidUrlList", "The list needs 1 to 10,000 URLs")
	case !s.belong(body.URLList, body.Host):
		indexNowError(w, http.StatusUnprocessableEntity, "InvalidUrls", "URLs do not belong to the host")
	case !covers(body.KeyLocation, body.URLList):
		indexNowError(w, http.StatusUnprocessableEntity, "InvalidKeyLocation", "The key does not cover the URLs")
	case !s.keyIsRight(body.URLList[0], body.Key, body.KeyLocation):
		indexNowError(w, http.StatusForbidden, "KeyNotFound", "The key file was not found")
	case s.submittedLately(body.URLList):
		w.Header().Set("Retry-After", "600")
		indexNowError(w, http.StatusTooManyRequests, "TooManyRequests", "A URL was submitted less than 10 minutes ago")
	default:
		w.WriteHeader(http.StatusOK)
	}
}

func indexNowError(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, map[string]string{"errorCode": code, "message": message})
}

// belong reports whether all URLs are distinct and of the host.
func (s *Server) belong(urls []string, host string) bool {
	seen := map[string]bool{}
	return host != "" && !slices.ContainsFunc(urls, func(address string) bool {
		u, err := url.Parse(address)
		repeated := seen[address]
		seen[address] = true
		return err != nil || repeated || u.Host != host || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https"
	})
}

// covers reports whether a key location covers the URLs: those in its folder.
func covers(location string, urls []string) bool {
	if location == "" {
		return true
	}
	folder := location[:strings.LastIndexByte(location, '/')+1]
	at, err := url.Parse(location)
	return err == nil && path.Ext(at.Path) == ".txt" && !slices.ContainsFunc(urls, func(address string) bool {
		_, rest, _ := strings.Cut(address, "://")
		_, below, _ := strings.Cut(folder, "://")
		return !strings.HasPrefix(rest, below)
	})
}

// keyIsRight requests the key file, as the engines do.
func (s *Server) keyIsRight(page, key, location string) bool {
	if location == "" {
		u, err := url.Parse(page)
		if err != nil {
			return false
		}
		location = u.Scheme + "://" + u.Host + "/" + key + ".txt"
	}
	client := &http.Client{Transport: s.options.Transport, Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(location)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1024))
	return err == nil && response.StatusCode == http.StatusOK && string(text) == key
}

// submittedLately records URLs, and reports whether one was submitted within its cooldown.
func (s *Server) submittedLately(urls []string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := time.Now()
	for _, address := range urls {
		if at, known := s.submitted[address]; known && now.Before(at.Add(announce.IndexNowCooldown)) {
			return true
		}
	}
	for _, address := range urls {
		s.submitted[address] = now
	}
	return false
}
