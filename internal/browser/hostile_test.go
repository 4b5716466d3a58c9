package browser

import (
	"strings"
	"testing"
	"time"
)

// pageTime is what every page ends in, if no other package is tested at the same time.
const pageTime = 10 * time.Second

// busy is how many times longer things take while other packages are tested.
const busy = 3

// hostilePages are pages that may fail, but neither last, nor reach anything but the site, nor harm the
// pages that follow.
var hostilePages = map[string]string{
	"endless loop":           `<script>while (true);</script>`,
	"endless loop later":     `<script>setTimeout(() => { while (true); }, 50)</script>`,
	"endless loops":          `<script>setInterval(() => { while (true); }, 1)</script>`,
	"endless microtasks":     `<script>(function f() { Promise.resolve().then(f) })()</script>`,
	"endless recursion":      `<script>(function f() { f() })()</script>`,
	"endless worker":         `<script>new Worker(URL.createObjectURL(new Blob(["while (true);"])))</script>`,
	"many workers":           `<script>for (let i = 0; i < 100; i++) new Worker(URL.createObjectURL(new Blob(["while (true);"])))</script>`,
	"strings without end":    `<script>let s = "x"; const all = []; while (true) { s += s.slice(0, 1 << 20) + all.length; all.push(s) }</script>`,
	"buffers without end":    `<script>const all = []; setInterval(() => { all.push(new Uint8Array(1 << 27).fill(1)) }, 1)</script>`,
	"nodes without end":      `<script>setInterval(() => { for (let i = 0; i < 5000; i++) document.body.append(document.createElement("p")) }, 50)</script>`,
	"a deep tree":            `<script>let n = document.body; for (let i = 0; i < 100000; i++) n = n.appendChild(document.createElement("b"))</script>`,
	"a long document":        `<script>document.body.append("x".repeat(100 << 20))</script>`,
	"document.write":         `<script>setInterval(() => { document.open(); document.write("<p>again<script>1</" + "script>") }, 1)</script>`,
	"routes without end":     `<script>for (let i = 0; i < 1e5; i++) history.pushState(null, "", "/" + i)</script>`,
	"a file":                 `<script>location = "file:///etc/passwd"</script>`,
	"a file in a frame":      `<iframe src="file:///etc/passwd"></iframe>`,
	"a file by fetch":        `<script>fetch("file:///etc/passwd").then(r => r.text()).then(x => document.body.append(x))</script>`,
	"chrome pages":           `<script>location = "chrome://version"; open("chrome://settings")</script>`,
	"another site":           `<script>location = "http://elsewhere.test/"</script>`,
	"another site at once":   `<meta http-equiv=refresh content="0; url=http://elsewhere.test/">`,
	"another site, again":    `<script>setInterval(() => { location.href = "http://127.0.0.1/" + Math.random() }, 1)</script>`,
	"itself":                 `<script>setInterval(() => location.reload(), 1)</script>`,
	"back":                   `<script>history.back(); setInterval(() => history.go(-1), 1)</script>`,
	"a data document":        `<script>location = "data:text/html,<p>data"</script>`,
	"a blob document":        `<script>location = URL.createObjectURL(new Blob(["<p>blob"], {type: "text/html"}))</script>`,
	"a form":                 `<form method=post action=/delete><input name=a></form><script>document.forms[0].submit()</script>`,
	"private addresses":      privatePage,
	"popups":                 `<script>setInterval(() => { open("http://elsewhere.test/"); open("about:blank") }, 1)</script>`,
	"a click on a link":      `<a id=a target=_blank href=http://elsewhere.test/>x</a><script>setInterval(() => a.click(), 1)</script>`,
	"dialogs":                `<script>while (true) { alert(1); confirm(2); prompt(3) }</script>`,
	"dialog before the end":  `<script>onbeforeunload = () => "stay"; onpagehide = onunload = () => { while (true); }</script>`,
	"downloads":              `<a id=a download=x href="data:text/plain,x">x</a><script>setInterval(() => a.click(), 10)</script>`,
	"printing":               `<script>print(); setInterval(print, 10)</script>`,
	"permissions":            `<script>navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({video: true}); navigator.permissions.query({name: "midi"})</script>`,
	"frames in frames":       `<script>if (self === top || parent === top) for (let i = 0; i < 20; i++) document.body.append(Object.assign(document.createElement("iframe"), {srcdoc: "<iframe src=/nested.html></iframe>"}))</script>`,
	"a service worker":       `<script>navigator.serviceWorker?.register("/sw.js")</script>`,
	"changed built-in names": `<script>for (const k of ["JSON", "Object", "Array", "MutationObserver", "performance", "document"]) try { globalThis[k] = null } catch {} Object.prototype.toString = () => { while (true); }; Object.defineProperty(Element.prototype, "outerHTML", {get() { while (true); }})</script>`,
	"fetches without end":    `<script>setInterval(() => { for (let i = 0; i < 100; i++) fetch("/" + Math.random()) }, 1)</script>`,
	"no document":            `<script>document.documentElement.remove()</script>`,
	"fullscreen and locks":   `<script>document.documentElement.requestFullscreen?.().catch(() => {}); navigator.locks?.request("x", () => new Promise(() => {})); document.documentElement.requestPointerLock?.()</script>`,
}

