package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
)

const (
	answerDeadline = 90 * time.Second // until the header arrives, after all redirects
	robotsTimeout  = 2 * time.Minute  // of the robots.txt of a site
	placesTimeout  = 30 * time.Second // of all usual paths of a site together
	readTimeout    = 30 * time.Minute // of waiting for the body of one file
	idleTimeout    = 60 * time.Second // of waiting for a body in which less comes than slowest
	maxRedirects   = 10
)

// An opener opens locations.
type opener struct {
	options *Options
	stream  fetch.Stream
	client  *http.Client // on top of stream
	held    atomic.Int64 // bytes of the targets of indexes that are followed
}

func newOpener(options *Options) (*opener, error) {
	stream, err := fetch.NewStream(&options.Access)
	if err != nil {
		return nil, err
	}
	o := &opener{options: options, stream: stream}
	o.client = &http.Client{Transport: stream, CheckRedirect: o.checkRedirect}
	return o, nil
}

// hostKey is the key of the host, in the context of a request, that redirects may not
// leave.
type hostKey struct{}

// checkRedirect decides whether a redirect is followed, and waits until it may be.
func (o *opener) checkRedirect(next *http.Request, via []*http.Request) error {
	next.URL.User = nil // credentials that a site names are not sent
	if len(via) >= maxRedirects {
		return fmt.Errorf("%w: more than %d", ErrRedirect, maxRedirects)
	}
	if !urlnorm.IsHTTP(next.URL.String()) {
		return fmt.Errorf("%w: to %s", ErrRedirect, next.URL.Scheme)
	}
	from, to := via[len(via)-1].URL.String(), next.URL.String()
	if o.mapped(from) == o.mapped(to) && (from != to || o.options.MapURL != nil && o.mapped(to) == to) {
		return &SelfRedirectError{to}
	}
	if host, ok := next.Context().Value(hostKey{}).(string); ok && urlnorm.Host(o.mapped(next.URL.String())) != host {
		return fmt.Errorf("%w: it redirects to %s", ErrOtherHost, next.URL.Host)
	}
	return o.stream.Admit(next)
}

// A SelfRedirectError reports a file at an address that [Options].MapURL maps to, whose
// server knows it by its public address only and redirects there. It wraps [ErrRedirect].
type SelfRedirectError struct{ Public string }

// Error names the public address.
func (e *SelfRedirectError) Error() string {
	return "it redirects to its own public address, " + e.Public
}

// Unwrap returns ErrRedirect.
func (e *SelfRedirectError) Unwrap() error { return ErrRedirect }

// open opens a target and detects its format.
func (o *opener) open(ctx context.Context, t target) result {
	switch {
	case t.opened != nil:
		return o.read(t, *t.opened)
	case t.location == "-":
		return o.read(t, opened{body: io.NopCloser(o.stdin(ctx))})
	case urlnorm.IsHTTP(t.location):
		if t.root && urlnorm.IsSite(t.location) {
			return o.discover(ctx, t)
		}
		if t.bound && !o.options.CrossHost {
			ctx = context.WithValue(ctx, hostKey{}, urlnorm.Host(t.location))
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
	case t.root && errors.Is(err, errFolder):
		return o.openFolder(t.location)
	case t.root && errors.Is(err, os.ErrNotExist) && isHostName(t.location):
		return o.discoverHost(ctx, t)
	}
	if t.root {
		return result{err: openingError(t.location, err)}
	}
	return result{err: fmt.Errorf("%w: %w", ErrOpen, causeOf(err))}
}

func (o *opener) stdin(ctx context.Context) io.Reader {
	if o.options.Stdin == nil {
		return strings.NewReader("")
	}
	return newInterruptibleReader(ctx, o.options.Stdin)
}

// An opened is a body whose format is not known yet.
type opened struct {
	body        io.ReadCloser
	address     string // after redirects; empty for files
	contentType string
	response    *http.Response
}

var errFolder = errors.New("is a folder")

func openFile(name string) (opened, error) {
	file, err := os.Open(name)
	if err != nil {
		return opened{}, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return opened{}, &fs.PathError{Op: "open", Path: name, Err: errFolder}
	}
	return opened{body: file}, nil
}

// read detects the format of a body. An index or a robots.txt is read to its end
// and closed; a file of pages is left open for the caller.
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
	return o.children(index, reader)
}

