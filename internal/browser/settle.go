package browser

import (
	"context"
	"errors"
	"time"

	"github.com/mapatools/mapa/crawl/render"
)

const (
	quietTime  = 300 * time.Millisecond // without a change and without a request: the page is settled
	emptyTime  = 2 * time.Second        // the same for a page that shows nothing yet, as before a timer
	settleTime = 5 * time.Second        // after which it is taken as it is
	answerTime = 3 * time.Second / 2    // that a page has to give its document
	pollTime   = 25 * time.Millisecond  // between two looks at a page that is not quiet
	slowness   = 4                      // how many times the time of an answer is added to quietTime
	slowAnswer = time.Second / 2        // of the process that makes all requests: others take the processors
)

// pageScript runs before watchScript, in the world of the page. A beacon tells the site something, and shows nothing.
// Error events do not reach the world of watchScript, so that it gets another event.
const pageScript = `(() => {
	navigator.sendBeacon = () => true;
	const send = (text) => document.dispatchEvent(new CustomEvent("mapa-error", {detail: String(text).slice(0, 300)}));
	addEventListener("error", (event) => { if (event.message) send(event.message) });
	addEventListener("unhandledrejection", (event) => send(event.reason?.message ?? event.reason));
})()`

// watchScript runs before the scripts of every document. It notes when the document changed last, where
// its scripts take it, and their first error, and keeps the page at its address.
const watchScript = `(() => {
	if (globalThis.mapaQuiet) return;
	let changed = performance.now();
	new MutationObserver(() => { changed = performance.now() })
		.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	const quiet = () => document.readyState === "complete" ? performance.now() - changed : -1;
	const shows = "a[href], img, picture, video, audio, canvas, svg, iframe, frame, object, embed";
	const empty = () => !document.body?.innerText.trim() && !document.querySelector(shows);
	globalThis.mapaQuiet = async () => {
		// Timers that are due run before this one, also where the page waited for the processor.
		if (quiet() >= 300) await new Promise((done) => setTimeout(done));
		return {quiet: quiet(), empty: quiet() >= 300 && empty()};
	};
	globalThis.mapaLeft = [];
	globalThis.mapaError = "";
	document.addEventListener("mapa-error", (event) => { globalThis.mapaError ||= String(event.detail) });
	// own is the address without the addresses that scripts added to the history.
	const whole = (url) => url.split("#")[0];
	let own = location.href, added = new Set();
	globalThis.mapaAddress = () => added.size > 1 ? own : location.href;
	if (window === top && globalThis.navigation) {
		navigation.addEventListener("navigate", (event) => {
			const { sameDocument, url } = event.destination, type = event.navigationType;
			if (event.formData) return event.preventDefault(); // would be sent
			if (sameDocument && type === "push" && whole(url) !== whole(location.href)) {
				if (added.size < 2) added.add(whole(url));
			} else if (sameDocument && type === "replace" && !added.size) own = url;
			if (sameDocument || type === "traverse") return;
			// A router of the page may take it, and else the proxy keeps the page, which knows documents by https only.
			if (url.startsWith(location.origin + "/") && location.protocol === "https:") return;
			event.preventDefault();
			if (mapaLeft.length < 1000) mapaLeft.push(url.slice(0, 4097));
		});
	}
})()`

// quietScript returns for how many milliseconds the document did not change, less than 0 while it is
// read, and whether it shows nothing. The browser does not run watchScript in a document without scripts.
const quietScript = watchScript + `; mapaQuiet()`

// documentScript returns the document. It is cut in characters here, and in bytes later.
const documentScript = `(() => {
	const type = document.doctype, element = document.documentElement;
	const html = (type ? "<!DOCTYPE " + type.name + ">\n" : "") + (element ? element.outerHTML : "");
	return {
		url: globalThis.mapaAddress?.() ?? location.href, html: html.slice(0, 10485761),
		left: globalThis.mapaLeft || [], error: globalThis.mapaError || "",
	};
})()`

// errLate is the end of the time that a page has to settle.
var errLate = errors.New("the page did not settle in time")

