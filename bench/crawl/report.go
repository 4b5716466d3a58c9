package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A summary is what mapa crawl --format json prints.
type summary struct {
	Pages     int     `json:"pages"`
	Listed    int     `json:"listed"`
	Broken    int     `json:"broken"`
	Redirects int     `json:"redirects"`
	Blocked   int     `json:"blocked"`
	Requests  int     `json:"requests"`
	Bytes     int64   `json:"bytes"`
	Seconds   float64 `json:"seconds"`
}

func readSummary(file string) (s summary, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("the summary of a crawl: %w", err)
	}
	return s, nil
}

// reported holds what Mapa says about the site against the truth: its summary,
// its sitemap and its crawl file.
func (b *bench) reported(ctx context.Context) (string, error) {
	s, err := readSummary(b.results("mapa"))
	if err != nil {
		return "", err
	}
	pages, err := readSitemap(filepath.Join(b.output("mapa"), "sitemap.xml"))
	if err != nil {
		return "", err
	}
	var urls []string
	for _, p := range pages {
		urls = append(urls, p.loc)
	}
	t := b.truth
	var out strings.Builder
	fmt.Fprintf(&out, "\nmapa's summary: %+v\n", s)
	fmt.Fprintf(&out, "sitemap: %s\n", difference(addresses(t.Base, urls), t.Listed))
	for _, asked := range []struct {
		what, where string
		truth       []string
	}{
		{"dead", "status = 404", slices.Collect(maps.Keys(t.Dead))},
		{"redirects", "decision = 'redirect'", slices.Collect(maps.Keys(t.Redirects))},
		{"in loops", "decision = 'redirect-loop'", slices.Collect(maps.Keys(t.Loops))},
		{"blocked", "decision = 'robots'", t.Blocked},
	} {
		found, err := query(ctx, b.output("mapa"), "select url from page where "+asked.where)
		if err != nil {
			return "", err
		}
		paths := addresses(t.Base, strings.Fields(string(found)))
		fmt.Fprintf(&out, "crawl file, %s: %s\n", asked.what, difference(paths, asked.truth))
	}
	return out.String(), nil
}

// query returns what sqlite3 prints for a query of a crawl file.
func query(ctx context.Context, folder, statement string) ([]byte, error) {
	file := filepath.Join(folder, "crawl.sqlite")
	command := exec.CommandContext(ctx, "sqlite3", "-readonly", file, statement)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return out, err
}

// addresses brings URLs to the spelling of the truth; one that is not of the
// site stays as it is.
func addresses(base string, urls []string) []string {
	var paths []string
	for _, text := range urls {
		u, err := url.Parse(text)
		if err == nil && u.Scheme+"://"+u.Host == base {
			text = oneSpelling(u.RequestURI())
		}
		paths = append(paths, text)
	}
	return paths
}

// difference says how what was found differs from the truth.
func difference(found, truth []string) string {
	found, truth = slices.Sorted(slices.Values(found)), slices.Sorted(slices.Values(truth))
	distinct := slices.Compact(slices.Clone(found))
	missing, extra := without(truth, distinct), without(distinct, truth)
	text := fmt.Sprintf("%d of %d, %d missing, %d too many, %d twice",
		len(truth)-len(missing), len(truth), len(missing), len(extra), len(found)-len(distinct))
	for _, wrong := range []struct {
		what  string
		paths []string
	}{{"missing", missing}, {"too many", extra}} {
		if len(wrong.paths) > 0 {
			text += fmt.Sprintf("\n  %s: %s", wrong.what, strings.Join(wrong.paths[:min(5, len(wrong.paths))], " "))
		}
	}
	return text
}

// without returns what is in a and not in b, both sorted.
func without(a, b []string) []string {
	var rest []string
	for _, item := range a {
		if _, found := slices.BinarySearch(b, item); !found {
			rest = append(rest, item)
		}
	}
	return rest
}
