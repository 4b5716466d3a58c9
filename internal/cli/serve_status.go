package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/web"
	"github.com/spf13/cobra"
)

// statusTime is how long a server may take to say that it is ready.
const statusTime = 5 * time.Second

// newServeStatus returns the command by which a container asks whether its server works.
func newServeStatus(a *app.App) *cobra.Command {
	listen := newServeFlags().listen
	settings := []setting.Setting{
		{Name: "listen", Value: setting.String(&listen), Risk: setting.RiskOutside, Help: "the `ADDRESS` of the server"},
	}
	c := &cobra.Command{
		Use:     "status",
		Short:   "Say whether the server is ready",
		Long:    serveStatusText,
		Example: "  mapa serve status\n  mapa serve status --listen 127.0.0.1:9000",
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := askReady(c.Context(), listen); err != nil {
				return err
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), "ready")
			return err
		},
	}
	addSettings(a, c, settings)
	return c
}

func askReady(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, statusTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{}} // without the proxy of the environment
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s is not ready: it answers %d", address, answer.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, int64(len(web.ReadyText)+1)))
	if err == nil && string(text) != web.ReadyText {
		err = fmt.Errorf("the server at %s is not mapa serve: name another address with --listen", address)
	}
	return err
}
