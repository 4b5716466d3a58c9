// Package source brings URLs from wherever they are written down. [Sitemaps]
// follows sitemaps: files, standard input, addresses of sitemaps, indexes and
// robots.txt, and whole sites, whose sitemaps it discovers. [Lists] reads lists
// of addresses, [Logs] the access logs of web servers.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// Options say how to follow sitemaps. The zero value follows what the sources
// list on their own hosts.
type Options struct {
	// Stdin is what the source "-" reads.
	Stdin io.Reader
	// Client makes the requests; nil is a client that gives up on servers that
	// do not answer.
	Client *http.Client
	// UserAgent is the header of every request.
	UserAgent string
	// CrossHost follows the sitemaps of other hosts that an index lists. The
	// protocol wants them on the index's own
	// (https://www.sitemaps.org/protocol.html#location).
	CrossHost bool
	// Since leaves out the sitemaps of an index whose lastmod is older.
	Since time.Time
	// Strict takes every fault that could be tolerated for an error.
	Strict bool
	// Indexes yields the indexes too, each before what it lists, and pages and
	// sitemaps alike of every file. The caller reads or closes an index before
	// asking for the next file; what it has not read is not followed.
	Indexes bool
	// OnFault is told of every file's tolerated faults, from several goroutines.
	OnFault func(location string, fault *sitemap.Fault)
}

const (
	lookahead   = 4      // files opened before they are asked for
	maxDepth    = 4      // indexes inside each other; the protocol allows one
	maxSitemaps = 50_000 // files of one run, the most that one index may list
	maxAddress  = 8192   // bytes of an address that an index lists; the protocol allows 2,047 characters
)

// Why a file was not read. Errors wrap these together with what the system or
// the server said.
var (
	ErrOpen      = errors.New("cannot be opened")
	ErrNoSitemap = errors.New("no sitemap found")
	ErrRedirect  = errors.New("more redirects than anybody follows, or one that leads nowhere")
	ErrStalled   = errors.New("the server went silent")
	ErrOtherHost = errors.New("it lies on another host")
	ErrTooDeep   = errors.New("too many indexes inside each other")
	ErrTooMany   = errors.New("more sitemaps than an index may list")
	ErrMixed     = errors.New("pages and sitemaps in one file: what does not belong is left out")
)

// An Error names the file that could not be read, or not to its end.
type Error struct {
	Location string // as given, or as the index lists it
	Index    string // the index that lists it, or empty
	Source   string // what the caller gave that led there, where Sitemaps was asked
	Err      error
}

// Error names the file, where it was listed, and the reason.
func (e *Error) Error() string {
	if e.Index == "" {
		return fmt.Sprintf("%s: %v", e.Location, e.Err)
	}
	return fmt.Sprintf("%s (listed by %s): %v", e.Location, e.Index, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// A StatusError is an answer other than 200.
type StatusError struct{ Status int }

// Error gives the number and its usual name.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the server answers %d %s", e.Status, http.StatusText(e.Status))
}

// A File is a sitemap that lists pages, opened and ready to be read. It is for
// one goroutine; different files may be read at the same time.
type File struct {
	Location string // a path, an address or "-"
	Format   sitemap.Format

	// Index is the location of what lists the file; empty for a source.
	Index string
	// Source is what the caller gave that led to the file.
	Source string
	// Response is what the server said, without the body: its Request is the
	// last of a chain of redirects. It is nil for what was not asked of a server.
	Response *http.Response

	reader   *sitemap.Reader
	body     io.Closer
	opener   *opener
	whole    bool     // yields entries of either kind
	children []target // of the part of an index that was read
	closed   chan struct{}
}

// Reader returns what reads the file, for what is known of it as a whole. Its
// entries are those of Entries.
func (f *File) Reader() *sitemap.Reader { return f.reader }

// Address is where the file was found in the end, redirects followed, or empty
// where it has no address.
func (f *File) Address() string {
	if f.Response == nil {
		return ""
	}
	return f.Response.Request.URL.String()
}

// Entries yields the pages as [sitemap.Reader.Entries] does and closes the file
// in the end. An error is an [*Error].
func (f *File) Entries() iter.Seq2[*sitemap.Entry, error] {
	return func(yield func(*sitemap.Entry, error) bool) {
		defer f.Close()
		mixed := false
		for entry, err := range f.reader.Entries() {
			switch {
			case err != nil:
				err = &Error{f.Location, f.Index, f.Source, err}
			case f.whole:
				f.follow(entry)
			case entry.IsSitemap():
				mixed = true
				continue
			}
			if !yield(entry, err) {
				return
			}
		}
		if mixed {
			yield(nil, &Error{f.Location, f.Index, f.Source, ErrMixed})
		}
	}
}

// Close gives the file up; after Entries it does nothing more.
func (f *File) Close() error { return f.body.Close() }

// follow remembers what an entry of an index leads to.
func (f *File) follow(entry *sitemap.Entry) {
	if f.Format != sitemap.FormatIndex || !entry.IsSitemap() || len(f.children) > maxSitemaps || f.opener.isOld(entry) {
		return
	}
	index := f.Location
	if f.Response != nil {
		index = f.Address()
	}
	if t, err := f.opener.child(index, entry); err == nil {
		f.children = append(f.children, t)
	}
}

// Sitemaps yields every sitemap that the sources lead to, in the order of the
// sources and their indexes, each once. A source is a path, "-" for standard
// input, the address of a sitemap, an index or a robots.txt, or a site such as
// example.com, whose sitemaps are those its robots.txt names or those in the
// usual places. Files are opened some way ahead. One that is named twice comes in
// one of its places.
//
// An [*Error] with a nil file says what could not be opened; the iteration goes
// on after it. The caller reads or closes every file. Cancelling ctx ends it all
// soon.
func Sitemaps(ctx context.Context, sources []string, options *Options) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		f := newFollower(ctx, options, yield)
		targets := make([]target, len(sources))
		for i, s := range sources {
			targets[i] = target{location: s, source: s, root: true}
		}
		f.follow(targets, 0)
		// Files already handed out are read under this context: it ends only
		// when they are closed.
		f.release(cancel)
	}
}
