package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/cause"
	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/result"
)

// A statusError is an error that a request is answered with.
type statusError struct {
	status int
	code   string // of the type of problem, as in docs/serve.md
	detail string

	retryAfter time.Duration // 0 when it is of no use to wait
}

// Error returns the detail.
func (e *statusError) Error() string { return e.detail }

// codeDamaged is the type of the problem that a crawl cannot be read any more.
const codeDamaged = "damaged"

// codeVersion is the type of the problem that another version of Mapa made a crawl.
const codeVersion = "version"

// badRequest returns the error for a request that cannot be understood.
func badRequest(format string, values ...any) error {
	return &statusError{
		status: http.StatusBadRequest, code: "bad-request", detail: fmt.Sprintf(format, values...),
	}
}

// A problem describes an error to a program, by RFC 9457.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	// Option is the name of the option that cannot be used.
	Option string `json:"option,omitempty"`
	// Hint says what to do, in English.
	Hint string `json:"hint,omitempty"`
	// Field is the member of a schedule that cannot be used.
	Field string `json:"field,omitempty"`

	retryAfter time.Duration
}

// problemTypes is where the types of problems are explained.
const problemTypes = "https://github.com/mapatools/mapa/blob/main/docs/serve.md#"

const maxDetail = 500 // characters: it may repeat a long value

func newProblem(status int, code, detail string) *problem {
	return &problem{
		Type: problemTypes + code, Title: cmp.Or(http.StatusText(status), "Error"), Status: status,
		Detail: format.Plain(format.Truncate(detail, maxDetail)),
	}
}

// problemOf classifies an error by its type. What has no type is an error of the server,
// and only its log says which.
func problemOf(err error) *problem {
	if answer, ok := errors.AsType[*statusError](err); ok {
		p := newProblem(answer.status, answer.code, answer.detail)
		p.retryAfter = answer.retryAfter
		return p
	}
	if option, ok := errors.AsType[*service.OptionError](err); ok {
		p := newProblem(http.StatusBadRequest, "option", err.Error())
		if cause.IsBrowser(err) {
			code := service.FailureOf(err).Code
			p = newProblem(http.StatusBadRequest, code, err.Error())
			p.Hint = service.BrowserHint(catalog.For(catalog.English), code)
		}
		p.Option = option.Name
		return p
	}
	if limit, ok := errors.AsType[*service.LimitError](err); ok {
		p := newProblem(http.StatusTooManyRequests, "limit", err.Error())
		p.retryAfter = limit.RetryAfter
		return p
	}
	if field, ok := errors.AsType[*service.ScheduleError](err); ok {
		p := newProblem(http.StatusBadRequest, "schedule", err.Error())
		p.Field = field.Field
		return p
	}
	if _, ok := errors.AsType[*appfigures.FileError](err); ok {
		return newProblem(http.StatusUnprocessableEntity, "file", err.Error())
	}
	if _, ok := errors.AsType[*service.StateError](err); ok || errors.Is(err, service.ErrIncomplete) ||
		errors.Is(err, service.ErrShares) {
		return newProblem(http.StatusConflict, "state", err.Error())
	}
	if _, ok := errors.AsType[service.LinesError](err); ok {
		return newProblem(http.StatusBadRequest, "url", err.Error())
	}
	if errors.Is(err, service.ErrLabels) || errors.Is(err, service.ErrAddresses) ||
		errors.Is(err, service.ErrManyIgnored) {
		return newProblem(http.StatusBadRequest, "bad-request", err.Error())
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		detail := fmt.Sprintf("the request is larger than %d bytes", large.Limit)
		return newProblem(http.StatusRequestEntityTooLarge, "too-large", detail)
	}
	if _, ok := errors.AsType[*setting.Error](err); ok || errors.Is(err, addresses.ErrNotPage) {
		return newProblem(http.StatusBadRequest, "bad-request", err.Error())
	}
	if _, ok := errors.AsType[*result.FilterError](err); ok || errors.Is(err, result.ErrCursor) {
		return newProblem(http.StatusBadRequest, "bad-request", err.Error())
	}
	switch {
	case errors.Is(err, service.ErrNotFound), errors.Is(err, result.ErrNotFound):
		return newProblem(http.StatusNotFound, "not-found", err.Error())
	case errors.Is(err, addresses.ErrScheme), errors.Is(err, addresses.ErrNoFolder),
		errors.Is(err, addresses.ErrInvalidURL), errors.Is(err, crawl.ErrStart),
		errors.Is(err, addresses.ErrUnlistableStart), errors.Is(err, addresses.ErrNotWebAddress),
		errors.Is(err, service.ErrUser):
		return newProblem(http.StatusBadRequest, "url", err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return newProblem(http.StatusGatewayTimeout, "timeout", "it took too long")
	case isOtherVersion(err):
		detail := "another version of mapa made the result: download its files, or crawl the site again"
		return newProblem(http.StatusConflict, codeVersion, detail)
	}
	switch cause.Of(err) {
	case cause.FileDamaged, cause.FileForeign:
		return newProblem(http.StatusInternalServerError, codeDamaged, "the crawl file is damaged: crawl the site again")
	}
	return newProblem(http.StatusInternalServerError, "internal", "the server failed, and its log says why")
}

// fail answers a request with an error: the newest result of a site, the login form, problem details
// for a program, or a page for a person.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody waits for the answer
	}
	if newer, is := errors.AsType[*admittance](err); is {
		s.enter(w, r, newer)
		return
	}
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError {
		s.options.Logger.Error("request failed", "method", r.Method, "path", loggedPath(r), "error", err)
	}
	if recorder, ok := w.(*recorder); ok && recorder.status != 0 {
		panic(http.ErrAbortHandler) // the answer has begun: cut it off, so that it is not taken for complete
	}
	h := w.Header()
	for _, name := range []string{"Content-Disposition", "Content-Encoding", "Content-Length", "ETag"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy) // a file has another
	setRetryAfter(h, p.retryAfter)
	switch {
	case isForProgram(r):
		if p.Status == http.StatusUnauthorized {
			h.Set("WWW-Authenticate", "Bearer")
		}
		writeAs(w, "application/problem+json", p.Status, p)
	case errors.Is(err, errLogin) && s.hasLogin():
		http.Redirect(w, r, loginPath(r), http.StatusSeeOther)
	default:
		s.errorPage(w, r, p)
	}
}

// setRetryAfter says after how long to ask again, unless that is of no use.
func setRetryAfter(h http.Header, after time.Duration) {
	if after > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
	}
}

// isForProgram reports whether a request is one of the API, or sent by a script.
func isForProgram(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.HasSuffix(r.URL.Path, "/events") ||
		r.URL.Path == "/metrics" || r.URL.Path == "/mcp"
}
