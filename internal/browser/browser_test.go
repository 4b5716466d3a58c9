package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRender renders pages of http and https, whose scripts get what they need from the site alone.
func TestRender(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			s := serve(map[string]string{
				"/app.js":     `fetch("/data").then(r => r.json()).then(d => { document.body.innerHTML = d.map(x => "<a href=" + x + ">" + x + "</a>").join(" ") })`,
				"/style.css":  `p { color: red }`,
				"/data":       `["/eins", "/zwei"]`,
				"/frame.html": `<p>frame`,
			})
			r := renderIn(t, b, page(scheme+"://site.test/start?a=b", `<link rel=stylesheet href=/style.css>
				<body>ä<img src=/image.png><video src=/film.mp4></video><iframe src=/frame.html></iframe>
				<script src=/app.js></script><script>history.pushState(null, "", "/route")</script>`), s)
			if r.Partial || len(r.Failures) > 0 || !strings.Contains(string(r.HTML), `<a href="/zwei">`) ||
				!strings.HasPrefix(string(r.HTML), "<!DOCTYPE html>") {
				t.Errorf("%+v\n%s", r, r.HTML)
			}
			if r.URL != scheme+"://site.test/route" || !slices.Equal(r.Routes, []string{r.URL}) {
				t.Errorf("URL %s, routes %v", r.URL, r.Routes)
			}
			slices.Sort(s.asked)
			at := " " + scheme + "://site.test/"
			// The fetch is relative to the address that the page was given.
			want := []string{"GET" + at + "app.js", "GET" + at + "data", "GET" + at + "style.css",
				"frame GET" + at + "frame.html"}
			if !slices.Equal(s.asked, want) {
				t.Errorf("asked for %q", s.asked)
			}
			if r.Requests != len(want) || r.Bytes == 0 || r.Duration < quietTime {
				t.Errorf("%d requests, %d bytes, %s", r.Requests, r.Bytes, r.Duration)
			}
			for _, header := range s.seen {
				if header.Get("User-Agent") != "Mapa-test" || header.Get("Proxy-Authorization") != "" {
					t.Errorf("sent %v", header)
				}
			}
		})
	}
}

// TestNoHeader renders a page whose site sent no header.
func TestNoHeader(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	bare := page("http://site.test/", "<p>text")
	bare.Header = nil
	if r := renderIn(t, b, bare, serve(nil)); r.Partial || !strings.Contains(string(r.HTML), "<p>text</p>") {
		t.Errorf("%+v %s", r, r.HTML)
	}
}

// TestScriptsShared gets a script once for all pages.
func TestScriptsShared(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	s := serve(map[string]string{"/app.js": `document.title = "ran"`, "/style.css": ""})
	for i := range 6 {
		r := renderIn(t, b, page(fmt.Sprintf("http://site.test/%d", i), `<link rel=stylesheet href=/style.css><script src=/app.js></script>`), s)
		if !strings.Contains(string(r.HTML), "ran") {
			t.Errorf("%s", r.HTML)
		}
	}
	if len(s.asked) != 2 {
		t.Errorf("asked for %q", s.asked)
	}
}

// TestFailed reports what a page lacked.
func TestFailed(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	for _, test := range []struct{ text, want string }{
		{`<script src=/none.js></script>`, "status 404"},
		{`<link rel=stylesheet href=/none.css>`, "status 404"},
		{`<script src=http://elsewhere.test/app.js></script>`, errForbidden.Error()},
		{`<script>fetch("http://elsewhere.test/data")</script>`, errForbidden.Error()},
		{`<script>fetch("/form", {method: "POST", body: "x"})</script>`, "http://site.test/form: refused: POST is not sent"},
		{`<script>fetch("/none")</script>`, ""},
		{`<img src=http://elsewhere.test/image.png>`, ""},
		{`<script>navigator.sendBeacon("/statistics", "x"); new WebSocket("ws://site.test/socket")</script>`, ""},
		{`<script src=http://elsewhere.test/app.js></script><script src=/none.js></script>`, "http://site.test/none.js: "},
	} {
		r := renderIn(t, b, page("http://site.test/", test.text), serve(nil))
		if r.Partial {
			t.Errorf("%s: not settled", test.text)
		}
		if got := fmt.Sprint(r.Failures); test.want == "" && len(r.Failures) > 0 || !strings.Contains(got, test.want) {
			t.Errorf("%s: %v", test.text, r.Failures)
		}
	}
}

