package journal

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// watchTime is the time without a change after which a watch asks the leader for one.
const watchTime = 5 * time.Second

// A watch passes the changes of a bucket on, in their order. Any replica may send them,
// and one that has failed may stay behind for good, as those of version 2.9.10 do. So the
// leader is asked too, which has them all.
type watch struct {
	bucket  *keyValue
	pattern string
	changed func(entry)
	at      uint64 // revision of the last change that was passed on
	isLost  bool   // the leader did not have that change when it was asked last
}

func (k *keyValue) watch(ctx context.Context, pattern string, changed func(entry)) error {
	watcher, err := k.kv.Watch(ctx, pattern)
	if err != nil {
		return err
	}
	w := &watch{bucket: k, pattern: pattern, changed: changed}
	ready := make(chan struct{})
	go func() {
		defer watcher.Stop() //nolint:errcheck // the connection is closed
		w.follow(ctx, watcher.Updates(), ready)
	}()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// follow passes changes on until ctx ends. It closes ready after all present values.
func (w *watch) follow(ctx context.Context, updates <-chan jetstream.KeyValueEntry, ready chan<- struct{}) {
	timer := time.NewTimer(watchTime)
	defer timer.Stop()
	for {
		present := false
		select {
		case <-ctx.Done():
			return
		case update, open := <-updates:
			switch {
			case !open:
				updates = nil
			case update == nil: // after the present values of the replica
				present = true
			default:
				w.take(entryOf(update))
			}
		case <-timer.C:
			present = true
		}
		if present && w.catchUp(ctx) == nil && ready != nil {
			close(ready)
			ready = nil
		}
		timer.Reset(watchTime)
	}
}

// catchUp passes on what the leader has and the replica has not sent. When the leader does
// not have any more what was passed on, it starts again with the zero entry. It asks twice
// before that: a leader that was cut off may answer until it learns that there is another.
func (w *watch) catchUp(ctx context.Context) error {
	newest, err := within(ctx, w.bucket.newest)
	if err != nil {
		return err
	}
	wasLost := w.isLost
	w.isLost = newest < w.at
	if w.isLost && !wasLost {
		return nil
	}
	if w.isLost {
		w.at = 0
		w.changed(entry{})
	}
	for w.at < newest {
		e, err := within(ctx, func(ctx context.Context) (entry, error) { return w.bucket.next(ctx, w.pattern, w.at) })
		if err != nil {
			return err
		}
		if e.revision == 0 { // what is newer does not match
			w.at = newest
			return nil
		}
		w.take(e)
	}
	return nil
}

func (w *watch) take(e entry) {
	if e.revision > w.at {
		w.at = e.revision
		w.changed(e)
	}
}

func entryOf(update jetstream.KeyValueEntry) entry {
	e := entry{key: update.Key(), revision: update.Revision()}
	if update.Operation() == jetstream.KeyValuePut {
		e.value = update.Value()
	}
	return e
}

// next returns the first change after a revision of the keys that match, which the leader
// knows. The zero entry means that there is none.
func (k *keyValue) next(ctx context.Context, pattern string, after uint64) (entry, error) {
	prefix := "$KV." + k.kv.Bucket() + "."
	m, err := k.stream.GetMsg(ctx, after+1, jetstream.WithGetMsgSubject(prefix+pattern))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return entry{}, nil
	}
	if err != nil {
		return entry{}, err
	}
	e := entry{key: strings.TrimPrefix(m.Subject, prefix), revision: m.Sequence}
	if m.Header.Get(operationHeader) == "" {
		e.value = m.Data
	}
	return e, nil
}

// operationHeader marks a message that removes its key.
const operationHeader = "KV-Operation"