// render shows the tab a page and returns its document when it is settled.
func (t *tab) render(v *visit) (*render.Result, error) {
	v.clock = &t.browser.clock
	ctx, cancel := v.clock.withTimeout(v.ctx, settleTime+2*answerTime+maxWait, errStuck)
	defer cancel()
	began := v.clock.now()
	v.isLate = true // until it answers
	defer func() { v.slow = v.isLate && v.isSlow(began) }()
	t.visit.Store(v)
	defer t.visit.Store(nil)
	if err := t.begin(ctx, v); err != nil {
		return nil, err
	}
	settled, err := t.settle(ctx, v, began)
	if err != nil {
		return nil, err
	}
	ctx, cancel = v.clock.withTimeout(ctx, time.Until(v.deadline(began))+2*answerTime, errStuck)
	defer cancel()
	world, err := t.enterWorld(ctx)
	if err != nil {
		return nil, err
	}
	var found document
	if err := t.evaluate(ctx, world, documentScript, &found); err != nil {
		return nil, err
	}
	for _, address := range found.Left {
		v.leave(address)
	}
	return v.rendering(&found, !settled, began), nil
}

// begin shows the document of a page.
func (t *tab) begin(ctx context.Context, v *visit) error {
	ctx, cancel := v.clock.withTimeout(ctx, settleTime+2*answerTime, errStuck)
	defer cancel()
	if err := t.navigate(ctx, v.page.URL); err != nil {
		return err
	}
	select {
	case <-v.begun:
		return nil
	case <-t.browser.gone:
		return errGone
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// settle waits until the page that began is settled, and reports whether it was before its deadline.
func (t *tab) settle(ctx context.Context, v *visit, began moment) (bool, error) {
	for {
		deadline := v.deadline(began)
		missing, err := t.ask(ctx, v, deadline)
		switch {
		case errors.Is(err, errLate) && time.Now().Before(v.deadline(began)): // its requests still wait for their turn
		case errors.Is(err, errLate): // the scripts of the page do not end by themselves
			return false, t.endScripts(ctx)
		case err != nil:
			return false, err
		case missing <= 0:
			return true, nil
		case !time.Now().Before(deadline):
			return false, nil
		}
		select {
		case <-time.After(min(max(pollTime, missing), quietTime)):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// endScripts ends the script that runs.
func (t *tab) endScripts(ctx context.Context) error {
	ctx, cancel := t.browser.clock.withTimeout(ctx, answerTime, errStuck)
	defer cancel()
	return t.call(ctx, "Runtime.terminateExecution", nil, nil)
}

// ask returns for how long the page still has to be quiet, if it answers before a deadline. A browser that is
// slow to answer adds to it, since what the proxy sent may be on its way to the page.
func (t *tab) ask(ctx context.Context, v *visit, deadline time.Time) (missing time.Duration, err error) {
	ctx, cancel := context.WithDeadlineCause(ctx, deadline, errLate)
	defer cancel()
	v.isLate = true
	asked := time.Now()
	err = t.askNetwork(ctx)
	v.slow = v.slow || time.Since(asked) > slowAnswer
	if err != nil {
		return quietTime, err
	}
	world, err := t.enterWorld(ctx)
	if err != nil {
		return quietTime, err
	}
	quiet, err := t.quiet(ctx, v, world)
	return quietTime + slowness*time.Since(asked) - quiet, err
}

// askNetwork waits for an answer of the process that makes all requests. It keeps the cookies, and has none
// of this host.
func (t *tab) askNetwork(ctx context.Context) error {
	return t.call(ctx, "Network.getCookies", object{"urls": []string{"http://" + greetingHost + "/"}}, nil)
}

// quiet returns for how long the page did not change and has waited for no answer, or nearly quietTime
// while it waits or shows nothing. The page itself says so: one whose scripts run cannot.
func (t *tab) quiet(ctx context.Context, v *visit, world int64) (time.Duration, error) {
	var page struct {
		Quiet float64 // milliseconds
		Empty bool
	}
	if err := t.evaluate(ctx, world, quietScript, &page); err != nil {
		return 0, err
	}
	since, isQuiet := v.quietSince()
	v.isLate = !isQuiet || page.Quiet < 0
	quiet := min(time.Since(since), time.Duration(page.Quiet*float64(time.Millisecond)))
	if !isQuiet || page.Quiet < 0 || page.Empty && quiet < emptyTime {
		return quietTime - pollTime, nil
	}
	return quiet, nil
}
