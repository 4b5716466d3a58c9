// Package addresses reads what people type in place of a URL: a host, an address without
// scheme, a folder, or a file with a list of them.
package addresses

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
)

// ErrScheme says that a crawl cannot start at an address, because it is neither http
// nor https.
var ErrScheme = errors.New("the start must be an http or https URL")

// ErrNoFolder says that a crawl cannot start at a path, because no folder is there.
var ErrNoFolder = errors.New("there is no folder")

// ErrFile says that a crawl cannot start at a path, because a file is there.
var ErrFile = errors.New("is a file: give its folder")

// ErrInvalidURL says that an address is malformed.
var ErrInvalidURL = errors.New("not a URL")

// ErrUnlistableStart says that a crawl cannot start at a URL that no sitemap may list: what
// it finds could not be published.
var ErrUnlistableStart = errors.New("no sitemap may list the start")

// CheckListable returns why no sitemap may list a URL, and nil when one may.
func CheckListable(address string) error {
	if _, err := sitemap.EncodeLoc(address); err != nil {
		return fmt.Errorf("%w: %w: %s", ErrUnlistableStart, err, TruncatedAddress(address))
	}
	return nil
}

// WithScheme completes an address that is given by its host.
func WithScheme(address string) string {
	if strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// A StartAddress is where a crawl begins.
type StartAddress struct {
	URL  string // without user information
	Host string
	User string // NAME:PASSWORD, or empty
}

// maxHostName is the most that the domain name system allows
// (https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4).
const maxHostName = 255

// maxLabel is the most bytes that one part of a host's name has, by the same section.
const maxLabel = 63

// plainName matches what may be the name of a host of this network, if it has at most maxLabel bytes. The
// expression does not say so, since it would be compiled to 63 times its size at the start of each command.
var plainName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL\pN-]+$`)
})

// oneSlash matches an address that lacks a slash after its scheme.
var oneSlash = regexp.MustCompile(`^(?i)(https?):/?([^/].*)$`)

// IsFolder reports whether the argument names an existing folder, by a path or by a name that is not
// that of a host.
func IsFolder(address string) bool {
	if info, err := os.Stat(address); err != nil || !info.IsDir() {
		return false
	}
	if strings.HasPrefix(address, ".") || filepath.IsAbs(address) {
		return true
	}
	first, _, _ := strings.Cut(filepath.ToSlash(address), "/")
	return !isHost(first)
}

// IsHostFolder reports whether the argument names an existing folder that could be a host too, such as that of a
// crawl.
func IsHostFolder(address string) bool {
	info, err := os.Stat(address)
	return err == nil && info.IsDir() && !IsPath(address) && isHost(address) && strings.Trim(address, "./\\") != ""
}

// IsFile reports whether the argument names an existing file that is no folder.
func IsFile(address string) bool {
	info, err := os.Stat(address)
	return err == nil && !info.IsDir()
}

// isHost reports whether what precedes the first slash of an address is that of a site.
func isHost(first string) bool {
	return strings.ContainsAny(first, ".:@") || strings.EqualFold(first, "localhost")
}

// meansFolder reports whether an address is that of a folder, which need not exist: it begins with a name that
// has no dot, port or scheme.
func meansFolder(address string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(address), "/")
	return address != "" && !isHost(first)
}

// IsPath reports whether an address is written as a path, which no host's name is.
func IsPath(address string) bool {
	return strings.HasPrefix(address, "./") || strings.HasPrefix(address, "../") || filepath.IsAbs(address)
}

// ReadStart reads the address of a crawl, as people type it.
func ReadStart(address string) (StartAddress, error) {
	address = strings.TrimSpace(address)
	if IsPath(address) {
		return StartAddress{}, fmt.Errorf("%w %s", ErrNoFolder, TruncatedAddress(address))
	}
	if meansFolder(address) {
		err := fmt.Errorf("%w %s", ErrNoFolder, TruncatedAddress(address))
		if name := strings.TrimSuffix(address, "/"); len(name) <= maxLabel && plainName().MatchString(name) {
			err = fmt.Errorf("%w; for a host of this network type http://%s/", err, name)
		}
		return StartAddress{}, err
	}
	if !isWebAddress(address) {
		err := fmt.Errorf("%w, not %q", ErrScheme, TruncatedAddress(address))
		if parts := oneSlash.FindStringSubmatch(address); parts != nil {
			err = fmt.Errorf("%w: did you mean %s?", err, TruncatedAddress(parts[1]+"://"+parts[2]))
		}
		return StartAddress{}, err
	}
	address, user := format.CutUser(WithScheme(address))
	u, err := url.Parse(address)
	if err == nil && len(u.Hostname()) > maxHostName {
		return StartAddress{}, fmt.Errorf("%s is %w: its host name is longer than %d bytes", TruncatedAddress(address), ErrInvalidURL,
			maxHostName)
	}
	if err != nil || u.Host == "" || isShortIP(u.Hostname()) || !filepath.IsLocal(crawlfile.FolderOf(u.Host)) ||
		!isPort(u.Port()) {
		return StartAddress{}, InvalidStart(address)
	}
	return StartAddress{address, u.Host, DecodeUser(user)}, nil
}

// isPort reports whether a host may have the port, or has none.
func isPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil
}

// isShortIP reports whether a host is a number or several with dots that are no IP address as people write
// them. URLs may have them: 1.2.3 is 1.2.0.3, which nobody means who types it.
func isShortIP(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if strings.Trim(host, "0123456789.") != "" {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err != nil
}

// InvalidStart says that an address is not a URL. The error wraps [ErrInvalidURL].
func InvalidStart(address string) error {
	return fmt.Errorf("%s is %w", TruncatedAddress(address), ErrInvalidURL)
}

// TruncatedAddress returns an address for a message, without user information.
func TruncatedAddress(address string) string {
	const most = 200
	clean, _ := format.CutUser(address)
	return format.Truncate(clean, most)
}

// isWebAddress reports whether an address has the scheme http or https, or none.
func isWebAddress(address string) bool {
	scheme, rest, found := strings.Cut(address, ":")
	if !found || strings.ContainsAny(scheme, "/?#[.@") {
		return true // a host, perhaps with a port
	}
	if strings.HasPrefix(rest, "//") {
		return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	otherSchemes := []string{"about", "blob", "data", "file", "javascript", "mailto", "sms", "tel", "urn", "vbscript"}
	switch {
	case slices.Contains(otherSchemes, strings.ToLower(scheme)):
		return false
	case strings.Contains(authority, "@"):
		return true // NAME:PASSWORD@HOST
	}
	return authority != "" && strings.Trim(authority, "0123456789") == "" // a port
}

// DecodeUser returns user information as NAME:PASSWORD without escapes.
func DecodeUser(encoded string) string {
	if encoded == "" {
		return ""
	}
	name, password, _ := strings.Cut(encoded, ":")
	return unescape(name) + ":" + unescape(password)
}

func unescape(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// Exists reports whether a file, a folder or a link has the name.
func Exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// NamedOrigin returns the origin of a site that a user names, or "" for a file.
func NamedOrigin(site string) string {
	if !strings.Contains(site, "://") && (site == "-" || IsPath(site) || Exists(site)) {
		return ""
	}
	return fetch.Origin(WithScheme(site))
}
