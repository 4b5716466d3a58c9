package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestAPIShares makes, lists and revokes the shares of a crawl and of a site. Only the first answer has the link.
func TestAPIShares(t *testing.T) {
	t.Parallel()
	s := newSite(t, withReaders)
	full := bearer(fullToken)
	first := s.crawl(`{"url":"`+newSmall(t).URL+`"}`, full...)
	second := s.crawl(`{"url":"`+newSmall(t).URL+`"}`, full...)
	crawl, other := "/api/v1/crawls/"+first["id"].(string), "/api/v1/crawls/"+second["id"].(string)
	site, otherSite := "/api/v1/sites/"+first["site"].(string), "/api/v1/sites/"+second["site"].(string)
	type share struct{ ID, Site, Crawl, Created, Expires, Link string }
	for path, elsewhere := range map[string][]string{
		crawl: {other, site}, site: {otherSite, crawl, "/api/v1/sites/none.example", "/api/v1/crawls/none"},
	} {
		answer, body := s.do("POST", path+"/shares", `{"days":7}`, full...)
		var made share
		if err := json.Unmarshal([]byte(body), &made); err != nil || answer.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %d %s", path, answer.StatusCode, body)
		}
		if made.Site != first["site"] || (made.Crawl == "") != (path == site) {
			t.Errorf("%s: %+v", path, made)
		}
		link := strings.TrimPrefix(made.Link, ownOrigin)
		answer, _ = s.do("GET", link, "")
		if answer.Header.Get("Location") != "/crawls/"+first["id"].(string) || len(answer.Cookies()) != 1 {
			t.Errorf("%s leads to %d %v", made.Link, answer.StatusCode, answer.Header)
		}
		var list struct{ Shares []share }
		s.read(path+"/shares", &list, full...)
		want := made
		want.Link = ""
		if len(list.Shares) != 1 || list.Shares[0] != want {
			t.Errorf("%s has %+v, want %+v", path, list, want)
		}
		for _, wrong := range elsewhere {
			answer, body := s.do("DELETE", wrong+"/shares/"+made.ID, "", full...)
			if answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s revokes a share of %s: %d %s", wrong, path, answer.StatusCode, body)
			}
		}
		if answer, _ := s.do("DELETE", path+"/shares/"+made.ID, "", full...); answer.StatusCode != http.StatusNoContent {
			t.Errorf("%s: revoke: %d", path, answer.StatusCode)
		}
		if answer, _ := s.do("GET", link, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s after it was revoked: %d", made.Link, answer.StatusCode)
		}
		if _, body := s.do("GET", path+"/shares", "", full...); body != "{\"shares\":[]}\n" {
			t.Errorf("%s has %s", path, body)
		}
		for _, test := range []struct {
			method, path, body string
			status             int
			header             []string
		}{
			{"POST", path, `{"days":8}`, 400, full},
			{"POST", path, `{"days":"7"}`, 400, full},
			{"POST", path, `{"days":7,"crawl":"x"}`, 400, full},
			{"POST", path, `{}`, 400, full},
			{"POST", path, `{"days":7}`, 415, append(full, "Content-Type", "text/plain")},
			{"POST", path, `{"days":7}`, 403, bearer(readToken)},
			{"GET", path, "", 403, bearer(readToken)},
			{"POST", path, `{"days":7}`, 401, nil},
			{"POST", path, `{"days":7}`, 403, append(s.logInAs(password), "Origin", otherWorld)},
			{"POST", path + "x", `{"days":7}`, 404, full},
			{"GET", path + "x", "", 404, full},
		} {
			answer, body := s.do(test.method, test.path+"/shares", test.body, test.header...)
			if answer.StatusCode != test.status || strings.Contains(body, sharePrefix) {
				t.Errorf("%s %s %s: %d %s, want %d", test.method, test.path, test.body, answer.StatusCode, body, test.status)
			}
		}
	}
	for range 50 {
		s.do("POST", site+"/shares", `{"days":90}`, full...)
	}
	if answer, body := s.do("POST", site+"/shares", `{"days":90}`, full...); answer.StatusCode != http.StatusConflict {
		t.Errorf("the 51st share: %d %s", answer.StatusCode, body)
	}
	running, _ := s.do("POST", "/api/v1/crawls", `{"url":"`+slowSite(t)+`"}`, full...)
	answer, _ := s.do("POST", running.Header.Get("Location")+"/shares", `{"days":7}`, full...)
	if answer.StatusCode != http.StatusConflict {
		t.Errorf("a crawl that runs is shared: %d", answer.StatusCode)
	}
}
