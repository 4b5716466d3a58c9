package cli

import (
	"fmt"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/spf13/cobra"
)

func newWorker(a *app.App) *cobra.Command {
	settings := appcrawl.NewWorkerSettings()
	c := &cobra.Command{
		Use:     "worker",
		Short:   "Crawl sites of jobs that machines share through NATS",
		Long:    workerText,
		Example: workerExamples,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := config.ApplyEnvironment(a, settings.All(), typed(c.Flags())); err != nil {
				return &usageError{c, err}
			}
			if err := appcrawl.Work(c.Context(), a, settings); err != nil {
				return settingError(c, err)
			}
			if c.Context().Err() != nil {
				fmt.Fprintln(c.ErrOrStderr(), workerStoppedText)
				return errStopped
			}
			return nil
		},
	}
	addFlags(c, settings.All())
	return c
}
