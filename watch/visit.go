package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

const (
	maxHops     = 5
	maxSitemaps = sitemap.MaxSitemaps // of a site, and in an index
	maxDepth    = 3                   // indexes inside each other
	// uncheckedLimit is after how many passes a document is read without conditions,
	// since a server may answer 304 although the document changed.
	uncheckedLimit = 9
	// maxLost is how long requests of a visit that fail may take together, as a multiple of
	// the timeout of one. Other sites wait meanwhile.
	maxLost = 10
)

// errLost means that the rest of a site is left to the next pass.
var errLost = errors.New("the site does not answer in time: what it lists after this is left to the next pass")

// A visit is one pass over one site.
type visit struct {
	w         *Watcher
	site      *Site
	robots    *fetch.Robots
	fetcher   fetch.Fetcher
	documents map[string]*Document // by URL
	seen      map[string]bool      // URLs of documents that are listed in this pass
	unsaved   map[string]bool      // URLs of documents that changed since they were stored
	observed  map[string]observation
	queue     []listing
	failed    int           // documents
	lost      time.Duration // waiting for them
	result    visitResult
}

type visitResult struct {
	answered bool
	problems []error // the first ones
}

// A listing is a document that another lists.
type listing struct {
	url, parent, lastMod string
	depth                int
}

// visit makes one pass over a site. Its error is that of the store or of ctx.
func (w *Watcher) visit(ctx context.Context, site *Site) (*visitResult, error) {
	v := &visit{
		w: w, site: site,
		robots: fetch.NewRobots(w.client, nil), documents: map[string]*Document{}, seen: map[string]bool{},
		unsaved: map[string]bool{}, observed: map[string]observation{},
	}
	v.fetcher = fetch.Follow(v.robots, maxHops)
	now := time.Now().UTC()
	site.LastPass, site.Problem = now, ""
	site.Requests, site.Bytes, site.New, site.Changed, site.Gone = 0, 0, 0, 0, 0
	if err := v.load(ctx); err != nil {
		return nil, err
	}
	if err := v.start(ctx); err != nil {
		v.fail(site.Name, err)
	}
	listed := len(v.queue) > 0
	for len(v.queue) > 0 && ctx.Err() == nil {
		next := v.queue[0]
		if v.lost > maxLost*w.options.Access.Timeout {
			v.fail(next.url, errLost)
			break
		}
		v.queue = v.queue[1:]
		if err := v.document(ctx, next); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if more := v.failed - maxProblems; more > 0 {
		w.problem(site.Name, &DocumentError{site.Name, fmt.Errorf("%d more sitemaps could not be read", more)})
	}
	return &v.result, v.finish(ctx, listed, now)
}

// load reads what is known of the site.
func (v *visit) load(ctx context.Context) error {
	return v.w.store.Update(ctx, v.site.Name, func(tx Tx) error {
		if v.site.Due {
			v.site.Due = false
			if err := tx.SetSite(*v.site); err != nil {
				return err
			}
		}
		documents, err := tx.Documents()
		for i := range documents {
			v.documents[documents[i].URL] = &documents[i]
		}
		return err
	})
}

// fail records that something could not be read.
func (v *visit) fail(address string, err error) {
	problem := &DocumentError{address, err}
	if v.failed++; v.failed == 1 {
		v.site.Problem = problem.Error()
	}
	if v.failed <= maxProblems {
		v.result.problems = append(v.result.problems, problem)
		v.w.problem(v.site.Name, problem)
	}
}

// isComplete reports whether nothing failed.
func (v *visit) isComplete() bool { return v.failed == 0 }

// start queues the first documents of the site.
func (v *visit) start(ctx context.Context) error {
	start, err := parseSite(v.site.Name)
	if err != nil {
		return err
	}
	if start.root != "" {
		v.enqueue(listing{url: start.root})
		return nil
	}
	rules, origin, err := v.rules(ctx, start.origins)
	if err != nil {
		return err
	}
	v.site.Origin = origin
	v.result.answered = true
	file := origin + "/robots.txt"
	for _, line := range rules.Sitemaps {
		if address, ok := resolve(file, line); ok {
			v.enqueue(listing{url: address, parent: file})
		}
	}
	if len(v.queue) == 0 {
		return v.discover(ctx, origin)
	}
	return nil
}

// rules returns the robots.txt of the first origin that answers.
func (v *visit) rules(ctx context.Context, origins []string) (rules *fetch.Rules, origin string, err error) {
	if v.site.Origin != "" {
		origins = []string{v.site.Origin}
	}
	for _, origin = range origins {
		rules = v.robots.Rules(ctx, origin)
		v.site.Requests++
		if !rules.Failed {
			return rules, origin, nil
		}
		if err == nil {
			err = errRobots
			if rules.Err != nil {
				err = rules.Err
			}
		}
	}
	return nil, "", err
}

var errRobots = errors.New("robots.txt cannot be read, so nothing may be requested")

// discover queues the sitemap that was found at a usual path before, or else looks for
// one.
func (v *visit) discover(ctx context.Context, origin string) error {
	for _, d := range v.documents {
		if d.Parent == origin {
			v.enqueue(listing{url: d.URL, parent: origin})
		}
	}
	if len(v.queue) > 0 {
		return nil
	}
	options := &source.Options{
		Access: access.Access{Transport: &countingStream{v.w.client.Stream(v.robots), v}}, Indexes: true,
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for file, err := range source.Sitemaps(ctx, []string{origin + "/"}, options) {
		if err != nil {
			return err
		}
		address := file.Address()
		if err := file.Close(); err != nil {
			return err
		}
		v.enqueue(listing{url: address, parent: origin})
		return nil
	}
	return source.ErrNoSitemap
}

// A countingStream counts the requests of a visit.
type countingStream struct {
	fetch.Stream
	visit *visit
}

// Admit implements [fetch.Stream].
func (c *countingStream) Admit(r *http.Request) error {
	c.visit.site.Requests++
	return c.Stream.Admit(r)
}

// enqueue queues a document, unless it is listed for the second time.
func (v *visit) enqueue(l listing) {
	switch {
	case v.seen[l.url]:
	case !v.isComplete() && (len(v.seen) >= maxSitemaps || l.depth > maxDepth): // reported
	case len(v.seen) >= maxSitemaps:
		v.fail(l.url, fmt.Errorf("%w: a site may have %d", ErrTooMany, maxSitemaps))
	case l.depth > maxDepth:
		v.fail(l.url, fmt.Errorf("%w: indexes may be nested %d deep", ErrTooMany, maxDepth))
	default:
		v.seen[l.url] = true
		v.queue = append(v.queue, l)
	}
}

// document visits a document and queues what it lists. Its error is that of the store or
// of ctx.
func (v *visit) document(ctx context.Context, l listing) error {
	d := v.documents[l.url]
	if d == nil {
		d = &Document{URL: l.url, documentState: documentState{Initial: !v.site.Known}}
		v.documents[l.url] = d
		v.unsaved[l.url] = true
	}
	if d.Parent != l.parent || d.Listed != l.lastMod {
		d.Parent, d.Listed = l.parent, l.lastMod
		v.unsaved[l.url] = true
	}
	begun := time.Now()
	children, err := v.revalidate(ctx, d)
	if err != nil {
		v.lost += time.Since(begun)
	}
	var stored *storeError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &stored):
		return stored.err
	case err != nil:
		v.fail(d.URL, err)
	default:
		v.result.answered = true
	}
	if children == nil && d.Kind == kindIndex {
		children = v.children(d)
	}
	for _, c := range children {
		v.enqueue(listing{c.loc, d.URL, c.lastMod, l.depth + 1})
	}
	return nil
}

