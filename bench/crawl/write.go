package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// fixedAssets are what pages are dressed with.
func fixedAssets() []string {
	assets := []string{"/assets/style.css", "/assets/site.js"}
	for i := range 10 {
		assets = append(assets, fmt.Sprintf("/assets/picture-%d.png", i))
	}
	return assets
}

// write makes the files of the site. Responses that are not
// files are in nginx's configuration.
func (s *site) write(folder string) error {
	if err := s.makeFolders(folder); err != nil {
		return err
	}
	if err := s.writeAssets(folder); err != nil {
		return err
	}
	robots := "User-agent: *\nDisallow: /private/\n"
	if err := os.WriteFile(filepath.Join(folder, "robots.txt"), []byte(robots), 0o644); err != nil {
		return err
	}
	return s.writePages(folder)
}

func (s *site) makeFolders(folder string) error {
	last := ""
	for i := range s.pages {
		if name := filepath.Dir(fileName(folder, s.addresses[i].path)); name != last {
			if err := os.MkdirAll(name, 0o755); err != nil {
				return err
			}
			last = name
		}
	}
	return os.MkdirAll(filepath.Join(folder, "assets"), 0o755)
}

func (s *site) writeAssets(folder string) error {
	assets := fixedAssets()
	for _, a := range s.addresses {
		if a.kind == asset {
			assets = append(assets, a.path)
		}
	}
	for _, path := range assets {
		if err := os.WriteFile(fileName(folder, path), []byte("/* nothing to see */\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// published is when the pages were changed last. A page that was changed in the
// second in which it is asked for looks like one that is made for the answer.
var published = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func (s *site) writePages(folder string) error {
	writers := runtime.GOMAXPROCS(0)
	failures := make([]error, writers)
	var group sync.WaitGroup
	for first := range writers {
		group.Go(func() {
			page := make([]byte, 0, 2*pageSize)
			for i := first; i < s.pages && failures[first] == nil; i += writers {
				page = s.render(page[:0], i)
				name := fileName(folder, s.addresses[i].path)
				if failures[first] = os.WriteFile(name, page, 0o644); failures[first] == nil {
					failures[first] = os.Chtimes(name, published, published)
				}
			}
		})
	}
	group.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// fileName is where nginx looks for an address: under its decoded name with the
// query, or the index of a folder.
func fileName(folder, address string) string {
	path, query, asked := strings.Cut(address, "?")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	switch {
	case asked:
		path += "?" + query
	case strings.HasSuffix(path, "/"):
		path += "index.html"
	}
	return filepath.Join(folder, path)
}
