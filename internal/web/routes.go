package web

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A handler answers a request. What it returns before it has written anything becomes
// an error page, or problem details for a program.
type handler func(w http.ResponseWriter, r *http.Request) error

// A route is what answers the requests that match a pattern of [http.ServeMux].
type route struct {
	pattern string
	role    role // the least that the caller needs
	handle  handler
	// body is the maximum number of bytes of the body; 0 means maxBody.
	body int64
	// reads is set for a POST that a reader may send: the handler lets it change nothing.
	reads bool
	// starts is set for the page of a form that starts requests to sites, as no reader may.
	starts bool
	// shared lets who has a share of the crawl {id} read.
	shared bool
}

// maxBody is the maximum number of bytes of a body, unless a route allows more.
const maxBody = 64 << 10

// routes returns all routes that the server has. A public one has no schedules, shares and figures, and ignores
// nothing: everybody sees the results.
func (s *Server) routes() []route {
	return slices.DeleteFunc(s.allRoutes(), func(r route) bool {
		isPrivate := strings.Contains(r.pattern, "/schedules") || strings.Contains(r.pattern, "/figures") ||
			strings.Contains(r.pattern, "/ignore")
		return s.options.Public && isPrivate ||
			!s.canShare() && strings.Contains(r.pattern, "/share")
	})
}

func (s *Server) allRoutes() []route {
	const api = "/api/v1"
	return append(s.pageRoutes(), []route{
		// The API.
		{pattern: "POST " + api + "/crawls", role: roleVisitor, handle: s.apiStart},
		{pattern: "GET " + api + "/crawls", role: roleReader, handle: s.apiCrawls},
		{pattern: "GET " + api + "/crawls/{id}", role: roleVisitor, handle: s.apiCrawl},
		{pattern: "DELETE " + api + "/crawls/{id}", role: roleOwner, handle: s.apiDelete},
		{pattern: "POST " + api + "/crawls/{id}/stop", role: roleVisitor, handle: s.apiStop},
		{pattern: "POST " + api + "/crawls/{id}/pause", role: roleOwner, handle: s.apiPause},
		{pattern: "POST " + api + "/crawls/{id}/resume", role: roleOwner, handle: s.apiResume},
		{pattern: "GET " + api + "/crawls/{id}/overview", role: roleVisitor, handle: s.apiOverview},
		{pattern: "GET " + api + "/crawls/{id}/findings", role: roleVisitor, handle: s.apiFindings},
		{pattern: "GET " + api + "/crawls/{id}/pages", role: roleVisitor, handle: s.apiPages},
		{pattern: "GET " + api + "/crawls/{id}/changes", role: roleVisitor, handle: s.apiChanges},
		{pattern: "GET " + api + "/crawls/{id}/losses", role: roleVisitor, handle: s.apiLosses},
		{pattern: "GET " + api + "/crawls/{id}/why", role: roleVisitor, handle: s.apiWhy},
		{pattern: "GET " + api + "/crawls/{id}/shares", role: roleOwner, handle: s.apiShares},
		{pattern: "POST " + api + "/crawls/{id}/shares", role: roleOwner, handle: s.apiShare},
		{pattern: "DELETE " + api + "/crawls/{id}/shares/{share}", role: roleOwner, handle: s.apiRevoke},
		{pattern: "GET " + api + "/crawls/{id}/events", role: roleVisitor, handle: s.events},
		{pattern: "GET " + api + "/crawls/{id}/files/{name}", role: roleVisitor, handle: s.download},
		{pattern: "GET " + api + "/crawls/{id}/files.zip", role: roleVisitor, handle: s.downloadAll},
		{pattern: "GET " + api + "/sites", role: roleReader, handle: s.apiSites},
		{pattern: "GET " + api + "/sites/{name}", role: roleReader, handle: s.apiSite},
		{pattern: "DELETE " + api + "/sites/{name}", role: roleOwner, handle: s.apiDeleteSite},
		{pattern: "GET " + api + "/sites/{name}/figures", role: roleReader, handle: s.apiFigures},
		{
			pattern: "POST " + api + "/sites/{name}/figures", role: roleOwner, handle: s.apiAddFigures,
			body: maxFigures + maxBody,
		},
		{pattern: "GET " + api + "/sites/{name}/shares", role: roleOwner, handle: s.apiShares},
		{pattern: "POST " + api + "/sites/{name}/shares", role: roleOwner, handle: s.apiShare},
		{pattern: "DELETE " + api + "/sites/{name}/shares/{share}", role: roleOwner, handle: s.apiRevoke},
		{pattern: "GET " + api + "/sites/{name}/ignored", role: roleReader, handle: s.apiIgnored},
		{pattern: "PUT " + api + "/sites/{name}/ignored", role: roleOwner, handle: s.apiPutIgnored, body: maxIgnored},
		{pattern: "GET " + api + "/schedules", role: roleReader, handle: s.apiSchedules},
		{pattern: "POST " + api + "/schedules", role: roleOwner, handle: s.apiAddSchedule},
		{pattern: "GET " + api + "/schedules/{id}", role: roleReader, handle: s.apiSchedule},
		{pattern: "PUT " + api + "/schedules/{id}", role: roleOwner, handle: s.apiPutSchedule},
		{pattern: "DELETE " + api + "/schedules/{id}", role: roleOwner, handle: s.apiDeleteSchedule},
		{pattern: "POST " + api + "/schedules/{id}/run", role: roleOwner, handle: s.apiRunSchedule},
		{pattern: "GET " + api + "/openapi.json", role: roleNone, handle: s.apiDocument},

		// For pages and programs alike.
		{pattern: "GET /crawls/{id}/events", role: roleVisitor, handle: s.events},
		{pattern: "GET /crawls/{id}/files/{name}", role: roleVisitor, handle: s.download, shared: true},
		{pattern: "GET /crawls/{id}/files.zip", role: roleVisitor, handle: s.downloadAll, shared: true},

		{pattern: "GET " + sharePrefix + "{id}/{token}", role: roleNone, handle: s.openShare},
		{pattern: "GET " + sharePrefix + "sites/{name}/{token}", role: roleNone, handle: s.openShare},
		{pattern: "GET /login", role: roleNone, handle: s.pageLogin},
		{pattern: "POST /login", role: roleNone, handle: s.logIn},
		{pattern: "POST /logout", role: roleNone, handle: s.logOut},
		{pattern: "GET /healthz", role: roleNone, handle: s.healthy},
		{pattern: "GET /readyz", role: roleNone, handle: s.ready},
		{pattern: "GET /metrics", role: roleReader, handle: s.writeMetrics},
		{pattern: "GET /mcp", role: roleReader, handle: s.answerModel},
		{pattern: "POST /mcp", role: roleReader, handle: s.answerModel, reads: true},
	}...)
}

