package testsite

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The traps of this file answer with too little or too much data.

// hang never answers.
func hang(_ *TrapSite, _ http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
}

// drip sends a byte now and then.
func drip(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	pace := time.NewTicker(100 * time.Millisecond)
	defer pace.Stop()
	for {
		if _, err := w.Write([]byte{' '}); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-pace.C:
		}
	}
}

// paragraph is the unit of large bodies, about 64 KiB.
var paragraph = []byte(strings.Repeat("<p>All work and no play makes Jack a dull boy.</p>\n", 1286))

// endlessBody sends a page that does not end.
func endlessBody(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	for r.Context().Err() == nil {
		if _, err := w.Write(paragraph); err != nil {
			return
		}
	}
}

// hugeBody announces 1 GiB and sends it.
func hugeBody(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	left := 1 << 30
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Content-Length", strconv.Itoa(left))
	for left > 0 && r.Context().Err() == nil {
		n, err := w.Write(paragraph[:min(len(paragraph), left)])
		if err != nil {
			return
		}
		left -= n
	}
}

// bomb is 1 GiB of spaces, compressed to 1 MB.
var bomb = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	space := bytes.Repeat([]byte{' '}, 1<<20)
	written := func() []byte {
		_, _ = z.Write(space) // a buffer takes everything
		_ = z.Flush()
		return out.Bytes()
	}
	// From the second megabyte on, each one is compressed like the one before.
	head := len(written())
	block := bytes.Clone(written()[head:])
	for range 1022 {
		out.Write(block)
	}
	// The stream ends without a checksum, which no client should reach.
	return out.Bytes()
})

// gzipBomb decompresses to a thousand times its size.
func gzipBomb(_ *TrapSite, w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(bomb())
}

// hugeHeader has a header of 1 MiB.
func hugeHeader(_ *TrapSite, w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-Long", strings.Repeat("long ", 1<<20/5))
	write(w, "Long", "The header was long.", "/")
}

// manyLinks has 200,000 links to small pages.
func manyLinks(_ *TrapSite, w http.ResponseWriter, r *http.Request) {
	if name := strings.TrimPrefix(r.URL.Path, "/many-links/"); name != "" {
		n, _ := strconv.Atoi(name)
		write(w, "One of many", "This is number "+name+", whose square is "+strconv.Itoa(n*n)+".")
		return
	}
	links := make([]string, 200_000)
	for i := range links {
		links[i] = strconv.Itoa(i + 1)
	}
	write(w, "Many", "There are many links.", links...)
}

// hugeHref has a link of 1 MiB.
func hugeHref(_ *TrapSite, w http.ResponseWriter, _ *http.Request) {
	write(w, "Far", "The way is long.", "/huge-href/"+strings.Repeat("far", 1<<20/3), "/")
}

// nested has 500,000 nested elements.
func nested(_ *TrapSite, w http.ResponseWriter, _ *http.Request) {
	write(w, "Nested", strings.Repeat("<div>", 500_000)+"the innermost", "/")
}
