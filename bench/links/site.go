package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	perPage = 100 // links to other sites
	perFile = 5_000
	perNet  = 250   // hosts with the same beginning of their address
	maxOpen = 4_000 // connections that are kept open; some checkers never close one
	// maxHosts is how many addresses 127.10.0.0 to 127.250.0.0 have room for.
	maxHosts = 240 * perNet

	robotsText = "User-agent: *\nDisallow: /private/\n"
)

// text makes the answers of the hosts as long as those of small pages.
var text = strings.Repeat("<p>All work and no play makes Jack a dull boy.</p>\n", 40)

// A site has pages at 127.0.0.1, and links to pages of hosts at other addresses. Link n
// leads to host n modulo the number of hosts, so that each page links to many hosts.
type site struct {
	links, hosts int
	latency      time.Duration
	port         int
	server       *http.Server
	open         atomic.Int64 // connections
	counter      *counter
}

// newSite starts the server of all hosts.
func newSite(links, hosts int, latency time.Duration) (*site, error) {
	s := &site{links: links, hosts: hosts, latency: latency, counter: newCounter(hosts)}
	s.server = &http.Server{Handler: http.HandlerFunc(s.answer), ConnState: s.countOpen, IdleTimeout: 5 * time.Second}
	for host := -1; host < hosts; host++ {
		listener, err := net.Listen("tcp4", net.JoinHostPort(addressOf(host), strconv.Itoa(s.port)))
		if err != nil {
			s.close()
			return nil, fmt.Errorf("host %d: %w", host, err)
		}
		if s.port == 0 {
			s.port = listener.Addr().(*net.TCPAddr).Port
		}
		go func() { _ = s.server.Serve(listener) }() // until close
	}
	return s, nil
}

// countOpen counts connections.
func (s *site) countOpen(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed:
		s.open.Add(-1)
	}
}

func (s *site) close() { _ = s.server.Close() }

// addressOf returns the address of a host; -1 is the site itself.
func addressOf(host int) string {
	if host < 0 {
		return "127.0.0.1"
	}
	return fmt.Sprintf("127.%d.0.%d", 10+host/perNet, 1+host%perNet)
}

// hostOf returns the number of the host at an address with a port, as a Host field names it.
func hostOf(address string) int {
	var network, number int
	if n, _ := fmt.Sscanf(address, "127.%d.0.%d:", &network, &number); n == 2 && network >= 10 {
		return (network-10)*perNet + number - 1
	}
	return -1
}

func (s *site) origin(host int) string { return fmt.Sprintf("http://%s:%d", addressOf(host), s.port) }
func (s *site) start() string          { return s.origin(-1) + "/" }

// link returns the URL of a link.
func (s *site) link(n int) string { return s.origin(n%s.hosts) + "/article/" + strconv.Itoa(n) }

// chance returns a number below 1,000 that decides about a link. It spreads the kinds of links
// over the hosts.
func chance(n int) int { return int(uint32(n)*2654435761>>16) % 1000 }

// target returns where a link redirects to, and "" for other links: 2 % redirect on their host,
// 0.2 % to another one, and 0.1 % to a missing page.
func (s *site) target(n int) string {
	switch c := chance(n); {
	case c < 20:
		return "/moved/" + strconv.Itoa(n)
	case c < 22:
		return s.origin((n+1)%s.hosts) + "/moved/" + strconv.Itoa(n)
	case c == 22:
		return "/gone/" + strconv.Itoa(n)
	}
	return ""
}

// isMissing reports whether a link is one of 1 % that answer 404.
func isMissing(n int) bool { return chance(n) >= 990 }

// broken returns the links that are broken.
func (s *site) broken() map[string]bool {
	broken := map[string]bool{}
	for n := range s.links {
		if isMissing(n) || strings.HasPrefix(s.target(n), "/gone/") {
			broken[s.link(n)] = true
		}
	}
	return broken
}

// answer answers for every host.
func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	host := hostOf(r.Host)
	if host < 0 {
		s.answerPage(w, r)
		return
	}
	defer s.counter.begin(host, r)()
	if s.open.Load() > maxOpen {
		w.Header().Set("Connection", "close")
	}
	latency := s.latency
	if host%100 == 7 {
		latency *= 40
	}
	time.Sleep(latency)
	kind, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	n, err := strconv.Atoi(name)
	to := ""
	if kind == "article" {
		to = s.target(n)
	}
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, robotsText)
	case err != nil || kind == "gone" || kind == "article" && isMissing(n):
		http.NotFound(w, r)
	case to != "":
		http.Redirect(w, r, to, http.StatusMovedPermanently)
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>Article %d</title>%s", n, text)
	}
}

// answerPage answers for the site: its start links to every page.
func (s *site) answerPage(w http.ResponseWriter, r *http.Request) {
	pages := (s.links + perPage - 1) / perPage
	page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page/"))
	if r.URL.Path != "/" && (err != nil || page < 0 || page >= pages) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<!doctype html><html lang=en><title>Page %s</title><h1>Links</h1>", r.URL.Path)
	if r.URL.Path == "/" {
		for page := range pages {
			fmt.Fprintf(w, "<a href=/page/%d>%[1]d</a>\n", page)
		}
		return
	}
	for n := page * perPage; n < min(s.links, (page+1)*perPage); n++ {
		fmt.Fprintf(w, "<p>Article %d <a href=%q>%[1]d</a>\n", n, s.link(n))
	}
}

// writeLists writes the links as a folder of lists.
func (s *site) writeLists(dir string) error {
	folder := filepath.Join(dir, "lists")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	for first := 0; first < s.links; first += perFile {
		var list strings.Builder
		for n := first; n < min(s.links, first+perFile); n++ {
			fmt.Fprintln(&list, s.link(n))
		}
		name := filepath.Join(folder, fmt.Sprintf("list-%04d.txt", first/perFile))
		if err := os.WriteFile(name, []byte(list.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
