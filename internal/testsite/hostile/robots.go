package hostile

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// filler is 500 KB of rules that are all different.
func filler(host string) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := 0; b.Len() < 500_000; i++ {
		fmt.Fprintf(&b, "Disallow: /%s/%d/%s\n", host, i, strings.Repeat("z", 40))
	}
	return b.String()
}

// robotsBehaviours attack by robots.txt, or by the number of hosts.
var robotsBehaviours = []Behaviour{
	{Name: "robots-hosts", Does: "links to 900 hosts with a robots.txt of 500 KB each", hosts: true,
		Deadline: 2 * time.Minute, answer: func(x *exchange) {
			switch {
			case x.path == "/robots.txt":
				x.reply(http.StatusOK, textType, filler(x.host))
			case x.path == "/" && strings.HasPrefix(x.host, "127.0.0.1:"):
				links := make([]string, x.pick(80, 900))
				for i := range links {
					links[i] = "http://" + x.Server.host(i+1) + "/page-1"
				}
				x.ordinary(links...)
			default:
				x.ordinary()
			}
		}},
	{Name: "robots-endless", Does: "sends a robots.txt without end", answer: at("/robots.txt", func(x *exchange) {
		x.inflated.Add(Kept)
		x.raw("HTTP/1.1 200 OK\r\n" + textType + "\r\n")
		x.repeat(strings.Repeat("Disallow: /zzzz\n", 1000), 0)
	})},
	{Name: "robots-wildcards", Does: "has 500 KB of rules that are slow to match", answer: func(x *exchange) {
		if x.path == "/robots.txt" {
			x.reply(http.StatusOK, textType, "User-agent: *\n"+strings.Repeat("Disallow: /*a*a*a*a*a*a*a*a*b\n", 16_000))
			return
		}
		if strings.HasPrefix(x.path, "/page-") {
			x.reply(http.StatusOK, htmlType, document(x.path, "/"))
			return
		}
		links := pages(x.pick(20, 200))
		for i := range links {
			links[i] += "?" + strings.Repeat("a", 1000)
		}
		x.ordinary(links...)
	}},
	{Name: "robots-delay", Does: "asks for an hour between two requests", answer: at("/robots.txt", func(x *exchange) {
		x.reply(http.StatusOK, textType, "User-agent: *\nCrawl-delay: 3600\n")
	})},
	{Name: "robots-loop", Does: "redirects robots.txt to itself", answer: at("/robots.txt", func(x *exchange) {
		x.reply(http.StatusFound, "Location: /robots.txt\r\n", "")
	})},
	{Name: "robots-sitemaps-same", Does: "names one sitemap in 30,000 lines of robots.txt",
		answer: sitemapLines(func(x *exchange, _ int) string { return x.URL + "/one.xml" })},
	{Name: "robots-sitemaps-query", Does: "names 30,000 sitemaps in robots.txt",
		answer: sitemapLines(func(x *exchange, i int) string { return fmt.Sprintf("%s/one.xml?%d", x.URL, i) })},
	{Name: "robots-sitemaps-other", Does: "names 30,000 sitemaps on a host whose robots.txt forbids everything",
		hosts: true,
		answer: func(x *exchange) {
			if strings.HasPrefix(x.host, "127.0.0.1:") {
				sitemapLines(func(x *exchange, i int) string {
					return fmt.Sprintf("http://%s/one.xml?%d", x.Server.host(1), i)
				})(x)
				return
			}
			if x.path == "/robots.txt" {
				x.reply(http.StatusOK, textType, "User-agent: *\nDisallow: /\n")
				return
			}
			x.reply(http.StatusOK, xmlType, urlset("http://"+x.host+"/page-1"))
		}},
	{Name: "robots-sitemaps-hosts", Does: "names one sitemap on each of 900 hosts", hosts: true,
		answer: func(x *exchange) {
			if strings.HasPrefix(x.host, "127.0.0.1:") {
				sitemapLines(func(x *exchange, i int) string {
					return fmt.Sprintf("http://%s/one.xml", x.Server.host(1+i%900))
				})(x)
				return
			}
			x.ordinary()
		}},
}

// sitemapLines makes a site whose robots.txt names 30,000 sitemaps. Each of them
// lists one page.
func sitemapLines(line func(x *exchange, i int) string) func(*exchange) {
	return func(x *exchange) {
		switch {
		case x.path == "/robots.txt":
			var b strings.Builder
			for i := range x.pick(5_000, 30_000) {
				fmt.Fprintf(&b, "Sitemap: %s\n", line(x, i))
			}
			x.reply(http.StatusOK, textType, b.String())
		case strings.HasPrefix(x.path, "/one.xml"):
			x.reply(http.StatusOK, xmlType, urlset(x.URL+"/page-1"))
		default:
			x.ordinary()
		}
	}
}
