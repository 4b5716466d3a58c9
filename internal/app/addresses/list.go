package addresses

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ErrNoSites means that there is nothing to follow.
var ErrNoSites = errors.New("no site to follow")

// maxSitesFile is the size of the largest list of sites.
const maxSitesFile = 64 << 20

// ReadSites reads a list of sites: one a line, without blank lines and those that begin
// with #.
func ReadSites(name string) (sites []string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSitesFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSitesFile {
		return nil, fmt.Errorf("%s: larger than %d bytes", name, maxSitesFile)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			sites = append(sites, line)
		}
	}
	return sites, nil
}
