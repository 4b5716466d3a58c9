package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// documentPages returns a page for each document in docs. The chapters of the rules are left
// out: each rule has a page of its own.
func documentPages(ctx context.Context) ([]page, error) {
	dates, err := documentDates(ctx)
	if err != nil {
		return nil, err
	}
	var pages []page
	err = filepath.WalkDir("docs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		source := filepath.ToSlash(name)
		if source == "docs/rules" {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(source) != ".md" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pages = append(pages, documentPage(source, string(text), dates[source]))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the documents: %w", err)
	}
	return pages, nil
}

var (
	heading   = regexp.MustCompile(`(?m)^# (.+)$`)
	shortcode = regexp.MustCompile(`\{\{([<%])(.*?)([>%])\}\}`)
)

// documentPage returns the page of a document. Its title is its first heading. What looks like
// a shortcode of Hugo is an example of one.
func documentPage(source, text, date string) page {
	target := source
	switch {
	case source == "docs/rules.md":
		target = "rules/_index.md"
	case strings.HasSuffix(source, "/README.md"):
		target = strings.TrimSuffix(source, "README.md") + "_index.md"
	}
	front := map[string]any{"source": source}
	if title := heading.FindStringSubmatch(text); title != nil {
		front["title"] = strings.ReplaceAll(title[1], "`", "")
	}
	if date != "" {
		front["lastmod"] = date
	}
	return page{path: target, front: front, body: shortcode.ReplaceAllString(text, "{{$1/*$2*/$3}}")}
}

// documentDates returns the time of the last commit that changed each document, and nothing
// outside of a checkout.
func documentDates(ctx context.Context) (map[string]string, error) {
	if _, err := os.Stat(".git"); err != nil {
		return nil, nil
	}
	git := exec.CommandContext(ctx, "git", "-c", "safe.directory=*", // in a container, the checkout is another user's
		"log", "--format=%x00%aI", "--name-only", "--", "docs")
	out, err := git.Output()
	if err != nil {
		return nil, fmt.Errorf("git log: %w", err)
	}
	dates := map[string]string{}
	for commit := range strings.SplitSeq(string(out), "\x00") {
		date, names, _ := strings.Cut(commit, "\n")
		for name := range strings.FieldsSeq(names) {
			if dates[name] == "" {
				dates[name] = date
			}
		}
	}
	return dates, nil
}
