package fetch

import (
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
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

// IsLoopback reports whether a host, with or without a port, probably names this machine: as
// [urlnorm.IsLoopback] does, or by a name below localhost (RFC 6761 section 6.3), which not
// every resolver keeps here. It may decide about the rate, but not about a secret.
func IsLoopback(host string) bool {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return urlnorm.IsLoopback(host) || strings.HasSuffix(strings.TrimSuffix(name, "."), ".localhost")
}
