package announce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
)

// indexNow returns the IndexNow announcer of the credentials.
func indexNow(a *app.App, s *Settings) (*announce.IndexNow, string, error) {
	c, err := credentials(a, &s.Credentials)
	if err != nil {
		return nil, "", err
	}
	if c.indexNowKey == "" {
		return nil, "", setting.Invalid("indexnow-key-file", "%s: %v", &credentialError{"indexnow",
			variableIndexNow + ", for example to the output of mapa announce key generate"})
	}
	options := announce.IndexNowOptions{Key: c.indexNowKey, KeyLocation: c.indexNowLocation}
	i, err := announce.NewIndexNow(options, announceOptions(a, s, &c, nil))
	if err != nil {
		err = &ProviderError{announce.ProviderIndexNow, err}
	}
	return i, c.indexNowKey, err
}

// WriteIndexNowKey writes the key file to the folder that is published as the root of a
// site.
func WriteIndexNowKey(a *app.App, folder string, s *Settings) error {
	_, key, err := indexNow(a, s)
	if err != nil {
		return err
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return &crawlfile.FolderError{Folder: folder, Setting: "folder", Err: crawlfile.ErrNotFolder}
	}
	name := filepath.Join(folder, key+".txt")
	err = atomicfile.Replace(name, func(out io.Writer) error {
		_, err := io.WriteString(out, key)
		return err
	})
	var path *os.PathError
	if errors.As(err, &path) { // its path shows the key
		return fmt.Errorf("write the key file to %s: %w", folder, path.Err)
	}
	if err != nil {
		return fmt.Errorf("the key file cannot be written to %s", folder)
	}
	return nil
}

// CheckIndexNowKey checks the key files of the host of each site, given by any URL or by
// the host, and of the same host with www or without.
func CheckIndexNowKey(ctx context.Context, a *app.App, sites []string, s *Settings) ([]announce.KeyCheck, error) {
	i, _, err := indexNow(a, s)
	if err != nil {
		return nil, err
	}
	var checks []announce.KeyCheck
	for _, site := range sites {
		start, err := addresses.ReadStart(site)
		if err != nil {
			return nil, err
		}
		for _, page := range []string{start.URL, otherHost(start.URL)} {
			if page == "" {
				continue
			}
			check, err := i.CheckKey(ctx, page)
			if err != nil {
				return nil, err
			}
			checks = append(checks, *check)
		}
	}
	return checks, nil
}

// otherHost returns the URL of a page on the host with www for one without, and the
// reverse. IndexNow treats them as two hosts, each with its own key file. It is empty for
// an address, a local name, and other subdomains.
func otherHost(page string) string {
	u, err := url.Parse(page)
	if err != nil {
		return ""
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") {
		return ""
	}
	other, found := strings.CutPrefix(host, "www.")
	if !found {
		if strings.Count(host, ".") > 1 && !hasShortSuffix(host) {
			return ""
		}
		other = "www." + host
	}
	if port := u.Port(); port != "" {
		other += ":" + port
	}
	u.Host = other
	return u.String()
}

// hasShortSuffix reports whether a host may be a registered name below a suffix such as
// co.uk.
func hasShortSuffix(host string) bool {
	labels := strings.Split(host, ".")
	const longest = 3
	return len(labels) == 3 && len(labels[1]) <= longest && len(labels[2]) <= longest
}