const privatePage = `<img src=http://127.0.0.1/image><iframe src=http://169.254.169.254/latest/></iframe><script>
	for (const host of ["127.0.0.1", "[::1]", "localhost", "10.0.0.1", "169.254.169.254", "metadata.google.internal"]) {
		fetch("http://" + host + "/fetch", {mode: "no-cors"}).catch(() => {});
		fetch("http://" + host + ":9222/json", {mode: "no-cors", keepalive: true}).catch(() => {});
		for (const scheme of ["ws", "wss"]) try { new WebSocket(scheme + "://" + host + ":8080/socket") } catch {} // mixed content
		navigator.sendBeacon("http://" + host + "/beacon", "x");
		new Worker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/worker', {mode: 'no-cors'}); importScripts('http://" + host + "/script')"])));
		const link = document.head.appendChild(document.createElement("link"));
		link.rel = "preconnect"; link.href = "http://" + host + ":81/";
		const hint = document.head.appendChild(document.createElement("link"));
		hint.rel = "dns-prefetch"; hint.href = "http://name.of." + host.replace(/\W/g, "-") + ".test/";
	}
	const p = new RTCPeerConnection({iceServers: [{urls: ["stun:127.0.0.1:3478", "stun:10.0.0.1:3478", "turn:10.0.0.1:3478?transport=tcp"], username: "a", credential: "b"}]});
	p.createDataChannel("x"); p.createOffer().then(o => p.setLocalDescription(o));
	if (globalThis.WebTransport) new WebTransport("https://127.0.0.1:4433/").ready.catch(() => {});
</script>`

// TestHostile renders each hostile page and a good one after it, and is not parallel: the pages take
// every processor.
func TestHostile(t *testing.T) {
	b := startTest(t, Options{})
	good := serve(map[string]string{"/good.js": `document.body.append("good")`})
	for name, text := range hostilePages {
		t.Run(name, func(t *testing.T) {
			s := serve(map[string]string{"/nested.html": "<p>nested"})
			began := time.Now()
			r, err := b.Render(t.Context(), page("https://site.test/"+strings.ReplaceAll(name, " ", "-"), "<body>"+text), s)
			took := time.Since(began)
			if took > busy*pageTime {
				t.Errorf("took %s", took)
			}
			if r != nil {
				t.Logf("%s, %d bytes, partial %t, %d routes, %d requests failed", took, len(r.HTML), r.Partial, len(r.Routes), len(r.Failures))
				if strings.Contains(string(r.HTML), "root:") {
					t.Errorf("%s: %.200s", r.URL, r.HTML)
				}
			} else {
				t.Logf("%s, %v", took, err)
			}
			if len(s.asked) > maxRequests {
				t.Errorf("sent %d requests", len(s.asked))
			}
			for _, line := range s.asked {
				if strings.HasPrefix(line, "POST") || strings.Contains(line, "delete") {
					t.Errorf("sent %s", line)
				}
			}
			after, err := b.Render(t.Context(), page("https://site.test/good", "<body><script src=/good.js></script>"), good)
			if err != nil || after.Partial || !strings.Contains(string(after.HTML), "good</body>") {
				t.Errorf("the page after it: %+v, %v", after, err)
			}
		})
	}
	const most = 22 // of an idle browser
	if n := len(processes(b)); n > most {
		t.Errorf("%d processes are left", n)
	}
}
