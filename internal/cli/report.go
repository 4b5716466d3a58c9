package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/spf13/cobra"
)

type reportFlags struct {
	format, reason, out string
}

func newReport() *cobra.Command {
	var flags reportFlags
	c := &cobra.Command{
		Use:     "report [FOLDER]",
		Short:   "Tell what a crawl found, in many formats",
		Long:    reportText,
		Example: reportExamples,
		RunE: func(c *cobra.Command, args []string) error {
			return runReport(c.Context(), args[0], flags, c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&flags.format, "format", "text", "")
	f.StringVarP(&flags.out, "output", "o", "", "")
	return c
}

func runReport(ctx context.Context, name string, flags reportFlags, stdout io.Writer) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, crawlName)
	}
	file, err := store.Open(name)
	if err != nil {
		return err
	}
	defer file.Close(false)
	if flags.format != "html" {
		return fmt.Errorf("later")
	}
	return report.WriteHTML(ctx, file, stdout, report.HTMLOptions{})
}

const reportText, reportExamples = "x", "y"
