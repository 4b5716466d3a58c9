package crawl

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/store"
)

// pages are the pages of a site by their paths.
type pages map[string]string

// edit replaces a text on all pages whose path begins with one.
func (p pages) edit(prefix, old, new string) {
	for path, text := range p {
		if strings.HasPrefix(path, prefix) {
			p[path] = strings.ReplaceAll(text, old, new)
		}
	}
}

// shop returns a site with an index, twelve products with a number as their last word, and parts that tests edit.
func shop() pages {
	p := pages{"/": htmlPage("Home", "<h1>Chairs and tables</h1><p>We make them of oak in our workshop.</p>", "")}
	for n := 1; n <= 12; n++ {
		body := fmt.Sprintf(`<h1>Chair %s</h1><p>A chair of %s oak. It costs %d euros.</p>
<img src="/chair-%d.jpg" alt="Chair"><p>Read <a href="/about">about us</a>.</p>`, word(n), word(n), 100+n, n)
		p[fmt.Sprintf("/p/%d", n)] = htmlPage("Chair "+word(n), body, "")
	}
	p["/about"] = htmlPage("About us", `<h1>About us</h1><p>Open from 9:00 to 17:00 on Monday. Call 912 345 678.</p>
<p>Concert on <time datetime="2027-05-01T20:00">1 May</time> in the hall.</p>`, "")
	return p
}

// word returns another word for each number.
func word(n int) string { return string([]byte{'k' + byte(n/5), 'a' + byte(n), 'r', 'o'}) }

// htmlPage returns an HTML page with links to all others.
func htmlPage(title, body, head string) string {
	links := `<a href="/">Home</a> <a href="/about">About</a>`
	for n := 1; n <= 12; n++ {
		links += fmt.Sprintf(` <a href="/p/%d">%d</a>`, n, n)
	}
	return "<!DOCTYPE html><html><head><title>" + title + " | Oak Shop</title>" + head + "</head><body><nav>" + links +
		"</nav><main>" + body + "</main><div><p>Written by the people of the oak shop.</p></div>" +
		"<footer>2026</footer></body></html>"
}

// dated gives each product a date in JSON-LD.
func dated(p pages) {
	for path := range p {
		script := `<script type="application/ld+json">{"@type":"Article","dateModified":"2026-03-01"}</script></head>`
		p[path] = strings.Replace(p[path], "</head>", script, 1)
	}
}

// withoutMain takes the main elements away.
func withoutMain(p pages) {
	p.edit("/", "<main>", "<div>")
	p.edit("/", "</main>", "</div>")
}

// all adds a text to the end of the main part of each page, given the page's path.
func all(p pages, text func(path string) string) {
	for path := range p {
		p[path] = strings.Replace(p[path], "</main>", text(path)+"</main>", 1)
	}
}

func constant(text string) func(string) string { return func(string) string { return text } }

