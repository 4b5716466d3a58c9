package hostile

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// to makes a site whose page /odd redirects to a location.
func to(location string) func(*exchange) {
	return odd(func(x *exchange) { x.reply(http.StatusMovedPermanently, "Location: "+location+"\r\n", "") })
}

// redirectBehaviours lead a client astray.
var redirectBehaviours = []Behaviour{
	{Name: "redirect-script", Does: "redirects to javascript:", answer: to("javascript:alert(1)")},
	{Name: "redirect-file", Does: "redirects to file:", answer: to("file:///etc/passwd")},
	{Name: "redirect-data", Does: "redirects to data:", answer: to("data:text/html,<script>alert(1)</script>")},
	{Name: "redirect-empty", Does: "redirects nowhere", answer: to("")},
	{Name: "redirect-control", Does: "redirects to a URL of control characters",
		answer: to("http://\x1b[2J\x07\xe2\x80\xae.example/\xc2\x9b")},
	{Name: "redirect-long", Does: "redirects to a URL of 200 KB", answer: to("/" + strings.Repeat("z", 200_000))},
	{Name: "redirect-loop", Does: "redirects to itself", answer: to("/odd")},
	{Name: "redirect-endless", Does: "redirects every page to another", answer: func(x *exchange) {
		if rest, found := strings.CutPrefix(x.path, "/moved-"); found {
			n, _ := strconv.Atoi(rest)
			x.reply(http.StatusFound, fmt.Sprintf("Location: /moved-%d\r\n", n+1), "")
			return
		}
		x.ordinary("/page-1", "/moved-1")
	}},
	{Name: "redirect-forbidden", Does: "redirects images and links to a host whose robots.txt forbids everything",
		hosts: true,
		answer: func(x *exchange) {
			switch {
			case !strings.HasPrefix(x.host, "127.0.0.1:") && x.path == "/robots.txt":
				x.reply(http.StatusOK, textType, "User-agent: *\nDisallow: /\n")
			case !strings.HasPrefix(x.host, "127.0.0.1:"):
				x.reply(http.StatusOK, htmlType, document("forbidden"))
			case strings.HasPrefix(x.path, "/image-") || strings.HasPrefix(x.path, "/away-"):
				x.reply(http.StatusFound, "Location: http://"+x.Server.host(1)+x.path+"\r\n", "")
			case x.path == "/":
				x.reply(http.StatusOK, htmlType, document("home", "/page-1", "/away-1", "/away-2")+
					"<img src=/image-1.png><img src=/image-2.png>")
			default:
				x.ordinary()
			}
		}},
	{Name: "hosts-long", Does: "links and redirects to host names that are too long", answer: func(x *exchange) {
		host := "http://" + strings.Repeat("zzzzzzzzz.", 2000) + "example/"
		if x.path == "/odd" {
			x.reply(http.StatusFound, "Location: "+host+"\r\n", "")
			return
		}
		x.ordinary("/odd", "/page-1", host, "http://"+strings.Repeat("z", 70)+".example/",
			"http://"+strings.Repeat("z.", 130)+"example/")
	}},
}
