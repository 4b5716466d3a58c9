package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/spf13/cobra"
)

// waitForEnter returns when a line was read, or nothing can be read any more, or ctx ends.
func waitForEnter(ctx context.Context, in io.Reader) {
	entered := make(chan struct{})
	go func() {
		defer close(entered)
		_, _ = bufio.NewReader(in).ReadString('\n') // the end of the input is as good
	}()
	select {
	case <-entered:
	case <-ctx.Done():
	}
}

func newDemo(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Crawl a small site that comes with the program",
		Long:  demoText,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			err := appcrawl.Demo(c.Context(), a, func(result *appcrawl.Result, site string) error {
				err := cmp.Or(printCrawl(a, c, "", result, false), crawlExit(result))
				if stdin, ok := c.InOrStdin().(*os.File); err == nil && ok && isTerminal(stdin) {
					fmt.Fprintf(c.ErrOrStderr(), "\n%s\n", a.Texts().Text("line.demo", site))
					waitForEnter(c.Context(), stdin)
				}
				return err
			})
			return crawlError(a, c, err)
		},
	}
}
