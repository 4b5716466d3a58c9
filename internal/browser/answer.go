package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl/render"
)

const (
	maxAnswer   = 16 << 20 // bytes of one answer
	maxAnswers  = 64 << 20 // bytes of all answers for a page
	maxRequests = 500      // for a page
)

var (
	// errRequests reports a page that makes more requests than are sent for it.
	errRequests = &render.Refusal{Reason: fmt.Sprintf("the page makes more than %d requests", maxRequests)}
	// errAnswerLong reports an answer of more bytes than the browser is given.
	errAnswerLong = &render.Refusal{Reason: "the answers for the page are too long"}
)

// answer answers a request for the page.
func (v *visit) answer(w http.ResponseWriter, r *http.Request, c *cache) {
	to := findDestination(r)
	switch {
	case (to == forDocument || to == forFrame) && v.takeDocument(r):
		v.serveDocument(w)
	case isRefused(r, to):
		w.WriteHeader(http.StatusForbidden)
	case !isRead(r):
		v.fail(r.URL, &render.Refusal{Reason: r.Method + " is not sent, as a page is only read"})
		if to == forDocument { // a form
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	case to == forDocument:
		v.leave(r.URL.String())
		w.WriteHeader(http.StatusNoContent) // the browser stays where it is
	default:
		e := v.begin(r)
		if e == nil {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		defer v.end(e)
		if err := v.forward(w, r, to, e, c); err != nil {
			v.fail(r.URL, err)
		}
	}
}

// isRead reports whether a request only reads: by GET or HEAD, or by OPTIONS, which asks a host whether a page of
// another origin may send such a request (https://fetch.spec.whatwg.org/#cors-preflight-fetch).
func isRead(r *http.Request) bool {
	method := r.Method
	if method == http.MethodOptions && r.Header.Get("Origin") != "" {
		method = r.Header.Get("Access-Control-Request-Method")
	}
	return method == http.MethodGet || method == http.MethodHead
}

// takeDocument reports whether a request is the one for the page itself, which is the first.
func (v *visit) takeDocument(r *http.Request) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	first := !v.served && r.URL.Hostname() == v.host
	v.served = v.served || first
	return first
}

func (v *visit) serveDocument(w http.ResponseWriter) {
	header := w.Header()
	maps.Copy(header, answerHeader(v.page.Header, false))
	header.Del("Content-Disposition")
	header.Del("Content-Encoding")
	header.Set("Content-Length", strconv.Itoa(len(v.page.Body)))
	_, _ = w.Write(v.page.Body) // the browser may be gone
}

// forward gets the answer to a request from the cache or the transport.
func (v *visit) forward(w http.ResponseWriter, r *http.Request, to destination, e *exchange, c *cache) error {
	out, isOwn, err := v.outgoing(r, to)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return err
	}
	if !isShared(r, to) {
		answer, err := v.send(out, e)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return err
		}
		defer answer.Body.Close()
		return v.pass(w, answer, to, e)
	}
	key := cacheKey(r, isOwn)
	if known := c.claim(v.ctx, key); known != nil {
		writeAnswer(w, known)
		return nil
	}
	var kept cached
	defer func() { c.settle(key, kept) }()
	answer, err := v.send(out, e)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return err
	}
	defer answer.Body.Close()
	if !isShareable(answer) {
		return v.pass(w, answer, to, e)
	}
	body, err := io.ReadAll(io.LimitReader(v.count(answer.Body, e), maxCachedEntry))
	whole := cached{status: answer.StatusCode, header: answerHeader(answer.Header, v.isPrivate(out.URL)), body: body}
	whole.header.Del("Set-Cookie")
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return err
	}
	if len(body) < maxCachedEntry {
		kept = whole
	}
	writeAnswer(w, &whole)
	return nil
}

func writeAnswer(w http.ResponseWriter, answer *cached) {
	maps.Copy(w.Header(), answer.header)
	w.WriteHeader(answer.status)
	_, _ = w.Write(answer.body) // the browser may be gone
}

