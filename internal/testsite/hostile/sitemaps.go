package hostile

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

const namespace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// urlset is a sitemap of these pages.
func urlset(urls ...string) string {
	return "<urlset " + namespace + "><url><loc>" + strings.Join(urls, "</loc></url><url><loc>") + "</loc></url></urlset>"
}

// index is a sitemap index of n children.
func index(n int, child func(i int) string) string {
	var b strings.Builder
	b.WriteString("<sitemapindex " + namespace + ">")
	for i := range n {
		b.WriteString("<sitemap><loc>" + child(i) + "</loc></sitemap>\n")
	}
	b.WriteString("</sitemapindex>")
	return b.String()
}

// sitemap makes a site whose robots.txt names /sitemap.xml, which has a behaviour,
// as has all below /maps/.
func sitemap(answer func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		switch {
		case x.path == "/robots.txt":
			x.reply(http.StatusOK, textType, "Sitemap: "+x.URL+"/sitemap.xml\n")
		case x.path == "/sitemap.xml" || strings.HasPrefix(x.path, "/maps/"):
			answer(x)
		default:
			x.ordinary()
		}
	}
}

// sitemapBehaviours attack by sitemaps and indexes. A program that only lists them
// has no limit of time; the deadlines are for that too.
var sitemapBehaviours = []Behaviour{
	{Name: "index-nested", Does: "nests 20,000 indexes of 20,000 sitemaps", Deadline: 6 * time.Minute,
		answer: sitemap(func(x *exchange) {
			n := x.pick(2_000, 20_000)
			switch {
			case x.path == "/sitemap.xml":
				x.reply(http.StatusOK, xmlType, index(n, func(i int) string { return fmt.Sprintf("%s/maps/index-%d", x.URL, i) }))
			case strings.HasPrefix(x.path, "/maps/index-"):
				x.reply(http.StatusOK, xmlType, index(n, func(i int) string {
					return fmt.Sprintf("%s/maps/%s-%d", x.URL,
						x.path[12:], i)
				}))
			default:
				x.reply(http.StatusOK, xmlType, urlset(x.URL+"/page-1"))
			}
		})},
	{Name: "index-tree", Does: "lists 20,000 indexes in every index", Deadline: time.Minute,
		answer: sitemap(func(x *exchange) {
			x.reply(http.StatusOK, xmlType, index(x.pick(2_000, 20_000), func(i int) string {
				return fmt.Sprintf("%s/maps%s-%d", x.URL, strings.TrimPrefix(x.path, "/maps"), i)
			}))
		})},
	{Name: "index-dead", Does: "lists 20,000 sitemaps that do not exist", Deadline: time.Minute,
		answer: sitemap(func(x *exchange) {
			if x.path == "/sitemap.xml" {
				x.reply(http.StatusOK, xmlType, index(x.pick(500, 20_000),
					func(i int) string { return fmt.Sprintf("%s/maps/%d", x.URL, i) }))
				return
			}
			x.reply(http.StatusNotFound, textType, "no")
		})},
	{Name: "index-self", Does: "lists itself 20,000 times", answer: sitemap(func(x *exchange) {
		x.reply(http.StatusOK, xmlType, index(x.pick(2_000, 20_000), func(int) string { return x.URL + "/sitemap.xml" }))
	})},
	{Name: "index-deep", Does: "nests one index in another without end", answer: sitemap(func(x *exchange) {
		x.reply(http.StatusOK, xmlType, index(1, func(int) string { return x.URL + "/maps/z" + x.path }))
	})},
	{Name: "index-cross", Does: "lists sitemaps that redirect to another host", hosts: true,
		answer: sitemap(func(x *exchange) {
			switch {
			case !strings.HasPrefix(x.host, "127.0.0.1:"):
				x.reply(http.StatusOK, xmlType, urlset(x.URL+"/page-1"))
			case x.path == "/sitemap.xml":
				x.reply(http.StatusOK, xmlType, index(200, func(i int) string { return fmt.Sprintf("%s/maps/%d", x.URL, i) }))
			default:
				x.reply(http.StatusFound, "Location: http://"+x.Server.host(1)+x.path+"\r\n", "")
			}
		})},
	{Name: "sitemap-hang", Does: "never sends the sitemap that robots.txt names", Deadline: time.Minute,
		answer: sitemap((*exchange).hang)},
	{Name: "sitemap-drip", Does: "sends the sitemap slowly", Deadline: 90 * time.Second,
		answer: sitemap(func(x *exchange) {
			x.raw("HTTP/1.1 200 OK\r\n" + xmlType + "Content-Length: 1000000\r\n\r\n<urlset " + namespace + ">")
			x.repeat(" ", tick)
		})},
	{Name: "sitemap-drip-urls", Does: "sends one URL of a sitemap every 20 ms, without end",
		Deadline: 90 * time.Second, answer: sitemap(func(x *exchange) {
			x.raw("HTTP/1.1 200 OK\r\n" + xmlType + "\r\n<urlset " + namespace + ">")
			x.repeat("<url><loc>"+x.URL+"/page-1</loc></url>", tick/5)
		})},
	{Name: "sitemap-bomb", Does: "compresses 64 MiB of sitemap", answer: sitemap(func(x *exchange) {
		x.send(http.StatusOK, "Content-Type: application/gzip\r\n", bomb(), bombSize)
	})},
	{Name: "sitemap-errors", Does: "has a fault in each of 200,000 entries", Deadline: time.Minute,
		answer: sitemap(func(x *exchange) {
			x.reply(http.StatusOK, xmlType, "<urlset "+namespace+">"+
				strings.Repeat("<url><loc>::error::owned</loc><lastmod>##vso[z]</lastmod></url>\n", x.pick(50_000,
					200_000))+"</urlset>")
		})},
	{Name: "sitemap-entities", Does: "nests XML entities", answer: sitemap(func(x *exchange) {
		var b strings.Builder
		b.WriteString("<!DOCTYPE z [<!ENTITY a0 \"zzzzzzzzzz\">")
		for i := range 12 {
			fmt.Fprintf(&b, "<!ENTITY a%d \"%s\">", i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
		}
		x.reply(http.StatusOK, xmlType, b.String()+"]><urlset "+namespace+"><url><loc>"+x.URL+"/&a12;</loc></url></urlset>")
	})},
	{Name: "sitemap-many", Does: "lists pages on 20,000 other hosts", hosts: true, answer: sitemap(func(x *exchange) {
		urls := make([]string, x.pick(5_000, 20_000))
		for i := range urls {
			urls[i] = fmt.Sprintf("http://127.9.%d.%d:%d/", i>>8, i&0xff, x.port)
		}
		x.reply(http.StatusOK, xmlType, urlset(urls...))
	})},
}
