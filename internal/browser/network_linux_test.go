package browser

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/programtest"
)

// networkVariable is set in a process with its own network.
const networkVariable = "MAPA_TEST_NETWORK"

// inNetwork runs a test again in a process with its own network, in which all addresses are this
// machine's. It reports whether this is that process.
func inNetwork(t *testing.T) bool {
	t.Helper()
	if os.Getenv(networkVariable) != "" {
		return true
	}
	t.Parallel()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), networkVariable+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	if _, ran := err.(*exec.ExitError); err != nil && !ran {
		t.Skipf("this machine gives a test no network of its own: %v", err)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skipf("%s", out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// setUpNetwork gives the loopback interface private addresses, and makes an interface for all others
// whose packets nobody receives.
func setUpNetwork(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil {
		programtest.Missing(t, "ip is missing: apt-get install iproute2")
	}
	for _, command := range []string{
		"link set lo up", "address add 10.0.0.1/32 dev lo", "address add 169.254.169.254/32 dev lo",
		"link add out type veth peer name nowhere", "link set out up", "link set nowhere up",
		"address add 93.184.216.34/24 dev out", "neigh add 93.184.216.1 lladdr 02:00:00:00:00:01 dev out",
		"route add default via 93.184.216.1",
	} {
		if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v %s", command, err, out)
		}
	}
}

// A capture has all packets of the network.
type capture struct {
	socket int
	mu     sync.Mutex
	seen   []packet
}

type packet struct {
	protocol string
	from, to netip.AddrPort
}

func startCapture(t *testing.T) *capture {
	t.Helper()
	all := int(binary.BigEndian.Uint16(binary.NativeEndian.AppendUint16(nil, unix.ETH_P_ALL)))
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM, all)
	if err != nil {
		t.Fatal(err)
	}
	c := &capture{socket: socket}
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			n, _, err := unix.Recvfrom(socket, buffer, 0)
			if err != nil {
				return
			}
			if p, ok := parsePacket(buffer[:n]); ok {
				c.mu.Lock()
				if !slices.Contains(c.seen, p) {
					c.seen = append(c.seen, p)
				}
				c.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() { unix.Close(socket) })
	return c
}

// parsePacket reads a packet of TCP or UDP.
func parsePacket(b []byte) (p packet, ok bool) {
	var protocol byte
	var from, to netip.Addr
	switch {
	case len(b) > 20 && b[0]>>4 == 4:
		protocol = b[9]
		from, to = netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20]))
		b = b[int(b[0]&15)*4:]
	case len(b) > 40 && b[0]>>4 == 6:
		protocol = b[6]
		from, to = netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40]))
		b = b[40:]
	default:
		return packet{}, false
	}
	if protocol != unix.IPPROTO_TCP && protocol != unix.IPPROTO_UDP || len(b) < 4 {
		return packet{}, false
	}
	return packet{
		map[byte]string{unix.IPPROTO_TCP: "tcp", unix.IPPROTO_UDP: "udp"}[protocol],
		netip.AddrPortFrom(from, binary.BigEndian.Uint16(b)), netip.AddrPortFrom(to, binary.BigEndian.Uint16(b[2:])),
	}, true
}

// strangers returns the packets that are not between the browser and its proxy.
func (c *capture) strangers(proxy string) (all []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.seen {
		if p.protocol != "tcp" || p.from.String() != proxy && p.to.String() != proxy {
			all = append(all, fmt.Sprintf("%s %s to %s", p.protocol, p.from, p.to))
		}
	}
	return all
}

// TestNetwork captures all packets while pages try to reach what they must not: they reach the proxy
// alone. So does what the browser does by itself.
func TestNetwork(t *testing.T) {
	programtest.SkipShort(t, "it starts a browser")
	if !inNetwork(t) {
		return
	}
	setUpNetwork(t)
	c := startCapture(t)
	b := startTest(t, Options{})
	for _, scheme := range []string{"http", "https"} {
		s := serve(nil)
		renderIn(t, b, page(scheme+"://site.test/", "<body>"+privatePage+long), s)
		for _, name := range []string{"popups", "another site, again", "downloads", "a service worker", "a file in a frame"} {
			if _, err := b.Render(t.Context(), page(scheme+"://site.test/", "<body>"+hostilePages[name]), s); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if found := c.strangers(b.proxy.address()); len(found) > 0 {
		t.Errorf("%d packets pass the proxy: %q", len(found), found[:min(20, len(found))])
	}
	if c.mu.Lock(); len(c.seen) == 0 {
		t.Error("no packet was captured")
	}
	c.mu.Unlock()
}

// long keeps a page open for settleTime, in which the browser does what it does by itself.
const long = `<script>setInterval(() => { document.title = Date.now() }, 50)</script>`

// TestSwitches shows what switches prevent: without them, a page passes the proxy.
func TestSwitches(t *testing.T) {
	programtest.SkipShort(t, "it starts a browser")
	if !inNetwork(t) {
		return
	}
	setUpNetwork(t)
	for _, test := range []struct{ without, protocol string }{
		{"--none", ""},
		{"--proxy-bypass-list", "tcp"},
		{"--force-webrtc-ip-handling-policy", "udp"},
	} {
		t.Run(test.without, func(t *testing.T) {
			c := startCapture(t)
			b := startTest(t, Options{without: test.without})
			renderIn(t, b, page("https://site.test/", "<body>"+privatePage+long), serve(nil))
			found := c.strangers(b.proxy.address())
			if test.protocol == "" && len(found) > 0 || !strings.Contains(strings.Join(found, ""), test.protocol) {
				t.Errorf("packets that pass the proxy: %q", found)
			}
		})
	}
}

var _ render.Renderer = (*Browser)(nil)
