package app

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// ErrScheme says that a crawl cannot start at an address, because it is neither http
// nor https.
var ErrScheme = errors.New("the start must be an http or https URL")

// ErrNoFolder says that a crawl cannot start at a path, because no folder is there.
var ErrNoFolder = errors.New("there is no such folder")

// ErrUnlistableStart says that a crawl cannot start at a URL that no sitemap may list: what
// it finds could not be published.
var ErrUnlistableStart = errors.New("no sitemap may list the start")

// checkListable returns why no sitemap may list a URL, and nil when one may.
func checkListable(address string) error {
	if _, err := sitemap.EncodeLoc(address); err != nil {
		return fmt.Errorf("%w: %w: %s", ErrUnlistableStart, err, truncatedAddress(address))
	}
	return nil
}

// withScheme completes an address that is given by its host.
func withScheme(address string) string {
	if strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// A startAddress is where a crawl begins.
type startAddress struct {
	url  string // without user information
	host string
	user string // NAME:PASSWORD, or empty
}

// maxHostName is the most that the domain name system allows
// (https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4).
const maxHostName = 255

// oneSlash matches an address that lacks a slash after its scheme.
var oneSlash = regexp.MustCompile(`^(?i)(https?):/?([^/].*)$`)

// isFolder reports whether an address is rather a folder of files: a path, or the name of
// a folder that is not that of a host. One that a crawl made, named without a path, is a host's.
func isFolder(address string) bool {
	if info, err := os.Stat(address); err != nil || !info.IsDir() {
		return false
	}
	if strings.HasPrefix(address, ".") || filepath.IsAbs(address) {
		return true
	}
	first, _, isPath := strings.Cut(filepath.ToSlash(address), "/")
	if strings.ContainsAny(first, ".:") || first == "localhost" {
		return false
	}
	return isPath || fileIn(address, crawlName, previousName) == ""
}

// isPath reports whether an address is written as a path, which no host's name is.
func isPath(address string) bool {
	return strings.HasPrefix(address, "./") || strings.HasPrefix(address, "../") || filepath.IsAbs(address)
}

func readStart(address string) (startAddress, error) {
	address = strings.TrimSpace(address)
	if isPath(address) {
		return startAddress{}, fmt.Errorf("%w: %s", ErrNoFolder, truncatedAddress(address))
	}
	if !isWebAddress(address) {
		err := fmt.Errorf("%w, not %q", ErrScheme, truncatedAddress(address))
		if parts := oneSlash.FindStringSubmatch(address); parts != nil {
			err = fmt.Errorf("%w: did you mean %s?", err, truncatedAddress(parts[1]+"://"+parts[2]))
		}
		return startAddress{}, err
	}
	address, user := format.CutUser(withScheme(address))
	u, err := url.Parse(address)
	if err == nil && len(u.Hostname()) > maxHostName {
		return startAddress{}, fmt.Errorf("%w: its host name is longer than %d bytes", crawl.ErrStart, maxHostName)
	}
	if err != nil || u.Host == "" || !filepath.IsLocal(folderOf(u.Host)) {
		return startAddress{}, invalidStart(address)
	}
	return startAddress{address, u.Host, decodeUser(user)}, nil
}

// invalidStart says that an address is not a URL.
func invalidStart(address string) error {
	return fmt.Errorf("%w: %s is not a URL", crawl.ErrStart, truncatedAddress(address))
}

// truncatedAddress returns an address for a message, without user information.
func truncatedAddress(address string) string {
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

// decodeUser returns user information as NAME:PASSWORD without escapes.
func decodeUser(encoded string) string {
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

// sources returns the sources that a user names, without user information, and the
// options to open them. Credentials are sent to the origins that the sources name, and
// appear nowhere else.
func (a *App) sources(s *RequestSettings, locations ...string) ([]string, source.Options, error) {
	options := source.Options{Stdin: a.Stdin, UserAgent: cmp.Or(s.UserAgent, a.UserAgent())}
	if s.PublicOnly {
		var err error
		if locations, err = webAddresses(locations); err != nil {
			return nil, options, err
		}
	}
	clean, users := cutUsers(locations)
	if len(users) == 0 && reflect.ValueOf(*s).IsZero() {
		return clean, options, nil
	}
	settings, err := s.client(a, clean, users)
	if err != nil {
		return nil, options, err
	}
	client, err := fetch.New(settings)
	if err != nil {
		return nil, options, err
	}
	options.Client = client.HTTP()
	if s.PublicOnly {
		options.Admit = admitLimited(client)
		options.Client.Transport = &limitedBytes{next: options.Client.Transport}
	}
	return clean, options, nil
}

// cutUsers removes the user information from locations, and returns it by their origins.
func cutUsers(locations []string) (clean []string, users map[string]string) {
	for _, location := range locations {
		address, user := location, ""
		if strings.Contains(location, "://") {
			address, user = format.CutUser(location)
		} else if strings.Contains(location, "@") && !exists(location) {
			address, user = format.CutUser("https://" + location)
		}
		if origin := fetch.Origin(address); user != "" && origin != "" {
			if users == nil {
				users = map[string]string{}
			}
			users[origin] = decodeUser(user)
		}
		clean = append(clean, address)
	}
	return clean, users
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
