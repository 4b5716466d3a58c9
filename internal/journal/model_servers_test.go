package journal

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A modelStore is what the servers of a model store.
type modelStore struct {
	shared, lease *sharedBucket
	logs          map[string]*sharedStream // by journal
	states        map[string]*sharedBucket // by journal
}

func newModelStore() *modelStore {
	return &modelStore{newSharedBucket(), newSharedBucket(), map[string]*sharedStream{}, map[string]*sharedBucket{}}
}

// modelServers are the servers as one client sees them.
type modelServers struct {
	client
	store *modelStore
}

func (m *model) newServers() *modelServers {
	return &modelServers{client{m, &pauser{}}, newModelStore()}
}

func (s *modelServers) leases() bucket {
	return &modelBucket{s.client, func() *sharedBucket { return s.store.lease }}
}

func (s *modelServers) jobs() bucket {
	return &modelBucket{s.client, func() *sharedBucket { return s.store.shared }}
}

func (s *modelServers) log(journal string) *modelStream {
	return &modelStream{s.client, func() *sharedStream { return s.store.logs[journal] }}
}

func (s *modelServers) states(journal string) *modelBucket {
	return &modelBucket{s.client, func() *sharedBucket { return s.store.states[journal] }}
}

func (s *modelServers) open(ctx context.Context, journal string) (stream, bucket, error) {
	_, err := ask(ctx, s.client, func() (any, error) {
		if s.store.logs[journal] == nil || s.store.states[journal] == nil {
			return nil, errGone
		}
		return nil, nil
	})
	return s.log(journal), s.states(journal), err
}

func (s *modelServers) create(ctx context.Context, journal string) error {
	_, err := ask(ctx, s.client, func() (any, error) {
		if s.store.logs[journal] == nil {
			s.store.logs[journal] = newSharedStream()
		}
		return nil, nil
	})
	if err == nil {
		_, err = ask(ctx, s.client, func() (any, error) {
			if s.store.states[journal] == nil {
				s.store.states[journal] = newSharedBucket()
			}
			return nil, nil
		})
	}
	return err
}

func (s *modelServers) remove(ctx context.Context, journal string) error {
	_, err := ask(ctx, s.client, func() (any, error) {
		delete(s.store.logs, journal)
		return nil, nil
	})
	if err == nil {
		_, err = ask(ctx, s.client, func() (any, error) {
			delete(s.store.states, journal)
			return nil, nil
		})
	}
	return err
}

func (s *modelServers) journals(ctx context.Context, job string) ([]string, error) {
	return ask(ctx, s.client, func() (journals []string, _ error) {
		logs, states := slices.Collect(maps.Keys(s.store.logs)), slices.Collect(maps.Keys(s.store.states))
		for _, name := range slices.Concat(logs, states) {
			if strings.HasPrefix(name, journalPrefix(job)) {
				journals = append(journals, name)
			}
		}
		return journals, nil
	})
}

// modelStream is a stream and its subjects.
type modelStream struct {
	client
	find func() *sharedStream // nil when it is missing
}

type sharedStream struct {
	refuses  error // what is published
	sequence uint64
	subjects map[string][]message
	ids      map[string]bool
}

func newSharedStream() *sharedStream {
	return &sharedStream{subjects: map[string][]message{}, ids: map[string]bool{}}
}

// publish stores some messages twice, as servers do that have accepted two attempts before
// they could store either.
func (s *modelStream) publish(ctx context.Context, subject string, data []byte, last uint64) (uint64, error) {
	isRepeated := s.chance(5)
	return ask(ctx, s.client, func() (uint64, error) {
		shared := s.find()
		if shared == nil {
			return 0, jetstream.ErrNoStreamResponse
		}
		if shared.refuses != nil {
			return 0, shared.refuses
		}
		all := shared.subjects[subject]
		if len(all) > 0 && all[len(all)-1].sequence != last || len(all) == 0 && last != 0 {
			return 0, errConflict
		}
		sequence := shared.add(subject, data)
		if isRepeated {
			shared.add(subject, data)
		}
		return sequence, nil
	})
}

func (s *sharedStream) add(subject string, data []byte) uint64 {
	s.sequence++
	s.subjects[subject] = append(s.subjects[subject], message{s.sequence, slices.Clone(data)})
	return s.sequence
}

func (s *modelStream) offer(ctx context.Context, subject string, data []byte, id string) error {
	_, err := ask(ctx, s.client, func() (any, error) {
		shared := s.find()
		if shared == nil {
			return nil, jetstream.ErrNoStreamResponse
		}
		if !shared.ids[id] {
			shared.ids[id] = true
			shared.add(subject, data)
		}
		return nil, nil
	})
	return err
}