// TestUpdates crawls a site, changes it, and crawls it again: as a folder, and over HTTP with and without the header
// Last-Modified. A page is updated if and only if its content is.
func TestUpdates(t *testing.T) {
	programtest.SkipShort(t, "it crawls some hundred sites")
	for name, test := range map[string]struct {
		before, after func(pages)
		updated       []string // paths
		date          string   // their lastmod; empty is that of the second crawl
		others        int      // pages that change and are not updated
	}{
		"price": {after: func(p pages) { p.edit("/p/3", "103 euros", "99 euros") }, updated: []string{"/p/3"}},
		"all prices": {after: func(p pages) {
			for n := 1; n <= 12; n++ {
				p.edit(fmt.Sprint("/p/", n), fmt.Sprint(100+n, " euros"), fmt.Sprint(100+n+n, " euros"))
			}
		}, updated: products()},
		"opening hours": {after: func(p pages) { p.edit("/about", "9:00", "10:00") }, updated: []string{"/about"}},
		"telephone": {after: func(p pages) { p.edit("/about", "912 345 678", "912 345 679") },
			updated: []string{"/about"}},
		"telephone in a link": {
			before:  func(p pages) { p.edit("/about", "Call 912 345 678", `<a href="tel:912345678">912 345 678</a>`) },
			after:   func(p pages) { p.edit("/about", "678", "679") },
			updated: []string{"/about"}},
		"price in a card": {
			before: func(p pages) {
				p.edit("/about", "</main>", `<div><a href="/p/1"><h4>Oak</h4><span>222 €</span></a></div></main>`)
			},
			after:   func(p pages) { p.edit("/about", "222", "199") },
			updated: []string{"/about"}},
		"event": {after: func(p pages) {
			p.edit("/about", `datetime="2027-05-01T20:00">1 May`, `datetime="2027-06-01T20:00">1 June`)
		},
			updated: []string{"/about"}},
		"event without datetime": {
			before:  func(p pages) { p.edit("/about", ` datetime="2027-05-01T20:00"`, "") },
			after:   func(p pages) { p.edit("/about", "<time>1 May", "<time>8 May") },
			updated: []string{"/about"}},
		"picture": {after: func(p pages) { p.edit("/p/3", "/chair-3.jpg", "/armchair.jpg") }, updated: []string{"/p/3"}},
		"picture without main": {before: withoutMain,
			after:   func(p pages) { p.edit("/p/3", "/chair-3.jpg", "/armchair.jpg") },
			updated: []string{"/p/3"}},
		"link": {after: func(p pages) { p.edit("/p/3", `Read <a href="/about">`, `Read <a href="/p/1">`) },
			updated: []string{"/p/3"}},
		"JSON-LD": {
			before:  func(p pages) { p.edit("/", "</head>", jsonLD(`"brand":"Oak"`)) },
			after:   func(p pages) { p.edit("/p/3", `"brand":"Oak"`, `"brand":"Beech"`) },
			updated: []string{"/p/3"}},
		"prices in JSON-LD": {
			before:  func(p pages) { p.edit("/p", "</head>", jsonLD(`"offers":{"price":"10"}`)) },
			after:   func(p pages) { p.edit("/p", `"price":"10"`, `"price":"12"`) },
			updated: products()},
		"title": {after: func(p pages) { p.edit("/p/3", "<title>Chair", "<title>Armchair") }, updated: []string{"/p/3"}},
		"description": {after: func(p pages) { p.edit("/p/3", "</head>", `<meta name=description content="New"></head>`) },
			updated: []string{"/p/3"}},
		"date forward": {before: dated, after: func(p pages) { p.edit("/p/3", "2026-03-01", "2026-04-20") },
			updated: []string{"/p/3"}, date: "2026-04-20"},
		"date back": {before: dated, after: func(p pages) { p.edit("/p/3", "2026-03-01", "2024-01-05") },
			updated: []string{"/p/3"}, date: "2024-01-05"},
		"price with its date": {before: dated, after: func(p pages) {
			p.edit("/p/3", "103 euros", "99 euros")
			p.edit("/p/3", "2026-03-01", "2026-04-20")
		}, updated: []string{"/p/3"}, date: "2026-04-20"},
		"text without its date": {before: dated, after: func(p pages) { p.edit("/p/3", "A chair of", "A nice chair of") },
			updated: []string{"/p/3"}},

		"footer": {after: func(p pages) { p.edit("/", "<footer>2026", "<footer>2027 Oak Ltd") }},
		"block at the end of the page": {before: withoutMain,
			after: func(p pages) { p.edit("/", "Written by the people of", "Made by all the people in") }, others: 14},
		"telephone on all pages": {
			before: func(p pages) { all(p, constant("<p>Call 913 000 001 at any time.</p>")) },
			after:  func(p pages) { p.edit("/", "913 000 001", "913 000 002") }, others: 14},
		"number alone on all pages": {
			before: func(p pages) { all(p, constant("<p>600 123 456</p>")) },
			after:  func(p pages) { p.edit("/", "600 123 456", "600 123 457") }, others: 14},
		"name of the site": {others: 14,
			after: func(p pages) { p.edit("/", " | Oak Shop</title>", " – The Oak Shop</title>") }},
		"visit counter": {
			before: func(p pages) { all(p, func(path string) string { return "<p>1,204 views</p><p>Visitas: 77</p>" }) },
			after: func(p pages) {
				p.edit("/", "1,204 views", "1,299 views")
				p.edit("/", "Visitas: 77", "Visitas: 1078")
			}},
		"relative date": {
			before: func(p pages) {
				all(p, constant("<p>Posted 3 days ago</p><p>Publicado hace 3 días</p><time>2 hours ago</time>"))
			},
			after: func(p pages) {
				p.edit("/p/3", "3 days ago", "5 days ago")
				p.edit("/p/3", "hace 3 días", "hace 5 días")
				p.edit("/p/3", "2 hours ago", "1 hour ago")
			}},
		"session token": {
			before: func(p pages) {
				all(p, constant(`<p>Session a8f5f167f44f4964e6c998dee827110c</p>
<a href="/about?sid=a8f5f167f44f4964e6c998dee827110c">x</a>`))
			},
			after: func(p pages) { p.edit("/p/3", "a8f5f167f44f4964e6c998dee827110c", "0b5f167f44f4964e6c998dee82711c2a") }},
		"signed picture": {
			before: func(p pages) { all(p, constant(`<img src="/a.jpg?Expires=1790000000&Signature=AbC1234dEf567gHi">`)) },
			after: func(p pages) {
				p.edit("/p/3", "1790000000&Signature=AbC1234dEf567gHi", "1790086400&Signature=Zyx9876wVu543tSr")
			}},
		"build stamp on 9 of 10": {
			before: func(p pages) {
				small(p)
				dated(p)
				p.edit("/about", "2026-03-01", "2025-01-01")
			},
			after: func(p pages) {
				p.edit("/p", "2026-03-01", "2026-04-20")
				p["/"] = strings.Replace(p["/"], "2026-03-01", "2026-04-20", 1)
			}},
		"build stamp on 5 of 5": {
			before: func(p pages) {
				small(p)
				p.edit("/p/1", "</head>", jsonLD(`"dateModified":"2026-03-01T10:00:00Z"`))
				p.edit("/p/2", "</head>", jsonLD(`"dateModified":"2026-03-01T10:00:00Z"`))
				p.edit("/p/3", "</head>", jsonLD(`"dateModified":"2026-03-01T10:00:00Z"`))
				p.edit("/p/4", "</head>", jsonLD(`"dateModified":"2026-03-01T10:00:00Z"`))
				p.edit("/p/5", "</head>", jsonLD(`"dateModified":"2026-03-01T10:00:00Z"`))
			},
			after: func(p pages) { p.edit("/p", "2026-03-01T10:00:00Z", "2026-04-20T11:00:00Z") }},
		"build stamp on a section": {
			before: func(p pages) {
				dated(p)
				p.edit("/about", "2026-03-01", "2025-01-01")
			},
			after: func(p pages) { p.edit("/p", "2026-03-01", "2026-04-20") }},
		"build stamp of now": {before: dated,
			after: func(p pages) { p.edit("/", "2026-03-01", time.Now().UTC().Format(time.RFC3339)) }},
		"date without its time": {
			before: func(p pages) { p.edit("/p", "</head>", jsonLD(`"dateModified":"2026-03-01T10:00:00+01:00"`)) },
			after:  func(p pages) { p.edit("/p/3", "2026-03-01T10:00:00+01:00", "2026-03-01") }},
		"affiliate id": {
			before: func(p pages) { all(p, constant(`<a href="https://partner.example/x?aff=1">Partner</a>`)) },
			after:  func(p pages) { p.edit("/p/3", "aff=1", "aff=2") }},
		"latest posts": {
			before: func(p pages) {
				withoutMain(p)
				p.edit("/", "<div><p>Written", `<ul><li><a href="/p/4">Latest: Chair four</a></li>
<li><a href="/p/5">Latest: Chair five</a></li></ul><div><p>Written`)
			},
			after: func(p pages) {
				p.edit("/", `<li><a href="/p/5">Latest: Chair five</a></li>`, "")
				p.edit("/", `<ul><li>`, `<ul><li><a href="/p/6">Latest: Chair six</a></li><li>`)
			}, others: 14},
		"related in another order": {
			before: func(p pages) { all(p, constant(related(1, 2, 3))) },
			after:  func(p pages) { p.edit("/p/5", related(1, 2, 3), related(3, 1, 2)) }},
		"other related pages under a dated one": {
			before: func(p pages) {
				dated(p)
				all(p, constant(`<ul><li><a href="/p/1">The first chair</a></li></ul>`))
			},
			after: func(p pages) { p.edit("/p/5", `"/p/1">The first chair`, `"/p/2">The second chair`) }, others: 1},
		"hashed names": {
			before: func(p pages) {
				all(p, constant(`<img src="/logo.3f9a2b1c.png"><img src="/assets/hero-BfU7Lk3q.webp">`))
			},
			after: func(p pages) {
				p.edit("/p/3", "3f9a2b1c", "90aabb12")
				p.edit("/p/3", "BfU7Lk3q", "Zx81mNp0")
			}},
		"priceValidUntil": {
			before: func(p pages) {
				p.edit("/p", "</head>", jsonLD(`"offers":{"price":"10","priceValidUntil":"2026-12-01"}`))
			},
			after: func(p pages) { p.edit("/p/3", "2026-12-01", "2026-12-08") }},
	} {
		t.Run(name, func(t *testing.T) {
			site := shop()
			if test.before != nil {
				test.before(site)
			}
			changed := maps.Clone(site)
			test.after(changed)
			if maps.Equal(site, changed) {
				t.Fatal("nothing was changed")
			}
			modes := []string{"folder", "header", "plain"}
			if test.updated == nil {
				modes = modes[:2] // without the header, less can move a date
			}
			for _, mode := range modes {
				t.Run(mode, func(t *testing.T) {
					t.Parallel()
					old, now, result := crawlTwice(t, site, changed, mode)
					checkUpdates(t, old, now, test.updated, test.date)
					checkChanges(t, result, len(test.updated), test.others)
				})
			}
		})
	}
}

