package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

var encoders = map[string]func(io.Writer) io.WriteCloser{
	"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	"zlib":    func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"deflate": func(w io.Writer) io.WriteCloser { e, _ := flate.NewWriter(w, 6); return e },
	"zstd":    func(w io.Writer) io.WriteCloser { e, _ := zstd.NewWriter(w); return e },
}

func encoded(name string, body []byte) []byte {
	if name == "gzip" {
		return gzipped(body)
	}
	var b bytes.Buffer
	w := encoders[name](&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
}

// serveCoded answers with a body and a Content-Encoding, without checking either.
func serveCoded(t *testing.T, coding string, body []byte) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if accepted := r.Header.Get("Accept-Encoding"); accepted != "gzip, br, zstd, deflate" {
			t.Errorf("Accept-Encoding %q", accepted)
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header()["Content-Encoding"] = strings.Split(coding, "\n")
		w.Write(body)
	})
}

func TestCodings(t *testing.T) {
	client := quick(t, Options{})
	for _, test := range []struct{ header, coding string }{
		{"gzip", "gzip"}, {" GZip ", "gzip"}, {"x-gzip", "gzip"}, {"br", "br"}, {"zstd", "zstd"},
		{"deflate", "zlib"}, {"deflate", "deflate"}, {"identity", ""}, {"", ""},
	} {
		body := page
		if test.coding != "" {
			body = encoded(test.coding, page)
		}
		address := serveCoded(t, test.header, body)
		for range 3 { // a pooled decoder must start over
			res := get(t, client, Request{URL: address})
			if !bytes.Equal(res.Body, page) || res.Transferred != int64(len(body)) || res.Truncated {
				t.Errorf("%q: %d bytes of %d, %d on the wire of %d", test.header, len(res.Body), len(page), res.Transferred, len(body))
			}
		}
	}
}

func TestBrokenCodings(t *testing.T) {
	whole := gzipped(page)
	broken := bytes.Clone(whole)
	broken[len(broken)/2] ^= 0xff
	client := quick(t, Options{})
	for name, test := range map[string]struct {
		coding string
		body   []byte
		kind   Kind
		least  int // bytes of the body that are kept
	}{
		"unknown":       {"compress", page, KindEncoding, 0},
		"two layers":    {"gzip, gzip", gzipped(whole), KindEncoding, 0},
		"two fields":    {"gzip\ngzip", gzipped(whole), KindEncoding, 0},
		"not gzip":      {"gzip", page, KindEncoding, 0},
		"not br":        {"br", page, KindEncoding, 0},
		"not zstd":      {"zstd", page, KindEncoding, 0},
		"corrupt":       {"gzip", broken, KindEncoding, 0},
		"garbage after": {"gzip", append(bytes.Clone(whole), "garbage"...), KindEncoding, len(page)},
		"cut short":     {"gzip", whole[:len(whole)-20], KindEncoding, 1000},
		"nothing":       {"gzip", nil, 0, 0},
	} {
		res, err := client.Fetch(context.Background(), &Request{URL: serveCoded(t, test.coding, test.body)})
		if (err == nil) != (test.kind == 0) || err != nil && !errors.Is(err, test.kind) {
			t.Errorf("%s: error %v, want %v", name, err, test.kind)
		}
		if len(res.Body) < test.least || name != "corrupt" && !bytes.HasPrefix(page, res.Body) {
			t.Errorf("%s: %d bytes kept", name, len(res.Body))
		}
		// The pool must not return a broken decoder.
		if res := get(t, client, Request{URL: serveCoded(t, "gzip", whole)}); !bytes.Equal(res.Body, page) {
			t.Errorf("%s: the next page is wrong", name)
		}
	}
}

// TestCodedDrops distinguishes a broken connection from a broken coding.
func TestCodedDrops(t *testing.T) {
	client := quick(t, Options{})
	for coding, header := range map[string]string{"gzip": "gzip", "br": "br", "zstd": "zstd", "zlib": "deflate",
		"deflate": "deflate"} {
		body := encoded(coding, page)
		for _, cut := range []int{0, 1, len(body) / 2, len(body) - 1} {
			address := serveRaw(t, func(conn net.Conn) {
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", header, len(body),
					body[:cut])
			})
			res, err := client.Fetch(context.Background(), &Request{URL: address})
			if !errors.Is(err, KindDropped) || !bytes.HasPrefix(page, res.Body) {
				t.Errorf("%s after %d of %d bytes: %v", coding, cut, len(body), err)
			}
		}
	}
}

