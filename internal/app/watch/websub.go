package watch

import (
	"context"
	"errors"
	"sync"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/httpserver"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/watch"
)

// subscriptions ask the hubs of feeds to report their changes.
type subscriptions struct {
	subscriber *watch.Subscriber
	mutex      sync.Mutex
	sites      map[string]string // by the URL of their feeds
}

// listen starts to take the calls of hubs. A delivery makes the site due: the feed itself
// is read again, so that a hub cannot invent pages.
func (w *watchRun) listen() (stop func(), err error) {
	s := &subscriptions{}
	watcher := w.watcher
	s.subscriber, err = watcher.Subscriber(&watch.SubscriberOptions{
		Callback: w.settings.WebSub,
		OnDelivery: func(of watch.Subscription, _ string, _ []byte) {
			s.mutex.Lock()
			site, known := s.sites[of.Topic]
			s.mutex.Unlock()
			if !known {
				return
			}
			if err := watcher.MakeDue(context.Background(), site); err != nil {
				w.app.Emit(app.Problem{Err: err})
				return
			}
			select {
			case w.wake <- struct{}{}:
			default: // the run is about to look already
			}
		},
	})
	if err != nil {
		return nil, setting.Invalid("websub", "%s must be an http or https URL")
	}
	w.subscriptions = s
	stop, err = httpserver.Serve(w.settings.Listen, s.subscriber)
	if err != nil {
		return nil, setting.Wrap("listen", err)
	}
	return stop, nil
}

// update subscribes to the feeds that have a hub, and renews leases.
func (s *subscriptions) update(ctx context.Context, w *watch.Watcher) error {
	feeds, err := w.Feeds(ctx)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	s.sites = feeds
	s.mutex.Unlock()
	var errs []error
	for feed := range feeds {
		if err := s.subscriber.Subscribe(ctx, feed); err != nil && !errors.Is(err, watch.ErrNoHub) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