// TestOtherOrigin lets a page read what another origin allows it to. About a request with a header field of its own the
// origin is asked, and about one that would change something it is not.
func TestOtherOrigin(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	s := &site{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/closed" {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Allow-Headers", "X-Version")
			w.Header().Set("Access-Control-Max-Age", "0")
		}
		if r.URL.Path == "/forbidden" {
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprint(w, "data with "+r.Header.Get("X-Version"))
	})}
	for _, test := range []struct{ path, method, want string }{
		{"/open", "GET", "data with 2"}, {"/closed", "GET", "refused"}, {"/forbidden", "GET", "refused"},
		{"/deleted", "DELETE", "refused"}, {"/open.js", "GET", "data with 2"}, {"/open.js", "GET", "data with 2"},
	} {
		r := renderIn(t, b, page("http://site.test/", `<p id=p><script>
			fetch("http://other.test`+test.path+`", {method: "`+test.method+`", headers: {"X-Version": "2"}}).then(r => r.text())
				.then(t => p.textContent = t, () => p.textContent = "refused")</script>`), s)
		if !strings.Contains(string(r.HTML), ">"+test.want+"<") {
			t.Errorf("%s: %s", test.path, r.HTML)
		}
	}
	slices.Sort(s.asked)
	want := []string{"GET http://other.test/open", "GET http://other.test/open.js", "GET http://other.test/open.js",
		"OPTIONS http://other.test/closed",
		"OPTIONS http://other.test/forbidden", "OPTIONS http://other.test/open",
		"OPTIONS http://other.test/open.js", "OPTIONS http://other.test/open.js"}
	if !slices.Equal(s.asked, want) {
		t.Errorf("asked for %q", s.asked)
	}
}

// TestSettled waits for what comes late, and not for what never ends.
func TestSettled(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	slow := func(d time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(d):
			case <-r.Context().Done():
			}
			fmt.Fprint(w, "late")
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/second", slow(time.Second))
	mux.Handle("/poll", slow(time.Minute))
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
	})
	for _, test := range []struct {
		name, text string
		partial    bool
		most       time.Duration
	}{
		{"a fetch", `<script>fetch("/second").then(r => r.text()).then(x => document.body.append(x))</script>`, false, 4 * time.Second},
		{"a chain of timers", `<script>let n = 0; const i = setInterval(() => { if (++n < 8) document.title = n; else { clearInterval(i); document.body.append("late") } }, 150)</script>`, false, 4 * time.Second},
		{"a timer before the page shows anything", `<script>setTimeout(() => document.body.append("late"), 1000)</script>`, false, 4 * time.Second},
		{"a long poll", `late<script>fetch("/poll")</script>`, false, 6 * time.Second},
		{"events", `late<script>new EventSource("/events")</script>`, false, 3 * time.Second},
		{"a clock", `late<script>setInterval(() => { document.title = Date.now() }, 50)</script>`, true, 8 * time.Second},
		{"a body that nobody reads", `late<script>fetch("/second")</script>`, false, 4 * time.Second},
		{"a script that runs long", `<script>setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); document.body.append("late") }, 200)</script>`, false, 5 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := renderIn(t, b, page("http://site.test/", "<body>"+test.text), &site{Handler: mux})
			if r.Partial != test.partial || r.Duration > test.most || !strings.Contains(string(r.HTML), "late") {
				t.Errorf("%s, partial %t, %s", r.Duration, r.Partial, r.HTML)
			}
		})
	}
}

// A queue is a site whose requests wait for their turn, longer than a page may take.
type queue struct{ *site }

