package web_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/programtest"
)

// A look is how a person looks at pages. The zero value is a wide and light window with
// English pages.
type look struct {
	language string
	dark     bool
	width    int64 // 0 is wide
	noScript bool
}

// String returns the look as a part of the name of a test.
func (l look) String() string {
	text := fmt.Sprint(cmp.Or(l.width, wide), " ", cmp.Or(l.language, "en"))
	if l.dark {
		text += " dark"
	}
	if l.noScript {
		text += " without JavaScript"
	}
	return text
}

// browserZone is the time zone of the browser, which is not that of the server.
const browserZone = "Asia/Kolkata"

const (
	wide  = 1280
	phone = 390 // CSS pixels
	tall  = 844 // as a phone
)

// A tab is a browser tab of a test. What the console says, and requests to other hosts
// than the server's, are errors of the test.
type tab struct {
	t      *testing.T
	page   *browser.Page
	server string
	down   atomic.Bool // the server is: the log may say so
	plain  bool        // no script runs
}

// tabTime is how long a tab waits for what should happen soon.
const tabTime = 40 * time.Second

// startBrowser starts the headless browser of all tests, which is on the path. It needs no sandbox
// for the pages of Mapa, and has none where root runs it, as in containers.
var startBrowser = sync.OnceValues(func() (*browser.Direct, error) {
	started, err := browser.StartDirect(context.Background(), browser.Options{NoSandbox: true})
	if err == nil {
		stopBrowser = func() { _ = started.Close() } // the tests are over
	}
	return started, err
})

// stopBrowser ends the browser, if it was started.
var stopBrowser = func() {}

// tabs is the number of tests that run at once. They mostly wait, for pages and crawls.
const tabs = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", tabs); err != nil {
		panic(err)
	}
	time.Local = time.FixedZone("CET", 3600) // of the server
	programtest.RefuseNames()
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

// newTab opens a tab with cookies of its own, and a page of the server in it.
func newTab(t *testing.T, server, path string, l look) *tab {
	t.Helper()
	programtest.SkipShort(t, "it opens pages in a browser")
	if _, err := browser.Find(""); err != nil {
		programtest.Missing(t, err.Error())
	}
	started, err := startBrowser()
	if err != nil {
		t.Fatal(err)
	}
	b := &tab{t: t, server: server, plain: l.noScript}
	if b.page, err = started.Open(t.Context(), b.listen()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tabTime)
		defer cancel()
		if err := b.page.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	for _, domain := range []string{"Runtime.enable", "Log.enable", "Network.enable"} {
		b.call(domain, nil)
	}
	b.setUp(l)
	b.open(path)
	return b
}

// listen returns a listener that reports what must not happen.
func (b *tab) listen() func(method string, params json.RawMessage) {
	host := ""
	if u, err := url.Parse(b.server); err == nil {
		host = u.Host
	}
	var once sync.Map // each kind of error once
	fail := func(text string) {
		if _, before := once.LoadOrStore(text, true); !before {
			b.t.Errorf("%s: %s", b.t.Name(), text)
		}
	}
	return func(method string, params json.RawMessage) {
		var event struct {
			ExceptionDetails struct{ Text string }
			Entry            logEntry
			Request          struct{ URL string }
		}
		if err := json.Unmarshal(params, &event); err != nil {
			return // of another event
		}
		switch method {
		case "Runtime.consoleAPICalled":
			fail("the console says something")
		case "Runtime.exceptionThrown":
			fail("exception: " + event.ExceptionDetails.Text)
		case "Log.entryAdded":
			if e := event.Entry; !e.isExpected() && !(b.down.Load() && e.Source == "network") {
				fail("the browser's log says: " + e.Text + " " + e.URL)
			}
		case "Network.requestWillBeSent":
			u, err := url.Parse(event.Request.URL)
			if err == nil && u.Host != host && u.Scheme != "data" && u.Scheme != "chrome" {
				fail("request to " + event.Request.URL)
			}
		}
	}
}

// A logEntry is a line of the browser's log.
type logEntry struct{ Source, Text, URL string }

// isExpected reports whether an entry of the log is that the document, which the test asks
// for, has an error status.
func (e logEntry) isExpected() bool {
	return e.Source == "network" && strings.Contains(e.Text, "the server responded with a status of 4")
}

// object is the parameters of a request to the browser.
type object = map[string]any

// setUp makes the tab look as a person's.
func (b *tab) setUp(l look) {
	b.t.Helper()
	width, language, scheme := int64(wide), "en", "light"
	if l.width > 0 {
		width = l.width
	}
	if l.language != "" {
		language = l.language
	}
	if l.dark {
		scheme = "dark"
	}
	b.call("Emulation.setDeviceMetricsOverride",
		object{"width": width, "height": tall, "deviceScaleFactor": 1, "mobile": false})
	b.call("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": language})
	b.call("Emulation.setScriptExecutionDisabled", object{"value": l.noScript})
	b.call("Emulation.setTimezoneOverride", object{"timezoneId": browserZone})
	b.call("Emulation.setEmulatedMedia",
		object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
}

// call sends a request to the browser, which must succeed.
func (b *tab) call(method string, params object) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), tabTime)
	defer cancel()
	if err := b.page.Call(ctx, method, params, nil); err != nil {
		b.t.Fatal(err)
	}
}

// evaluate returns the value of an expression, waiting for a promise, for at most tabTime.
func evaluate[T any](b *tab, expression string) (value T, err error) {
	ctx, cancel := context.WithTimeout(b.t.Context(), tabTime)
	defer cancel()
	err = b.page.Evaluate(ctx, expression, &value)
	return value, err
}

