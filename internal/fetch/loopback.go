package fetch

import (
	"strings"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// limitOf returns the maximum number of requests per second to a host, 0 for no limit.
func (p *pace) limitOf(host string) float64 {
	if p.rate == (access.Rate{}) && IsLoopback(host) {
		return 0
	}
	return p.rate.Limit()
}

// IsLoopback reports whether a host, with or without a port, probably names this machine: as
// [urlnorm.IsLoopback] does, or by a name below localhost (RFC 6761 section 6.3), which not
// every resolver keeps here. It may decide about the rate, but not about a secret.
func IsLoopback(host string) bool {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return urlnorm.IsLoopback(host) || strings.HasSuffix(strings.TrimSuffix(name, "."), ".localhost")
}
