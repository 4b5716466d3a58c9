package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/mcp"
	"github.com/spf13/cobra"
)

func newMCP(a *app.App) *cobra.Command {
	data, allowCrawl := newServeFlags().data, false
	settings := []setting.Setting{
		{Name: "data", Value: setting.String(&data), Risk: setting.RiskOutside, Help: "the `FOLDER` with the crawls of mapa serve"},
		{Name: "allow-crawl", Value: setting.Bool(&allowCrawl), Risk: setting.RiskOutside,
			Help: "let the model start and stop crawls"},
	}
	c := &cobra.Command{
		Use:     "mcp",
		Short:   "Let a language model use the crawls of a server",
		Long:    mcpText,
		Example: mcpExamples,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if _, err := os.Stat(data); allowCrawl && c.Flags().Changed("data") && errors.Is(err, fs.ErrNotExist) {
				return &usageError{c, fmt.Errorf("--data: there is no folder %s: name that of mapa serve, or make it", data)}
			}
			logger := newLogger(c.ErrOrStderr(), a.Verbose)
			settings := service.Options{Folder: data, ReadOnly: !allowCrawl, App: a, Logger: logger}
			crawls, err := service.Open(c.Context(), settings)
			if cause.Of(err) == cause.FileLocked {
				return &servedError{err}
			}
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, crawls.Close()) }()
			options := mcp.Options{Service: crawls, App: a, AllowCrawl: allowCrawl}
			return runMCP(c, options)
		},
	}
	addSettings(a, c, settings)
	return c
}

// A servedError means that a model was to use a folder that another process has, which is
// mostly mapa serve.
type servedError struct{ error }

// Unwrap returns what the folder is locked by.
func (e *servedError) Unwrap() error { return e.error }

// runMCP serves the client on standard input and output, and runs the queue if the model
// may start crawls.
func runMCP(c *cobra.Command, options mcp.Options) error {
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	queue := make(chan error, 1)
	if options.AllowCrawl {
		go func() { queue <- options.Service.Run(ctx) }()
	} else {
		queue <- nil
	}
	err := mcp.Run(ctx, options, io.NopCloser(c.InOrStdin()), writeCloser{c.OutOrStdout()})
	cancel()
	err = errors.Join(err, <-queue)
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// A writeCloser is a writer that stays open.
type writeCloser struct{ io.Writer }

// Close implements [io.Closer].
func (writeCloser) Close() error { return nil }
