package robots_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/mapatools/mapa/robots"
)

const shop = `# no bots in the cellar
User-agent: *
Disallow: /cellar/
Allow: /cellar/wine
Crawl-delay: 2
Sitemap: https://shop.example/sitemap.xml
Sitemap: /news.xml
`

func Example() {
	file, err := robots.Parse(strings.NewReader(shop))
	if err != nil {
		log.Fatal(err)
	}
	group := file.Group("Mapa")
	fmt.Println(group.Verdict("https://shop.example/cellar/coal?page=2"))
	fmt.Println(group.Verdict("https://shop.example/cellar/wine"))
	fmt.Println(group.Verdict("https://shop.example/"))
	fmt.Println(group.CrawlDelay())
	// Output:
	// disallowed by line 3: Disallow: /cellar/
	// allowed by line 4: Allow: /cellar/wine
	// allowed: no rule matches
	// 2s true
}

func ExampleFromResponse() {
	missing := robots.FromResponse(404, strings.NewReader("no such page"))
	fmt.Println(missing.Group("Mapa").Verdict("/"))
	failing := robots.FromResponse(503, strings.NewReader("out of order"))
	fmt.Println(failing.Group("Mapa").Verdict("/"))
	silent := robots.Unreachable(errors.New("no such host"))
	fmt.Println(silent.Group("Mapa").Verdict("/"))
	// Output:
	// allowed: robots.txt answered 404
	// disallowed: robots.txt answered 503
	// disallowed: robots.txt is unreachable: no such host
}

func ExampleFile_Sitemaps() {
	file, err := robots.Parse(strings.NewReader(shop))
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range file.Sitemaps() {
		fmt.Println(line.Number, line.Value)
	}
	// Output:
	// 6 https://shop.example/sitemap.xml
	// 7 /news.xml
}

func ExampleFile_Lines() {
	file, err := robots.Parse(strings.NewReader("Useragent: *\nDissallow /private\nNoindex: /\n"))
	if err != nil {
		log.Fatal(err)
	}
	for line := range file.Lines() {
		if line.Kind == robots.KindUnknown {
			fmt.Printf("line %d has no effect: %s\n", line.Number, line.Text)
		} else if !strings.EqualFold(line.Key, line.Kind.String()) {
			fmt.Printf("line %d: %s should be %s\n", line.Number, line.Key, line.Kind)
		}
	}
	// Output:
	// line 1: Useragent should be User-agent
	// line 2: Dissallow should be Disallow
	// line 3 has no effect: Noindex: /
}
