package fetch

import (
	"net/netip"
	"strings"
)

// DefaultRate is the number of requests per second to a host that is not asked for by
// name on this machine.
const DefaultRate = 20

// limit returns the maximum number of requests per second to a host, 0 for no limit.
func (r *Rate) limit(host string) float64 {
	switch {
	case r.PerSecond > 0:
		return r.PerSecond
	case r.PerSecond < 0, IsLoopback(host):
		return 0
	}
	return DefaultRate
}

// IsLoopback reports whether a host, with or without a port, names this machine:
// localhost, a name below it (RFC 6761 section 6.3), or a loopback address.
func IsLoopback(host string) bool {
	name := host
	if end := strings.LastIndexByte(host, ':'); end > strings.LastIndexByte(host, ']') {
		name = host[:end]
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && address.Unmap().IsLoopback()
}
