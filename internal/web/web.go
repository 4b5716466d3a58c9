// Package web is the web application: pages for people, a JSON API for programs, and
// what keeps both safe on the public internet. Every page has its own file; all routes
// are in routes.go, and errors become answers in one place, problem.go.
//
// Package app and package service do the work. This package decides who may ask for it:
// the owner of the server, the holder of a token, or a visitor of a public one.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/httpserver"
	"github.com/mapatools/mapa/internal/app/service"
	"golang.org/x/net/netutil"
)

// Options configure a [Server].
type Options struct {
	Service *service.Service
	App     *app.App
	// Models answer language models.
	Models Models
	// Origin is the scheme, host and port under which people reach the server, such as
	// https://maps.example.com, and the path below which it answers. Empty means that only
	// this machine reaches it.
	Origin string
	// Password admits the owner by the login form. Empty means no form.
	Password string
	// ReadPassword admits people who may look at everything and change nothing, unless it is
	// Password. Empty admits none.
	ReadPassword string
	// Tokens admit programs.
	Tokens []Token
	// Public lets everybody crawl, within the limits of the service.
	Public bool
	// Contact is the e-mail address or the URL for complaints about crawls.
	Contact string
	// TrustedProxies are the networks of the proxies whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Logger receives what goes wrong, and every request at the debug level. Nil
	// discards it.
	Logger *slog.Logger
	// Now returns the time; nil means [time.Now]. Tests set it.
	Now func() time.Time
}

// A Server is the web application. It is an [http.Handler], safe for concurrent use.
// Get it from [New].
type Server struct {
	options    Options
	origin     *url.URL // nil without one
	handler    http.Handler
	sessions   *sessions
	logins     *rate
	toolRuns   *rate // of a visitor
	streams    *slots
	tools      *slots
	uploads    *slots
	modelCalls *slots
	metrics    *metrics
	closing    chan struct{} // closed when Serve stops, so that streams end
}

// New returns a server. It fails when an option is invalid.
func New(o Options) (*Server, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	origin, err := ParseOrigin(o.Origin)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o, origin: origin, sessions: newSessions(), logins: newLogins(), streams: newStreams(),
		toolRuns:   &rate{most: 20, interval: time.Minute, refusal: "too many checks: wait before the next"},
		tools:      &slots{most: 8, mostVisitor: 1, refusal: busy("another check is running: wait for it")},
		uploads:    &slots{most: 16, mostVisitor: 1, refusal: busy("another upload is running: wait for it")},
		modelCalls: &slots{most: 16, refusal: busy("too many calls are running: wait for them")},
		metrics:    &metrics{}, closing: make(chan struct{}),
	}
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.pattern, s.serve(r))
	}
	mux.Handle("/", s.serve(route{handle: func(http.ResponseWriter, *http.Request) error { return errNoPage }}))
	protection, err := s.crossOriginProtection()
	if err != nil {
		return nil, err
	}
	handler := s.secureHeaders(s.checkHost(s.identify(protection.Handler(mux))))
	s.handler = s.logRequests(s.recoverPanics(httpserver.CloseUnclear(handler)))
	if origin != nil && origin.Path != "" {
		s.handler = s.below(origin.Path, s.handler)
	}
	return s, nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// needsLogin reports whether the server has an owner who has to prove it. Otherwise
// everybody who reaches it, which is this machine, is the owner.
func (s *Server) needsLogin() bool {
	return s.hasLogin() || len(s.options.Tokens) > 0 || s.options.Public
}

// The times and sizes of connections. Streams and downloads extend writeTime while their
// client reads.
const (
	headerTime     = 10 * time.Second
	readTime       = 30 * time.Second
	writeTime      = 30 * time.Second
	idleTime       = 2 * time.Minute
	shutdownTime   = 5 * time.Second
	maxHeaderBytes = 16 << 10
	maxConnections = 2000
)

// Serve answers the requests of a listener until ctx ends, and then those that are
// running for at most five seconds. It closes the listener. A server serves once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		close(s.closing)
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		err := server.Shutdown(ending)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close()
		}
		stopped <- err
	})
	err := server.Serve(netutil.LimitListener(&fairListener{Listener: listener, server: s}, maxConnections))
	if stop() { // it failed by itself
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	}
	return <-stopped
}
