package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
)

const (
	connectTimeout = 15 * time.Second
	answerTimeout  = 30 * time.Second // until the headers are there
	idleTimeout    = 60 * time.Second // of waiting for a body in which less comes than slowest
	maxRedirects   = 10
)

// An opener turns locations into readers.
type opener struct {
	options *Options
	client  *http.Client
}

func newOpener(options *Options) *opener {
	o := &opener{options: options, client: options.Client}
	switch {
	case o.client == nil:
		o.client = newClient()
	case o.client.CheckRedirect == nil:
		client := *o.client
		client.CheckRedirect = checkRedirect
		o.client = &client
	}
	return o
}

func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	transport.TLSHandshakeTimeout = connectTimeout
	transport.ResponseHeaderTimeout = answerTimeout
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("%w: more than %d", ErrRedirect, maxRedirects)
	}
	if !urlnorm.IsHTTP(next.URL.String()) {
		return fmt.Errorf("%w: to %s", ErrRedirect, next.URL.Scheme)
	}
	return nil
}

// open opens a target and finds out what it is.
func (o *opener) open(ctx context.Context, t target) result {
	switch {
	case t.location == "-":
		return o.read(t, opened{body: io.NopCloser(o.stdin())})
	case urlnorm.IsHTTP(t.location):
		if t.root && isSite(t.location) {
			return o.discover(ctx, t)
		}
		file, err := o.get(ctx, t.location)
		if err != nil {
			return result{err: err}
		}
		return o.read(t, file)
	}
	file, err := openFile(t.location)
	switch {
	case err == nil:
		return o.read(t, file)
	case t.root && errors.Is(err, os.ErrNotExist) && isHostName(t.location):
		return o.discoverHost(ctx, t)
	}
	return result{err: fmt.Errorf("%w: %w", ErrOpen, err)}
}

func (o *opener) stdin() io.Reader {
	if o.options.Stdin == nil {
		return strings.NewReader("")
	}
	return o.options.Stdin
}

// An opened is a body before anybody knows what it holds.
type opened struct {
	body        io.ReadCloser
	address     string // after redirects; empty for files
	contentType string
	response    *http.Response
}

func openFile(name string) (opened, error) {
	file, err := os.Open(name)
	if err != nil {
		return opened{}, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return opened{}, fmt.Errorf("%s is a folder: name a file in it", name)
	}
	return opened{body: file}, nil
}

// read finds out the format. An index, or a robots.txt, is read to its end and
// closed; anything else is left to the caller.
func (o *opener) read(t target, in opened) result {
	if t.root && isRobots(t.location) {
		defer in.body.Close()
		return o.readRobots(t.location, in.body)
	}
	reader := sitemap.NewReader(in.body, &sitemap.ReaderOptions{
		Base:        in.address,
		ContentType: in.contentType,
		Strict:      o.options.Strict,
		OnFault:     o.reportFor(t.location),
	})
	format, err := reader.Format()
	if err != nil {
		in.body.Close()
		return result{err: in.explain(err)}
	}
	if format != sitemap.FormatIndex || o.options.Indexes {
		return result{file: &File{
			Location: t.location, Format: format, Index: t.index, Response: in.response,
			reader: reader, body: in.body, opener: o, whole: o.options.Indexes, closed: make(chan struct{}),
		}}
	}
	defer in.body.Close()
	index := t.location
	if in.address != "" {
		index = in.address
	}
	children, err := o.children(index, reader)
	return result{children: children, err: err}
}

// explain adds what a server did to a body that is no sitemap.
func (in opened) explain(err error) error {
	if in.response == nil {
		return err
	}
	coding := in.response.Header.Get("Content-Encoding")
	switch strings.ToLower(coding) {
	case "", "identity", "gzip", "x-gzip":
		return err
	}
	return fmt.Errorf("%w (the server sent the Content-Encoding %q, which was not asked for)", err, coding)
}

func (o *opener) reportFor(location string) func(*sitemap.Fault) {
	if o.options.OnFault == nil {
		return nil
	}
	return func(fault *sitemap.Fault) { o.options.OnFault(location, fault) }
}

// PartPaths returns the paths where a part of an index on disk may lie, the likeliest
// first: below the index as its address lies below the site's, or right beside it
// under the last part of its address.
func PartPaths(index, loc string) (paths []string) {
	u, err := url.Parse(loc)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(index)
	if below, err := filepath.Localize(strings.TrimPrefix(path.Clean("/"+u.Path), "/")); err == nil {
		paths = append(paths, filepath.Join(folder, below))
	}
	if beside := filepath.Join(folder, path.Base(u.Path)); beside != filepath.Clean(index) {
		paths = append(paths, beside)
	}
	return paths
}

