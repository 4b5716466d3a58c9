package browser

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// appSite is an application whose pages differ in their data alone.
func appSite() http.Handler {
	var script strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&script, "function f%d(a,b){const x={a,b,c:[a,b,%d]};return x.c.map(y=>y*2).join('-')+'text of function';}\n", i, i)
	}
	script.WriteString(`fetch('/api'+location.pathname).then(r=>r.json()).then(d=>{
		const root=document.getElementById('root');
		for(let i=0;i<1500;i++) globalThis['f'+i](1,2);
		const h=document.createElement('h1');h.textContent=d.title;root.append(h);
		for(const w of d.words){const p=document.createElement('p');p.textContent=w;root.append(p)}
		for(const l of d.links){const a=document.createElement('a');a.href=l;a.textContent=l;root.append(a)}
		document.title=d.title;});`)
	mux := http.NewServeMux()
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, script.String())
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"title":"Page %s","words":[`, r.URL.Path)
		for i := range 30 {
			fmt.Fprintf(w, `"ten words of a paragraph that the page number %d has",`, i)
		}
		fmt.Fprint(w, `"end"],"links":[`)
		for i := range 10 {
			fmt.Fprintf(w, `"/p/%d",`, i)
		}
		fmt.Fprint(w, `"/end"]}`)
	})
	return mux
}

const appPage = `<body><div id=root></div><script src=/app.js></script>`

// BenchmarkRender renders pages of an application, with a script of 150 kB and one fetch, and reports
// what the processes of the browser need.
func BenchmarkRender(b *testing.B) {
	s := &site{Handler: appSite()}
	browser := startTest(b, Options{})
	before := cpu(browser)
	const pagesAtOnce = 8 // as in a crawl
	pages := make(chan int)
	var all sync.WaitGroup
	b.ResetTimer()
	for range pagesAtOnce {
		all.Go(func() {
			for i := range pages {
				r, err := browser.Render(b.Context(), page(fmt.Sprintf("https://site.test/p/%d", i), appPage), s)
				if err != nil || r.Partial || len(r.Failures) > 0 || strings.Count(string(r.HTML), "<a href") != 11 {
					b.Errorf("%+v, %v", r, err)
				}
			}
		})
	}
	for i := range b.N {
		pages <- i
	}
	close(pages)
	all.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric((cpu(browser)-before)/float64(b.N), "cpu-s/page")
	b.ReportMetric(float64(memory(browser)), "MB")
}

// cpu returns how many seconds of a processor the processes of a browser needed.
func cpu(b *Browser) (sum float64) {
	for _, pid := range processes(b) {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		_, rest, _ := strings.Cut(string(stat), ") ")
		f := strings.Fields(rest)
		if len(f) < 15 {
			continue // it ended
		}
		for _, i := range []int{11, 12, 13, 14} {
			var n float64
			fmt.Sscan(f[i], &n)
			sum += n / 100
		}
	}
	return sum
}

// memory returns how many megabytes the processes of a browser have, with their part of what they
// share.
func memory(b *Browser) (sum int) {
	for _, pid := range processes(b) {
		text, _ := os.ReadFile("/proc/" + pid + "/smaps_rollup")
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				var kilobytes int
				_, _ = fmt.Sscan(rest, &kilobytes)
				sum += kilobytes >> 10
			}
		}
	}
	return sum
}
