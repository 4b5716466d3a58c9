package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/programtest"
)

// spanishPages are the pages of a site with many things to fix, by their paths. All words of
// the site are Spanish, so that an English one is of Mapa.
var spanishPages = map[string]string{
	"/": `<title>Jardinería</title><meta name=description content="Todo para el jardín"><h1>Jardinería</h1>
		<p>Herramientas y plantas para su huerto. <a href=/tienda/>Tienda</a> <a href=/contacto#mapa>Contacto</a>
		<a href=/antigua>Ofertas</a> <a href=/rota>Catálogo</a> <a href=/privado/>Clientes</a> <a href=/borrador>Novedades</a>
		<a href=/copia>Macetas</a> <a href=/fallo>Semillas</a> <a href=/bucle>Bulbos</a> <a href=/manual.pdf>Manual</a>
		<a href=/cer%C3%A1mica>Cerámica</a> <a href="/calendario?m=1&PHPSESSID=1234567890abcdef">Calendario</a>
		<a href=http://127.0.0.1:1/>Socios</a> <a href=/prohibida>Socias</a> <img src=/foto.png>`,
	"/tienda/": `<title>Macetas</title><h1>Macetas</h1><h1>Otras</h1><p>Barro y hierro. <a href=/>Inicio</a>
		<a href=/cadena>Palas</a> <a href=/tienda>Tienda</a>`,
	"/contacto": `<title>Macetas</title><p>Calle Mayor. <a href=/>aquí</a>
		<script type=application/ld+json>{"a":</script>`,
	"/borrador": `<meta name=robots content=noindex><title>Borrador</title><p>Sin acabar.`,
	"/copia":    `<link rel=canonical href=/tienda/><title>Macetas</title><p>Barro y hierro.`,
	"/cerámica": `<link rel=alternate hreflang=xx-yy href=/rota><title></title><p>Platos.
		<a href=/muy/honda/y/lejos/casa>Casa</a>`,
	"/calendario":             `<title>Calendario</title><p>Enero y febrero. <a href="/calendario?m=2">Febrero</a>`,
	"/muy/honda/y/lejos/casa": `<title>Casa</title><meta http-equiv=refresh content="0; url=/tienda/"><p>Lejos.`,
}

// spanishSite serves the Spanish pages. A page of it waits until the test has ended, where it
// is slow.
func spanishSite(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := spanishPages[r.URL.Path]
		switch path := r.URL.Path; {
		case known:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><html lang=es>", body)
		case path == "/antigua":
			http.Redirect(w, r, "/contacto", http.StatusMovedPermanently)
		case path == "/cadena":
			http.Redirect(w, r, "/antigua", http.StatusFound)
		case path == "/bucle":
			http.Redirect(w, r, "/bucle", http.StatusFound)
		case path == "/fallo":
			w.WriteHeader(http.StatusInternalServerError)
		case path == "/prohibida":
			w.WriteHeader(http.StatusForbidden)
		case path == "/manual.pdf":
			w.Header().Set("Content-Type", "application/pdf")
		case path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /privado/\nCrawl-delay: 0\n")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

var (
	word = regexp.MustCompile(`\p{L}[\p{L}'’]+`)
	// names are addresses, names of files and hosts, lines of robots.txt, the names that HTTP gives
	// to statuses, the version, and the keys of the texts for the script.
	names = regexp.MustCompile(`(https?://|www\.|/)\S*|\S+@\S+|[\w-]+\.(xml|html|txt|csv|pdf|png|css|jsonl?|sqlite|zip|test|` +
		`invalid)\b|(?i:user-agent|disallow|crawl-delay):|[1-5]\d\d [A-Z][a-z]+( [A-Z][a-z]+)*|Mapa test|` +
		`"state":"\w+"|"\w+":`)
)

// englishWords returns the words that only the English texts have.
func englishWords() map[string]bool {
	words := map[string]bool{}
	for _, l := range catalog.Languages() { // English is the first
		for _, text := range catalog.For(l).WithPrefix("") {
			for _, w := range word.FindAllString(names.ReplaceAllString(text, " "), -1) {
				if w = strings.ToLower(w); l == catalog.English {
					words[w] = true
				} else {
					delete(words, w)
				}
			}
		}
	}
	return words
}

// unread are the elements whose texts are not in the language of a page.
var unread = []string{"code", "style", "script", "textarea", "datalist"}

// spoken are the attributes of elements that people read or hear.
var spoken = []string{"aria-label", "title", "placeholder", "alt", "data-name", "data-texts"}

// zoned is a time with its zone, which a script shows in that of the browser where it is marked.
var zoned = regexp.MustCompile(`\d\d:\d\d [A-Z]{3,4}\b`)

// textsOf adds the texts of an element that people read, and the addresses that it links to.
// Code, and what is marked as of another language, is not read.
func textsOf(n *html.Node, texts, links *[]string) {
	if n.Type == html.TextNode {
		*texts = append(*texts, n.Data)
		hasZone := zoned.MatchString(n.Data) && !strings.Contains(n.Data, "zona horaria del servidor")
		if hasZone && n.Parent.Data != "time" && n.Parent.Data != "title" {
			*texts = append(*texts, "a time of the server only: "+n.Data)
		}
	}
	if n.Type == html.ElementNode && slices.Contains(unread, n.Data) {
		return
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "lang" && a.Val != "es":
			return
		case n.Data == "a" && a.Key == "href" && !slices.ContainsFunc(n.Attr, isDownload):
			*links = append(*links, a.Val)
		case slices.Contains(spoken, a.Key):
			*texts = append(*texts, a.Val)
		}
	}
	for child := range n.ChildNodes() {
		textsOf(child, texts, links)
	}
}

func isDownload(a html.Attribute) bool { return a.Key == "download" }

// A reader reads pages in Spanish.
type reader struct {
	*site
	english map[string]bool
	header  []string // of the requests
	seen    map[string]bool
}

func newReader(s *site, header ...string) *reader {
	return &reader{s, englishWords(), append([]string{"Accept-Language", "es"}, header...), map[string]bool{}}
}

// read asks for a page, reports its English texts, and returns its links.
func (r *reader) read(method, path, body string, header ...string) (links []string) {
	r.t.Helper()
	answer, page := r.do(method, path, body, append(slices.Clone(header), r.header...)...)
	if location := answer.Header.Get("Location"); location != "" {
		return []string{location}
	}
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		r.t.Fatal(err)
	}
	var texts []string
	textsOf(root, &texts, &links)
	for _, text := range texts {
		if strings.Contains(text, "%C3") {
			r.t.Errorf("%s %s shows an address with escapes: %s", method, path, strings.TrimSpace(text))
		}
		for _, w := range word.FindAllString(names.ReplaceAllString(text, " "), -1) {
			if r.english[strings.ToLower(w)] && !r.seen[text] {
				r.seen[text] = true
				r.t.Errorf("%s %s (%d) is in English at %q: %s", method, path, answer.StatusCode, w, strings.TrimSpace(text))
			}
		}
	}
	return links
}

