// Package source reads URLs from sitemaps, lists and access logs.
//
// [URLs] reads the pages of sitemaps, and [Sitemaps] opens the sitemaps one by one. Both
// follow indexes: files, folders, standard input, URLs of sitemaps, of indexes and of
// robots.txt, and sites, whose sitemaps they discover. [Lists] reads text, CSV and JSONL,
// [Logs] the access logs of web servers. [Rows] reads all of these with the dates and
// images of their pages, and [SQL] what a database holds. All return iterators that hold
// only a small part of the input in memory.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/sitemap"
)

// Options configure [Sitemaps]. The zero value, like nil, follows every sitemap that
// the sources list on their own hosts.
type Options struct {
	// Stdin is read for the source "-". nil is empty.
	Stdin io.Reader
	// Access says how files are requested. 10 redirects are followed. Its Timeout bounds the
	// time to the header of a response; see ReadTime. User information in a URL is not sent;
	// see [access.Access.SetBasicAuth].
	Access access.Access
	// MapURL, when set, returns the URL to open for one that an index lists, or that a
	// server redirects to. Whether it is on another host is decided by the result.
	// Several goroutines call it.
	MapURL func(url string) string
	// ReadTime is the longest time to wait for the body of one file; 0 means that of Access.Timeout, or else
	// 30 minutes. The time between two reads does not count.
	ReadTime time.Duration
	// CrossHost follows sitemaps on other hosts than the index that lists them, and
	// their redirects to other hosts.
	// The protocol allows only the host of the index
	// (https://www.sitemaps.org/protocol.html#location).
	CrossHost bool
	// Since skips the sitemaps of an index whose lastmod is older. The zero time
	// skips none.
	Since time.Time
	// Strict treats every fault, even one that could be tolerated, as an error.
	Strict bool
	// Indexes yields indexes too, each before the sitemaps that it lists, and
	// from every file both kinds of entries, pages and sitemaps. The caller must
	// read or close an index before the next iteration; entries that it has not
	// read are not followed.
	Indexes bool
	// OnFault, when set, is called for every tolerated fault with the location of
	// the file, from several goroutines at once.
	OnFault func(location string, fault *sitemap.Fault)
}

const (
	lookahead   = 4                   // files that are opened ahead
	maxDepth    = 4                   // nested indexes; the protocol allows one
	maxSitemaps = sitemap.MaxSitemaps // that the indexes of one run may list; the protocol allows one index as many
	maxChildren = 64 << 20            // bytes of the targets of all indexes that are followed
	maxFaults   = 5                   // errors of one kind that an index reports; the others are counted
	maxAddress  = 8192                // bytes of a URL in an index; the protocol allows 2,047 characters
)

// The reasons why a file was not read, or only in part. An [*Error] wraps one of
// them, together with the error of the system or a [*StatusError].
var (
	ErrOpen        = errors.New("cannot be opened")
	ErrNoSitemap   = errors.New("no sitemap found")
	ErrRedirect    = errors.New("too many redirects, or one to an unsupported URL")
	ErrStalled     = errors.New("the server stopped sending")
	ErrOtherHost   = errors.New("it is on another host")
	ErrTooDeep     = errors.New("too many nested indexes")
	ErrTooMany     = errors.New("too many sitemaps")
	ErrEmptyFolder = errors.New("the folder has no sitemap among its .xml, .xml.gz, .txt, .rss and .atom files")
	ErrMixed       = errors.New("pages and sitemaps in one file: the entries of the other kind were skipped")
)

// errListed names the limit maxSitemaps.
var errListed = fmt.Errorf("%w: the indexes of one run may list 50,000, and the others are not read", ErrTooMany)

// An Error reports a file that could not be read, or only in part.
type Error struct {
	Location string // path or URL, as given or as the index lists it
	Index    string // the index that lists it; empty for a source
	Source   string // the source that led to it; only from Sitemaps
	Err      error
}

