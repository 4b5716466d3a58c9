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
// The browser is started again after some hundred pages, or when it needs much memory.
package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// silent takes what HTTP servers log about a browser that ends connections.
var silent = log.New(io.Discard, "", 0)

// Options say how a browser is started.
type Options struct {
	Path      string // of the program; "" for the cheapest that is installed
	UserAgent string
	NoSandbox bool // the processes of pages may do what Mapa may

	without string // the switch that a test leaves out
}

// A Browser renders pages, as many at once as are asked for. It implements [crawl.Renderer].
type Browser struct{ *pool }

// Start starts a browser, and returns an error where that is not possible: a [MissingError], a
// [StartError] or [ErrSandbox].
func Start(ctx context.Context, o Options) (*Browser, error) {
	if err := checkSystem(o); err != nil {
		return nil, err
	}
	path, err := Find(o.Path)
	if err != nil {
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

// Render implements [crawl.Renderer].
func (b *Browser) Render(
	ctx context.Context, page crawl.RawPage, transport crawl.RenderTransport,
) (*crawl.Rendering, error) {
	began := time.Now()
	r, err := b.renderOnce(ctx, page, transport)
	isWorn := errors.Is(err, errWorn) && time.Since(began) < time.Second
	if (isWorn || errors.Is(err, errGone)) && !errors.Is(err, crawl.ErrNoRenderer) {
		r, err = b.renderOnce(ctx, page, transport) // another page may have ended the browser or the tab
	}
	if refused := (*protocolError)(nil); errors.As(err, &refused) {
		err = fmt.Errorf("%w: %w", errLeft, err) // the document that was asked is gone
	}
	if err != nil {
		return nil, fmt.Errorf("rendering %s: %w", page.URL, err)
	}
	return r, nil
}

func (b *Browser) renderOnce(
	ctx context.Context, page crawl.RawPage, transport crawl.RenderTransport,
) (*crawl.Rendering, error) {
	v, err := newVisit(ctx, page, transport)
	if err != nil {
		return nil, err
	}
	defer v.stop(nil)
	t, err := b.take(ctx, v.origin)
	if err != nil {
		return nil, err
	}
	r, err := t.render(v)
	if errors.Is(err, errCrashed) && t.pages > 0 {
		err = errWorn
	}
	b.giveBack(ctx, t, v, err)
	return r, err
}
