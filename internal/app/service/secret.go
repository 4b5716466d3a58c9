package service

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/format"
)

// Redacted is shown in place of a secret value. A request that sends it back keeps the
// stored value, unless that would be sent another way: see [ErrSecret].
const Redacted = access.Redacted

// ErrSecret means that a request has [Redacted] where no value is stored, or where the
// stored value would go to another scheme, host or port, through another proxy, or, other
// than before, without a check of the certificate. Otherwise whoever may change a crawl could
// send its secrets to a host of their own.
var ErrSecret = errors.New(
	"the stored value is only for the origin, the proxy and the certificate check that it was given with: give it again")

// secrets are the options whose values are never shown.
var secrets = []string{"header", "user", "cookie", "proxy"}

// IsSecret reports whether the values of an option are never shown.
func IsSecret(option string) bool { return slices.Contains(secrets, option) }

// optionSources is the option with URLs of sitemaps, which may have user information.
const optionSources = "sitemap"

// A storedTarget is a crawl or a schedule whose secrets a request may keep.
type storedTarget struct {
	url     string
	options map[string][]string
}

// shownOptions returns options without their secrets.
func shownOptions(options map[string][]string) map[string][]string {
	shown := maps.Clone(options)
	for name, values := range shown {
		switch {
		case IsSecret(name) && len(values) > 0:
			shown[name] = []string{Redacted}
		case name == optionSources:
			shown[name] = nil
			for _, source := range values {
				shown[name] = append(shown[name], shownSource(source))
			}
		}
	}
	return shown
}

// shownSource returns the URL of a sitemap with [Redacted] as its user information.
func shownSource(address string) string {
	clean, user := format.CutUser(address)
	if user == "" {
		return address
	}
	return strings.Replace(clean, "://", "://"+Redacted+"@", 1)
}

// keepSecrets returns the options of a request for a site with the secrets of before in
// place of [Redacted]. The error is an [*OptionError] that wraps [ErrSecret].
func keepSecrets(
	site *addresses.SiteAddress, options map[string][]string, before storedTarget,
) (map[string][]string, error) {
	full := maps.Clone(options)
	if site.User != "" && slices.Contains(full["user"], Redacted) {
		delete(full, "user") // the address has another one
	}
	way := before.hasWayOf(options)
	origin := way && before.hasOrigin(site)
	for _, name := range secrets {
		if !slices.Contains(full[name], Redacted) {
			continue
		}
		if !origin || len(before.options[name]) == 0 {
			return nil, &OptionError{name, ErrSecret}
		}
		at := slices.Index(full[name], Redacted)
		full[name] = slices.Replace(slices.Clone(full[name]), at, at+1, before.options[name]...)
	}
	for i, source := range full[optionSources] {
		if !strings.Contains(source, Redacted+"@") {
			continue
		}
		// What is shown has the origin of the source: equal to it, it names the same one.
		at := slices.IndexFunc(before.options[optionSources], func(s string) bool { return shownSource(s) == source })
		if !way || at < 0 {
			return nil, &OptionError{optionSources, ErrSecret}
		}
		full[optionSources] = slices.Clone(full[optionSources])
		full[optionSources][i] = before.options[optionSources][at]
	}
	return full, nil
}

// hasOrigin reports whether requests for a site go to the origin of the target.
func (t *storedTarget) hasOrigin(site *addresses.SiteAddress) bool {
	own, err := addresses.ReadSiteAddress(t.url)
	return err == nil && own.Origin != "" && own.Origin == site.Origin
}

// hasWayOf reports whether requests with the options take the way of the target: through the
// same proxy, and not newly without a check of the certificate.
func (t *storedTarget) hasWayOf(options map[string][]string) bool {
	proxy := options["proxy"]
	if slices.Equal(proxy, []string{Redacted}) {
		proxy = t.options["proxy"]
	}
	return slices.Equal(proxy, t.options["proxy"]) && (isInsecure(t.options) || !isInsecure(options))
}

// isInsecure reports whether options switch the check of certificates off.
func isInsecure(options map[string][]string) bool {
	return slices.ContainsFunc(options["insecure"], func(text string) bool {
		on, err := strconv.ParseBool(text)
		return on && err == nil
	})
}