func (s *modelStream) last(ctx context.Context, subject string) (message, error) {
	old := s.chance(10)
	return ask(ctx, s.client, func() (m message, err error) {
		shared := s.find()
		if shared == nil {
			return m, errGone
		}
		all := shared.subjects[subject]
		if old && len(all) > 0 {
			all = all[:len(all)-1]
		}
		if len(all) > 0 {
			m = all[len(all)-1]
		}
		return m, nil
	})
}

func (s *modelStream) next(ctx context.Context, subject string, after uint64) (message, error) {
	return ask(ctx, s.client, func() (message, error) {
		shared := s.find()
		if shared == nil {
			return message{}, errGone
		}
		for _, m := range shared.subjects[subject] {
			if m.sequence > after {
				return m, nil
			}
		}
		return message{}, nil
	})
}

func (s *modelStream) purge(ctx context.Context, subject string, to uint64) error {
	_, err := ask(ctx, s.client, func() (any, error) {
		if shared := s.find(); shared != nil {
			shared.subjects[subject] = slices.DeleteFunc(shared.subjects[subject], func(m message) bool {
				return m.sequence <= to
			})
		}
		return nil, nil
	})
	return err
}

func (s *modelStream) counts(ctx context.Context, pattern string) (map[string]uint64, error) {
	return ask(ctx, s.client, func() (map[string]uint64, error) {
		counts := map[string]uint64{}
		shared := s.find()
		if shared == nil {
			return nil, errGone
		}
		for subject, all := range shared.subjects {
			if ok, _ := path.Match(pattern, subject); ok && len(all) > 0 {
				counts[subject] = uint64(len(all))
			}
		}
		return counts, nil
	})
}

// modelBucket is a bucket. Watchers learn of changes late, now and then much later, each in
// order.
type modelBucket struct {
	client
	find func() *sharedBucket // nil when it is missing
}

type sharedBucket struct {
	revision uint64
	values   map[string]entry
	history  []entry
}

func newSharedBucket() *sharedBucket { return &sharedBucket{values: map[string]entry{}} }

// errMissing is what the servers say of a stream that is missing.
var errMissing = &jetstream.APIError{
	Code: 404, ErrorCode: jetstream.JSErrCodeStreamNotFound, Description: "stream not found",
}

func (b *modelBucket) get(ctx context.Context, key string) (entry, error) {
	return ask(ctx, b.client, func() (entry, error) {
		shared := b.find()
		if shared == nil {
			return entry{}, errMissing
		}
		if e := shared.values[key]; e.value != nil {
			return e, nil
		}
		return entry{key: key}, nil
	})
}

func (b *modelBucket) put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	return b.write(ctx, key, slices.Clone(value), revision)
}

func (b *modelBucket) remove(ctx context.Context, key string, revision uint64) error {
	_, err := b.write(ctx, key, nil, revision)
	return err
}

func (b *modelBucket) write(ctx context.Context, key string, value []byte, expected uint64) (uint64, error) {
	return ask(ctx, b.client, func() (uint64, error) {
		shared := b.find()
		if shared == nil {
			return 0, jetstream.ErrNoStreamResponse
		}
		present := shared.values[key]
		if present.revision != expected && (present.value != nil || expected != 0) {
			return 0, errConflict
		}
		return shared.add(key, value), nil
	})
}

func (b *sharedBucket) add(key string, value []byte) uint64 {
	b.revision++
	e := entry{key, value, b.revision}
	b.values[key] = e
	b.history = append(b.history, e)
	return e.revision
}

func (b *modelBucket) watch(ctx context.Context, pattern string, changed func(entry)) <-chan struct{} {
	at := 0
	pass := func() {
		b.mutex.Lock()
		var news []entry
		if shared := b.find(); shared != nil {
			news = slices.Clone(shared.history[at:])
			at = len(shared.history)
		}
		b.mutex.Unlock()
		for _, e := range news {
			if ok, _ := path.Match(strings.ReplaceAll(pattern, ">", "*"), e.key); ok {
				changed(e)
			}
		}
	}
	ready := make(chan struct{})
	b.late.Go(func() {
		// The present values need an answer of the leader.
		ask := func(ctx context.Context) (any, error) { return nil, b.request(ctx, pass) }
		for _, err := within(ctx, ask); err != nil && wait(ctx, watchTime) == nil; {
			_, err = within(ctx, ask)
		}
		if ctx.Err() != nil {
			return
		}
		close(ready)
		for wait(ctx, b.below(2*time.Second)) == nil {
			if b.chance(2) { // what the watcher hears from is cut off
				_ = wait(ctx, b.below(2*leaseTime))
			}
			b.pause.wait()
			pass()
		}
	})
	return ready
}

func (b *modelBucket) newest(ctx context.Context) (uint64, error) {
	return ask(ctx, b.client, func() (uint64, error) {
		shared := b.find()
		if shared == nil {
			return 0, errMissing
		}
		return shared.revision, nil
	})
}
