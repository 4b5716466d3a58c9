package hostile

import (
	"net/http"
	"strings"
	"time"
)

// Commands are lines that a CI runner obeys when a program prints them.
const Commands = "\r\n##vso[task.complete result=Succeeded]done\r\n::error::owned\r\n##[error]owned\r\n"

// framingBehaviours break the framing of HTTP/1.1.
var framingBehaviours = []Behaviour{
	{Name: "headers-endless", Does: "sends header lines without end", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n")
		x.repeat(strings.Repeat("X-Long: header\r\n", 1000), 0)
	})},
	{Name: "header-line-endless", Does: "sends one header line without end", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nX-Long: ")
		x.repeat(strings.Repeat("z", 10_000), 0)
	})},
	{Name: "status-line-endless", Does: "sends a status line without end", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 ")
		x.repeat(strings.Repeat("z", 10_000), 0)
	})},
	{Name: "cookies-endless", Does: "sets 2,000 cookies with every page", answer: func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			x.reply(http.StatusOK, htmlType+strings.Repeat("Set-Cookie: a=b\r\n", 2000), document(x.path, "/"))
			return
		}
		x.ordinary()
	}},
	{Name: "length-above", Does: "announces more bytes than it sends", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Content-Length: 5000\r\n\r\n" + document("short", "/"))
		x.ended = true
	})},
	{Name: "length-below", Does: "sends more bytes than it announces", answer: func(x *exchange) {
		if !strings.HasPrefix(x.path, "/page-") {
			x.ordinary()
			return
		}
		x.reply(http.StatusOK, htmlType, document(x.path[1:], "/"))
		x.raw("HTTP/1.1 200 OK" + Commands)
	}},
	{Name: "length-twice", Does: "announces two lengths", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n0123456789")
		x.ended = true
	})},
	{Name: "length-overflow", Does: "announces 2^63 bytes", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n")
		x.hang()
	})},
	{Name: "chunk-endless", Does: "sends a chunk size without end", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Transfer-Encoding: chunked\r\n\r\n")
		x.repeat("0", tick/100)
	})},
	{Name: "chunk-broken", Does: "sends a chunk size that is text", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Transfer-Encoding: chunked\r\n\r\n##vso[task.complete]" + Commands)
		x.ended = true
	})},
	{Name: "trailer-endless", Does: "sends trailers without end", answer: odd(func(x *exchange) {
		x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n")
		x.repeat("X-Trailer: long\r\n", tick/100)
	})},
	{Name: "not-http", Does: "answers in another protocol", answer: odd(func(x *exchange) {
		x.raw("SSH-2.0-OpenSSH_9.6" + Commands)
		x.ended = true
	})},
	{Name: "frames-endless", Does: "answers with empty CONTINUATION frames of HTTP/2 without end",
		answer: odd(func(x *exchange) { x.repeat("\x00\x00\x00\x09\x00\x00\x00\x00\x01", 0) })},
	{Name: "head-body", Does: "answers HEAD with a body of workflow commands", answer: func(x *exchange) {
		if x.request.Method == http.MethodHead {
			x.raw("HTTP/1.1 200 OK\r\n" + htmlType + "Content-Length: 0\r\n\r\n" + strings.Repeat(Commands, 50))
			return
		}
		if strings.HasPrefix(x.path, "/page-") {
			x.reply(http.StatusOK, htmlType, document(x.path, "/")+"<img src=\"/image"+x.path[6:]+".png\">")
			return
		}
		x.ordinary(pages(20)...)
	}},
	{Name: "unasked", Does: "sends workflow commands on idle connections", answer: func(x *exchange) {
		if x.path == "/page-1" {
			x.wait(time.Second) // in which the other connections are idle
		}
		x.ordinary(pages(20)...)
		if !strings.HasPrefix(x.path, "/page-") {
			return
		}
		x.wait(20 * time.Millisecond)
		x.raw("##vso[task.complete result=Failed]" + Commands)
	}},
}
