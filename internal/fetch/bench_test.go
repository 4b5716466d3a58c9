package fetch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/programtest"
)

// page is an HTML page of 15 KB with links.
var page = func() []byte {
	var b bytes.Buffer
	b.WriteString("<!doctype html><title>A page</title>\n")
	for i := 0; b.Len() < 15<<10; i++ {
		fmt.Fprintf(&b, "<p>Paragraph %d with <a href=\"/section/%d/page.html\">a link</a>.</p>\n", i, i*37)
	}
	return b.Bytes()
}()

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
}

// canned answers every request with the same bytes, with as little work as possible,
// so that the client is measured.
func canned(tb testing.TB, header string, body []byte) string {
	answer := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n%sContent-Length: %d\r\n\r\n",
		header, len(body))
	answer = append(answer, body...)
	return "http://" + programtest.Listen(tb, func(conn net.Conn) {
		lines := bufio.NewReader(conn)
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil {
				return
			}
			if len(line) > 2 {
				continue
			}
			if _, err := conn.Write(answer); err != nil {
				return
			}
		}
	}) + "/section/page.html"
}

// BenchmarkFetch compares one page over an open connection with net/http alone: a
// RoundTrip, and the body read into a buffer that is reused.
func BenchmarkFetch(b *testing.B) {
	b.Run("RoundTrip", func(b *testing.B) {
		address := canned(b, "", page)
		transport := &http.Transport{DisableCompression: true}
		defer transport.CloseIdleConnections()
		buffer := make([]byte, 64<<10)
		b.ReportAllocs()
		for b.Loop() {
			roundTrip(b, transport, address, buffer)
		}
	})
	b.Run("Fetch", func(b *testing.B) { benchmarkFetch(b, "", page) })
	b.Run("FetchGzip", func(b *testing.B) { benchmarkFetch(b, "Content-Encoding: gzip\r\n", gzipped(page)) })
}

// BenchmarkWorkers has 64 workers on one host, to show the cost of locks.
func BenchmarkWorkers(b *testing.B) {
	const workers = 64
	b.Run("RoundTrip", func(b *testing.B) {
		address := canned(b, "", page)
		transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: workers}
		defer transport.CloseIdleConnections()
		b.SetParallelism(workers / runtime.GOMAXPROCS(0))
		b.ReportAllocs()
		b.RunParallel(func(more *testing.PB) {
			buffer := make([]byte, 64<<10)
			for more.Next() {
				roundTrip(b, transport, address, buffer)
			}
		})
	})
	b.Run("Fetch", func(b *testing.B) {
		address := canned(b, "", page)
		client, err := New(&Options{Access: access.Access{Rate: access.PerSecond(0)}, PerHost: workers})
		if err != nil {
			b.Fatal(err)
		}
		defer client.Close()
		b.SetParallelism(workers / runtime.GOMAXPROCS(0))
		b.ReportAllocs()
		b.RunParallel(func(more *testing.PB) {
			req := &Request{URL: address, Buffer: make([]byte, 64<<10)}
			for more.Next() {
				if res, err := client.Fetch(context.Background(), req); err != nil || len(res.Body) != len(page) {
					b.Error(err)
				}
			}
		})
	})
}

func roundTrip(b *testing.B, transport *http.Transport, address string, buffer []byte) {
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		b.Error(err)
		return
	}
	req.Header.Set("User-Agent", "Mapa")
	res, err := transport.RoundTrip(req)
	if err != nil {
		b.Error(err)
		return
	}
	defer res.Body.Close()
	if n, err := io.ReadFull(res.Body, buffer[:len(page)]); err != nil || n != len(page) {
		b.Error(n, err)
	}
	if n, err := res.Body.Read(buffer); n != 0 || err != io.EOF {
		b.Error(n, err)
	}
}

func benchmarkFetch(b *testing.B, header string, body []byte) {
	address := canned(b, header, body)
	client, err := New(&Options{Access: access.Access{Rate: access.PerSecond(0)}})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	req := &Request{URL: address, Buffer: make([]byte, 64<<10)}
	b.ReportAllocs()
	for b.Loop() {
		res, err := client.Fetch(context.Background(), req)
		if err != nil || len(res.Body) != len(page) {
			b.Fatal(err)
		}
	}
}
