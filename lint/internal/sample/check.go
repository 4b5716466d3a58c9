// Package sample chooses the pages of sitemaps that are requested, holds what the
// sitemaps say about them, and checks several at the same time.
package sample

import (
	"cmp"
	"context"
	"sync"
)

// Check calls check with every page, in concurrency goroutines, and deliver with
// what it returns, in the order of the pages and in the calling goroutine, until
// deliver returns false. The context of check ends then. An error is that of ctx or
// of reading the pages.
func Check[R any](
	ctx context.Context, pages *Pages, concurrency int,
	check func(ctx context.Context, file uint32, page *Listing) R, deliver func(R) bool,
) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan R, 4*concurrency)
	var reading error
	go func() {
		defer close(queue)
		reading = start(inner, pages, concurrency, check, queue)
	}()
	stopped := false
	for result := range queue {
		if r := <-result; !stopped && ctx.Err() == nil {
			if stopped = !deliver(r); stopped {
				cancel()
			}
		}
	}
	if stopped {
		return nil
	}
	return cmp.Or(ctx.Err(), reading)
}

// start puts the results of the pages into the queue in their order, each while
// it is still being made.
func start[R any](
	ctx context.Context, pages *Pages, concurrency int,
	check func(ctx context.Context, file uint32, page *Listing) R, queue chan<- chan R,
) error {
	slots := make(chan struct{}, concurrency)
	var running sync.WaitGroup
	defer running.Wait()
	return pages.each(func(file uint32, page *Listing) bool {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return false
		}
		result := make(chan R, 1)
		running.Go(func() {
			defer func() { <-slots }()
			result <- check(ctx, file, page)
		})
		queue <- result
		return true
	})
}
