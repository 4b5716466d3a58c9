package access

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
)

// CompleteAddress completes an address that is given by its host as [addresses.WebAddress] does,
// with http where the host does not speak https. It asks the host.
func CompleteAddress(ctx context.Context, a *app.App, location string, s *RequestSettings) (string, error) {
	address, err := addresses.WebAddress(location)
	if err != nil || strings.Contains(location, "://") {
		return address, err
	}
	own, err := s.Access(a.UserAgent(), nil, nil)
	if err != nil {
		return "", err
	}
	client, err := fetch.New(&fetch.Options{Access: own})
	if err != nil {
		return "", err
	}
	defer client.Close()
	at, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	return SchemeOf(ctx, client, at.Host) + strings.TrimPrefix(address, "https"), nil
}

// SchemeOf returns the scheme of a host: https, or http where it does not speak that.
func SchemeOf(ctx context.Context, client *fetch.Client, host string) string {
	_, err := client.Fetch(ctx, &fetch.Request{URL: "https://" + host + "/robots.txt", Limit: 1, AnyType: true})
	if LacksTLS(err) {
		return "http"
	}
	return "https"
}

// MaxPublicRequests is how many files a stranger may have requested in one run: a few
// lines of an index must not become requests for tens of thousands of files of others.
const MaxPublicRequests = 200

// ErrManyRequests says that a source of a visitor names too many files.
var ErrManyRequests = fmt.Errorf("more than %d files are not requested for a visitor", MaxPublicRequests)

// LimitRequests returns a function that admits MaxPublicRequests.
func LimitRequests() func() error {
	var requests atomic.Int64
	return func() error {
		if requests.Add(1) > MaxPublicRequests {
			return ErrManyRequests
		}
		return nil
	}
}

// maxPublicBytes is how many bytes a stranger may have downloaded in one run, before they
// are decompressed.
const maxPublicBytes = 200 << 20

// ErrManyBytes says that the files of a visitor are too large together.
var ErrManyBytes = fmt.Errorf("more than %d MB are not downloaded for a visitor", maxPublicBytes>>20)

// LimitedBytes ends the bodies of all responses together after maxPublicBytes.
type LimitedBytes struct {
	fetch.Stream
	read atomic.Int64
}

// RoundTrip implements [http.RoundTripper].
func (f *LimitedBytes) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := f.Stream.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBytesBody{answer.Body, f}
	}
	return answer, err
}

type limitedBytesBody struct {
	io.ReadCloser
	all *LimitedBytes
}

// Read implements [io.Reader].
func (b *limitedBytesBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.all.read.Add(int64(n)) > maxPublicBytes {
		return 0, ErrManyBytes
	}
	return n, err
}
