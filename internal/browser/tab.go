package browser

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
)

// greetingHost is the host of the request by which a tab learns the password of the proxy.
const greetingHost = "greeting.mapa.invalid"

// worldName is the name of the JavaScript world of Mapa. Scripts of pages cannot reach it.
const worldName = "mapa"

var (
	errCrashed = errors.New("the page crashed")
	errWorn    = errors.New("the process of earlier pages crashed")
	errStuck   = errors.New("the page does not answer")
	errSlow    = errors.New("the browser is too slow")
	errLeft    = errors.New("the page left its address")
)

// A tab renders one page of an origin after another, each in a target of its own, with its own history,
// name and session storage. They share a context of the browser, which is emptied between two pages,
// and a process of the system: starting one costs more than rendering a page does. The process keeps
// some memory of each page, so that a tab ends after some.
type tab struct {
	name    string // for the proxy
	origin  string
	browser *generation
	proxy   *proxy
	context string // of the browser
	pages   int    // that were rendered
	target
	visit atomic.Pointer[visit]
}

// newTab opens a tab and makes it known to the proxy.
func newTab(ctx context.Context, b *generation, p *proxy, name, origin string) (_ *tab, err error) {
	t := &tab{name: name, origin: origin, browser: b, proxy: p}
	p.add(t)
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	var created struct{ BrowserContextID string }
	err = b.call(ctx, "", "Target.createBrowserContext", object{"disposeOnDetach": true}, &created)
	if err != nil {
		return nil, err
	}
	t.context = created.BrowserContextID
	in := object{"behavior": "deny", "browserContextId": t.context}
	err = b.call(ctx, "", "Browser.setDownloadBehavior", in, nil)
	if err != nil {
		return nil, err
	}
	in = object{"permissions": []string{}, "browserContextId": t.context} // all others are denied
	err = b.call(ctx, "", "Browser.grantPermissions", in, nil)
	if err != nil {
		return nil, err
	}
	if t.target, err = t.open(ctx); err != nil {
		return nil, err
	}
	if err := t.greet(ctx); err != nil {
		return nil, err
	}
	return t, t.next(ctx)
}

// open opens an empty target that Mapa watches.
func (t *tab) open(ctx context.Context) (target, error) {
	opened, err := openTarget(ctx, t.browser.connection, t.context, t.hear)
	if err != nil {
		return target{}, err
	}
	in := object{"source": pageScript}
	if err := opened.call(ctx, "Page.addScriptToEvaluateOnNewDocument", in, nil); err != nil {
		return target{}, err
	}
	parameters := object{"source": watchScript, "worldName": worldName}
	return opened, opened.call(ctx, "Page.addScriptToEvaluateOnNewDocument", parameters, nil)
}

// greet makes a request that the proxy answers only with the password, which the browser then
// sends with all requests of the tab.
func (t *tab) greet(ctx context.Context) error {
	address := "http://" + greetingHost + "/"
	patterns := []object{{"urlPattern": address + "*"}}
	if err := t.call(ctx, "Fetch.enable", object{"handleAuthRequests": true, "patterns": patterns}, nil); err != nil {
		return err
	}
	t.browser.listen(t.session, func(method string, params json.RawMessage) {
		var paused struct{ RequestID string }
		_ = json.Unmarshal(params, &paused) // of the browser
		switch method {
		case "Fetch.requestPaused":
			t.browser.tell(t.session, "Fetch.continueRequest", object{"requestId": paused.RequestID})
		case "Fetch.authRequired":
			t.browser.tell(t.session, "Fetch.continueWithAuth", object{
				"requestId":             paused.RequestID,
				"authChallengeResponse": object{"response": "ProvideCredentials", "username": t.name, "password": t.proxy.password},
			})
		}
	})
	return t.navigate(ctx, address)
}

// hear handles an event of the target.
func (t *tab) hear(method string, params json.RawMessage) {
	v := t.visit.Load()
	switch {
	case method == "Page.javascriptDialogOpening":
		var dialog struct{ Type string }
		_ = json.Unmarshal(params, &dialog) // of the browser
		t.browser.tell(t.session, "Page.handleJavaScriptDialog", object{"accept": dialog.Type == "beforeunload"})
	case v == nil:
	case method == "Page.navigatedWithinDocument":
		var route struct{ FrameID, URL string }
		if json.Unmarshal(params, &route) == nil && route.FrameID == t.id {
			v.addRoute(route.URL)
		}
	case method == "Page.frameNavigated":
		var navigated struct{ Frame struct{ ID, URL string } }
		if json.Unmarshal(params, &navigated) == nil && navigated.Frame.ID == t.id {
			v.commit(navigated.Frame.URL)
		}
	case method == "Inspector.targetCrashed":
		v.stop(errCrashed)
	}
}

// next gives the tab a new target and closes the old one, without a last word of its scripts.
func (t *tab) next(ctx context.Context) error {
	old := t.target
	if err := old.call(ctx, "Emulation.setScriptExecutionDisabled", object{"value": true}, nil); err != nil {
		return err
	}
	opened, err := t.open(ctx) // before the old one is closed: its process goes on
	if err != nil {
		return err
	}
	t.target = opened
	return old.close(ctx)
}

// clear gives the tab a new target and removes the cookies and the storage that a page left.
func (t *tab) clear(ctx context.Context) error {
	if err := t.next(ctx); err != nil {
		return err
	}
	return errors.Join(
		t.browser.call(ctx, "", "Storage.clearCookies", object{"browserContextId": t.context}, nil),
		t.call(ctx, "Storage.clearDataForOrigin", object{"origin": t.origin, "storageTypes": "all"}, nil),
	)
}

// close ends the tab with its context, and reports whether its target ended in time.
func (t *tab) close() bool {
	t.proxy.remove(t)
	ctx, cancel := t.browser.clock.withTimeout(context.Background(), answerTime, errSlow)
	defer cancel()
	if t.context != "" {
		t.browser.tell("", "Target.disposeBrowserContext", object{"browserContextId": t.context})
	}
	return t.session == "" || t.awaitEnd(ctx) == nil
}
