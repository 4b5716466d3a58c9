package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/source"
	"github.com/spf13/cobra"
)

// diffFormats write a comparison and say whether there was any difference.
var diffFormats = map[string]func(context.Context, io.Writer, *compare.Comparison) (bool, error){
	"text": writeDiffText, "json": writeDiffJSON, "jsonl": writeDiffLines, "html": writeDiffHTML,
}

func newDiff() *cobra.Command {
	var format string
	var crossHost bool
	c := &cobra.Command{
		Use:     "diff OLD NEW",
		Short:   "Tell what changed between two crawls or sitemaps",
		Long:    diffText,
		Example: diffExamples,
		Args:    exactlyTwo("an old and a new crawl or sitemap"),
		RunE: func(c *cobra.Command, args []string) error {
			write, ok := diffFormats[format]
			if !ok {
				return &usageError{c, fmt.Errorf("--format is text, json, jsonl or html, not %q", format)}
			}
			if args[0] == args[1] {
				return &usageError{c, fmt.Errorf("OLD and NEW are both %s", args[0])}
			}
			d := &differ{
				options: source.Options{Stdin: c.InOrStdin(), UserAgent: userAgent(), CrossHost: crossHost},
				write:   write, stdout: c.OutOrStdout(), stderr: c.ErrOrStderr(),
			}
			return d.run(c.Context(), args[0], args[1])
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, json, jsonl (one change a line) or html")
	c.Flags().BoolVar(&crossHost, "cross-host", false, "follow sitemaps that an index lists on other hosts")
	return c
}

// A differ is one run of the command.
type differ struct {
	options source.Options
	write   func(context.Context, io.Writer, *compare.Comparison) (bool, error)
	stdout  io.Writer
	stderr  io.Writer
	faults  []error
	files   int
}

func (d *differ) run(ctx context.Context, old, new string) (err error) {
	var comparison compare.Comparison
	for _, side := range []struct {
		location string
		into     **compare.Side
	}{{old, &comparison.Old}, {new, &comparison.New}} {
		opened, err := compare.Open(ctx, side.location, &d.options)
		if err != nil {
			return err
		}
		defer opened.Close()
		*side.into = opened
		for _, fault := range opened.Faults {
			complain(d.stderr, fault)
		}
		if len(opened.Faults) > 0 && opened.Files == 0 {
			return &incomplete{unreadable(opened.Faults, 0)}
		}
		d.faults, d.files = append(d.faults, opened.Faults...), d.files+opened.Files
	}
	out := bufio.NewWriter(d.stdout)
	differs, err := d.write(ctx, out, &comparison)
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
	}
	if comparison.Unseen > 0 {
		fmt.Fprintf(d.stderr, "mapa: %s left out: a crawl did not get to them, or could not\n", format.Plural(comparison.Unseen, "address"))
	}
	switch {
	case len(d.faults) > 0:
		return &incomplete{unreadable(d.faults, d.files)}
	case differs:
		return &incomplete{exitFindings}
	}
	return nil
}

func writeDiffLines(ctx context.Context, w io.Writer, c *compare.Comparison) (differs bool, err error) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for change, err := range c.Changes(ctx) {
		if err == nil {
			err = encoder.Encode(change)
		}
		if err != nil {
			return differs, err
		}
		differs = true
	}
	return differs, nil
}

// countChanges goes through the differences once, so that the figures can stand
// above them.
func countChanges(ctx context.Context, c *compare.Comparison) (counts map[compare.Kind]int, total int, err error) {
	counts = make(map[compare.Kind]int)
	for _, kind := range compare.Kinds {
		counts[kind] = 0
	}
	for change, err := range c.Changes(ctx) {
		if err != nil {
			return nil, 0, err
		}
		counts[change.Kind]++
		total++
	}
	return counts, total, nil
}

// writeDiffJSON writes one object, with a change a line.
func writeDiffJSON(ctx context.Context, w io.Writer, c *compare.Comparison) (bool, error) {
	counts, total, err := countChanges(ctx, c)
	if err != nil {
		return false, err
	}
	head, err := json.Marshal(struct {
		Old    string               `json:"old"`
		New    string               `json:"new"`
		Counts map[compare.Kind]int `json:"counts"`
		Unseen int                  `json:"unseen"`
	}{c.Old.Location, c.New.Location, counts, c.Unseen})
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, `%s,"changes":[`, head[:len(head)-1])
	separator, end := "\n", "]}\n"
	for change, err := range c.Changes(ctx) {
		if err != nil {
			return true, err
		}
		line, err := json.Marshal(change)
		if err != nil {
			return true, err
		}
		if _, err := fmt.Fprintf(w, "%s%s", separator, line); err != nil {
			return true, err
		}
		separator, end = ",\n", "\n]}\n"
	}
	_, err = io.WriteString(w, end)
	return total > 0, err
}