// findPart finds the parts of an index on disk.
func (o *opener) findPart(index, loc string) (name string, found bool) {
	if urlnorm.IsHTTP(index) || index == "-" {
		return loc, false
	}
	for _, beside := range PartPaths(index, loc) {
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, true
		}
	}
	return loc, false
}

// get asks for an address. The body may be gzip, whatever the headers say: the
// reader finds out.
func (o *opener) get(ctx context.Context, address string) (opened, error) {
	ctx, cancel := context.WithCancel(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel()
		return opened{}, fmt.Errorf("%w: %w", ErrOpen, err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	request.Header.Set("User-Agent", o.options.UserAgent)
	response, err := o.client.Do(request)
	if err != nil {
		cancel()
		return opened{}, fmt.Errorf("%w: %w", ErrOpen, causeOf(err))
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		cancel()
		return opened{}, fmt.Errorf("%w: %w", ErrOpen, &StatusError{response.StatusCode})
	}
	return opened{
		body:        newIdleBody(response.Body, cancel),
		address:     response.Request.URL.String(),
		contentType: response.Header.Get("Content-Type"),
		response:    response,
	}, nil
}

// causeOf takes off what repeats the address.
func causeOf(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// minSpeed is how many bytes a second make up for the time that they take.
const minSpeed = 1 << 10

// An idleBody gives up on a server that goes silent in the middle, or sends so
// slowly that it would never end. The time runs only while somebody waits for it,
// and what comes buys new time.
type idleBody struct {
	io.ReadCloser
	cancel  context.CancelFunc
	timer   *time.Timer
	left    time.Duration
	stalled atomic.Bool
}

func newIdleBody(body io.ReadCloser, cancel context.CancelFunc) *idleBody {
	b := &idleBody{ReadCloser: body, cancel: cancel, left: idleTimeout}
	b.timer = time.AfterFunc(idleTimeout, func() {
		b.stalled.Store(true)
		cancel()
	})
	b.timer.Stop()
	return b
}

func (b *idleBody) Read(p []byte) (int, error) {
	start := time.Now()
	b.timer.Reset(max(b.left, 0))
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop()
	b.left = min(b.left-time.Since(start)+time.Duration(n)*time.Second/minSpeed, idleTimeout)
	if err != nil && b.stalled.Load() {
		err = fmt.Errorf("%w: less than %d bytes a second for %v", ErrStalled, minSpeed, idleTimeout)
	}
	return n, err
}

func (b *idleBody) Close() error {
	b.timer.Stop()
	err := b.ReadCloser.Close()
	b.cancel()
	return err
}

func isRobots(location string) bool {
	if u, err := url.Parse(location); err == nil && urlnorm.IsHTTP(location) {
		return u.Path == "/robots.txt"
	}
	return filepath.Base(location) == "robots.txt"
}

// readRobots reads a robots.txt. The host itself names these sitemaps, so they may
// lie anywhere on the web.
func (o *opener) readRobots(location string, body io.Reader) result {
	file, err := robots.Parse(body)
	if err != nil {
		return result{err: err}
	}
	var result result
	var problems []error
	for _, line := range file.Sitemaps() {
		loc, err := o.sitemapLocation(location, line.Value)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		result.children = append(result.children, target{location: loc, index: location})
	}
	if len(result.children)+len(problems) == 0 {
		problems = append(problems, fmt.Errorf("%w: the file has no Sitemap line", ErrNoSitemap))
	}
	result.err = errors.Join(problems...)
	return result
}

// sitemapLocation is what a Sitemap line of a robots.txt leads to: an address, which may be
// relative to that of the robots.txt, or for one on disk a file beside it.
func (o *opener) sitemapLocation(robots, loc string) (string, error) {
	if len(loc) > maxAddress {
		return "", &Error{Location: loc[:maxAddress], Index: robots, Err: fmt.Errorf("%w: an address of %d bytes", ErrOpen, len(loc))}
	}
	if base, err := url.Parse(robots); err == nil && urlnorm.IsHTTP(robots) {
		if resolved, err := base.Parse(loc); err == nil {
			loc = resolved.String()
		}
	}
	if urlnorm.IsHTTP(loc) {
		return loc, nil
	}
	name, beside := o.findPart(robots, loc)
	if !beside {
		return "", &Error{Location: loc, Index: robots, Err: fmt.Errorf("%w: neither an address nor a file beside the robots.txt", ErrOpen)}
	}
	return name, nil
}
