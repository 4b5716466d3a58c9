package cli

import (
	"github.com/mapatools/mapa/internal/app"
	"github.com/spf13/cobra"
)

func newDemo(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Crawl a small site that comes with the program",
		Long:  demoText,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			result, err := a.Demo(c.Context())
			if err != nil {
				return crawlError(c, err)
			}
			return printCrawl(c, result, newCrawlFlags())
		},
	}
}
