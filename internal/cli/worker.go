package cli

import (
	"fmt"

	"github.com/mapatools/mapa/internal/app"
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
	addSettings(a, c, settings.All())
	return c
}
