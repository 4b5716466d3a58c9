package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewHandler returns a handler of the streamable HTTP transport
// (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http).
// Each request is a call of its own, answered in JSON: nothing is kept between them. The
// caller bounds bodies, checks who asks and for which host.
func NewHandler(o Options) http.Handler {
	server := newServer(o)
	serve := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		DisableLocalhostProtection: true, // a proxy next to the server has another host name
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) { // early revisions had batches
			http.Error(w, "a request is one message, not a batch", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		serve.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, r.Context())))
	})
}

// requestKey is the key of the context of the request that brought a call.
type requestKey struct{}

// whileAwaited returns a context that ends with the request that brought a call. That of a
// call has its values, and in most revisions of the protocol goes on when the client is gone.
func whileAwaited(ctx context.Context) (context.Context, context.CancelFunc) {
	awaited, cancel := context.WithCancel(ctx)
	if request, is := ctx.Value(requestKey{}).(context.Context); is {
		stop := context.AfterFunc(request, cancel)
		return awaited, func() { stop(); cancel() }
	}
	return awaited, cancel
}
