// Package browser renders pages with a headless Chromium, which it controls over two pipes.
//
// [Start] finds the browser and starts it, in a folder of its own. [Browser.Render] takes a page as
// its site sent it:
//
//  1. A tab is taken or opened: an empty context of the browser, whose cookies and storage no other
//     page sees.
//  2. The tab goes to the address of the page. The browser can reach nothing but a proxy in this
//     process, which answers with the page, and sends what scripts need by the transport of the
//     caller. It refuses what changes no text: images, media, fonts; and what changes the site.
//  3. A script in a world of its own notes changes of the document. When there was none for a while,
//     and no request is open, the page is settled.
//  4. The document is read, without what is in shadow trees. Addresses that scripts gave the page are
//     its routes; the document itself stays, whatever scripts ask for.
//  5. The page is closed and the context emptied. A page that crashed or hangs takes its tab along.
//
// The browser is started again after some hundred pages, when it needs much memory, and when it ended or does not
// answer. Fewer pages are open at once then, and those that were open are tried again. The time of a page does not
// pass while the machine gives the browser none.
package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/mapatools/mapa/crawl/render"
)

// silent takes what HTTP servers log about a browser that ends connections.
var silent = log.New(io.Discard, "", 0)

// Options say how a browser is started.
type Options struct {
	Path      string // of the program; "" for the cheapest that is installed
	UserAgent string
	NoSandbox bool // the processes of pages may do what Mapa may

	// Only tests set these.
	without string        // the switch that is left out
	stall   time.Duration // instead of stallTime
}

// A Browser renders pages, as many at once as are asked for. It implements [render.Renderer].
type Browser struct{ *pool }

// Start starts a browser, and returns an error where that is not possible: a [MissingError], a
// [StartError] or [ErrSandbox].
func Start(ctx context.Context, o Options) (*Browser, error) {
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	if err := checkSystem(o); err != nil {
		return nil, err
	}
	p, err := newPool(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return &Browser{p}, nil
}

// Close ends the browser and removes what it wrote. Pages that are open fail.
func (b *Browser) Close() error { return b.close() }

// maxTries is how often a page is opened at most.
const maxTries = 3

// Render implements [render.Renderer]. A page that fails next to others may not be to blame: it is opened again, alone
// and in a new tab.
func (b *Browser) Render(
	ctx context.Context, page render.Page, transport render.Transport,
) (*render.Result, error) {
	before := b.countRendered()
	for try := 1; ; try++ {
		t, err := b.renderAt(ctx, page, transport, try > 1)
		mayRetry := try < maxTries && ctx.Err() == nil && !errors.Is(err, render.ErrNoRenderer)
		switch {
		case mayRetry && t.isBrowser(err), mayRetry && t.shared && t.isPage(err):
			continue
		case err == nil:
			return t.rendering, nil
		case errors.Is(err, render.ErrNoRenderer):
			return nil, err
		case ctx.Err() == nil && t.isBrowser(err) && (t.slow || b.countRendered() == before):
			return nil, fmt.Errorf("%w: %w", render.ErrNoRenderer, err) // another page would fare no better
		}
		if refused := (*protocolError)(nil); errors.As(err, &refused) {
			err = fmt.Errorf("%w: %w", errLeft, err) // the document that was asked is gone
		}
		return nil, fmt.Errorf("rendering %s: %w", page.URL, err)
	}
}

// An attempt is what became of a page that was opened.
type attempt struct {
	rendering *render.Result
	slow      bool // the machine gave the browser too little time
	shared    bool // another page was open at the same time
}

// isBrowser reports whether the browser, earlier pages of its process, or the machine are to blame for a failure.
func (a *attempt) isBrowser(err error) bool {
	return errors.Is(err, errGone) || errors.Is(err, errWorn) || a.slow && errors.Is(err, errStuck)
}

// isPage reports whether another page that was open may be to blame.
func (a *attempt) isPage(err error) bool {
	return errors.Is(err, errCrashed) || errors.Is(err, errStuck) || a.slow && err == nil && a.rendering.Partial
}

// renderAt renders a page in a place, alone if that is asked for.
func (b *Browser) renderAt(
	ctx context.Context, page render.Page, transport render.Transport, alone bool,
) (a attempt, err error) {
	place, err := b.places.take(ctx, alone)
	if err != nil {
		return a, err
	}
	a.rendering, a.slow, err = b.renderOnce(ctx, page, transport, alone)
	isWell := err == nil && !(a.slow && a.rendering.Partial)
	if errors.Is(err, errGone) || a.slow && !isWell {
		b.places.halve()
	}
	a.shared = b.places.give(place, alone, isWell)
	return a, err
}

// renderOnce renders a page in a tab, and reports whether the machine gave the browser too little time.
func (b *Browser) renderOnce(
	ctx context.Context, page render.Page, transport render.Transport, isNew bool,
) (r *render.Result, slow bool, err error) {
	v, err := newVisit(ctx, page, transport)
	if err != nil {
		return nil, false, err
	}
	defer v.stop(nil)
	t, err := b.take(ctx, v.origin, isNew)
	if err != nil {
		return nil, false, err
	}
	r, err = t.render(v)
	if errors.Is(err, errCrashed) && t.pages > 0 {
		err = errWorn
	}
	b.giveBack(ctx, t, v, err)
	return r, v.slow, err
}