// Error returns the location, the index that lists it, and the reason.
func (e *Error) Error() string {
	if missing, is := e.Err.(*MissingError); is {
		return missing.Error()
	}
	if e.Index == "" {
		return fmt.Sprintf("%s: %v", e.Location, e.Err)
	}
	return fmt.Sprintf("%s (listed by %s): %v", e.Location, e.Index, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// A StatusError reports that a server answered with another status than 2xx.
type StatusError struct {
	Status      int
	RetryAfter  time.Duration // that a 429 or 503 asks for, or 0
	Credentials bool          // the request had an Authorization or Cookie header
}

// Error returns the status with its usual name.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the server answers %d %s", e.Status, http.StatusText(e.Status))
}

// A File is an open sitemap. Only one goroutine may use it at a time; different
// files may be read at the same time.
type File struct {
	// Location is a path, a URL or "-".
	Location string
	// Format is the format of the file, an index only with Options.Indexes.
	Format sitemap.Format

	// Index is the location of the index or robots.txt that lists the file; empty
	// for a source.
	Index string
	// Source is the source that led to the file.
	Source string
	// Response is the response of the server, whose body must not be used. Its
	// Request is the one after redirects. It is nil for a file that was not
	// requested over HTTP.
	Response *http.Response

	reader   *sitemap.Reader
	body     io.Closer
	opener   *opener
	whole    bool     // yields entries of both kinds
	children []target // of the entries of an index that were read
	listed   int      // sitemaps among these entries
	full     error    // the children take too much memory
	closed   chan struct{}
}

// Reader returns the reader of the file, for facts about the whole file. Read its
// entries with Entries.
func (f *File) Reader() *sitemap.Reader { return f.reader }

// Address returns the URL of the file after redirects. It is empty for a file that
// was not requested over HTTP.
func (f *File) Address() string {
	if f.Response == nil {
		return ""
	}
	return f.Response.Request.URL.String()
}

// Entries yields the entries as [sitemap.Reader.Entries] does, pages only unless
// Options.Indexes is set, and closes the file at the end. An entry is valid until
// the next one. The error is an [*Error].
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

// Close closes the file. It may be called more than once, and after Entries.
func (f *File) Close() error { return f.body.Close() }

// follow records the target of an entry of an index.
func (f *File) follow(entry *sitemap.Entry) {
	if f.Format != sitemap.FormatIndex || !entry.IsSitemap() {
		return
	}
	if f.listed++; f.listed > maxSitemaps || f.full != nil || f.opener.isOld(entry) {
		return
	}
	index := f.Location
	if f.Response != nil {
		index = f.Address()
	}
	t, err := f.opener.child(index, entry)
	if err != nil {
		return
	}
	if f.full = f.opener.hold(&t); f.full == nil {
		f.children = append(f.children, t)
	}
}

// Sitemaps yields every sitemap that the sources lead to, each once, in the order of
// the sources and their indexes. A source is the path of a file or of a folder, "-" for
// standard input, the URL of a sitemap, an index or a robots.txt, or a site such as
// example.com. The sitemaps of a site are those that its robots.txt lists, or else the
// first at a usual path; those of a folder are described at [ExpandFolders]. A nil options
// means the defaults.
//
// The error is an [*Error] for a file that could not be opened, and the file is
// then nil; the iteration continues after it. An option that is invalid, such as the
// proxy, is the only error. It ends with [ErrTooMany] where indexes
// list more than 50,000 sitemaps together. The caller must read every file to its end or
// close it. Some files are opened ahead, by several goroutines. When ctx is canceled, the
// iteration and all open files end soon.
func Sitemaps(ctx context.Context, sources []string, options *Options) iter.Seq2[*File, error] {
	targets := make([]target, len(sources))
	for i, s := range sources {
		targets[i] = target{location: s, source: s, root: true}
	}
	return followTargets(ctx, targets, options)
}

// URLs yields the pages of every sitemap that the sources lead to, as [Sitemaps] finds
// them. The errors are those of Sitemaps and of [File.Entries], with a nil URL, and of
// [sitemap.Entry.URL], with the URL without the values that cannot be parsed: they are
// an [*Error] and the iteration continues after them. Options.Indexes has no effect.
func URLs(ctx context.Context, sources []string, options *Options) iter.Seq2[*sitemap.URL, error] {
	var o Options
	if options != nil {
		o = *options
	}
	o.Indexes = false
	return func(yield func(*sitemap.URL, error) bool) {
		for file, err := range Sitemaps(ctx, sources, &o) {
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			for entry, err := range file.Entries() {
				var u *sitemap.URL
				if err == nil {
					if u, err = entry.URL(); err != nil {
						err = &Error{file.Location, file.Index, file.Source, err}
					}
				}
				if !yield(u, err) {
					return
				}
			}
		}
	}
}

// followTargets yields what targets lead to.
func followTargets(ctx context.Context, targets []target, options *Options) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		f, err := newFollower(ctx, options, yield)
		if err != nil {
			cancel()
			yield(nil, err)
			return
		}
		f.follow(targets, 0)
		// Files already handed out are read under this context: it ends only
		// when they are closed.
		f.release(cancel)
	}
}
