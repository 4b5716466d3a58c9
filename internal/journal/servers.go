package journal

import (
	"context"
	"errors"
)

var (
	// errConflict means that a write expected another last message than there is, or that
	// one of the writer's own attempts has succeeded before.
	errConflict = errors.New("another write came first")
	// errFull means that the servers have no room for a message.
	errFull = errors.New("the servers are full")
)

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
	// next returns the first message of a subject after a sequence, and ErrNoJob when the
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

// entry is the value of a key. An absent one has no revision.
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
	// put replaces the value with a revision, 0 for a key without a value.
	put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error)
	// remove removes the value with a revision.
	remove(ctx context.Context, key string, revision uint64) error
	// watch calls changed with the value of every key that matches, and with every change,
	// until ctx ends. It returns when all present values were passed on. changed must not
	// wait. The zero entry means that the servers have lost changes; then all present values
	// follow.
	watch(ctx context.Context, pattern string, changed func(entry)) error
	// newest returns the revision of the last write to any key.
	newest(ctx context.Context) (uint64, error)
}
