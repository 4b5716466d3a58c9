// Command floor requests the URLs of a list with net/http alone, 64 at once, and reads the bodies: what any
// crawler of them costs at least.
//
//	floor LIST
//	floor -conditional LIST
//
// Each line of LIST is a URL, a tab and the entity tag of the page. With -conditional the requests name the tag,
// and each answer has to be 304.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

const atOnce = 64

// A page is a line of the list.
type page struct{ url, tag string }

func main() {
	conditional := flag.Bool("conditional", false, "ask whether the pages have changed")
	flag.Parse()
	if err := run(flag.Arg(0), *conditional); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run(list string, conditional bool) error {
	file, err := os.Open(list)
	if err != nil {
		return err
	}
	defer file.Close()
	pages, failed := make(chan page), make(chan error, atOnce)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for p := range pages {
				if err := request(client, p, conditional); err != nil {
					select {
					case failed <- err:
					default: // enough are known
					}
				}
			}
		})
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		url, tag, _ := strings.Cut(lines.Text(), "\t")
		pages <- page{url, tag}
	}
	close(pages)
	workers.Wait()
	close(failed)
	for err := range failed {
		return err
	}
	return lines.Err()
}

func request(client *http.Client, p page, conditional bool) error {
	request, err := http.NewRequest(http.MethodGet, p.url, nil)
	if err != nil {
		return err
	}
	want := http.StatusOK
	if conditional {
		request.Header.Set("If-None-Match", p.tag)
		want = http.StatusNotModified
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return fmt.Errorf("%s: %w", p.url, err)
	}
	if response.StatusCode != want {
		return fmt.Errorf("%s: %s, not %d", p.url, response.Status, want)
	}
	return nil
}
