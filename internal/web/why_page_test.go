package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestWhyAddress finds pages however their address is typed, and no others.
func TestWhyAddress(t *testing.T) {
	t.Parallel()
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<title>%s</title><p>A page about %s. <a href='/maceta-de-cerámica-7'>a</a>"+
			"<a href='/España/niño'>b</a><a href='/list?b=2&a=1'>c</a>", r.URL, r.URL)
	}))
	t.Cleanup(target.Close)
	s := newSite(t, nil)
	host := strings.TrimPrefix(target.URL, "http://")
	id := s.crawl(`{"url":"` + target.URL + `"}`)["id"].(string)
	for typed, want := range map[string]bool{
		host + "/maceta-de-cerámica-7": true, host + "/maceta-de-cer%C3%A1mica-7": true,
		"http://" + host + "/maceta-de-cer%c3%a1mica-7/": true, host + "/Espa%c3%b1a/niño": true,
		" https://" + host + "/España/niño#top ": true, host + "/list?a=1&b=2&utm_source=mail": true,
		strings.ToUpper(host):          true,
		host + "/maceta-de-ceramica-7": false, host + "/españa/niño": false, host + "/list?a=2": false,
	} {
		answer, _ := s.do("GET", "/tools/why?"+url.Values{"url": {typed}}.Encode(), "")
		found := strings.HasPrefix(answer.Header.Get("Location"), "/crawls/"+id+"/pages/")
		if found != want || !found && answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s, %s", typed, answer.Status, answer.Header.Get("Location"))
		}
	}
}
