package web

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"
)

// publicAddress is, inside the test's own network, the address of a site on the internet.
const publicAddress = "93.184.216.34"

// insideAddress is the address of inside.example, which no answer may name.
const insideAddress = "10.9.8.7"

// networkVariable is set in the process that has its own network.
const networkVariable = "MAPA_TEST_NETWORK"

// TestStrangers attacks a public server over HTTP. It runs in a network of its own, in
// which the test is the internet, the name servers, and what must not be reached.
func TestStrangers(t *testing.T) {
	if os.Getenv(networkVariable) == "" {
		t.Parallel()
		runInNetwork(t)
		return
	}
	setUpLoopback(t)
	private := listenPrivately(t)
	publicSite(t)
	useNames(t)
	s := newSite(t, func(o *Options, crawls *service.Options) {
		public(o, crawls)
		crawls.Parallel, crawls.Keep = 8, 100
	})

	s.toolRuns.most = 10_000

	home := s.crawl(`{"url":"http://site.example/"}`)
	if home["state"] != "done" || home["counts"].(map[string]any)["listed"] != 1.0 {
		t.Fatalf("a public site cannot be crawled, so this test shows nothing: %v", home)
	}
	started := map[string]string{}
	for _, address := range privateAddresses() {
		if path := s.startPrivate(address); path != "" {
			started[address] = path
		}
		s.checkPrivate(address)
	}
	for address, path := range started {
		s.checkCrawl(address, path)
	}
	if n := private.Load(); n > 0 {
		t.Errorf("%d connections to what is not public", n)
	}
}

// startPrivate asks for a crawl. It returns the path of the crawl, or "" when it is
// refused at once.
func (s *site) startPrivate(address string) string {
	answer, text := s.do("POST", "/api/v1/crawls", fmt.Sprintf(`{"url":%q}`, address))
	s.checkText(address, text)
	switch answer.StatusCode {
	case http.StatusBadRequest:
	case http.StatusCreated:
		return answer.Header.Get("Location")
	default:
		s.t.Errorf("%s: %d %s", address, answer.StatusCode, text)
	}
	return ""
}

// checkCrawl waits for the end of a crawl, which must have listed nothing. The name that moves
// to a private address may list the page of its public one.
func (s *site) checkCrawl(address, path string) {
	crawl := s.wait(path)
	hasFailed := crawl["state"] == "failed" || crawl["error"] != nil
	listed := crawl["counts"].(map[string]any)["listed"] != 0.0
	if (!hasFailed || listed) && !strings.Contains(address, "rebind.example") {
		s.t.Errorf("%s: %v", address, crawl)
	}
	s.checkText(address, fmt.Sprint(crawl))
}

// checkPrivate asks the tools about an address, by itself and in an uploaded index.
func (s *site) checkPrivate(address string) {
	index := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>` + address +
		`</loc></sitemap></sitemapindex>`
	for _, form := range []struct {
		path   string
		values map[string]string
		upload string
	}{
		{"/tools/robots", map[string]string{"url": address, "agent": "mapa"}, ""},
		{"/tools/lint", map[string]string{"url": address}, ""},
		{"/tools/lint", nil, index},
	} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for name, value := range form.values {
			_ = w.WriteField(name, value)
		}
		if form.upload != "" {
			part, _ := w.CreateFormFile("file", "sitemap.xml")
			_, _ = part.Write([]byte(form.upload))
		}
		w.Close()
		mediaType, text := w.FormDataContentType(), body.String()
		if form.path == "/tools/robots" {
			values := url.Values{"url": {address}, "agent": {"mapa"}}
			mediaType, text = "application/x-www-form-urlencoded", values.Encode()
		}
		answer, page := s.do("POST", form.path, text, "Content-Type", mediaType)
		if answer.StatusCode >= 500 {
			s.t.Errorf("%s for %s: %d", form.path, address, answer.StatusCode)
		}
		s.checkText(address, page)
	}
}

// checkText makes sure that an answer has nothing of what is private, and does not say to
// which private address a name leads.
func (s *site) checkText(address, text string) {
	if strings.Contains(text, secretText) {
		s.t.Errorf("the answer about %s has a secret:\n%s", address, text)
	}
	if strings.Contains(text, insideAddress) {
		i := strings.Index(text, insideAddress)
		s.t.Errorf("the answer about %s resolves the name: %s", address, text[max(i-200, 0):i+20])
	}
}

const secretText = "s3cret-of-the-cloud"

// privateAddresses are what a stranger may name, and a server must not request.
func privateAddresses() []string {
	hosts := []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0", "0.0.0.0",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]",
		"[2002:7f00:1::]", "[fe80::1%25lo]", "[fd00:ec2::254]", "10.0.0.1", "169.254.169.254", "[::ffff:169.254.169.254]",
		"localhost", "LOCALHOST.", "localhost.localdomain", "①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1", "127.0.0.1.",
		"inside.example", "rebind.example", "both.example", "mapped.example", "nat64.example", "loopback6.example",
		"site.example:22", "site.example:8080", publicAddress + ":8080", "127.0.0.1:443", "site.example@127.0.0.1",
		"user:password@127.0.0.1", `127.0.0.1\@site.example`, "127.0.0.1#@site.example", "127.0.0.1?@site.example",
	}
	var all []string
	for _, host := range hosts {
		all = append(all, "http://"+host+"/")
	}
	for _, target := range []string{
		"http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "//10.0.0.1/", "http://[::1]/",
		"http://inside.example/", "http://rebind.example/", "http://site.example:8080/", "file:///etc/passwd",
		"gopher://127.0.0.1:80/", "ftp://127.0.0.1/",
		"http://site.example/r?to=http://site.example/r?to=http://127.0.0.1/", "http://2130706433/", "https://127.0.0.1/",
	} {
		all = append(all, "http://site.example/r?to="+target)
	}
	return append(all, "file:///etc/passwd", "/etc/passwd", "127.0.0.1", "//127.0.0.1/", "http:127.0.0.1",
		"gopher://127.0.0.1/")
}

// publicSite serves a site whose pages, robots.txt and sitemaps lead to private addresses.
func publicSite(t *testing.T) {
	listenAndServe(t, publicAddress+":80", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!doctype html><title>Site</title><p>Text of the page <a href=http://127.0.0.1/>inside</a>
				<a href="/r?to=http://169.254.169.254/">cloud</a> <img src=http://10.0.0.1/a.png>
				<link rel=alternate type=application/rss+xml href=http://127.0.0.1/feed>`)
		case "/r":
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: http://127.0.0.1/sitemap.xml\nSitemap: http://site.example/r?to=http://10.0.0.1/s.xml\n"+
				"Sitemap: http://site.example/index.xml\nSitemap: file:///etc/passwd\n")
		case "/index.xml":
			fmt.Fprint(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
				<sitemap><loc>http://169.254.169.254/</loc></sitemap>
				<sitemap><loc>http://site.example/r?to=http://127.0.0.1/</loc></sitemap></sitemapindex>`)
		default:
			http.NotFound(w, r)
		}
	}))
}

