// Command http measures sitemap/sitemaphttp on a table of five million rows in
// PostgreSQL, next to two servers of the same rows: a plain handler over encoding/xml
// and Django's sitemap framework. Each runs in a process of its own. It needs Debian's
// packages postgresql, python3-django and python3-psycopg2:
//
//	cd bench && go run ./http
package main

import (
	"flag"
	"fmt"
	"os"
)

const partSize = 10_000

func main() {
	rows := flag.Int("rows", 5_000_000, "the `number` of rows")
	seconds := flag.Int("seconds", 5, "how many `seconds` each server is asked for parts")
	child := flag.String("child", "", "run one `server` at the database of DATABASE_URL; the program starts itself this way")
	flag.Parse()
	if *child != "" {
		exitOn(serve(*child, os.Getenv("DATABASE_URL")))
		return
	}
	exitOn(compareCPU())
	b := bench{rows: *rows, seconds: *seconds}
	defer b.tidy()
	if err := b.run(); err != nil {
		b.tidy()
		exitOn(err)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/http:", err)
		os.Exit(1)
	}
}
