package addresses

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// ErrNotWebAddress says that a source is not on the web, where only such sources may be
// read.
var ErrNotWebAddress = errors.New("not an http or https URL")

// WebAddresses completes the addresses of sources from strangers. It refuses what is not
// standard input or a URL, such as the name of a file.
func WebAddresses(locations []string) (complete []string, err error) {
	for _, location := range locations {
		if location != "-" {
			if location, err = WebAddress(location); err != nil {
				return nil, err
			}
		}
		complete = append(complete, location)
	}
	return complete, nil
}

// WebAddress completes an address that is given by its host. The error wraps
// [ErrNotWebAddress] when it is not an http or https URL, or has user information.
func WebAddress(location string) (string, error) {
	address := WithScheme(strings.TrimSpace(location))
	if u := urlnorm.ParseHTTP(address); u == nil || u.User != nil {
		return "", fmt.Errorf("%s: %w", TruncatedAddress(location), ErrNotWebAddress)
	}
	return address, nil
}
