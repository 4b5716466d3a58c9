package hostile

import (
	"fmt"
	"net/http"
	"strings"
)

// long is the beginning of a URL of 2 KB.
var long = "/" + strings.Repeat("z", 1980) + "/"

// linkBehaviours make few bytes of a page into many of a URL, or make a list of all
// that was found grow without end.
var linkBehaviours = []Behaviour{
	{Name: "base-long", Does: "has 9,900 links of 9 bytes on every page, which its base makes 2 KB long",
		answer: numbered(300, func(x *exchange) {
			many(x, 9_900, func(i int) string {
				if i == 0 {
					return "<base href=\"" + long + "\">"
				}
				return fmt.Sprintf("<a href=%s.%d>", x.path[6:], i)
			})
		})},
	{Name: "base-long-versions", Does: "has a thousand language versions of 2 KB by its base on every page",
		answer: numbered(300, func(x *exchange) {
			many(x, 1_000, func(i int) string {
				if i == 0 {
					return "<base href=\"" + long + "\">"
				}
				return fmt.Sprintf("<link rel=alternate hreflang=en href=%s.%d>", x.path[6:], i)
			})
		})},
	{Name: "paths-long", Does: "has pages at URLs of 2 KB with 9,900 relative links", answer: func(x *exchange) {
		if rest, found := strings.CutPrefix(x.path, long); found {
			many(x, 9_900, func(i int) string { return fmt.Sprintf("<a href=%.4s.%d>", rest, i) })
			return
		}
		x.ordinary(long + "1")
	}},
	{Name: "links-many", Does: "has 9,900 links to other pages on every page", answer: func(x *exchange) {
		if x.path == "/" || strings.HasPrefix(x.path, "/page-") {
			many(x, 9_900, func(i int) string { return fmt.Sprintf("<a href=/page-%d-%d>z</a>\n", x.number, i) })
			return
		}
		x.ordinary()
	}},
	{Name: "links-unique", Does: "has 4,900 links of 2 KB that no other page has on every page",
		answer: numbered(300, func(x *exchange) {
			many(x, 4_900, func(i int) string { return fmt.Sprintf("<a href=\"%s%s.%d\">z</a>", long, x.path[6:], i) })
		})},
	{Name: "links-nofollow", Does: "has 4,900 nofollow links of 2 KB on every page",
		answer: numbered(300, func(x *exchange) {
			many(x, 4_900, func(i int) string {
				return fmt.Sprintf("<a rel=nofollow href=\"%s%s.%d\">z</a>", long, x.path[6:], i)
			})
		})},
	{Name: "links-dead", Does: "has 9,900 links of 9 bytes on every page to a hundred dead pages at URLs of 2 KB",
		answer: numbered(300, func(x *exchange) {
			many(x, 9_900, func(i int) string {
				if i == 0 {
					return "<base href=\"" + long + "\">"
				}
				return fmt.Sprintf("<a href=%d>", i%100)
			})
		})},
	{Name: "anchors-missing", Does: "has 9,900 links to missing anchors on every page",
		answer: numbered(3_000, func(x *exchange) {
			many(x, 9_900, func(i int) string { return fmt.Sprintf("<a href=/#%s.%d>", x.path[6:], i) })
		})},
	{Name: "hosts-many", Does: "links to 9,000 other hosts", hosts: true, answer: func(x *exchange) {
		if x.path != "/" {
			x.ordinary()
			return
		}
		links := make([]string, x.pick(1_000, 9_000))
		for i := range links {
			links[i] = fmt.Sprintf("http://%s/page-1", x.Server.host(i+1))
		}
		x.ordinary(links...)
	}},
	{Name: "versions", Does: "has a thousand language versions of 900 bytes on every page",
		answer: numbered(300, func(x *exchange) {
			many(x, 1_000, func(i int) string {
				return fmt.Sprintf("<link rel=alternate hreflang=en href=/v%s.%d%s>", x.path[6:], i, strings.Repeat("z", 880))
			})
		})},
}

// numbered makes a site whose home page links to n pages that answer writes, of which
// the small site has a twentieth.
func numbered(n int, answer func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		switch {
		case strings.HasPrefix(x.path, "/page-"):
			answer(x)
		case x.path == "/":
			x.reply(http.StatusOK, htmlType, document("home", pages(x.pick(n/20, n))...))
		default:
			x.reply(http.StatusNotFound, textType, "not found")
		}
	}
}
