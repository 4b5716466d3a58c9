package fetch

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// limitOf returns the maximum number of requests per second to a host, 0 for no limit.
func (p *pace) limitOf(host string) float64 {
	rate := p.rateOf(host)
	if rate == (access.Rate{}) && IsLoopback(host) {
		return 0
	}
	return rate.Limit()
}

func (p *pace) rateOf(host string) access.Rate {
	if own, has := p.rates[host]; has {
		return own
	}
	return p.rate
}

// ratesByHost returns rates that are given by URLs.
func ratesByHost(rates map[string]access.Rate) (map[string]access.Rate, error) {
	byHost := make(map[string]access.Rate, len(rates))
	for _, address := range slices.Sorted(maps.Keys(rates)) {
		to, err := parseTarget(address)
		if err != nil {
			return nil, fmt.Errorf("rate for an origin: %w", err)
		}
		byHost[to.host] = rates[address]
	}
	return byHost, nil
}

// IsPrivate reports whether a host, with or without a port, names this machine, as [IsLoopback] does, or
// is an address of a private network (RFC 1918, RFC 4193) or of a link.
func IsPrivate(host string) bool {
	name := host
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		name = host[:i]
	}
	address, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return IsLoopback(host) || err == nil && (address.Unmap().IsPrivate() || address.IsLinkLocalUnicast())
}

// IsLoopback reports whether a host, with or without a port, probably names this machine: as
// [urlnorm.IsLoopback] does, or by a name below localhost (RFC 6761 section 6.3), which not
// every resolver keeps here. It may decide about the rate, but not about a secret.
func IsLoopback(host string) bool {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return urlnorm.IsLoopback(host) || strings.HasSuffix(strings.TrimSuffix(name, "."), ".localhost")
}