func (b *tab) address() string {
	address, _ := evaluate[string](b, "location.href")
	return strings.TrimPrefix(address, b.server)
}

// open goes to a page of the server.
func (b *tab) open(path string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), tabTime)
	defer cancel()
	if err := b.page.Navigate(ctx, b.server+path); err != nil {
		b.t.Fatalf("%s: %v", path, err)
	}
	b.awaitFrame()
}

// follow clicks something and waits for the page that it leads to.
func (b *tab) follow(selector string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), tabTime)
	defer cancel()
	middle := b.middle(selector) // the page that has it is loaded
	err := b.page.Load(ctx, func() error { b.clickAt(middle); return nil })
	if err != nil {
		b.t.Fatalf("click %s at %s: %v", selector, b.address(), err)
	}
	b.awaitFrame()
}

// awaitFrame waits until the page is shown, which is when a field with autofocus gets the focus.
func (b *tab) awaitFrame() {
	b.t.Helper()
	if !b.plain {
		const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
		if _, is := await(b, frames, func(is bool) bool { return is }); !is {
			b.t.Fatalf("%s shows nothing", b.address())
		}
	}
}

// await evaluates an expression until its value satisfies, on this page or on one that follows it, and
// reports whether it did in time. It waits until the page is loaded: before its style is, things move.
func await[T any](b *tab, expression string, satisfies func(T) bool) (value T, is bool) {
	expression = `document.readyState === "complete" ? ` + expression + ` : undefined`
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(tabTime); time.Now().Before(deadline); <-ticker.C {
		// A navigation may end the evaluation.
		if value, err := evaluate[T](b, expression); err == nil && satisfies(value) {
			return value, true
		}
	}
	return value, false
}

// sees waits until an element has a text, on this page or on one that follows it.
func (b *tab) sees(selector, text string) {
	b.t.Helper()
	const found = `((selector, text) => {
		const found = document.querySelector(selector);
		return found !== null && found.checkVisibility() && found.textContent.includes(text);
	})(%q, %q)`
	if _, is := await(b, fmt.Sprintf(found, selector, text), func(is bool) bool { return is }); is {
		return
	}
	seen, _ := evaluate[string](b, "document.body.innerText")
	b.t.Fatalf("%s with %q does not come\n%s: %.1500s", selector, text, b.address(), seen)
}

// number returns the value of an expression.
func (b *tab) number(expression string) int {
	b.t.Helper()
	n, err := evaluate[int](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return n
}

// text returns the text of an expression.
func (b *tab) text(expression string) string {
	b.t.Helper()
	text, err := evaluate[string](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return text
}

// click presses the mouse in the middle of an element when it is visible.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.clickAt(b.middle(selector))
}

// middle returns where the middle of an element is when it is visible.
func (b *tab) middle(selector string) (at []float64) {
	b.t.Helper()
	const middle = `((selector) => {
		const found = document.querySelector(selector);
		if (found === null || !found.checkVisibility()) return null;
		found.scrollIntoView({block: "center", behavior: "instant"});
		const box = found.getClientRects()[0];
		return [box.x + box.width / 2, box.y + box.height / 2];
	})(%s)`
	at, is := await(b, fmt.Sprintf(middle, quote(selector)), func(at []float64) bool { return len(at) == 2 })
	if !is {
		b.t.Fatalf("%s at %s cannot be clicked", selector, b.address())
	}
	return at
}

// clickAt presses the mouse.
func (b *tab) clickAt(at []float64) {
	b.t.Helper()
	for _, event := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent",
			object{"type": event, "x": at[0], "y": at[1], "button": "left", "clickCount": 1})
	}
}

// A key is a key of the keyboard that does more than to write.
type key struct {
	name string
	code int
	text string
}

var (
	enter    = key{"Enter", 13, "\r"}
	escape   = key{"Escape", 27, ""}
	tabulate = key{"Tab", 9, ""}
)

// press presses a key.
func (b *tab) press(k key) {
	b.t.Helper()
	event := object{"type": "keyDown", "key": k.name, "code": k.name, "windowsVirtualKeyCode": k.code, "text": k.text}
	b.call("Input.dispatchKeyEvent", event)
	event["type"] = "keyUp"
	b.call("Input.dispatchKeyEvent", event)
}

// write types a text where the focus is.
func (b *tab) write(text string) {
	b.t.Helper()
	b.call("Input.insertText", object{"text": text})
}

// fill types a text into a field.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	focus := "((found) => { found?.focus(); return found !== null })(document.querySelector(" + quote(selector) + "))"
	if _, is := await(b, focus, func(is bool) bool { return is }); !is {
		b.t.Fatalf("%s is not at %s", selector, b.address())
	}
	b.write(text)
}

// choose gives a field a value.
func (b *tab) choose(selector, value string) {
	b.t.Helper()
	b.text("document.querySelector(" + quote(selector) + ").value = " + quote(value))
}

// upload puts a file into a field.
func (b *tab) upload(selector, name string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), tabTime)
	defer cancel()
	var found struct{ Result struct{ ObjectID string } }
	expression := "document.querySelector(" + quote(selector) + ")"
	if err := b.page.Call(ctx, "Runtime.evaluate", object{"expression": expression}, &found); err != nil {
		b.t.Fatal(err)
	}
	b.call("DOM.setFileInputFiles", object{"files": []string{name}, "objectId": found.Result.ObjectID})
}