// small leaves eight products.
func small(p pages) {
	for n := 9; n <= 12; n++ {
		delete(p, fmt.Sprint("/p/", n))
	}
}

func products() (paths []string) {
	for n := 1; n <= 12; n++ {
		paths = append(paths, fmt.Sprint("/p/", n))
	}
	return paths
}

func jsonLD(properties string) string {
	return `<script type="application/ld+json">{"@type":"Product",` + properties + `}</script></head>`
}

func related(numbers ...int) (list string) {
	for _, n := range numbers {
		list += fmt.Sprintf(`<h3><a href="/p/%d">The chair %s of oak</a></h3><p>A short text about the %s chair.</p>`,
			n, word(n), word(n))
	}
	return list
}

// crawlTwice crawls two states of a site, and returns the dates of its pages in both, by path.
func crawlTwice(t *testing.T, before, after pages, mode string) (old, now map[string]string, result *Result) {
	t.Helper()
	var current atomic.Pointer[pages]
	start, settings := "", NewSettings()
	settings.Output, settings.Access.Rate = filepath.Join(t.TempDir(), "crawl"), access.PerSecond(0)
	long := time.Now().Add(-1000 * time.Hour)
	if mode == "folder" {
		start = filepath.Join(t.TempDir(), "public") + "/"
		settings.BaseURL = "https://shop.example/"
	} else {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, found := (*current.Load())[r.URL.Path]
			if !found {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if modified := long; mode == "header" {
				if text != before[r.URL.Path] {
					modified = time.Now()
				}
				w.Header().Set("Last-Modified", modified.UTC().Format(http.TimeFormat))
			}
			fmt.Fprint(w, text)
		}))
		t.Cleanup(server.Close)
		start = server.URL + "/"
	}
	run := func(site pages, changed pages) (*Result, map[string]string) {
		current.Store(&site)
		if mode == "folder" {
			writeSite(t, start, site, changed, long)
		}
		result, err := Run(t.Context(), &app.App{}, start, settings)
		if err != nil {
			t.Fatal(err)
		}
		return result, datesOf(t, settings.Output)
	}
	_, old = run(before, nil)
	result, now = run(after, before)
	return old, now, result
}