// explain adds to the error of a body that is not a sitemap how the server encoded
// it.
func (in opened) explain(err error) error {
	if in.response == nil {
		return err
	}
	coding := in.response.Header.Get("Content-Encoding")
	switch strings.ToLower(coding) {
	case "", "identity", "gzip", "x-gzip":
		return err
	}
	return fmt.Errorf("%w (the server sent the Content-Encoding %q, which was not requested)", err, coding)
}

func (o *opener) reportFor(location string) func(*sitemap.Fault) {
	if o.options.OnFault == nil {
		return nil
	}
	return func(fault *sitemap.Fault) { o.options.OnFault(location, fault) }
}

// PartPaths returns the paths on disk where a sitemap may be that an index on disk
// lists, the likeliest first. index is the path of the index and loc the URL of the
// sitemap. The first path has the folders of the URL, below the folder of the
// index; the second is the last segment of the URL in that folder. No path leads
// out of the folder. The result is empty when loc is not a URL.
func PartPaths(index, loc string) (paths []string) {
	u, err := url.Parse(loc)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(index)
	if below, err := filepath.Localize(strings.TrimPrefix(path.Clean("/"+u.Path), "/")); err == nil {
		paths = append(paths, filepath.Join(folder, below))
	}
	if sibling := filepath.Join(folder, path.Base(u.Path)); sibling != filepath.Clean(index) {
		paths = append(paths, sibling)
	}
	return paths
}

// findPart returns the file on disk that an index on disk lists as loc. A link that leads
// out of the folder of the index is not followed: the index and the link may be of
// strangers, and the file private.
func (o *opener) findPart(index, loc string) (name string, found bool) {
	if urlnorm.IsHTTP(index) || index == "-" {
		return loc, false
	}
	folder, err := os.OpenRoot(filepath.Dir(index))
	if err != nil {
		return loc, false
	}
	defer folder.Close()
	for _, part := range PartPaths(index, loc) {
		below, err := filepath.Rel(folder.Name(), part)
		if err != nil {
			continue
		}
		if info, err := folder.Stat(below); err == nil && info.Mode().IsRegular() {
			return part, true
		}
	}
	return loc, false
}

// get requests a URL. The body may be compressed by gzip even if the header does
// not say so: the reader detects it.
func (o *opener) get(ctx context.Context, address string) (opened, error) {
	whole := ctx
	ctx, cancel := context.WithCancel(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err == nil {
		err = o.stream.Admit(request)
	}
	if err != nil {
		cancel()
		return opened{}, fmt.Errorf("%w: %w", ErrOpen, err)
	}
	deadline := time.AfterFunc(answerDeadline, cancel)
	defer deadline.Stop()
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := o.client.Do(request)
	if err != nil {
		late := ctx.Err() != nil && whole.Err() == nil
		cancel()
		if late {
			err = fmt.Errorf("%w: no answer in %v", ErrStalled, answerDeadline)
		}
		return opened{}, fmt.Errorf("%w: %w", ErrOpen, causeOf(err))
	}
	if response.StatusCode/100 != 2 {
		response.Body.Close()
		cancel()
		sent := o.options.Access.Headers[fetch.Origin(response.Request.URL.String())]
		return opened{}, fmt.Errorf("%w: %w", ErrOpen, &StatusError{
			Status:      response.StatusCode,
			RetryAfter:  fetch.RetryAfter(response.StatusCode, response.Header, time.Now()),
			Credentials: sent.Get("Authorization") != "" || sent.Get("Cookie") != "",
		})
	}
	return opened{
		body:        newIdleBody(response.Body, cmp.Or(o.options.ReadTime, o.options.Access.Timeout), cancel),
		address:     response.Request.URL.String(),
		contentType: response.Header.Get("Content-Type"),
		response:    response,
	}, nil
}

// openingError returns why a file that a user named cannot be opened.
func openingError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{name}
	}
	return fmt.Errorf("%w: %w", ErrOpen, causeOf(err))
}

