// Command colly crawls a site with github.com/gocolly/colly the way its manual
// shows for large sites: with a queue and 64 consumers. It prints how many pages
// and broken links it found.
package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/queue"
)

const atOnce = 64

func main() {
	if err := crawl(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "colly:", err)
		os.Exit(1)
	}
}

func crawl(start string) error {
	home, err := url.Parse(start)
	if err != nil {
		return err
	}
	q, err := queue.New(atOnce, &queue.InMemoryQueueStorage{MaxSize: 1 << 30})
	if err != nil {
		return err
	}
	c := colly.NewCollector(colly.AllowedDomains(home.Hostname()))
	c.IgnoreRobotsTxt = false
	c.WithTransport(&http.Transport{MaxIdleConnsPerHost: atOnce})
	var pages, dead atomic.Int64
	c.OnResponse(func(*colly.Response) { pages.Add(1) })
	c.OnError(func(r *colly.Response, _ error) {
		if r.StatusCode == http.StatusNotFound {
			dead.Add(1)
		}
	})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		// Colly takes an address with another fragment for another address.
		address, _, _ := strings.Cut(e.Request.AbsoluteURL(e.Attr("href")), "#")
		if visited, err := c.HasVisited(address); address != "" && err == nil && !visited {
			// An address that colly cannot parse is not a page.
			_ = q.AddURL(address)
		}
	})
	if err := q.AddURL(start); err != nil {
		return err
	}
	if err := q.Run(c); err != nil {
		return err
	}
	fmt.Println(pages.Load(), "pages,", dead.Load(), "dead")
	return nil
}