// post sends a form. It returns the address that it leads to, or the links of the page.
func (r *reader) post(path string, pairs ...string) []string {
	r.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return r.read("POST", path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

// walk reads all pages that links from a page lead to, at most a number of them.
func (r *reader) walk(start string, most int) (read int) {
	r.t.Helper()
	waiting, known := []string{start}, map[string]bool{start: true}
	for ; len(waiting) > 0 && read < most; read++ {
		next := waiting[0]
		waiting = waiting[1:]
		for _, link := range r.read("GET", next, "") {
			if link, _, _ = strings.Cut(link, "#"); strings.HasPrefix(link, "/") && !known[link] {
				known[link] = true
				waiting = append(waiting, link)
			}
		}
	}
	return read
}

// TestSpanish reads every page in Spanish, and finds no word that only English texts have.
func TestSpanish(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	r := newReader(s)
	r.walk("/", 50) // without crawls
	site := spanishSite(t)
	first := s.crawl(`{"url":"` + site + `","options":{"max-pages":"4"}}`)["id"].(string)
	crawl := s.crawl(`{"url":"` + site + `","options":{"external":"true","assets":"true"}}`)["id"].(string)
	upload := s.crawl(`{"url":"` + site + `","options":{"base-url":"https://www.example.com/"}}`)["id"].(string)
	r.read("GET", "/crawls/"+upload, "")
	if _, err := s.service.PutSchedule(t.Context(), service.Schedule{URL: site, Every: 36 * time.Hour}); err != nil {
		t.Fatal(err)
	}
	if read := r.walk("/crawls/"+crawl, 400); read < 50 {
		t.Errorf("only %d pages were read", read)
	}
	r.walk("/compare?old="+first+"&new="+crawl, 20)
	for _, path := range []string{
		"/nada", "/crawls/nada", "/crawls/" + crawl + "/pages/999", "/crawls/" + crawl + "/pages?status=x",
		"/crawls/" + crawl + "/findings?rule=x", "/tools/why?url=" + site + "/nada", "/tools/why?url=x:y",
		"/compare?old=x&new=y", "/schedules/nada", "/sites/nada",
	} {
		r.read("GET", path, "")
	}
}

// TestSpanishStates reads the pages of crawls that run, wait and fail.
func TestSpanishStates(t *testing.T) {
	t.Parallel()
	programtest.SkipShort(t, "it crawls sites that fail, which takes retries")
	s := newSite(t, nil)
	r := newReader(s)
	answering := func(status int, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" && status != http.StatusServiceUnavailable {
				fmt.Fprint(w, body)
				return
			}
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	noindex := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Robots-Tag", "noindex")
		fmt.Fprint(w, "<title>Nada</title><p>Nada")
	}))
	t.Cleanup(noindex.Close)
	for _, address := range []string{
		gone.URL, strings.Replace(gone.URL, "http", "https", 1),
		noindex.URL, strings.Replace(noindex.URL, "http", "https", 1),
		"no-host.invalid", answering(200, "User-agent: *\nDisallow: /\n"), answering(401, ""), answering(403, ""),
		answering(404, ""), answering(429, ""), answering(500, ""), answering(503, ""),
	} {
		crawl := r.post("/crawls", "url", address)[0]
		s.wait("/api/v1" + crawl)
		r.walk(crawl, 30)
	}
	slow := slowSite(t)
	running := r.post("/crawls", "url", slow)[0]
	waiting := r.post("/crawls", "url", slow+"/otra")[0]
	for _, path := range []string{running, waiting} {
		r.read("GET", path, "")
		r.post(path + "/pause")
		r.read("GET", path, "")
		r.post(path + "/pause")
		r.post(path + "/resume")
		r.read("GET", path, "")
		r.post(path + "/stop")
		s.wait("/api/v1" + path)
		r.read("GET", path, "")
		r.post(path + "/pause")
	}
}