// causeOf removes the parts of an error that repeat the location or name the system
// call.
func causeOf(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return &fileError{path}
	}
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	if failed, ok := errors.AsType[*fetch.Error](err); ok {
		if err = failed.Kind; failed.Err != nil {
			err = fmt.Errorf("%w: %w", failed.Kind, failed.Err)
		}
	}
	if fetch.Explanation(err) != "" {
		return err
	}
	var operation *net.OpError
	if errors.As(err, &operation) {
		err = operation.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}

// A fileError is an error of the system about a file that is named elsewhere.
type fileError struct{ path *fs.PathError }

func (e *fileError) Error() string { return e.path.Err.Error() }
func (e *fileError) Unwrap() error { return e.path }

// minSpeed is the number of bytes per second at which a body may take any time.
const minSpeed = 1 << 10

// An idleBody ends a body whose server stops sending, or sends so slowly that it
// would never end. Only the time spent in Read counts, and every byte that arrives
// extends it.
type idleBody struct {
	io.ReadCloser
	cancel  context.CancelFunc
	timer   *time.Timer
	left    time.Duration
	whole   time.Duration // left for the whole body
	stalled atomic.Bool
}

// newIdleBody returns a body that may take the time whole; 0 means readTimeout.
func newIdleBody(body io.ReadCloser, whole time.Duration, cancel context.CancelFunc) *idleBody {
	b := &idleBody{ReadCloser: body, cancel: cancel, left: idleTimeout, whole: cmp.Or(whole, readTimeout)}
	b.timer = time.AfterFunc(idleTimeout, func() {
		b.stalled.Store(true)
		cancel()
	})
	b.timer.Stop()
	return b
}

func (b *idleBody) Read(p []byte) (int, error) {
	start := time.Now()
	b.timer.Reset(max(min(b.left, b.whole), 0))
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop()
	took := time.Since(start)
	b.whole -= took
	b.left = min(b.left-took+time.Duration(n)*time.Second/minSpeed, idleTimeout)
	switch {
	case err == nil || !b.stalled.Load():
	case b.whole <= 0:
		err = fmt.Errorf("%w: not the whole file in time", ErrStalled)
	default:
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

// readRobots returns the sitemaps that a robots.txt lists. The host itself lists
// them, so they may be on any host.
func (o *opener) readRobots(location string, body io.Reader) result {
	file, err := robots.Parse(body)
	if err != nil {
		return result{err: err}
	}
	var result result
	var faults faultList
	for _, line := range file.Sitemaps() {
		loc, err := o.sitemapLocation(location, line.Value)
		t := target{location: loc, index: location}
		if err == nil {
			err = o.hold(&t)
		}
		if err != nil {
			faults.add(err)
			continue
		}
		result.children = append(result.children, t)
	}
	if len(result.children)+faults.count == 0 {
		faults.add(fmt.Errorf("%w: the file has no Sitemap line", ErrNoSitemap))
	}
	result.err = faults.err()
	return result
}

// sitemapLocation returns the location that a Sitemap line of a robots.txt gives: a
// URL, which may be relative to that of the robots.txt or, for a robots.txt on
// disk, a file in its folder.
func (o *opener) sitemapLocation(robots, loc string) (string, error) {
	if len(loc) > maxAddress {
		err := fmt.Errorf("%w: URL of %d bytes", ErrOpen, len(loc))
		return "", &Error{Location: loc[:maxAddress], Index: robots, Err: err}
	}
	if base, err := url.Parse(robots); err == nil && urlnorm.IsHTTP(robots) {
		if resolved, err := base.Parse(loc); err == nil {
			loc = resolved.String()
		}
	}
	if urlnorm.IsHTTP(loc) {
		clean, _ := format.CutUser(loc)
		return clean, nil
	}
	name, onDisk := o.findPart(robots, loc)
	if !onDisk {
		err := fmt.Errorf("%w: neither a URL nor a file in the folder of the robots.txt", ErrOpen)
		return "", &Error{Location: loc, Index: robots, Err: err}
	}
	return name, nil
}