func (q queue) Admit(r *http.Request) error {
	select {
	case <-time.After(settleTime + time.Second):
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

// TestTurn does not count the time in which a request of a page waits for its turn.
func TestTurn(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	shell := page("http://site.test/", `<script>fetch("/data").then(r => r.text()).then(x => document.body.append(x))</script>`)
	r, err := b.Render(t.Context(), shell, queue{serve(map[string]string{"/data": "arrived"})})
	if err != nil || r.Partial || len(r.Failures) > 0 || !strings.Contains(string(r.HTML), "arrived") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLeaving follows no script to another document, and says where it leads. A router that takes the
// address shows it in the same document.
func TestLeaving(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	for _, test := range []struct{ address, script, want string }{
		{"http://site.test/", `location.replace("/login")`, "http://site.test/login"},
		{"https://site.test/", `location.replace("/login")`, "https://site.test/login"},
		{"http://site.test/", `location.href = "https://other.test/"`, "https://other.test/"},
		{"http://site.test/", `location = "file:///etc/passwd"`, "http://site.test/"},
		{"http://site.test/", `location.replace("#a")`, "http://site.test/#a"},
		{"http://site.test/", `location.reload()`, "http://site.test/"},
		{"https://site.test/", `location.reload()`, "https://site.test/"},
		{"https://site.test/", `navigation.addEventListener("navigate", e => e.intercept({handler() { document.title = "taken" }}));
			navigation.navigate("/shown")`, "https://site.test/shown"},
	} {
		r, err := b.Render(t.Context(), page(test.address, "<body><script>"+test.script+"</script>"), serve(nil))
		if err != nil {
			t.Errorf("%s: %s: %v", test.address, test.script, err)
			continue
		}
		isTaken := strings.Contains(string(r.HTML), "<title>taken</title>")
		if r.URL != test.want || r.Partial || isTaken != strings.HasSuffix(test.want, "shown") {
			t.Errorf("%s: %s: %s, partial %t, %s", test.address, test.script, r.URL, r.Partial, r.HTML)
		}
	}
}

// TestApart lets a page leave everything that it can, and others look for it.
func TestApart(t *testing.T) {
	t.Parallel()
	const leave = `<body><script>(async () => {
		document.cookie = "a=b; max-age=1000; path=/";
		localStorage.a = sessionStorage.a = window.name = "left";
		new BroadcastChannel("x").postMessage("left");
		await new Promise(done => { const r = indexedDB.open("left", 1); r.onsuccess = r.onerror = done });
		if (globalThis.caches) await (await caches.open("left")).put("/x", new Response("left"));
		document.body.append("done");
	})()</script>`
	const look = `<body><script>(async () => {
		const found = [document.cookie, localStorage.a, sessionStorage.a, window.name, history.length > 2 ? history.length : ""];
		found.push(...(await indexedDB.databases()).map(d => d.name));
		if (globalThis.caches) found.push(...await caches.keys());
		document.body.append("found:" + found.filter(x => x).join() + ";");
	})()</script>`
	b := startTest(t, Options{})
	for _, start := range []string{"https://site.test/", "http://site.test/"} {
		for _, leaving := range []string{leave, leave + `<iframe src=https://other.test/leave.html></iframe>`} {
			s := serve(map[string]string{"/leave.html": leave, "/look.html": look})
			if r := renderIn(t, b, page(start, leaving), s); !strings.Contains(string(r.HTML), "done") {
				t.Errorf("%s", r.HTML)
			}
			r := renderIn(t, b, page(start+"b", look+`<iframe src=https://other.test/look.html></iframe>
				<script>addEventListener("message", e => document.body.append(e.data))</script>`), s)
			if !strings.Contains(string(r.HTML), "found:;") {
				t.Errorf("%s", r.HTML)
			}
		}
	}
}

// TestOrigins gives pages of two origins different processes, and those of one the same.
func TestOrigins(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	names := map[string]string{} // of tabs by origin
	for _, origin := range []string{"http://site.test", "https://site.test", "http://other.test", "http://site.test:81"} {
		for range 3 {
			renderIn(t, b, page(origin+"/", "<p>text"), serve(nil))
			if len(b.current.free) != 1 || b.current.free[0].origin != origin {
				t.Fatalf("%s: the free tabs are %v", origin, b.current.free)
			}
			name := b.current.free[0].name
			if known := names[origin]; known != "" && known != name {
				t.Errorf("%s has the tabs %s and %s", origin, known, name)
			}
			names[origin] = name
		}
	}
}

// TestAsksNobody refuses what would ask a person or open a window.
func TestAsksNobody(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	without := startTest(t, Options{without: "--block-new-web-contents"})
	const popup = `<script>addEventListener("load", () => { document.title = "popup " + (open("about:blank") === null) })</script>`
	for _, test := range []struct {
		b          *Browser
		text, want string
	}{
		{b, popup, "popup true"},
		{without, popup, "popup false"},
		{b, `<script>document.title = [alert(1), confirm(2), prompt(3)].join()</script>`, "<title>,false,</title>"},
		{b, `<script>navigator.permissions.query({name: "geolocation"}).then(p => { document.title = p.state })</script>`, "denied"},
		{b, `<script>navigator.serviceWorker.register("/sw.js").catch(() => { document.title = "no worker" })</script>`, "no worker"},
		{b, `<script>document.title = isSecureContext + " " + navigator.userAgent</script>`, "true Mapa-test"},
	} {
		r := renderIn(t, test.b, page("https://site.test/", test.text), serve(map[string]string{"/sw.js": ""}))
		if !strings.Contains(string(r.HTML), test.want) {
			t.Errorf("%s: %s", test.text, r.HTML)
		}
	}
}
