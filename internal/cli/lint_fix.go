package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// fixFlags are the flags about writing repaired copies.
type fixFlags struct{ folder, zone string }

func (f *fixFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.folder, "fix", "", "instead of reporting, write repaired copies into this `FOLDER`")
	s.StringVar(&f.zone, "zone", "", "with --fix, the `ZONE` of times that name none, such as +01:00")
}

// options make the flags ready; what they say wrong is an error.
func (f *fixFlags) options(c *cobra.Command, lints lint.Options, format string) (repair.Options, error) {
	o := repair.Options{Folder: f.folder, BaseURL: lints.BaseURL}
	for _, name := range []string{"output", "baseline", "write-baseline", "live", "enable", "disable", "engine", "fail-on", "severity", "crawl", "site-since"} {
		if c.Flags().Changed(name) {
			return o, fmt.Errorf("--%s has no meaning together with --fix", name)
		}
	}
	if format != "text" && format != "json" {
		return o, fmt.Errorf("--format is text or json together with --fix, not %q", format)
	}
	if f.zone != "" {
		at, err := time.Parse("Z07:00", f.zone)
		if err != nil {
			return o, fmt.Errorf("--zone is Z or a difference from UTC such as +01:00, not %q", f.zone)
		}
		o.Zone = at.Location()
	}
	o.Source = source.Options{Stdin: c.InOrStdin(), UserAgent: userAgent()}
	return o, nil
}

// fix writes copies and tells what was changed and what could not be.
func fix(ctx context.Context, sources []string, options repair.Options, format string, stdout io.Writer) error {
	done, err := repair.Run(ctx, sources, options)
	if err != nil {
		return err
	}
	write := writeFixText
	if format == "json" {
		write = writeFixJSON
	}
	if err := write(stdout, options.Folder, done); err != nil {
		return err
	}
	switch {
	case len(done.Files) == 0:
		return &incomplete{exitUnreachable}
	case len(done.Left) > 0:
		return &incomplete{exitPart}
	}
	return nil
}

func writeFixText(out io.Writer, folder string, done *repair.Report) error {
	var b strings.Builder
	writeNotes(&b, "changed", done.Changed)
	writeNotes(&b, "not repaired", done.Left)
	fmt.Fprintf(&b, "%s in %s\n", format.Plural(len(done.Files), "file"), folder)
	_, err := io.WriteString(out, b.String())
	return err
}

func writeNotes(b *strings.Builder, title string, notes []repair.Note) {
	for _, n := range notes {
		rule := n.Rule
		if rule == "" {
			rule = "other"
		}
		fmt.Fprintf(b, "%s: %s, %s\n", title, rule, format.Plural(n.Count, "place"))
		for _, e := range n.Examples {
			place := e.File
			if e.Line > 0 {
				place = fmt.Sprintf("%s:%d", e.File, e.Line)
			}
			if e.Text != "" {
				place += ": " + e.Text
			}
			fmt.Fprintf(b, "  %s\n", format.Printable(place))
		}
	}
}

// A fixNote is a note as programs read it.
type fixNote struct {
	Rule     string       `json:"rule,omitempty"`
	Count    int          `json:"count"`
	Examples []fixExample `json:"examples"`
}

type fixExample struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"`
}

func writeFixJSON(out io.Writer, folder string, done *repair.Report) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Folder  string    `json:"folder"`
		Files   []string  `json:"files"`
		Changed []fixNote `json:"changed"`
		Left    []fixNote `json:"left"`
	}{folder, append([]string{}, done.Files...), fixNotes(done.Changed), fixNotes(done.Left)})
}

func fixNotes(notes []repair.Note) []fixNote {
	out := []fixNote{}
	for _, n := range notes {
		note := fixNote{Rule: n.Rule, Count: n.Count}
		for _, e := range n.Examples {
			note.Examples = append(note.Examples, fixExample(e))
		}
		out = append(out, note)
	}
	return out
}
