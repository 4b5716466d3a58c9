package crawl

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
)

//go:embed demo
var demoFiles embed.FS

const demoFolder = "mapa-demo"

// demoAddress is where the demo is served when the port is free.
const demoAddress = "127.0.0.1:8642"

// Demo serves a small website on this machine, crawls it, and calls show with the result
// and the address of the site, which it serves until show returns.
func Demo(ctx context.Context, a *app.App, show func(result *Result, site string) error) error {
	listener, err := net.Listen("tcp", demoAddress)
	if err != nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return err
	}
	site, err := demoSite()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	settings := NewSettings()
	settings.Output, settings.Fresh = demoFolder, true
	settings.Access.Rate, settings.Publish.MaxShrink = access.PerSecond(0), 100
	address := "http://" + listener.Addr().String() + "/"
	result, err := Run(ctx, a, address, settings)
	if err == nil {
		err = show(result, address)
	}
	server.Close()
	if stopped := <-served; !errors.Is(stopped, http.ErrServerClosed) {
		err = errors.Join(err, stopped)
	}
	return err
}

// demoSite serves the embedded files and one redirect.
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