// children returns what an index listed when it was read last.
func (v *visit) children(index *Document) (all []child) {
	var listed []*Document
	for _, d := range v.documents {
		if d.Parent == index.URL {
			listed = append(listed, d)
		}
	}
	slices.SortFunc(listed, func(a, b *Document) int { return cmp.Compare(a.ID, b.ID) })
	for _, d := range listed {
		all = append(all, child{d.URL, d.Listed})
	}
	return all
}

// A storeError is an error of the store rather than of the document.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }

// revalidate requests a document, unless it cannot have changed, and reads it if it did.
// It returns the children of an index that was read.
func (v *visit) revalidate(ctx context.Context, d *Document) ([]child, error) {
	index := v.documents[d.Parent]
	due := d.Kind == kindUnread || d.WrongUnchanged || d.Unchecked >= uncheckedLimit
	if !due && d.Kind != kindIndex && index.isTrusted() && d.Listed != "" && d.Listed == d.ListedThen {
		v.unchecked(d)
		return nil, nil
	}
	request := &fetch.Request{URL: d.URL, AnyType: true, Limit: maxBody, Buffer: v.w.body}
	if !due {
		request.IfNoneMatch, request.IfModifiedSince = d.ETag, d.LastModified
	}
	response, err := v.fetcherFor(d, index).Fetch(ctx, request)
	if response == nil {
		v.site.Requests++
		return nil, err
	}
	v.site.Requests += max(response.Tries, 1) + len(response.Hops)
	v.site.Bytes += response.Transferred
	v.w.body = response.Body[:0]
	if err != nil {
		return nil, err
	}
	switch {
	case response.Status == http.StatusNotModified && !due:
		v.unchecked(d)
		v.observe(d, false)
		d.ListedThen = d.Listed
		return nil, nil
	case response.Status != http.StatusOK:
		return nil, &source.StatusError{Status: response.Status}
	case response.Truncated:
		return nil, ErrTooLarge
	}
	return v.read(ctx, d, response)
}