// serve returns the handler of a route: it checks the caller's role, bounds the body,
// and answers for the errors of the route.
func (s *Server) serve(route route) http.Handler {
	limit := route.body
	if limit == 0 {
		limit = maxBody
	}
	handle := route.handle
	if limit > maxBody {
		handle = s.upload(handle)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := s.admit(route, r)
		if err == nil {
			r.Body = http.MaxBytesReader(w, r.Body, limit)
			err = handle(w, r)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	})
}

// uploadTime is how long a large body may take to arrive.
const uploadTime = 3 * time.Minute

// upload returns a handler for large bodies. They may take longer, and few are received
// at once: each may take the disk space of its limit.
func (s *Server) upload(handle handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		release, err := s.uploads.take(callerOf(r))
		if err != nil {
			return err
		}
		defer release()
		if err := allowTime(http.NewResponseController(w), uploadTime); err != nil {
			return err
		}
		return handle(w, r)
	}
}

var errNoPage = &statusError{status: http.StatusNotFound, code: "not-found", detail: "there is nothing at this address"}

// admit checks that the caller may use a route.
func (s *Server) admit(route route, r *http.Request) error {
	have, reads := callerOf(r).role, route.reads || r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case have == roleReader && (!reads || route.starts) && route.role > roleNone:
		return errReadOnly
	case have >= route.role:
		return nil
	case have == roleVisitor && r.Header.Get("Authorization") != "":
		return errLogin // the token is wrong
	case have == roleVisitor:
		return errNoPage // a public server offers nothing else
	case have == roleReader:
		return errReadOnly
	case route.shared && reads:
		return s.checkShare(r)
	}
	return errLogin
}

var errReadOnly = &statusError{status: http.StatusForbidden, code: "read-only", detail: "this token or password may only read"}

// errLogin says that a caller has to prove who they are.
var errLogin = &statusError{status: http.StatusUnauthorized, code: "login", detail: "a login or a token is needed"}
