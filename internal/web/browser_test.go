package web_test

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

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

// browserZone is the time zone of the browser, which is not that of the server.
const browserZone = "Asia/Kolkata"

const (
	wide  = 1280
	phone = 390 // CSS pixels
	tall  = 900
)

// A tab is a browser tab of a test. What the console says, and requests to other hosts
// than the server's, are errors of the test.
type tab struct {
	t      *testing.T
	ctx    context.Context
	server string
	down   atomic.Bool // the server is: the log may say so
}

// tabTime is how long a tab waits for what should happen soon.
const tabTime = 40 * time.Second

// startBrowser starts the headless browser of all tests, which is on the path.
var startBrowser = sync.OnceValues(func() (context.Context, error) {
	// Chromium needs --no-sandbox where it is run by root, as in containers.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, closeTab := chromedp.NewContext(allocator)
	stopBrowser = func() { closeTab(); stop() }
	return browser, chromedp.Do(browser)
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
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

// newTab opens a tab with cookies of its own, and a page of the server in it.
func newTab(t *testing.T, server, path string, l look) *tab {
	t.Helper()
	programtest.Find(t, "chromium", "chromium")
	browser, err := startBrowser()
	if err != nil {
		t.Fatal(err)
	}
	b := &tab{t: t, server: server}
	var cancel context.CancelFunc
	b.ctx, cancel = chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.listen()))
	t.Cleanup(cancel)
	if err := chromedp.Do(b.ctx); err != nil { // the tab lives as long as this context
		t.Fatal(err)
	}
	b.do(b.setUp(l), chromedp.Navigate(server+path))
	return b
}

// listen returns a listener that reports what must not happen.
func (b *tab) listen() func(any) {
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
	return func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			fail("the console says something")
		case *runtime.EventExceptionThrown:
			fail("exception: " + e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if !isExpected(e.Entry) && !(b.down.Load() && e.Entry.Source == "network") {
				fail("the browser's log says: " + e.Entry.Text + " " + e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			if u, err := url.Parse(e.Request.URL); err == nil && u.Host != host && u.Scheme != "data" && u.Scheme != "chrome" {
				fail("request to " + e.Request.URL)
			}
		}
	}
}

// isExpected reports whether an entry of the log is that the document, which the test asks
// for, has an error status.
func isExpected(entry *log.Entry) bool {
	return entry.Source == "network" && strings.Contains(entry.Text, "the server responded with a status of 4")
}

// setUp makes the tab look as a person's.
func (b *tab) setUp(l look) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
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
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, tall)); err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: "test", AcceptLanguage: language,
		}); err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: l.noScript}); err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: browserZone}); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}

// run runs an action for at most tabTime.
func run[T any](b *tab, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, tabTime)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// do runs actions, which must succeed.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if _, err := run(b, chromedp.Steps(actions...)); err != nil {
		b.t.Fatalf("%v; the page is %s", err, b.address())
	}
}

func (b *tab) address() string {
	address, _ := run(b, chromedp.Location())
	return strings.TrimPrefix(address, b.server)
}

// open goes to a page of the server.
func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.server + path))
}

// follow clicks something and waits for the page that it leads to.
func (b *tab) follow(selector string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, tabTime)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(selector)); err != nil {
		b.t.Fatalf("click %s at %s: %v", selector, b.address(), err)
	}
}

// sees waits until an element has a text, on this page or on one that follows it.
func (b *tab) sees(selector, text string) {
	b.t.Helper()
	const found = `((selector, text) => {
		const found = document.querySelector(selector);
		return found !== null && found.checkVisibility() && found.textContent.includes(text);
	})(%q, %q)`
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(tabTime); time.Now().Before(deadline); <-ticker.C {
		// A navigation may end the evaluation.
		if is, err := run(b, chromedp.Evaluate[bool](fmt.Sprintf(found, selector, text))); err == nil && is {
			return
		}
	}
	seen, _ := run(b, chromedp.Evaluate[string]("document.body.innerText"))
	b.t.Fatalf("%s with %q does not come\n%s: %.1500s", selector, text, b.address(), seen)
}

// number returns the value of an expression.
func (b *tab) number(expression string) int {
	b.t.Helper()
	n, err := run(b, chromedp.Evaluate[int](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return n
}

// text returns the text of an expression.
func (b *tab) text(expression string) string {
	b.t.Helper()
	text, err := run(b, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return text
}

// fill types a text into a field.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(selector, text))
}
