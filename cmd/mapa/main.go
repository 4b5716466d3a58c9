// Command mapa makes, reads and checks sitemaps.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mapatools/mapa/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
