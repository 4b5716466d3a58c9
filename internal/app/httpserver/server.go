// Package httpserver serves metrics and callbacks at an address, and closes connections on
// which a request could be smuggled.
package httpserver

import (
	"net"
	"net/http"
	"time"
)

// Serve serves HTTP at an address until stop is called.
func Serve(address string, handler http.Handler) (stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler: CloseUnclear(handler), ReadTimeout: 30 * time.Second, ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends with ErrServerClosed
	}()
	return func() {
		_ = server.Close()
		<-done
	}, nil
}

// CloseUnclear closes the connection after each request whose end a proxy in front may see
// elsewhere (RFC 9112, 6.1): one with Transfer-Encoding, with which there may have been a
// Content-Length, and one of HTTP/1.0, which must not have Transfer-Encoding. net/http removes
// these headers before any handler can see them. What follows on the connection is not read
// as another request.
func CloseUnclear(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