// outgoing returns the request to send for one of the browser, and whether it carries what the user gives for the
// origin of the page. It ends with the page, and when the page does not need it any more.
func (v *visit) outgoing(r *http.Request, to destination) (out *http.Request, isOwn bool, err error) {
	ctx := r.Context()
	if to == forFrame {
		ctx = render.WithFrame(ctx)
	}
	if isOwn = v.isOwn(r); isOwn {
		ctx = render.WithCredentials(ctx)
	}
	out, err = http.NewRequestWithContext(ctx, r.Method, r.URL.String(), nil)
	if err == nil {
		out.Header = copyHeader(r.Header)
	}
	return out, isOwn, err
}

// send sends a request by the transport of the page.
func (v *visit) send(out *http.Request, e *exchange) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(out.Context())
	stop := context.AfterFunc(v.ctx, func() { cancel(context.Cause(v.ctx)) })
	end := func() { stop(); cancel(nil) }
	out = out.WithContext(ctx)
	if err := v.admit(out, e); err != nil {
		end()
		return nil, err
	}
	if render.IsFrame(ctx) {
		v.noteFrame(out.URL)
	}
	answer, err := v.transport.RoundTrip(out)
	if err != nil {
		end()
		return nil, err
	}
	answer.Body = &endingBody{answer.Body, end}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requests++
	v.noteRedirectLocked(out, answer)
	return answer, nil
}

// An endingBody releases the context of its request when it is closed.
type endingBody struct {
	io.ReadCloser
	end func()
}

func (b *endingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// pass gives the browser an answer as it arrives.
func (v *visit) pass(w http.ResponseWriter, answer *http.Response, to destination, e *exchange) error {
	header := answerHeader(answer.Header, v.isPrivate(e.to))
	maps.Copy(w.Header(), header)
	if strings.HasPrefix(header.Get("Content-Type"), eventStream) {
		v.mu.Lock()
		e.event = true
		v.mu.Unlock()
	}
	w.WriteHeader(answer.StatusCode)
	control := http.NewResponseController(w)
	_ = control.Flush()
	buffer := make([]byte, 32<<10)
	body := v.count(answer.Body, e)
	for {
		n, err := body.Read(buffer)
		if _, gone := w.Write(buffer[:n]); gone != nil {
			return nil // the page does not need it any more
		}
		switch {
		case errors.Is(err, io.EOF):
			return v.judge(answer.StatusCode, to, e)
		case err != nil && v.ctx.Err() == nil:
			v.fail(e.to, err)
			fallthrough
		case err != nil:
			panic(http.ErrAbortHandler) // the browser must not take the beginning for the whole
		}
		if e.event {
			_ = control.Flush()
		}
	}
}

// judge returns the failure that the status of an answer is. Answers for scripts may have any status:
// they say what there is. A refusal may be due to credentials that were not sent.
func (v *visit) judge(status int, to destination, e *exchange) error {
	isLate := status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
	isRefused := (status == http.StatusUnauthorized || status == http.StatusForbidden) && v.isPrivate(e.to)
	if isLate || isRefused || status >= http.StatusBadRequest && (to == forScript || to == forStyle) {
		return &render.StatusError{Status: status}
	}
	return nil
}

// count returns a body whose bytes are counted and limited.
func (v *visit) count(body io.Reader, e *exchange) io.Reader {
	return &counted{Reader: io.LimitReader(body, maxAnswer+1), visit: v, exchange: e}
}

type counted struct {
	io.Reader
	visit    *visit
	exchange *exchange
	read     int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	c.visit.mu.Lock()
	defer c.visit.mu.Unlock()
	c.exchange.moved = c.exchange.moved || n > 0
	c.visit.bytes += int64(n)
	if c.read > maxAnswer || c.visit.bytes > maxAnswers {
		return 0, errAnswerLong
	}
	return n, err
}
