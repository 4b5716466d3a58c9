package sitemap_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

func ExampleNewReader() {
	const file = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>2024-02-29</lastmod></url>
<url><loc>https://example.com/search?q=tea&amp;page=2</loc></url>
</urlset>`

	for entry, err := range sitemap.NewReader(strings.NewReader(file)).Entries() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %s\n", entry.Loc, entry.LastMod)
	}
	// Output:
	// https://example.com/ 2024-02-29
	// https://example.com/search?q=tea&page=2
}

func ExampleNewWriter() {
	w := sitemap.NewWriter(os.Stdout)
	for _, u := range []sitemap.URL{
		{Loc: "https://example.com/", LastMod: sitemap.DayOf(time.Date(2024, time.February, 29, 0, 0, 0, 0, time.UTC))},
		{Loc: "https://example.com/españa?q=té&page=2", Priority: sitemap.PriorityOf(0)},
		{Loc: "/relative"},
	} {
		if err := w.Write(&u); err != nil {
			fmt.Println("<!-- left out:", err, "-->")
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <!-- left out: loc: not an absolute URL: "/relative" -->
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/</loc><lastmod>2024-02-29</lastmod></url>
	// <url><loc>https://example.com/espa%C3%B1a?q=t%C3%A9&amp;page=2</loc><priority>0.0</priority></url>
	// </urlset>
}
