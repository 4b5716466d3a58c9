package hostile

import (
	"fmt"
	"net/http"
	"strings"
)

// bodyBehaviours send pages that take much memory.
var bodyBehaviours = []Behaviour{
	{Name: "bomb", Does: "compresses 64 MiB into 64 KB, on every page", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			x.send(http.StatusOK, htmlType+zipped, bomb(), bombSize)
			return
		}
		x.ordinary(pages(x.pick(8, 50))...)
	}},
	{Name: "bomb-layers", Does: "compresses a page three times", answer: odd(func(x *exchange) {
		layers := x.compressed("layers", func() string { return deflate([]byte(bomb())) })
		x.send(http.StatusOK, htmlType+"Content-Encoding: gzip, gzip, gzip\r\n", layers.wire, bombSize)
	})},
	{Name: "bomb-robots", Does: "compresses 64 MiB of robots.txt", answer: at("/robots.txt", func(x *exchange) {
		x.send(http.StatusOK, textType+zipped, bomb(), bombSize)
	})},
	{Name: "bomb-broken", Does: "sends gzip that is broken in the middle", answer: odd(func(x *exchange) {
		body := bomb()[:20_000]
		x.send(http.StatusOK, htmlType+zipped, body, Kept)
	})},
	{Name: "fragments", Does: "links to its home page with 9,900 fragments of 1 KB on every page, in 51 KB",
		answer: func(x *exchange) {
			if strings.HasPrefix(x.path, "/page-") {
				many(x, 9_900, func(i int) string {
					return fmt.Sprintf("<a href=\"/#%s-%d-%s\">z</a>", x.path[1:], i, strings.Repeat("z", 1000))
				})
				return
			}
			x.ordinary(pages(x.pick(12, 300))...)
		}},
	{Name: "fragments-text", Does: "has 9,900 links to dead pages with texts of 1 KB on every page",
		answer: func(x *exchange) {
			if strings.HasPrefix(x.path, "/page-") {
				many(x, 9_900, func(i int) string {
					return fmt.Sprintf("<a href=\"/dead-%d\">%s-%d-%s</a>", i%50, x.path[1:], i, strings.Repeat("z", 1000))
				})
				return
			}
			x.ordinary(pages(x.pick(12, 300))...)
		}},
	{Name: "links-long", Does: "has 4,900 links of 2 KB to other pages on every page", answer: func(x *exchange) {
		if x.path == "/" || strings.HasPrefix(x.path, "/page-") {
			many(x, x.pick(1_500, 4_900), func(i int) string {
				return fmt.Sprintf("<a href=\"/page-%x-%d?z=%s\">z</a>", len(x.path), i, strings.Repeat("z", 1900))
			})
			return
		}
		x.ordinary()
	}},
	{Name: "anchors", Does: "has 600,000 anchors on every page, in 8 MB", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			alike(x, x.pick(200_000, 600_000), func(i int) string { return fmt.Sprintf("<a id=z%d>", i) })
			return
		}
		links := pages(x.pick(8, 60))
		for i := range links {
			links[i] += "#z5"
		}
		x.ordinary(links...)
	}},
	{Name: "images", Does: "has 50,000 images on every page", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			many(x, 50_000, func(i int) string { return fmt.Sprintf("<img src=\"%s/%d.png\" alt=z>", x.path, i) })
			return
		}
		x.ordinary(pages(x.pick(8, 60))...)
	}},
	{Name: "bodies", Does: "has pages of 10 MiB", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			page := document(x.path, "/")
			x.reply(http.StatusOK, htmlType, page+strings.Repeat("<p>zzzz</p>\n", (x.pick(Kept/2, Kept)-len(page))/12))
			return
		}
		x.ordinary(pages(x.pick(12, 100))...)
	}},
	{Name: "bodies-text", Does: "has pages of one word of 10 MiB", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			x.reply(http.StatusOK, htmlType, "<title>z"+strings.Repeat("é", Kept/2-10))
			return
		}
		x.ordinary(pages(x.pick(12, 100))...)
	}},
	{Name: "body-endless", Does: "has a page without end", answer: odd(func(x *exchange) {
		x.inflated.Add(Kept)
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Connection: close\r\n\r\n")
		x.repeat(strings.Repeat("<p>zzzz</p>\n", 5000), 0)
	})},
	{Name: "canonicals", Does: "has 9,900 canonical links and language versions on every page", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			alike(x, 9_900, func(i int) string {
				return fmt.Sprintf("<link rel=canonical href=/page-%d><link rel=alternate hreflang=x-%d href=/page-%[1]d%[3]s>",
					i, i, strings.Repeat("z", 900))
			})
			return
		}
		x.ordinary(pages(x.pick(15, 100))...)
	}},
}

// many answers with a compressed page of n elements of its own.
func many(x *exchange, n int, element func(i int) string) {
	body := x.compressed(x.path, func() string { return document(x.path, "/") + repeated(n, element) })
	x.send(http.StatusOK, htmlType+zipped, body.wire, body.inflated)
}

// alike answers with a compressed page of n elements that all pages share.
func alike(x *exchange, n int, element func(i int) string) {
	first := document(x.path, "/")
	rest := x.compressed("", func() string { return repeated(n, element) })
	x.send(http.StatusOK, htmlType+zipped, deflate([]byte(first))+rest.wire, int64(len(first))+rest.inflated)
}

func repeated(n int, element func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(element(i))
	}
	return b.String()
}

// A compressed body is made once and sent often: the server must not be what is slow.
type compressed struct {
	wire     string
	inflated int64
}

func (s *Server) compressed(key string, body func() string) compressed {
	s.making.Lock()
	defer s.making.Unlock()
	made, found := s.bodies[key]
	if !found {
		text := body()
		made = compressed{wire: deflate([]byte(text)), inflated: int64(len(text))}
		s.bodies[key] = made
	}
	return made
}
