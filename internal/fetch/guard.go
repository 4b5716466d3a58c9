package fetch

import (
	"net/netip"
	"slices"
	"syscall"
)

// A Guard refuses connections to addresses that are not public, and to ports other
// than 80 and 443. It checks the address of every connection just before connecting,
// so that a redirect, or a name that changes its address, cannot bypass it.
type Guard struct {
	// Ports are allowed in addition to 80 and 443.
	Ports []uint16
	// Networks are allowed even if they are not public.
	Networks []netip.Prefix
}

// A GuardError is the reason why a [Guard] refused a connection. It is the cause in an
// [Error] with [KindBlocked]. It does not name the address, which a stranger who gave the
// name of a host must not learn.
type GuardError struct {
	Port   bool // the port was refused, of a host that is public
	reason string
}

// Error returns the reason.
func (e *GuardError) Error() string { return e.reason }

var (
	errNotPublic = &kindError{&GuardError{reason: "the address of the host is not public"}, KindBlocked}
	errPort      = &kindError{&GuardError{Port: true, reason: "the port is not 80 or 443"}, KindBlocked}
)

// specialIPv4 are the IPv4 networks that are not globally reachable by the IANA IPv4
// Special-Purpose Address Registry, with multicast (RFC 5771) and the
// relay anycast of 6to4 (RFC 7526).
var specialIPv4 = parseNetworks(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
	"172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
)

// metadataHosts are addresses at which clouds give their machines metadata and
// credentials, and which are public by the registries. The others, such as
// 169.254.169.254, 100.100.100.200, 192.0.0.192 and fd00:ec2::254, are not.
var metadataHosts = parseNetworks("168.63.129.16/32") // Azure

// publicIPv6 is the only IPv6 network for public use (RFC 4291 section 2.4).
// Loopback, mapped, translated, local and multicast addresses are outside.
var publicIPv6 = parseNetworks("2000::/3")

// specialIPv6 are the parts of publicIPv6 that the IANA IPv6 Special-Purpose Address
// Registry reserves: protocol assignments with Teredo, documentation, 6to4.
var specialIPv6 = parseNetworks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

func parseNetworks(texts ...string) (networks []netip.Prefix) {
	for _, text := range texts {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}

func contains(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

// control is called by [net.Dialer] with every address before it connects.
func (g *Guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return &kindError{err, KindBlocked}
	}
	if !g.allows(to.Addr()) {
		return errNotPublic
	}
	if port := to.Port(); port != 80 && port != 443 && !slices.Contains(g.Ports, port) {
		return errPort
	}
	return nil
}

func (g *Guard) allows(address netip.Addr) bool {
	address = address.Unmap().WithZone("") // no network contains an address with a zone
	if contains(g.Networks, address) {
		return true
	}
	if address.Is4() {
		return !contains(specialIPv4, address) && !contains(metadataHosts, address)
	}
	return contains(publicIPv6, address) && !contains(specialIPv6, address)
}