// TestBombs checks the limit on decoded bytes, and the memory used.
func TestBombs(t *testing.T) {
	const limit = 1 << 20
	client := quick(t, Options{Limits: Limits{Body: limit}})
	for _, coding := range []string{"gzip", "br", "zstd", "deflate"} {
		address := serveCoded(t, coding, encoded(coding, make([]byte, 32<<20)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := get(t, client, Request{URL: address})
		runtime.ReadMemStats(&after)
		if len(res.Body) != limit || !res.Truncated {
			t.Errorf("%s: %d bytes, truncated %t", coding, len(res.Body), res.Truncated)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 {
			t.Errorf("%s: %d KiB allocated", coding, used>>10)
		}
	}
}

// TestEndlessNothing sends an endless body that decodes to nothing.
func TestEndlessNothing(t *testing.T) {
	client := quick(t, Options{Limits: Limits{Body: 1 << 20}})
	for coding, stream := range map[string]struct{ start, unit string }{
		"gzip":    {"", string(gzipped(nil))},                   // empty members
		"deflate": {"", "\x00\x00\x00\xff\xff"},                 // empty blocks
		"br":      {"\x0c", "\x06"},                             // metadata blocks of no bytes
		"zstd":    {"", "\x50\x2a\x4d\x18\x04\x00\x00\x00skip"}, // skippable frames
	} {
		address := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", coding)
			io.WriteString(w, stream.start)
			for block := []byte(strings.Repeat(stream.unit, 1000)); ; {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		})
		res := get(t, client, Request{URL: address})
		if !res.Truncated || len(res.Body) != 0 || res.Transferred > 2<<20 {
			t.Errorf("%s: %d bytes from %d, truncated %t", coding, len(res.Body), res.Transferred, res.Truncated)
		}
	}
}

func TestZstdWindow(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(16<<20))
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 20<<20))
	w.Close()
	_, err = quick(t, Options{}).Fetch(context.Background(), &Request{URL: serveCoded(t, "zstd", b.Bytes())})
	if !errors.Is(err, KindEncoding) {
		t.Errorf("a window of 16 MiB: %v", err)
	}
}

func TestLimits(t *testing.T) {
	client := quick(t, Options{Limits: Limits{Body: 1000}})
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chunked" {
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, strings.Repeat("x", 1000)+r.URL.RawQuery)
	})
	for _, test := range []struct {
		path      string
		limit     int64
		read      int
		truncated bool
	}{
		{"/", 0, 1000, false}, {"/?y", 0, 1000, true}, {"/chunked", 0, 1000, false}, {"/chunked?y", 0, 1000, true},
		{"/?y", 1001, 1001, false}, {"/?y", -1, 1001, false}, {"/", 10, 10, true}, {"/chunked?y", 10, 10, true},
	} {
		for _, size := range []int{0, 5, 1000, 5000} {
			req := Request{URL: address + test.path, Limit: test.limit, AnyType: true, Buffer: make([]byte, 0, size)}
			if res := get(t, client, req); len(res.Body) != test.read || res.Truncated != test.truncated {
				t.Errorf("%s with limit %d, buffer %d: %d bytes, truncated %t", test.path, test.limit, size, len(res.Body),
					res.Truncated)
			}
		}
	}
}

// TestEndlessBody would never end without the limit.
func TestEndlessBody(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		for block := make([]byte, 1<<16); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	client := quick(t, Options{})
	if res := get(t, client, Request{URL: address + "?type=text/html"}); len(res.Body) != 10<<20 || !res.Truncated {
		t.Errorf("%d bytes, truncated %t", len(res.Body), res.Truncated)
	}
	if res := get(t, client, Request{URL: address + "?type=video/mp4"}); !res.Skipped || res.Transferred > 64<<10 {
		t.Errorf("skipped %t after %d bytes", res.Skipped, res.Transferred)
	}
}

// TestLyingLength has a Content-Length that is too large or too small.
func TestLyingLength(t *testing.T) {
	client := quick(t, Options{})
	short := serveRaw(t, func(conn net.Conn) {
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\nonly this")
	})
	buffer := make([]byte, 0, 64)
	res, err := client.Fetch(context.Background(), &Request{URL: short, Buffer: buffer})
	if !errors.Is(err, KindDropped) || string(res.Body) != "only this" || cap(res.Body) > 1<<20 {
		t.Errorf("more promised: %v, body %q of capacity %d", err, res.Body, cap(res.Body))
	}
	long := serveRaw(t, func(conn net.Conn) {
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npageHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
	})
	if res := get(t, client, Request{URL: long}); string(res.Body) != "page" {
		t.Errorf("less promised: body %q", res.Body)
	}
}

func TestTypes(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{r.URL.Query().Get("t")}
		io.WriteString(w, "body")
	})
	client := quick(t, Options{Types: []string{"Text/CSS; charset=utf-8"}})
	for kind, read := range map[string]bool{
		"text/html": true, "TEXT/HTML;charset=utf-8": true, "application/xhtml%2Bxml": true, "text/xml": true,
		"application/rss%2Bxml": true, "text/plain": true, "application/pdf": true, "": true, "text/css": true,
		"image/png": false, "image/svg%2Bxml": false, "video/mp4": false, "application/octet-stream": false,
		"application/json": false, "text/javascript": false, "text/htmlx": false,
	} {
		res := get(t, client, Request{URL: address + "?t=" + kind})
		if res.Skipped == read || (string(res.Body) == "body") != read {
			t.Errorf("%s: skipped %t, body %q", kind, res.Skipped, res.Body)
		}
	}
	if res := get(t, client, Request{URL: address + "?t=image/png", AnyType: true}); string(res.Body) != "body" ||
		res.Skipped {
		t.Errorf("any type: body %q", res.Body)
	}
}

// TestConnectionKept skips small bodies and reuses the connection.
func TestConnectionKept(t *testing.T) {
	client := quick(t, Options{})
	peers := make(map[string]bool)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		peers[r.RemoteAddr] = true
		switch r.URL.Path {
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
		case "/moved":
			http.Redirect(w, r, "/", http.StatusFound)
			return
		default:
			w.Header().Set("Content-Type", "image/png")
		}
		w.Write(page)
	})
	for _, path := range []string{"/missing", "/moved", "/image", "/missing"} {
		if res := get(t, client, Request{URL: address + path}); len(res.Body) != 0 {
			t.Errorf("%s: body of %d bytes", path, len(res.Body))
		}
	}
	if len(peers) != 1 {
		t.Errorf("%d connections", len(peers))
	}
}
