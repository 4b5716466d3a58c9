package cli_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
	"github.com/mapatools/mapa/internal/testsite"
)

// TestTruthLint makes sure that nothing is wrong, for any engine, with what a crawl writes of
// sites with all kinds of dates, languages, videos and addresses.
func TestTruthLint(t *testing.T) {
	t.Parallel()
	for i, test := range []struct {
		settings string
		flags    []string
	}{
		{},
		{"", []string{"--gzip", "--set", "languages=/languages"}},
		{"images: true\n", []string{"--outputs", "xml,txt,html,rss,atom"}},
		{"images: true\napart: [images, videos]\n", []string{"--base-url", "https://example.com/shop/"}},
	} {
		t.Run(strings.Join(test.flags, " "), func(t *testing.T) {
			t.Parallel()
			c := newTruthCrawl(t, testsite.TruthOptions{Seed: uint64(40 + i), ETags: i%2 == 1})
			c.settings = test.settings
			c.crawl(t, test.flags...)
			lintAll(t, c.folder)
			if slices.Contains(test.flags, "--outputs") {
				for _, name := range []string{"urllist.txt", "rss.xml", "atom.xml"} {
					lintAll(t, filepath.Join(c.folder, name), "--severity", "rss-unsupported=off") // by Yandex
				}
			}
		})
	}
}

// siteRules are the rules that the pages of the site break themselves: its links between
// languages are wrong, and most of its pages have no date.
const siteRules = "hreflang-xdefault-missing=off,hreflang-format=off,hreflang-self-missing=off," +
	"hreflang-not-reciprocal=off,lastmod-sparse=off"

// lintAll fails the test if lint finds anything in a source for any engine.
func lintAll(t *testing.T, source string, flags ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := []string{"lint", source, "--engine", "all", "--fail-on", "info", "--severity", siteRules}
	args = append(args, flags...)
	if code := cli.Run(context.Background(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Errorf("%s: exit code %d\n%s%s", source, code, &stdout, &stderr)
	}
}