// fetcherFor returns the fetcher for a document. The sitemaps of an index stay on their
// host, also after redirects.
func (v *visit) fetcherFor(d, index *Document) fetch.Fetcher {
	if index == nil || v.w.options.CrossHost {
		return v.fetcher
	}
	return fetch.Follow(&hostFetcher{v.robots, d.URL}, maxHops)
}

// A hostFetcher requests only URLs on the host of one.
type hostFetcher struct {
	next fetch.Fetcher
	url  string
}

// Fetch implements [fetch.Fetcher].
func (h *hostFetcher) Fetch(ctx context.Context, request *fetch.Request) (*fetch.Response, error) {
	if !sameHost(h.url, request.URL) {
		return nil, fmt.Errorf("%w: it redirects to %s", source.ErrOtherHost, request.URL)
	}
	return h.next.Fetch(ctx, request)
}

// unchecked counts a pass in which the document was not read.
func (v *visit) unchecked(d *Document) {
	d.Unchecked++
	v.unsaved[d.URL] = true
}

// read reads a response and stores what it says.
func (v *visit) read(ctx context.Context, d *Document, response *fetch.Response) ([]child, error) {
	sum := sha256.Sum256(response.Body)
	digest := hex.EncodeToString(sum[:16])
	next := *d
	next.ETag, next.LastModified = response.Header.Get("ETag"), settledDate(response.Header)
	next.Body, next.ListedThen, next.Unchecked = digest, d.Listed, 0
	if digest == d.Body {
		v.observe(d, false)
		*d = next
		v.unsaved[d.URL] = true
		return nil, nil
	}
	contents, err := v.w.reader.read(response.Body, response.URL, response.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	next.WrongUnchanged = d.WrongUnchanged || d.sameValidators(&next)
	next.Kind = contents.kind
	var blocks []Block
	if contents.kind == kindIndex {
		contents.children = v.followable(d, response.URL, contents.children)
		next.Content, next.Entries = digestOf(contents.children), len(contents.children)
	} else {
		blocks, next.Bits, next.Content = contents.run.blocks()
		next.Entries = len(contents.run.records)
	}
	moved := next.Content != d.Content
	v.observe(d, moved)
	if moved && (contents.kind != kindIndex || d.HasCompared) {
		next.HasFetched = true
		if err := v.store(ctx, &next, blocks); err != nil {
			return nil, &storeError{err}
		}
	} else {
		v.unsaved[d.URL] = true
	}
	*d = next
	return contents.children, nil
}

// store stores a document with its entries at once, so that a kill does not lose them.
func (v *visit) store(ctx context.Context, d *Document, blocks []Block) error {
	delete(v.unsaved, d.URL)
	return v.w.store.Update(ctx, v.site.Name, func(tx Tx) (err error) {
		if d.ID, err = tx.SetDocument(*d); err != nil {
			return err
		}
		return tx.SetBlocks(d.ID, Fetched, blocks)
	})
}

// settledDate returns the Last-Modified of a response if the document cannot have changed
// again in the same second (RFC 9110 section 8.8.2.2), or "".
func settledDate(header http.Header) string {
	modified, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil {
		return ""
	}
	sent, err := http.ParseTime(header.Get("Date"))
	if err != nil || sent.Sub(modified) < time.Second {
		return ""
	}
	return header.Get("Last-Modified")
}

// sameValidators reports whether a changed document would have been taken for unchanged.
func (d *Document) sameValidators(next *Document) bool {
	if d.ETag != "" || next.ETag != "" {
		return d.ETag == next.ETag
	}
	return d.LastModified != "" && d.LastModified == next.LastModified
}

// followable returns the children of an index that may be requested, with absolute URLs.
func (v *visit) followable(index *Document, base string, children []child) (all []child) {
	for _, c := range children {
		address, ok := resolve(base, c.loc)
		switch {
		case !ok:
			v.fail(index.URL, fmt.Errorf("%w: not a URL: %.200q", source.ErrOpen, c.loc))
		case !v.w.options.CrossHost && !sameHost(base, address):
			v.fail(address, source.ErrOtherHost)
		default:
			all = append(all, child{address, c.lastMod})
		}
	}
	return all
}

// resolve returns the absolute form of a location, without fragment, and whether it can
// be requested.
func resolve(base, loc string) (string, bool) {
	from, err := url.Parse(base)
	if err != nil {
		return "", false
	}
	u, err := from.Parse(loc)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	u.Fragment, u.RawFragment, u.User = "", "", nil
	u.Host = urlnorm.Host(u.String())
	return u.String(), u.Host != ""
}

func digestOf(children []child) string {
	sum := sha256.New()
	for _, c := range children {
		fmt.Fprintf(sum, "%q %q\n", c.loc, c.lastMod)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
