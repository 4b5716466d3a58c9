package main

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// A request is a line of the access log, with the address in the spelling of
// the truth.
type request struct {
	at              time.Time // when its response was sent
	status, address string
	end             int64 // where its line ends in the log
}

// readRequests reads an access log.
func readRequests(name string) ([]request, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var requests []request
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	end := int64(0)
	for lines.Scan() {
		end += int64(len(lines.Bytes())) + 1
		seconds, rest, _ := strings.Cut(lines.Text(), " ")
		status, target, _ := strings.Cut(rest, " ")
		if target == "" {
			continue // a connection that asked for nothing
		}
		at, err := strconv.ParseFloat(seconds, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		requests = append(requests, request{time.UnixMilli(int64(at * 1000)), status, oneSpelling(target), end})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return requests, nil
}

// oneSpelling brings a request target to the form of the truth, so that two
// spellings of an address count as one.
func oneSpelling(target string) string {
	place, query, asked := strings.Cut(target, "?")
	if plain, err := url.PathUnescape(place); err == nil {
		place = plain
	}
	folder := strings.HasSuffix(place, "/")
	place = path.Clean("/" + place)
	if folder && place != "/" {
		place += "/"
	}
	place = encode(place)
	if asked {
		place += "?" + query
	}
	return place
}

// What a crawler found and asked for, by the access log.
type findings struct {
	pages, dead, redirects, loops int

	requests   int
	repeats    int // beyond one an address
	blocked    int // addresses that robots.txt forbids
	unfollowed int // addresses of links with nofollow
	forbidden  int // addresses that are not links
	unknown    int // addresses that are nowhere on the site
	strangers  []string
}

// judge holds an access log against the truth.
func (t truth) judge(requests []request) findings {
	status := map[string]string{}
	found := findings{requests: len(requests)}
	for _, r := range requests {
		if _, again := status[r.address]; again {
			found.repeats++
		}
		status[r.address] = r.status
	}
	known := map[string]bool{"/robots.txt": true}
	count := func(answer string, addresses ...string) (n int) {
		for _, address := range addresses {
			known[address] = true
			if got, asked := status[address]; asked && (answer == "" || got == answer) {
				n++
			}
		}
		return n
	}
	found.pages = count("200", t.Pages...)
	for address := range t.Dead {
		found.dead += count("404", address)
	}
	for address := range t.Redirects {
		found.redirects += count("301", address)
	}
	for address := range t.Loops {
		found.loops += count("301", address)
	}
	found.blocked = count("", t.Blocked...)
	found.unfollowed = count("", t.Unfollowed...)
	found.forbidden = count("", t.Forbidden...)
	count("", t.Assets...)
	for address := range status {
		if !known[address] {
			found.unknown++
			found.strangers = append(found.strangers, address)
		}
	}
	return found
}
