package journal

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// watchTime is the time without a change after which a watch asks the leader for one.
	watchTime = 5 * time.Second
	// listenTime is the time between two attempts to hear of changes from a replica.
	listenTime = 30 * time.Second
)

// A watch passes the changes of a bucket on, in their order. Any replica may send them,
// and one that has failed may stay behind for good, as those of version 2.9.10 do. So the
// leader is asked too, which has them all: with the leader alone a watch is only slower.
type watch struct {
	bucket   *keyValue
	pattern  string
	changed  func(entry)
	at       uint64    // revision of the last change that was passed on
	isLost   bool      // the leader did not have that change when it was asked last
	replica  listener  // that sends changes
	listened time.Time // when it was last asked to
}

// A listener receives the changes that a replica sends. The zero listener receives none.
type listener struct {
	updates <-chan jetstream.KeyValueEntry
	stop    context.CancelFunc
}

// end ends listening.
func (l *listener) end() {
	if l.stop != nil {
		l.stop()
	}
	*l = listener{}
}

func (k *keyValue) watch(ctx context.Context, pattern string, changed func(entry)) <-chan struct{} {
	w := &watch{bucket: k, pattern: pattern, changed: changed}
	ready := make(chan struct{})
	go w.follow(ctx, ready)
	return ready
}

// follow passes changes on until ctx ends. It closes ready after all present values. The leader
// is asked when the replica has sent the present values or sends nothing, and until ready also
// when it sends changes only: the values may have been lost with its connection.
func (w *watch) follow(ctx context.Context, ready chan<- struct{}) {
	timer := time.NewTimer(watchTime)
	defer timer.Stop()
	for ctx.Err() == nil {
		present := w.listen(ctx)
		if !present {
			select {
			case <-ctx.Done():
			case update, open := <-w.replica.updates:
				present = w.takeUpdate(update, open)
			case <-timer.C:
				present = true
			}
		}
		if present && w.catchUp(ctx) == nil && ready != nil {
			close(ready)
			ready = nil
		}
		if present || ready == nil {
			timer.Reset(watchTime)
		}
	}
	w.replica.end()
}

// takeUpdate takes in what a replica has sent. It reports whether no more is to be expected
// for now.
func (w *watch) takeUpdate(update jetstream.KeyValueEntry, open bool) (present bool) {
	switch {
	case !open:
		w.replica.end()
	case update != nil: // otherwise all present values were sent
		w.take(entryOf(update))
		return false
	}
	return true
}

// listen asks a replica to send changes, unless one does already or was asked a moment ago. It
// reports whether that has failed, so that the leader is to be asked instead.
func (w *watch) listen(ctx context.Context) (failed bool) {
	if w.replica.updates != nil || time.Since(w.listened) < listenTime {
		return false
	}
	w.listened = time.Now()
	ctx, stop := context.WithCancel(ctx)
	timer := time.AfterFunc(answerTime, stop) // without a connection the library waits until ctx ends
	watcher, err := w.bucket.kv.Watch(ctx, w.pattern)
	if !timer.Stop() || err != nil {
		stop()
		return true
	}
	w.replica = listener{watcher.Updates(), stop}
	return false
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
		e.value = presentValue(update.Value())
	}
	return e
}

// presentValue returns the value of a key that has one, which may be empty.
func presentValue(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
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
	if !isRemoval(m.Header.Get) {
		e.value = presentValue(m.Data)
	}
	return e, nil
}

// isRemoval reports whether a message with a header removes its key.
func isRemoval(header func(name string) string) bool {
	operation := header("KV-Operation")
	return operation == "DEL" || operation == "PURGE" || header(jetstream.MarkerReasonHeader) != ""
}
