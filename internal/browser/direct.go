package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A Direct is a browser whose pages come from their servers, without a proxy. Tests look at the pages
// of Mapa with it; pages of strangers are rendered by a [Browser].
type Direct struct {
	process *process
	folder  *folder
}

// StartDirect starts a browser, as [Start] does.
func StartDirect(ctx context.Context, o Options) (*Direct, error) {
	if err := checkSystem(o); err != nil {
		return nil, err
	}
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	f, err := newFolder()
	if err != nil {
		return nil, &StartError{Path: path, Err: err}
	}
	arguments := append(slices.Clone(quietSwitches), "--user-data-dir="+f.path)
	if o.NoSandbox {
		arguments = append(arguments, "--no-sandbox")
	}
	p, err := startProcess(ctx, path, o, f, arguments)
	if err != nil {
		return nil, errors.Join(err, f.remove())
	}
	return &Direct{p, f}, nil
}

// Close ends the browser and removes what it wrote.
func (d *Direct) Close() error {
	d.process.close()
	return d.folder.remove()
}

// A Page is a page of a [Direct].
type Page struct {
	target
	context string
	loaded  chan struct{} // has an element after the page was loaded
}

// Open opens an empty page with cookies of its own. hear gets its events, and must not wait.
func (d *Direct) Open(ctx context.Context, hear func(method string, params json.RawMessage)) (*Page, error) {
	var created struct{ BrowserContextID string }
	err := d.process.call(ctx, "", "Target.createBrowserContext", object{"disposeOnDetach": true}, &created)
	if err != nil {
		return nil, err
	}
	p := &Page{context: created.BrowserContextID, loaded: make(chan struct{}, 1)}
	p.target, err = openTarget(ctx, d.process.connection, p.context, func(method string, params json.RawMessage) {
		if method == "Page.loadEventFired" {
			select {
			case p.loaded <- struct{}{}:
			default:
			}
		}
		hear(method, params)
	})
	return p, err
}

// Close closes the page.
func (p *Page) Close(ctx context.Context) error {
	err := p.connection.call(ctx, "", "Target.disposeBrowserContext", object{"browserContextId": p.context}, nil)
	if err != nil {
		return err
	}
	return p.awaitEnd(ctx)
}

// Call sends a request of the DevTools protocol and stores its answer in result unless that is nil.
func (p *Page) Call(ctx context.Context, method string, params map[string]any, result any) error {
	return p.call(ctx, method, params, result)
}

// Evaluate runs an expression in the page, waits for it if it is a promise, and stores its value in
// result.
func (p *Page) Evaluate(ctx context.Context, expression string, result any) error {
	return p.evaluate(ctx, 0, expression, result)
}

// Navigate goes to an address and waits until it is loaded.
func (p *Page) Navigate(ctx context.Context, address string) error {
	return p.Load(ctx, func() error { return p.navigate(ctx, address) })
}

// Load does what makes the page go elsewhere, and waits until that is loaded.
func (p *Page) Load(ctx context.Context, do func() error) error {
	select {
	case <-p.loaded: // of an earlier page
	default:
	}
	if err := do(); err != nil {
		return err
	}
	select {
	case <-p.loaded:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("no page was loaded: %w", context.Cause(ctx))
	}
}
