package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl/render"
)

// A guardedSite has a private script, style sheet, text and document on each of its origins, which it sends only to
// those who may see them. Others get a refusal, and a page of another origin may read the answers.
type guardedSite struct{ *site }

func (s guardedSite) RoundTrip(r *http.Request) (*http.Response, error) {
	isPrivate := strings.HasPrefix(r.URL.Path, "/private")
	if isPrivate && !render.HasCredentials(r.Context()) {
		r.URL.Path = "/public" + strings.TrimPrefix(r.URL.Path, "/private")
	}
	return s.site.RoundTrip(r)
}

func newGuardedSite() guardedSite {
	return guardedSite{&site{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		secret := "public"
		if strings.HasPrefix(r.URL.Path, "/private") {
			secret = "secret"
		}
		switch _, kind, _ := strings.Cut(r.URL.Path, "."); {
		case r.URL.Path == "/to-site":
			http.Redirect(w, r, "https://site.test/private.txt", http.StatusFound)
		case r.URL.Path == "/to-other":
			http.Redirect(w, r, "https://other.test/to-site", http.StatusFound)
		case r.URL.Path == "/reads.html": // in a frame
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<script>addEventListener("message", () => {
				fetch("https://site.test/private.txt").then(r => r.text()).then(t => parent.postMessage(t, "*"));
				document.head.append(Object.assign(document.createElement("script"), {
					src: "https://site.test/private.js", onload: () => parent.postMessage(window.found, "*")}));
			}); parent.postMessage("ready", "*")</script>`)
		case kind == "js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "max-age=1000")
			fmt.Fprintf(w, "window.found = %q; document.documentElement.append(%q)", secret, secret)
		case kind == "css":
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprintf(w, "p::before { content: %q }", secret)
		case kind == "worker":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, "postMessage(%q)", secret)
		case kind == "html":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<script>parent.postMessage(%q, "*")</script>`, secret)
		default:
			fmt.Fprint(w, secret)
		}
	})}}
}

// TestCredentials sends what the user gives for an origin only from a page of that origin that no document of another
// origin has part in. No other page learns what it opens, by any kind of request.
func TestCredentials(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	const show = `<body><p>text<script>
		const show = (text) => document.body.append(" got " + text);
		addEventListener("message", (event) => { if (event.data !== "ready") show(event.data); });
	</script>`
	const all = `<script>fetch("https://site.test/private.txt").then(r => r.text()).then(t => show(t + " by fetch"))</script>
		<script>fetch("https://site.test/private.txt", {mode: "no-cors", credentials: "include"}).then(r => r.text()).then(show)</script>
		<script src=https://site.test/private.js></script><script>show(window.found + " by script")</script>
		<link rel=stylesheet href=https://site.test/private.css crossorigin>
		<script>onload = () => show([...document.styleSheets].map(s => s.cssRules[0].cssText).join() + " by style")</script>
		<script>try { new Worker("https://site.test/private.worker").onmessage = (e) => show(e.data + " by worker") } catch {}</script>
		<iframe src=https://site.test/private.html></iframe>
		<img src=https://site.test/private.png onload="show('image')">`
	for _, origin := range []string{
		"https://site.test", "http://site.test", "https://sub.site.test", "https://site.test:8443", "https://other.test",
	} {
		p := page(origin+"/page", show+all)
		p.HasCredentials = true
		r, err := b.Render(t.Context(), p, newGuardedSite())
		if err != nil {
			t.Errorf("%s: %v", origin, err)
			continue
		}
		_, got, _ := strings.Cut(string(r.HTML), "onload=") // after the markup
		for _, want := range []string{"secret by fetch", "secret by script", `"secret"`, "secret by worker", "got secret"} {
			if isOwn := origin == "https://site.test"; strings.Contains(got, want) != isOwn {
				t.Errorf("from %s, %q: %t\n%s", origin, want, !isOwn, got)
			}
		}
	}
	for name, text := range map[string]string{
		"redirect":          `<script>fetch("https://other.test/to-site").then(r => r.text()).then(show)</script>`,
		"redirects":         `<script>fetch("/to-other").then(r => r.text()).then(show)</script>`,
		"frame that reads":  `<iframe src=https://other.test/reads.html onload="this.contentWindow.postMessage(1, '*')"></iframe>`,
		"frame of its site": `<script src=/private.js></script><script>document.documentElement.lastChild.remove()</script><iframe src=https://sub.site.test/reads.html onload="this.contentWindow.postMessage(1, '*')"></iframe>`,
		"after a frame": `<iframe src=https://other.test/public.html></iframe>
			<script>onload = () => fetch("/private.txt").then(r => r.text()).then(show)</script>`,
		"frame without origin": `<iframe sandbox=allow-scripts srcdoc="<script>fetch('https://site.test/private.txt').then(r => r.text()).then(t => parent.postMessage(t, '*'))</script>"></iframe>`,
	} {
		s := newGuardedSite()
		p := page("https://site.test/page", show+text)
		p.HasCredentials = true
		r, err := b.Render(t.Context(), p, s)
		if err != nil || strings.Contains(string(r.HTML), "got secret") || !strings.Contains(string(r.HTML), "got public") {
			t.Errorf("%s: %v\n%s\n%q", name, err, r.HTML, s.asked)
		}
	}
}

// TestCredentialsStay sends them for a page next to a frame that is refused, and for the page after one that went
// without them.
func TestCredentialsStay(t *testing.T) {
	t.Parallel()
	b := startTest(t, Options{})
	s := refusingSite{newGuardedSite()}
	const show = `<body><p>text<script>const show = (text) => document.body.append(" got " + text)</script>`
	for _, test := range []struct{ text, want string }{
		{`<iframe src=https://elsewhere.test/film></iframe>
			<script>setTimeout(() => fetch("/private.txt").then(r => r.text()).then(show), 100)</script>`, "got secret"},
		{`<script>fetch("https://other.test/to-site").then(() => document.body.append(Object.assign(
			document.createElement("script"), {src: "/private.js", onload: () => show(found)})))</script>`, "got public"},
		{`<script src=/private.js></script><script>show(found)</script>`, "got secret"},
	} {
		p := page("https://site.test/page", show+test.text)
		p.HasCredentials = true
		r, err := b.Render(t.Context(), p, s)
		if err != nil || !strings.Contains(string(r.HTML), test.want) {
			t.Errorf("%s: %v\n%s", test.text, err, r.HTML)
		}
	}
}

// A refusingSite does not send the documents of frames of another site.
type refusingSite struct{ guardedSite }

func (s refusingSite) Admit(r *http.Request) error {
	if render.IsFrame(r.Context()) && r.URL.Hostname() == "elsewhere.test" {
		return &render.Refusal{Reason: "a frame of another site"}
	}
	return nil
}

// TestEnvironment gives the browser no variable that it does not need.
func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_SECRET_ACCESS_KEY": "secret", "PGPASSWORD": "secret", "MAPA_USER": "secret", "LC_TIME": "de_DE.UTF-8",
		"LANGUAGE_SERVER_TOKEN": "secret", "PATHS": "secret", "FONTCONFIG_PATH": "/etc/fonts",
	} {
		t.Setenv(name, value)
	}
	f := folder{path: "/folder"}
	all := strings.Join(f.environment(), "\n")
	if strings.Contains(all, "secret") {
		t.Error(all)
	}
	for _, want := range []string{"PATH=", "LC_TIME=de_DE.UTF-8", "FONTCONFIG_PATH=/etc/fonts", "HOME=/folder"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing in %s", want, all)
		}
	}
}
