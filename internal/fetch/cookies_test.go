package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func cookieTarget(t *testing.T, address string) *target {
	t.Helper()
	to, err := parseTarget(address)
	if err != nil {
		t.Fatal(err)
	}
	return &to
}

func TestCookies(t *testing.T) {
	const shop = "https://shop.example/cart/list?page=2"
	for name, test := range map[string]struct {
		set      []string
		to, want string
	}{
		"plain":         {[]string{"a=1", "b=2"}, shop, "a=1; b=2"},
		"replaced":      {[]string{"a=1", "a=2"}, shop, "a=2"},
		"quoted":        {[]string{`a="1"`}, shop, `a="1"`},
		"own folder":    {[]string{"a=1"}, "https://shop.example/cart", "a=1"},
		"upper folder":  {[]string{"a=1"}, "https://shop.example/", ""},
		"root":          {[]string{"a=1; Path=/"}, "https://shop.example/other", "a=1"},
		"longer first":  {[]string{"a=1; Path=/", "b=2; Path=/cart"}, shop, "b=2; a=1"},
		"half a name":   {[]string{"a=1; Path=/cart"}, "https://shop.example/carton", ""},
		"port":          {[]string{"a=1; Path=/"}, "https://shop.example:8443/", ""},
		"scheme":        {[]string{"a=1; Path=/"}, "http://shop.example/", ""},
		"other host":    {[]string{"a=1; Path=/; Domain=example"}, "https://other.example/", ""},
		"upper domain":  {[]string{"a=1; Path=/; Domain=.shop.example"}, "https://www.shop.example/", ""},
		"deleted":       {[]string{"a=1", "a=; Max-Age=0"}, shop, ""},
		"expired":       {[]string{"a=1; Expires=Mon, 02 Jan 2006 15:04:05 GMT"}, shop, ""},
		"age over date": {[]string{"a=1; Max-Age=60; Expires=Mon, 02 Jan 2006 15:04:05 GMT"}, shop, "a=1"},
		"endless age":   {[]string{"a=1; Max-Age=9223372036854775807"}, shop, "a=1"},
		"too long":      {[]string{"a=" + strings.Repeat("x", 5000)}, shop, ""},
		"broken":        {[]string{"a", "=", "\x00=1", ""}, shop, ""},
	} {
		jar := newCookies()
		jar.store(cookieTarget(t, shop), http.Header{"Set-Cookie": test.set})
		if got := jar.header(cookieTarget(t, test.to)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	jar := newCookies()
	jar.store(cookieTarget(t, "http://shop.example/"), http.Header{"Set-Cookie": {"a=1; Secure"}})
	if got := jar.header(cookieTarget(t, "http://shop.example/")); got != "" {
		t.Errorf("secure without TLS: %q", got)
	}
}

func TestCookiesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jar, shop := newCookies(), cookieTarget(t, "https://shop.example/")
		jar.store(shop, http.Header{"Set-Cookie": {"a=1; Max-Age=60"}})
		time.Sleep(59 * time.Second)
		if got := jar.header(shop); got != "a=1" {
			t.Errorf("too early: %q", got)
		}
		time.Sleep(time.Second)
		if got := jar.header(shop); got != "" {
			t.Errorf("too late: %q", got)
		}
	})
}

func TestCookiesAreBounded(t *testing.T) {
	jar := newCookies()
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf("name%d=1", i))
	}
	for i := range 2 * maxOrigins {
		jar.store(cookieTarget(t, fmt.Sprintf("https://%d.example/", i)), http.Header{"Set-Cookie": many})
	}
	if len(jar.byOrigin) != maxOrigins || len(jar.byOrigin["https://0.example"]) != maxCookies {
		t.Errorf("%d origins, %d cookies", len(jar.byOrigin), len(jar.byOrigin["https://0.example"]))
	}
}
