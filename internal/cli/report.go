package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/spf13/cobra"
)

type reportFlags struct {
	format, reason, out string
}

// A reportFormat writes the report of a crawl, and with addresses those of one
// reason; nil where the format cannot.
type reportFormat struct {
	name      string
	write     func(context.Context, crawl.Reader, io.Writer) error
	addresses func(context.Context, crawl.Reader, io.Writer, crawl.Reason) error
}

// reportFormatsOf returns the formats of a report on the crawl in a folder.
func reportFormatsOf(folder string) []reportFormat {
	return []reportFormat{
		{"text", report.WriteText, report.WriteAddresses},
		{"html", func(ctx context.Context, file crawl.Reader, w io.Writer) error {
			return report.WriteHTML(ctx, file, w, report.HTMLOptions{
				Sitemap: fileIn(folder, "sitemap.xml", "sitemap.xml.gz"), Broken: fileIn(folder, brokenName),
			})
		}, nil},
		{"csv", func(ctx context.Context, file crawl.Reader, w io.Writer) error {
			return report.WriteCSV(ctx, file, w)
		}, func(ctx context.Context, file crawl.Reader, w io.Writer, reason crawl.Reason) error {
			return report.WriteCSV(ctx, file, w, reason)
		}},
		{"json", report.WriteJSON, nil},
		{"jsonl", func(ctx context.Context, file crawl.Reader, w io.Writer) error {
			return report.WriteJSONL(ctx, file, w)
		}, func(ctx context.Context, file crawl.Reader, w io.Writer, reason crawl.Reason) error {
			return report.WriteJSONL(ctx, file, w, reason)
		}},
		{"sarif", report.WriteSARIF, nil},
		{"junit", report.WriteJUnit, nil},
		{"github", report.WriteAnnotations, nil},
		{"dot", report.WriteDOT, nil},
		{"graphml", report.WriteGraphML, nil},
	}
}

// fileIn returns the first of the names that a folder has a file of, or "".
func fileIn(folder string, names ...string) string {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

func newReport() *cobra.Command {
	var flags reportFlags
	c := &cobra.Command{
		Use:     "report [FOLDER]",
		Short:   "Tell what a crawl found, in many formats",
		Long:    reportText,
		Example: reportExamples,
		Args:    atMostOne("the folder of a crawl, or its crawl.sqlite"),
		RunE: func(c *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			name := crawlIn(folder)
			write, err := flags.writer(reportFormatsOf(filepath.Dir(name)))
			if err != nil {
				return &usageError{c, err}
			}
			file, err := store.Open(name)
			if err != nil {
				return noCrawl(folder, err)
			}
			defer file.Close()
			return toOutput(flags.out, c.OutOrStdout(), func(w io.Writer) error {
				return write(c.Context(), file, w)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&flags.format, "format", "text", formatNames(reportFormatsOf("")))
	f.StringVar(&flags.reason, "reason", "", "list the addresses of one `REASON` (text, csv, jsonl), such as client-error")
	f.StringVarP(&flags.out, "output", "o", "", "write into this `FILE` instead of to standard output")
	return c
}

func formatNames(formats []reportFormat) string {
	var names []string
	for _, format := range formats {
		names = append(names, format.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// writer chooses what to write by the flags.
func (f *reportFlags) writer(formats []reportFormat) (func(context.Context, crawl.Reader, io.Writer) error, error) {
	for _, format := range formats {
		if format.name != f.format {
			continue
		}
		if f.reason == "" {
			return format.write, nil
		}
		if format.addresses == nil {
			return nil, fmt.Errorf("--reason goes with --format text, csv or jsonl, not %s", f.format)
		}
		reason, err := reasonOf(f.reason)
		return func(ctx context.Context, file crawl.Reader, w io.Writer) error {
			return format.addresses(ctx, file, w, reason)
		}, err
	}
	return nil, fmt.Errorf("--format is %s, not %q", formatNames(formats), f.format)
}

// reasonOf reads the name of a reason; "listed" is one for people.
func reasonOf(name string) (crawl.Reason, error) {
	names := []string{"listed"}
	for _, e := range report.Explanations() {
		if e.Reason != crawl.ReasonListed {
			names = append(names, string(e.Reason))
		}
		if name == string(e.Reason) && name != "" {
			return e.Reason, nil
		}
	}
	if name == "listed" {
		return crawl.ReasonListed, nil
	}
	return "", fmt.Errorf("there is no reason %q: it is one of %s", name, strings.Join(names, ", "))
}

// toOutput writes into a file, or to stdout without a name.
func toOutput(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		return write(stdout)
	}
	return replaceFile(name, write)
}
