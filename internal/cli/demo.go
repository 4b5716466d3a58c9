package cli

import (
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/spf13/cobra"
)

//go:embed demo
var demoFiles embed.FS

func newDemo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Crawl a small site that comes with the program",
		Long:  demoText,
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			site, err := demoSite()
			if err != nil {
				return err
			}
			server := &http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second}
			served := make(chan error, 1)
			go func() { served <- server.Serve(listener) }()
			run := &crawlRun{
				options: crawl.Options{
					Start:  "http://" + listener.Addr().String() + "/",
					Access: crawl.Access{UserAgent: userAgent(), Rate: crawl.PerSecond(0)},
				},
				publish: publish.Options{MaxShrink: 100},
				folder:  "mapa-demo",
				fresh:   true,
				stdout:  c.OutOrStdout(),
				stderr:  c.ErrOrStderr(),
			}
			err = run.do(c.Context())
			server.Close()
			if stopped := <-served; !errors.Is(stopped, http.ErrServerClosed) {
				err = errors.Join(err, stopped)
			}
			return err
		},
	}
}

// demoSite serves the bundled files and one redirect.
func demoSite() (http.Handler, error) {
	files, err := fs.Sub(demoFiles, "demo")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(files))
	mux.Handle("/old", http.RedirectHandler("/about.html", http.StatusMovedPermanently))
	return mux, nil
}
