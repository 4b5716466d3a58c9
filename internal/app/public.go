package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/mapatools/mapa/internal/fetch"
)

// ErrNotWebAddress says that a source is not on the web, where only such sources may be
// read.
var ErrNotWebAddress = errors.New("not an http or https URL")

// webAddresses completes the addresses of sources from strangers. It refuses what is not
// standard input or a URL, such as the name of a file.
func webAddresses(locations []string) (complete []string, err error) {
	for _, location := range locations {
		if location != "-" {
			if location, err = WebAddress(location); err != nil {
				return nil, err
			}
		}
		complete = append(complete, location)
	}
	return complete, nil
}

// WebAddress completes an address that is given by its host. The error wraps
// [ErrNotWebAddress] when it is not an http or https URL, or has user information.
func WebAddress(location string) (string, error) {
	address := withScheme(strings.TrimSpace(location))
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", fmt.Errorf("%s: %w", truncatedAddress(location), ErrNotWebAddress)
	}
	return address, nil
}

// CompleteAddress completes an address that is given by its host as [WebAddress] does,
// with http where the host does not speak https. It asks the host.
func (a *App) CompleteAddress(ctx context.Context, location string, s *RequestSettings) (string, error) {
	address, err := WebAddress(location)
	if err != nil || strings.Contains(location, "://") {
		return address, err
	}
	options, err := s.client(a, nil, nil)
	if err != nil {
		return "", err
	}
	client, err := fetch.New(options)
	if err != nil {
		return "", err
	}
	defer client.Close()
	at, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	return schemeOf(ctx, client, at.Host) + strings.TrimPrefix(address, "https"), nil
}

// schemeOf returns the scheme of a host: https, or http where it does not speak that.
func schemeOf(ctx context.Context, client *fetch.Client, host string) string {
	_, err := client.Fetch(ctx, &fetch.Request{URL: "https://" + host + "/robots.txt", Limit: 1, AnyType: true})
	if lacksTLS(err) {
		return "http"
	}
	return "https"
}

// maxPublicRequests is how many files a stranger may have requested in one run: a few
// lines of an index must not become requests for tens of thousands of files of others.
const maxPublicRequests = 200

var errManyRequests = fmt.Errorf("more than %d files are not requested for a visitor", maxPublicRequests)

// admitLimited waits for the rate limit of a host, and refuses more than maxPublicRequests.
func admitLimited(client *fetch.Client) func(context.Context, string) error {
	var requests atomic.Int64
	return func(ctx context.Context, address string) error {
		if requests.Add(1) > maxPublicRequests {
			return errManyRequests
		}
		return client.Admit(ctx, address, 0)
	}
}

// maxPublicBytes is how many bytes a stranger may have downloaded in one run, before they
// are decompressed.
const maxPublicBytes = 200 << 20

var errManyBytes = fmt.Errorf("more than %d MB are not downloaded for a visitor", maxPublicBytes>>20)

// limitedBytes ends the bodies of all responses together after maxPublicBytes.
type limitedBytes struct {
	next http.RoundTripper
	read atomic.Int64
}

// RoundTrip implements [http.RoundTripper].
func (f *limitedBytes) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := f.next.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBytesBody{answer.Body, f}
	}
	return answer, err
}

type limitedBytesBody struct {
	io.ReadCloser
	all *limitedBytes
}

// Read implements [io.Reader].
func (b *limitedBytesBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.all.read.Add(int64(n)) > maxPublicBytes {
		return 0, errManyBytes
	}
	return n, err
}