// writeSite writes the pages that differ from earlier ones to a folder.
func writeSite(t *testing.T, folder string, site, earlier pages, long time.Time) {
	t.Helper()
	for path, text := range site {
		if earlier != nil && earlier[path] == text {
			continue
		}
		name := filepath.Join(folder, path, "index.html")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if earlier == nil {
			if err := os.Chtimes(name, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// datesOf returns the dates of the pages that a crawl lists, by path.
func datesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	file, err := store.OpenReader(filepath.Join(folder, "crawl.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dates := map[string]string{}
	for page, err := range file.Listed(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		_, path, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(page.Link.URL, "https://"), "http://"), "/")
		dates["/"+strings.TrimSuffix(path, "/")] = page.Page.LastMod.String()
	}
	return dates
}

// checkUpdates checks which pages are updated, and their dates.
func checkUpdates(t *testing.T, old, now map[string]string, updated []string, date string) {
	t.Helper()
	var moved []string
	for path, lastMod := range now {
		if lastMod != old[path] {
			moved = append(moved, path)
			if date != "" && lastMod != date || date == "" && lastMod < time.Now().UTC().Add(-time.Hour).Format(time.RFC3339) {
				t.Errorf("%s: lastmod %q, before %q, want %q", path, lastMod, old[path], date)
			}
		}
	}
	slices.Sort(moved)
	if updated = slices.Sorted(slices.Values(updated)); !slices.Equal(moved, updated) { // other tests have it too
		t.Errorf("moved: %v, want %v", moved, updated)
	}
}

// checkChanges compares the pages that changed with those of the counts and of the list of changes, in which pages that
// changed alike are one.
func checkChanges(t *testing.T, result *Result, updated, others int) {
	t.Helper()
	counts := result.Changes
	if counts == nil || counts.Updated != updated || counts.Changed != updated+others || counts.Total() != counts.Changed {
		t.Errorf("changes %+v, want %d updated, %d others", counts, updated, others)
	}
	every := func(*compare.Change) bool { return true }
	changes, err := FirstChanges(t.Context(), result.Details.Folder, updated+others+1, every)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[bool]int{}
	for _, change := range changes[compare.KindChanged] {
		pages[change.Updated] += max(change.Pages, 1)
	}
	if pages[true] != updated || pages[false] != others || len(changes[compare.KindChanged]) > max(5, updated) {
		t.Errorf("%v changes, want %d updated, %d others: %+v", pages, updated, others, changes)
	}
}
