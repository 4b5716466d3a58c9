package hostile

import (
	"strings"
	"time"
)

// odd makes a site whose page /odd has a behaviour; the rest is ordinary.
func odd(answer func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		if x.path == "/odd" {
			answer(x)
			return
		}
		x.ordinary(append(pages(5), "/odd")...)
	}
}

// at makes a site where this path has a behaviour; the rest is ordinary.
func at(path string, answer func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		if x.path == path {
			answer(x)
			return
		}
		x.ordinary()
	}
}

const tick = 100 * time.Millisecond

// slowBehaviours keep a client waiting.
var slowBehaviours = []Behaviour{
	{Name: "hang", Does: "never answers one page", answer: odd((*exchange).hang)},
	{Name: "hang-all", Does: "answers the home page and nothing after it", answer: func(x *exchange) {
		if x.path == "/" || x.path == "/robots.txt" {
			x.ordinary()
			return
		}
		x.hang()
	}},
	{Name: "hang-start", Does: "accepts connections and never answers", answer: (*exchange).hang},
	{Name: "header-drip", Does: "sends a header one byte at a time", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nX-Slow: ")
		x.repeat("z", tick)
	})},
	{Name: "header-drip-lines", Does: "sends one header line after another, slowly", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n")
		x.repeat("X-Slow: yes\r\n", tick)
	})},
	{Name: "body-drip", Does: "sends a body of 10 bytes a second", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Content-Length: 1000000\r\n\r\n")
		x.repeat("z", tick)
	})},
	{Name: "body-drip-fast", Does: "sends a body of 2,000 bytes a second that has no end", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Connection: close\r\n\r\n")
		x.repeat(strings.Repeat("z", 200), tick)
	})},
	{Name: "body-drip-all", Does: "sends the body of every page slowly", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Content-Length: 1000000\r\n\r\n")
			x.repeat("z", tick)
			return
		}
		x.ordinary(pages(100)...)
	}},
	{Name: "robots-drip", Does: "sends robots.txt slowly", answer: at("/robots.txt", func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + textType + "\r\n")
		x.repeat("#", tick)
	})},
	{Name: "places-hang", Does: "hangs wherever a sitemap may be", Deadline: 90 * time.Second, answer: func(x *exchange) {
		if x.path == "/" || strings.HasPrefix(x.path, "/page-") || x.path == "/robots.txt" {
			x.ordinary()
			return
		}
		x.hang()
	}},
	{Name: "informational", Does: "sends 103 responses without end", answer: odd(func(x *exchange) {
		x.repeat("HTTP/1.1 103 Early Hints\r\nLink: </z>; rel=preload\r\n\r\n", tick/10)
	})},
}
