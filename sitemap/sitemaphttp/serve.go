package sitemaphttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/mapatools/mapa/sitemap"
)

const (
	retryAfter = "10"            // seconds, after an error that may pass
	readTime   = 2 * time.Minute // for a client to read a part
)

// contentTypes are the media types by the ending of the name. A browser applies a
// stylesheet only with its own.
var contentTypes = map[string]string{
	".xml": "application/xml; charset=utf-8", // RFC 7303, section 9.1
	".xsl": "application/xslt+xml; charset=utf-8",
	".css": "text/css; charset=utf-8",
}

// ServeHTTP answers requests for the index, the parts and the stylesheets by their
// full path, and others with status 404.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.serve(w, r) {
		http.NotFound(w, r)
	}
}

// Middleware returns a handler that answers the requests for the sitemap and passes
// all others to next. It is the way to have parts next to other handlers in the root
// of a site.
func (h *Handler) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.serve(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// serve reports whether the request is for a file of the sitemap, after answering it.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request) bool {
	name, inside := strings.CutPrefix(r.URL.Path, h.path)
	static := h.static[name]
	if !inside || static == nil && name != indexName && !h.isPartName(name) {
		return false
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		notAllowed(w)
		return true
	}
	if static != nil {
		h.serveDocument(w, r, name, static)
		return true
	}
	t := h.current(r.Context())
	if t == nil || h.ctx.Err() != nil {
		unavailable(w)
		return true
	}
	part := t.byName[name]
	if name == indexName && len(t.parts) == 1 {
		part = t.parts[0]
	}
	switch {
	case part != nil:
		h.nameHubs(w, name)
		h.servePart(w, r, part)
	case name == indexName:
		h.nameHubs(w, name)
		h.serveDocument(w, r, name, t.index)
	default:
		return false
	}
	return true
}

// isPartName reports whether a name may be that of a part.
func (h *Handler) isPartName(name string) bool {
	rest, found := strings.CutPrefix(name, "sitemap-")
	if !found || path.Ext(rest) != ".xml" {
		return false
	}
	for _, s := range h.sections {
		if strings.HasPrefix(rest, s.Name+"-") {
			return true
		}
	}
	return false
}

// nameHubs sets the Link headers of a file that hubs know.
func (h *Handler) nameHubs(w http.ResponseWriter, name string) {
	if len(h.options.Hubs) == 0 {
		return
	}
	for _, hub := range h.options.Hubs {
		w.Header().Add("Link", "<"+hub+`>; rel="hub"`)
	}
	w.Header().Add("Link", "<"+h.base+name+`>; rel="self"`)
}

// setHeaders sets what responses with status 200 and 304 have in common.
func (h *Handler) setHeaders(w http.ResponseWriter, s *state) {
	header := w.Header()
	header.Set("Cache-Control", "public, max-age="+strconv.Itoa(int(h.options.Refresh/time.Second)))
	header.Set("ETag", s.etag())
	if s.isDated(time.Now()) {
		header.Set("Last-Modified", s.modified.UTC().Format(http.TimeFormat))
	}
	header.Add("Vary", "Accept-Encoding")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
}

// answerNotModified answers a request of a client that has the version.
func (h *Handler) answerNotModified(w http.ResponseWriter, r *http.Request, s *state) bool {
	if !s.isNotModified(r.Header, time.Now()) {
		return false
	}
	h.setHeaders(w, s)
	w.WriteHeader(http.StatusNotModified)
	return true
}

// send answers with content, which packed says to be compressed.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, name string, s *state, content []byte, packed bool) {
	h.setHeaders(w, s)
	header := w.Header()
	header.Set("Content-Type", contentTypes[path.Ext(name)])
	header.Set("Content-Length", strconv.Itoa(len(content)))
	if packed {
		header.Set("Content-Encoding", "gzip")
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // the client has gone
	}
}

func (h *Handler) serveDocument(w http.ResponseWriter, r *http.Request, name string, d *document) {
	if h.answerNotModified(w, r, &d.state) {
		return
	}
	if acceptsGzip(r.Header) {
		h.send(w, r, name, &d.state, d.packed, true)
	} else {
		h.send(w, r, name, &d.state, d.plain, false)
	}
}

func (h *Handler) servePart(w http.ResponseWriter, r *http.Request, p *part) {
	if h.answerNotModified(w, r, &p.state) {
		return
	}
	key := bodyKey{name: p.name, tag: p.tag, packed: acceptsGzip(r.Header)}
	if !key.packed && h.unpack(w, r, p) {
		return
	}
	body, err := h.bodies.get(r.Context(), key, render{p.size, func(ctx context.Context, w io.Writer) (int64, error) {
		return h.render(ctx, p, w)
	}})
	if err != nil {
		h.answerError(w, r, p, err)
		return
	}
	defer h.bodies.release(body)
	limitTime(w, r)
	h.send(w, r, p.name, &p.state, body.content, key.packed)
}

// unpack answers from a compressed body of the cache, if there is one.
func (h *Handler) unpack(w http.ResponseWriter, r *http.Request, p *part) bool {
	body := h.bodies.kept(bodyKey{name: p.name, tag: p.tag, packed: true})
	if body == nil {
		return false
	}
	defer h.bodies.release(body)
	limitTime(w, r)
	unzip, err := gzip.NewReader(bytes.NewReader(body.content))
	if err != nil {
		return false // never: this package compressed it
	}
	h.setHeaders(w, &p.state)
	w.Header().Set("Content-Type", contentTypes[".xml"])
	w.Header().Set("Content-Length", strconv.FormatInt(body.size, 10))
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, unzip) // the client has gone
	}
	return true
}

// limitTime keeps a client that reads slowly from holding a body for ever, unless
// the server has a limit of its own.
func limitTime(w http.ResponseWriter, r *http.Request) {
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout == 0 {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(readTime)) // not every writer can
	}
}

// render writes a part and returns its size.
func (h *Handler) render(ctx context.Context, p *part, out io.Writer) (int64, error) {
	w := p.section.writer(out)
	defer p.section.writers.Put(w)
	now := time.Now()
	for row, err := range checked(ctx, p.section.Source, p.keys) {
		if err != nil {
			return 0, err
		}
		if _, err := h.write(w, p.section, row, now); err != nil {
			return 0, err
		}
	}
	err := w.Close()
	return w.Size(), err
}

// answerError answers a request for a part that could not be rendered.
func (h *Handler) answerError(w http.ResponseWriter, r *http.Request, p *part, err error) {
	switch {
	case r.Context().Err() != nil, h.ctx.Err() != nil: // nobody waits, or the program ends
	case errors.Is(err, sitemap.ErrFull):
		h.request() // rows were added; the next scan splits the part
	default:
		h.log.ErrorContext(r.Context(), "sitemap: rendering failed", "file", p.name, "error", err)
	}
	unavailable(w)
}

// unavailable answers that the file may be there later.
func unavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", retryAfter)
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, "the sitemap is not available at the moment", http.StatusServiceUnavailable)
}

func notAllowed(w http.ResponseWriter) {
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
}
