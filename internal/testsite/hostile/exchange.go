package hostile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An exchange is one request over HTTP/1.1, answered byte by byte.
type exchange struct {
	*Server
	conn    net.Conn
	request *http.Request
	path    string // with the query
	host    string // with the port
	nth     int    // request on this connection, from 1
	number  int    // request on this server, from 1
	ended   bool   // the connection is of no more use
}

// serve answers requests until the connection ends.
func (s *Server) serve(conn net.Conn) {
	reader := bufio.NewReader(conn)
	for nth := 1; ; nth++ {
		request, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		x := &exchange{Server: s, conn: conn, request: request, path: request.RequestURI, host: request.Host, nth: nth}
		x.number = s.count(x.host, x.path)
		s.answer(x)
		if x.ended {
			return
		}
	}
}

// raw writes text as it is.
func (x *exchange) raw(text string) bool {
	_, err := io.WriteString(x.conn, text)
	x.ended = x.ended || err != nil
	return err == nil
}

// repeat writes text until the client leaves, pausing in between.
func (x *exchange) repeat(text string, pause time.Duration) {
	for x.raw(text) && (pause == 0 || x.wait(pause)) {
	}
	x.ended = true
}

// hang says nothing until the client leaves.
func (x *exchange) hang() {
	_, _ = io.Copy(io.Discard, x.conn)
	x.ended = true
}

// reply answers with a complete body. Lines of the header end in \r\n.
func (x *exchange) reply(status int, header, body string) {
	x.send(status, header, body, int64(len(body)))
}

// send answers with a body that is this long once it is inflated.
func (x *exchange) send(status int, header, body string, inflated int64) {
	x.inflated.Add(min(inflated, Kept))
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\n%sContent-Length: %d\r\n\r\n", status, http.StatusText(status), header,
		len(body))
	if x.request.Method == http.MethodHead {
		body = ""
	}
	x.raw(head + body)
}

const (
	htmlType = "Content-Type: text/html; charset=utf-8\r\n"
	xmlType  = "Content-Type: application/xml\r\n"
	textType = "Content-Type: text/plain\r\n"
	zipped   = "Content-Encoding: gzip\r\n"
)

// ordinary answers like a good site: the home page has these links, or links to
// ten pages, all other paths that begin with /page- are pages, and nothing else
// exists.
func (x *exchange) ordinary(links ...string) {
	switch {
	case x.path == "/":
		if links == nil {
			links = pages(10)
		}
		x.reply(http.StatusOK, htmlType, document("home", links...))
	case strings.HasPrefix(x.path, "/page-"):
		x.reply(http.StatusOK, htmlType, document(x.path[1:], "/"))
	default:
		x.reply(http.StatusNotFound, textType, "not found")
	}
}

// pages returns the links to n ordinary pages.
func pages(n int) []string {
	links := make([]string, n)
	for i := range links {
		links[i] = "/page-" + strconv.Itoa(i+1)
	}
	return links
}

// document is a page with a title of its own, a text of its own and links.
func document(name string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><title>%s</title><h1>%[1]s</h1><p>%s</p>\n", name, strings.Repeat(name+" ", 20))
	for _, link := range links {
		fmt.Fprintf(&b, "<a href=\"%s\">%[1]s</a>\n", link)
	}
	return b.String()
}

// deflate compresses text with gzip.
func deflate(text []byte) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is valid
	_, _ = z.Write(text)                            // a buffer takes everything
	_ = z.Close()
	return b.String()
}

// bomb is a gzip stream of 64 MiB of spaces, in 64 KB.
var bomb = sync.OnceValue(func() string { return deflate(bytes.Repeat([]byte{' '}, bombSize)) })

const bombSize = 64 << 20