// TestSpanishForms reads the pages with forms after something wrong, and after a result.
func TestSpanishForms(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	r := newReader(s)
	site := spanishSite(t)
	for _, form := range [][]string{
		{"/crawls", "url", "ftp://x"},
		{"/crawls", "url", ""},
		{"/crawls", "url", "una cosa"},
		{"/crawls", "url", "u:p@x.test"},
		{"/crawls", "url", site, "max-pages", "x"},
		{"/crawls", "url", site, "max-depth", "-1"},
		{"/crawls", "url", site, "include", strings.Repeat("a*", 30_000)},
		{"/schedules", "url", "x:y", "every", "24h"},
		{"/schedules", "url", site, "every", "x"},
		{"/schedules", "url", site, "cron", "x"},
		{"/schedules", "url", site, "every", "24h", "jitter", "x"},
		{"/schedules", "url", site, "every", "24h", "publish", "x"},
		{"/schedules", "url", site, "every", "24h", "email", "x"},
		{"/schedules", "url", site, "every", "24h", "webhook", "x"},
		{"/schedules", "url", site, "every", "24h", "max-pages", "x"},
		{"/schedules", "url", site, "every", "24h", "announce", "x"},
		{"/schedules", "url", site, "every", "24h", "publish-url", "x"},
		{"/tools/robots", "url", site + "/privado/x"},
		{"/tools/robots", "url", site + "/x", "agent", "Googlebot"},
		{"/tools/robots", "url", "/x", "text", "User-agent: otro\nDisallow: /"},
		{"/tools/robots", "url", site + "/robots.txt"},
		{"/tools/robots", "url", "no-host.invalid"},
		{"/tools/robots", "url", "x:y"},
		{"/tools/robots", "url", "/x", "text", ""},
		{"/tools/robots", "url", "/x", "agent", "ñ", "text", "User-agent: *"},
		{"/tools/robots", "url", "/x", "text", strings.Repeat("a\n", 600)},
		{"/language", "language", "x"},
		{"/crawls", "url", site, "like", "nada"},
		{"/schedules/nada/delete"},
	} {
		r.post(form[0], form[1:]...)
	}
	lint := func(name, value string) {
		r.read("POST", "/tools/lint", "--b\r\nContent-Disposition: form-data; name=\""+name+"\"\r\n\r\n"+value+"\r\n--b--\r\n",
			"Content-Type", "multipart/form-data; boundary=b")
	}
	lint("url", "")
	lint("url", "x:y")
	lint("url", "no-host.invalid")
	lint("url", site+"/tienda/")
	lint("url", site+"/nada.xml")
	for _, file := range []string{
		"", "no", "<urlset", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>x</loc><lastmod>ayer</lastmod>
		<priority>7</priority><changefreq>nunca</changefreq></url><url></url><url><loc>` + site + `/a b</loc></url></urlset>`,
	} {
		lint("file\"; filename=\"mapa.xml", file)
	}
}

// TestSpanishStrangers reads the pages of a server with a password, and of one for strangers.
func TestSpanishStrangers(t *testing.T) {
	t.Parallel()
	s := newSite(t, withLogin)
	r := newReader(s, "Origin", ownOrigin)
	for _, path := range []string{"/login", "/about", "/nada", "/sites"} {
		r.read("GET", path, "")
	}
	for range s.logins.most + 1 {
		r.post("/login", "password", "x")
	}
	newReader(s, bearer(readToken)...).post("/crawls", "url", "x.test")
	r = newReader(s, "Origin", otherWorld)
	r.post("/login", "password", "x")
	r = newReader(s)
	r.read("GET", "/", "", "Host", "otro.test")

	s = newSite(t, public)
	r = newReader(s, "Origin", ownOrigin)
	r.walk("/", 30)
	r.post("/owner", "url", "127.0.0.1")
	r.post("/owner", "url", "x:y")
	r.read("GET", "/owner?url=www.ejemplo.test", "")
	for _, link := range r.post("/crawls", "url", "127.0.0.1") {
		s.wait("/api/v1" + link)
		r.walk(link, 10)
	}
}
