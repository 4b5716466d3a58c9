package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientOf returns the network address that sent a request: an IPv4 address, or the /64
// network of an IPv6 address, which one subscriber has for themselves. Proxies that are
// trusted name it in X-Forwarded-For.
func (s *Server) clientOf(r *http.Request) string {
	address, ok := addressOf(r.RemoteAddr)
	if !ok {
		return "unknown"
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(forwarded) {
		if !s.isTrusted(address) {
			break
		}
		before, ok := addressOf(strings.TrimSpace(text))
		if !ok {
			break
		}
		address = before
	}
	return networkOf(address)
}

func (s *Server) isTrusted(address netip.Addr) bool {
	return slices.ContainsFunc(s.options.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(address) })
}

// addressOf reads an address with or without a port.
func addressOf(text string) (netip.Addr, bool) {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap().WithZone(""), err == nil
}

const subscriberBits = 64

func networkOf(address netip.Addr) string {
	if address.Is4() {
		return address.String()
	}
	network, _ := address.Prefix(subscriberBits) // an IPv6 address has more bits
	return network.String()
}
