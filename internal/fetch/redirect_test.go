package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestRedirectIsAnAnswer(t *testing.T) {
	asked := 0
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		status, _ := strconv.Atoi(strings.Split(r.URL.Path, "/")[1])
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(status)
	})
	client := quick(t, Options{})
	for _, test := range []struct {
		status   int
		to, want string
	}{
		{301, "/b", address + "/b"}, {302, "b?c", address + "/302/b?c"}, {303, "../b", address + "/b"},
		{307, "//other.example/b", "http://other.example/b"},
		{308, "https://other.example:8443/b", "https://other.example:8443/b"},
		{302, "http://me:pw@other.example/b", "http://other.example/b"}, {302, "ftp://me@h/", "ftp://h/"},
		{301, "?q=1", address + "/301/a?q=1"}, {301, "mailto:me@shop.example", "mailto:me@shop.example"},
		{301, "file:///etc/passwd", "file:///etc/passwd"},
		{301, "", ""}, {302, "http://[::1", ""}, {304, "/b", ""}, {300, "/b", ""}, {200, "/b", ""}, {201, "/b", ""},
		{404, "/b", ""},
	} {
		asked = 0
		res := get(t, client, Request{URL: fmt.Sprintf("%s/%d/a?to=%s", address, test.status, test.to)})
		want := test.want
		if test.status == 301 && test.to == "?q=1" {
			want = fmt.Sprintf("%s/301/a?q=1", address)
		}
		if res.Status != test.status || res.RedirectTo != want || asked != 1 {
			t.Errorf("%d to %q: status %d, target %q, %d requests", test.status, test.to, res.Status, res.RedirectTo, asked)
		}
	}
}

// site is a fetcher whose paths redirect as the map says; any other path answers
// 200.
func site(to map[string]string) Fetcher {
	return fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
		res := &Response{URL: req.URL, Status: 200}
		if target := to[req.URL]; target != "" {
			res.Status, res.RedirectTo = 302, target
		}
		return res, nil
	})
}

func chain(length int) map[string]string {
	to := make(map[string]string)
	for i := range length {
		to[fmt.Sprintf("http://shop.example/%d", i)] = fmt.Sprintf("http://shop.example/%d", i+1)
	}
	return to
}

func TestFollow(t *testing.T) {
	const start = "http://shop.example/0"
	for name, test := range map[string]struct {
		to   map[string]string
		kind Kind
		hops int
		last string
	}{
		"none":     {nil, 0, 0, start},
		"one":      {chain(1), 0, 1, "http://shop.example/1"},
		"five":     {chain(5), 0, 5, "http://shop.example/5"},
		"six":      {chain(6), KindTooManyRedirects, 5, "http://shop.example/5"},
		"endless":  {chain(1000), KindTooManyRedirects, 5, "http://shop.example/5"},
		"itself":   {map[string]string{start: start}, KindRedirectLoop, 0, start},
		"fragment": {map[string]string{start: start + "#top"}, KindRedirectLoop, 0, start},
		"spelling": {map[string]string{start: "HTTP://Shop.Example:80/0"}, KindRedirectLoop, 0, start},
		"two": {map[string]string{start: "http://shop.example/1", "http://shop.example/1": start}, KindRedirectLoop,
			1, "http://shop.example/1"},
		"file":         {map[string]string{start: "file:///etc/passwd"}, KindBadRedirect, 0, start},
		"script":       {map[string]string{start: "javascript:alert(1)"}, KindBadRedirect, 0, start},
		"another site": {map[string]string{start: "https://other.example/"}, 0, 1, "https://other.example/"},
		"other scheme": {map[string]string{start: "https://shop.example/0"}, 0, 1, "https://shop.example/0"},
		"case of paths": {map[string]string{start: "http://shop.example/a", "http://shop.example/a": "http://shop.example/A"},
			0, 2, "http://shop.example/A"},
	} {
		res, err := Follow(site(test.to), 5).Fetch(t.Context(), &Request{URL: start})
		if failed, ok := errors.AsType[*Error](err); ok != (test.kind != 0) || ok && failed.Kind != test.kind {
			t.Errorf("%s: error %v, want %v", name, err, test.kind)
		}
		if res.URL != test.last || len(res.Hops) != test.hops {
			t.Errorf("%s: ended at %s after %q", name, res.URL, res.Hops)
		}
	}
}

func TestFollowKeepsRequest(t *testing.T) {
	var asked []Request
	to := site(chain(1))
	next := fetcherFunc(func(ctx context.Context, req *Request) (*Response, error) {
		asked = append(asked, *req)
		return to.Fetch(ctx, req)
	})
	req := Request{URL: "http://shop.example/0", Head: true, AnyType: true, Limit: 7, IfNoneMatch: `"v1"`,
		IfModifiedSince: "then"}
	before := req
	res, err := Follow(next, 1).Fetch(t.Context(), &req)
	if err != nil || !slices.Equal(res.Hops, []string{"http://shop.example/0"}) {
		t.Fatalf("hops %q, error %v", res.Hops, err)
	}
	if req.URL != before.URL || req.IfNoneMatch != before.IfNoneMatch {
		t.Error("the caller's request was changed")
	}
	if second := asked[1]; !second.Head || !second.AnyType || second.Limit != 7 || second.IfNoneMatch != "" ||
		second.IfModifiedSince != "" {
		t.Errorf("second request %+v", second)
	}
}

func TestFollowFailure(t *testing.T) {
	broken := fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
		return nil, &Error{URL: req.URL, Kind: KindRefused}
	})
	if res, err := Follow(broken, 5).Fetch(t.Context(), &Request{URL: "http://shop.example/"}); res != nil ||
		!errors.Is(err, KindRefused) {
		t.Errorf("response %v, error %v", res, err)
	}
}
