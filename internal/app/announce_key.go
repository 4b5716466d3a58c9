package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/atomicfile"
)

// NewIndexNowKey returns a new key for IndexNow.
func NewIndexNowKey() string { return announce.NewKey() }

// indexNow returns the IndexNow announcer of the credentials.
func (a *App) indexNow(s *AnnounceSettings) (*announce.IndexNow, string, error) {
	c, err := a.credentials(&s.Credentials)
	if err != nil {
		return nil, "", err
	}
	if c.indexNowKey == "" {
		return nil, "", badSetting("indexnow-key-file", "%s: %v", &credentialError{"indexnow",
			variableIndexNow + ", for example to the output of mapa announce key generate"})
	}
	options := announce.IndexNowOptions{Key: c.indexNowKey, KeyLocation: c.indexNowLocation}
	i, err := announce.NewIndexNow(options, a.announceOptions(s, &c, nil))
	if err != nil {
		err = &ProviderError{announce.ProviderIndexNow, err}
	}
	return i, c.indexNowKey, err
}

// WriteIndexNowKey writes the key file to the folder that is published as the root of a
// site.
func (a *App) WriteIndexNowKey(folder string, s *AnnounceSettings) error {
	_, key, err := a.indexNow(s)
	if err != nil {
		return err
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return &FolderError{folder, errors.New("it is a file")}
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
func (a *App) CheckIndexNowKey(ctx context.Context, sites []string, s *AnnounceSettings) ([]announce.KeyCheck, error) {
	i, _, err := a.indexNow(s)
	if err != nil {
		return nil, err
	}
	var checks []announce.KeyCheck
	for _, site := range sites {
		start, err := readStart(site)
		if err != nil {
			return nil, err
		}
		for _, page := range []string{start.url, announce.OtherHost(start.url)} {
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
