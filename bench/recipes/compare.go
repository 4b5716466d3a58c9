package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The lists of a site, with an entry a line: a URL and its lastmod, if it has one.
const (
	listedName = "listed.txt" // the pages that Mapa has to list
	ownName    = "own.txt"    // what the framework's own sitemap lists
)

// buildTime is the lastmod of a page in a list if it is the time of the build.
const buildTime = "build"

// compare compares a sitemap with a list of the site.
func (s *site) compare(ctx context.Context, list, what, sitemap string, start time.Time) error {
	command := s.command(ctx, filepath.Join(s.bin, "mapa"), "list", "--format", "jsonl", sitemap)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("mapa list %s: %w", sitemap, err)
	}
	return s.compareEntries(list, what, output, start)
}

// compareOwn compares the framework's own sitemap with what its page says.
func (s *site) compareOwn(start time.Time) error {
	if s.own == "" {
		return nil
	}
	output, err := os.ReadFile(filepath.Join(s.dir, ownList))
	if err != nil {
		return err
	}
	return s.compareEntries(ownName, "own sitemap", output, start)
}

// compareEntries returns an error with every entry that is missing or not in a list.
func (s *site) compareEntries(list, what string, output []byte, start time.Time) error {
	text, err := os.ReadFile(filepath.Join(s.dir, list))
	if err != nil {
		return err
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	got, err := readEntries(output, start)
	if err != nil {
		return err
	}
	var differences []error
	for _, entry := range want {
		if !slices.Contains(got, entry) {
			differences = append(differences, fmt.Errorf("%s: missing %s", what, entry))
		}
	}
	for i, entry := range got {
		if !slices.Contains(want, entry) || slices.Contains(got[:i], entry) {
			differences = append(differences, fmt.Errorf("%s: extra   %s", what, entry))
		}
	}
	return errors.Join(differences...)
}

// readEntries reads what mapa list writes into the form of a list.
func readEntries(output []byte, start time.Time) (entries []string, err error) {
	lines := bufio.NewScanner(bytes.NewReader(output))
	for lines.Scan() {
		var entry struct{ Loc, Lastmod string }
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return nil, err
		}
		entries = append(entries, strings.TrimSpace(entry.Loc+" "+lastmod(entry.Lastmod, start)))
	}
	return entries, lines.Err()
}

// lastmod returns a date of a sitemap as the lists have it: in UTC, or buildTime since start.
func lastmod(text string, start time.Time) string {
	if moment, err := time.Parse(time.RFC3339, text); err == nil {
		text = moment.UTC().Format(time.RFC3339)
	}
	if text >= start.UTC().Format(time.DateOnly) {
		return buildTime
	}
	return text
}

// checkRobots returns an error if the robots.txt that the commands name lacks the sitemap.
func (s *site) checkRobots(p page) error {
	if p.robots == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(s.dir, p.robots))
	if err != nil {
		return err
	}
	if line := "Sitemap: https://example.com/sitemap.xml\n"; strings.Count(string(text), line) != 1 {
		return fmt.Errorf("%s has not one line %q:\n%s", p.robots, line, text)
	}
	return nil
}
