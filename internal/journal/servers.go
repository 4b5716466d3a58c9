package journal

import (
	"context"
	"errors"
	"fmt"
)

var (
	// errConflict means that a write expected another last message than there is, or that
	// one of the writer's own attempts has succeeded before.
	errConflict = errors.New("another write came first")
	// errGone means that the journal of a job, or a part of it, was removed.
	errGone = fmt.Errorf("%w: a part of it is missing", ErrDamaged)
	// errFull means that the servers have no room for a message.
	errFull = errors.New("the servers are full")
)

// servers are what the protocol needs of the servers. Each request may be repeated.
type servers interface {
	// leases returns the bucket with the leases of all workers.
	leases() bucket
	// jobs returns the bucket with all jobs and the locks of hosts.
	jobs() bucket
	// open returns the stream of a journal and the bucket with the states of its groups. It
	// returns errGone when one of them is missing.
	open(ctx context.Context, journal string) (stream, bucket, error)
	// create makes both, unless they are there.
	create(ctx context.Context, journal string) error
	// remove removes both, if they are there.
	remove(ctx context.Context, journal string) error
	// journals returns the names of all journals of a job, some of them twice.
	journals(ctx context.Context, job string) ([]string, error)
}

// message is a message of a stream. The zero message means that the stream has none.
type message struct {
	sequence uint64
	data     []byte
}

// stream is what the protocol needs of a stream of JetStream. The test of the protocol
// has a model of it. After an error other than errConflict and errFull it is unknown
// whether a write took place, and it may still take place later.
type stream interface {
	// publish appends a message to a subject whose last message has the sequence last, 0
	// for a subject without messages.
	publish(ctx context.Context, subject string, data []byte, last uint64) (uint64, error)
	// last returns the last message of a subject. It may be out of date.
	last(ctx context.Context, subject string) (message, error)
	// next returns the first message of a subject after a sequence, and errGone when the
	// stream was deleted.
	next(ctx context.Context, subject string, after uint64) (message, error)
	// offer appends a message to a subject, once for each ID for as long as the stream
	// remembers it.
	offer(ctx context.Context, subject string, data []byte, id string) error
	// purge removes the messages of a subject up to a sequence.
	purge(ctx context.Context, subject string, to uint64) error
	// counts returns the number of messages of every subject that matches.
	counts(ctx context.Context, pattern string) (map[string]uint64, error)
}

// entry is the value of a key. One that is absent or was removed has no value.
type entry struct {
	key      string
	value    []byte
	revision uint64
}

// bucket is what the protocol needs of a key-value bucket of JetStream. Its errors are
// those of a stream.
type bucket interface {
	// get returns the value of a key. It may be out of date.
	get(ctx context.Context, key string) (entry, error)
	// put replaces the value, or the removal, with a revision, 0 for a key without a value.
	put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error)
	// remove removes the value with a revision.
	remove(ctx context.Context, key string, revision uint64) error
	// watch calls changed with the value of every key that matches, and with every change,
	// until ctx ends. It closes ready when all present values were passed on. changed must not
	// wait. An entry without a key means that the servers have lost changes; then all present
	// values follow.
	watch(ctx context.Context, pattern string, changed func(entry)) (ready <-chan struct{})
	// newest returns the revision of the last write to any key.
	newest(ctx context.Context) (uint64, error)
}
