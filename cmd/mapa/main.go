// Command mapa makes, reads and checks sitemaps.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mapatools/mapa/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" {
		boundGarbage()
	}
	ctx, stop := interruptible(context.Background())
	code := cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// secondSignal is how long after the first signal another one ends the program at once.
// Programs such as timeout(1) send two together.
const secondSignal = time.Second

// interruptible returns a context that the first signal cancels.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(secondSignal, stop) })
	return ctx, stop
}
