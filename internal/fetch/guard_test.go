package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

func TestGuardAddresses(t *testing.T) {
	refused := []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
		"127.0.0.1", "127.8.9.10", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
		"192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
		"198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
		"64:ff9b::808:808", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
		"2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1",
		"fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
		// metadata of clouds
		"168.63.129.16", "::ffff:168.63.129.16", "100.100.100.200", "192.0.0.192", "169.254.170.2", "169.254.42.42",
		"fd00:ec2::254", "fd20:ce::254", "fd00:42::42", "fe80::a9fe:a9fe",
	}
	allowed := []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
		"128.0.0.0", "172.15.255.255", "168.63.129.15", "168.63.129.17", "172.32.0.0", "192.167.255.255", "223.255.255.255",
		"2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8",
	}
	guard := &Guard{}
	for _, address := range refused {
		if guard.allows(netip.MustParseAddr(address)) {
			t.Errorf("%s is allowed", address)
		}
	}
	for _, address := range allowed {
		if !guard.allows(netip.MustParseAddr(address)) {
			t.Errorf("%s is refused", address)
		}
	}
}

func TestGuardPorts(t *testing.T) {
	guard := &Guard{Ports: []uint16{8080}}
	for address, allowed := range map[string]bool{
		"8.8.8.8:80": true, "8.8.8.8:443": true, "8.8.8.8:8080": true,
		"8.8.8.8:22": false, "8.8.8.8:6379": false, "[2606:4700::1111]:25": false,
		"[fe80::1%eth0]:80": false, "shop.example:80": false, "": false,
	} {
		if err := guard.control("tcp", address, nil); (err == nil) != allowed || err != nil && !errors.Is(err, KindBlocked) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestGuardEveryDial allows one loopback address and checks that neither a redirect
// nor a name leads to another.
func TestGuardEveryDial(t *testing.T) {
	var port string
	reached := 0
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		reached++
		http.Redirect(w, r, "http://127.0.0.2:"+port+"/", http.StatusFound)
	})
	at, _ := url.Parse(address)
	port = at.Port()
	number, _ := strconv.ParseUint(port, 10, 16)
	client := quick(t, Options{Guard: &Guard{
		Ports:    []uint16{uint16(number)},
		Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	}})
	res, err := Follow(client, 5).Fetch(context.Background(), &Request{URL: address})
	if !errors.Is(err, KindBlocked) || reached != 1 {
		t.Errorf("response %+v, error %v after %d requests", res, err, reached)
	}

	strict := quick(t, Options{Guard: &Guard{Ports: []uint16{uint16(number)}}})
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"} {
		_, err := strict.Fetch(context.Background(), &Request{URL: "http://" + host + ":" + port + "/"})
		if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != KindBlocked ||
			!strings.HasSuffix(err.Error(), ": the address of the host is not public") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if reached != 1 {
		t.Error("the server was reached in spite of the guard")
	}
}

func TestGuardWithoutProxy(t *testing.T) {
	if quick(t, Options{Guard: &Guard{}}).exchange.transport.Proxy != nil {
		t.Error("the environment sets a proxy in spite of the guard")
	}
	if quick(t, Options{}).exchange.transport.Proxy == nil {
		t.Error("the environment may set no proxy without the guard")
	}
}