// listenPrivately counts the connections to what must not be reached: this machine, a
// machine next to it, the metadata of a cloud, other ports, and the proxy of the
// environment.
func listenPrivately(t *testing.T) *atomic.Int64 {
	var connections atomic.Int64
	for _, address := range []string{
		"127.0.0.1:80", "127.0.0.1:443", "[::1]:80", "10.0.0.1:80", "169.254.169.254:80", insideAddress + ":80",
		publicAddress + ":8080",
		publicAddress + ":22", "127.0.0.1:3128",
	} {
		listenAndServe(t, address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			connections.Add(1)
			t.Errorf("a request for %s reached %s", r.URL, address)
			fmt.Fprint(w, secretText)
		}))
	}
	return &connections
}

func listenAndServe(t *testing.T, address string, handler http.Handler) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go func() { _ = server.Serve(listener) }() // until it is closed
	t.Cleanup(func() { server.Close() })
}

// useNames makes the test's own server answer all questions for names. The name
// rebind.example is public for the first question and private after it.
func useNames(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go answerNames(conn)
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("udp", conn.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = before
		conn.Close()
	})
}

func answerNames(conn net.PacketConn) {
	buffer := make([]byte, 1500)
	rebound := false
	for {
		n, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		var question dnsmessage.Message
		if question.Unpack(buffer[:n]) != nil || len(question.Questions) != 1 {
			continue
		}
		asked := question.Questions[0]
		addresses := map[string][]string{
			"site.example.": {publicAddress}, "inside.example.": {insideAddress}, "both.example.": {"127.0.0.1", "10.0.0.1"},
			"mapped.example.": {"::ffff:127.0.0.1"}, "nat64.example.": {"64:ff9b::7f00:1"}, "loopback6.example.": {"::1"},
			"rebind.example.": {publicAddress}, "localhost.localdomain.": {"127.0.0.1"},
		}[asked.Name.String()]
		if asked.Name.String() == "rebind.example." {
			if rebound {
				addresses = []string{"127.0.0.1"}
			}
			rebound = rebound || asked.Type == dnsmessage.TypeA
		}
		reply := dnsmessage.Message{Header: dnsmessage.Header{ID: question.ID, Response: true}, Questions: question.Questions}
		for _, text := range addresses {
			reply.Answers = append(reply.Answers, resource(asked, netip.MustParseAddr(text))...)
		}
		if len(addresses) == 0 {
			reply.RCode = dnsmessage.RCodeNameError
		}
		if packed, err := reply.Pack(); err == nil {
			_, _ = conn.WriteTo(packed, from)
		}
	}
}

// resource returns the record of an address, if it is of the type that is asked for.
func resource(asked dnsmessage.Question, address netip.Addr) []dnsmessage.Resource {
	header := dnsmessage.ResourceHeader{Name: asked.Name, Type: asked.Type, Class: dnsmessage.ClassINET}
	switch {
	case asked.Type == dnsmessage.TypeA && address.Is4():
		return []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: address.As4()}}}
	case asked.Type == dnsmessage.TypeAAAA && address.Is6():
		return []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}}}
	}
	return nil
}

// runInNetwork runs the test again in a process with its own network.
func runInNetwork(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^TestStrangers$", "-test.v")
	const proxy = "http://127.0.0.1:3128"
	c.Env = append(os.Environ(), networkVariable+"=1", "HTTP_PROXY="+proxy, "HTTPS_PROXY="+proxy)
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	if _, ran := err.(*exec.ExitError); err != nil && !ran {
		t.Skipf("this machine gives a test no network of its own: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestStrangers") {
		t.Errorf("%v\n%s", err, out)
	}
}

// setUpLoopback gives the loopback interface the addresses of the test.
func setUpLoopback(t *testing.T) {
	t.Helper()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(socket)
	for i, address := range []string{"127.0.0.1", publicAddress, "10.0.0.1", "169.254.169.254", insideAddress} {
		name := "lo"
		if i > 0 {
			name = fmt.Sprintf("lo:%d", i)
		}
		ip := netip.MustParseAddr(address).As4()
		request, err := unix.NewIfreq(name)
		if err == nil {
			err = request.SetInet4Addr(ip[:])
		}
		if err == nil {
			err = unix.IoctlIfreq(socket, unix.SIOCSIFADDR, request)
		}
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
	up, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, up); err != nil {
		t.Fatal(err)
	}
}
