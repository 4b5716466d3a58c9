package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The buckets that all jobs share.
const (
	jobsBucket   = "mapa"
	leasesBucket = "mapa_workers"
)

const (
	// replicas is the number of servers that keep each message, where there are as many.
	replicas = 3
	// fewReplicas is that number while one of the servers is missing.
	fewReplicas = 2
	// duplicateTime is how long the servers remember the IDs of messages.
	duplicateTime = 2 * time.Minute
)

func (c *connection) leases() bucket { return c.lease }
func (c *connection) jobs() bucket   { return c.shared }

// prepare opens the buckets that all jobs share.
func (c *connection) prepare(ctx context.Context) (err error) {
	if most := c.nc.MaxPayload(); most < minPayload {
		return fmt.Errorf("the servers accept messages of %d bytes only: set max_payload to %d", most, minPayload)
	}
	ctx, cancel := operation(ctx)
	defer cancel()
	if c.shared, err = c.openShared(ctx, bucketConfig(jobsBucket), jobsBucket); err != nil {
		return err
	}
	leases := bucketConfig(leasesBucket)
	leases.MaxAge = forgetTime
	c.lease, err = c.openShared(ctx, leases, leasesBucket)
	return err
}

// openShared opens a bucket that all jobs share, and makes it when it is missing, also later.
func (c *connection) openShared(ctx context.Context, config jetstream.StreamConfig, name string) (*keyValue, error) {
	step := "opening the bucket " + name
	restore := func(ctx context.Context) error { return c.ensureBucket(ctx, config) }
	if err := do(ctx, step, restore); err != nil {
		return nil, err
	}
	k, err := answered(ctx, step, func(ctx context.Context) (*keyValue, error) { return c.openBucket(ctx, name) })
	if err != nil {
		return nil, err
	}
	k.restore = restore
	return k, nil
}

// ensureBucket makes a bucket unless it is there, and makes the leader of its stream answer
// all reads: a replica that comes back after a failure may not know of a job that was
// created a moment ago.
func (c *connection) ensureBucket(ctx context.Context, config jetstream.StreamConfig) error {
	s, err := c.js.Stream(ctx, config.Name)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		err = c.createStream(ctx, config)
	case err == nil && s.CachedInfo().Config.AllowDirect:
		config := s.CachedInfo().Config
		config.AllowDirect = false
		_, err = c.js.UpdateStream(ctx, config)
	}
	return err
}

// bucketConfig returns the configuration of the stream that keeps a bucket.
func bucketConfig(bucket string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: bucketStream(bucket), Subjects: []string{"$KV." + bucket + ".>"}, MaxMsgsPerSubject: 1,
		MaxMsgs: -1, MaxBytes: -1, MaxMsgSize: -1, MaxConsumers: -1, Discard: jetstream.DiscardNew,
		AllowRollup: true, DenyDelete: true, Duplicates: duplicateTime,
	}
}

// openBucket opens a bucket that exists.
func (c *connection) openBucket(ctx context.Context, name string) (*keyValue, error) {
	kv, err := c.js.KeyValue(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := c.js.Stream(ctx, bucketStream(name))
	if err != nil {
		return nil, err
	}
	c.addReplicas(ctx, s)
	return &keyValue{kv: kv, stream: s}, nil
}

func (c *connection) open(ctx context.Context, journal string) (stream, bucket, error) {
	s, err := c.js.Stream(ctx, streamName(journal))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil, fmt.Errorf("%w: the stream %s", errGone, streamName(journal))
	}
	if err != nil {
		return nil, nil, err
	}
	c.addReplicas(ctx, s)
	states, err := c.openBucket(ctx, stateBucket(journal))
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrBadBucket) {
		return nil, nil, fmt.Errorf("%w: the bucket %s", errGone, stateBucket(journal))
	}
	return &jetStream{c.js, s}, states, err
}

func (c *connection) create(ctx context.Context, journal string) error {
	log := jetstream.StreamConfig{
		Name: streamName(journal), Subjects: []string{journalSubjects(journal)}, Discard: jetstream.DiscardNew,
		Duplicates: duplicateTime,
	}
	for _, config := range []jetstream.StreamConfig{log, bucketConfig(stateBucket(journal))} {
		if err := c.createStream(ctx, config); err != nil {
			return err
		}
	}
	return nil
}

// createStream creates a stream with three replicas, or with one where there are fewer
// servers, unless it is there. Servers that were started a moment ago place no replica on one
// that they have not heard of yet: then it is added later.
func (c *connection) createStream(ctx context.Context, config jetstream.StreamConfig) error {
	config.Replicas = replicas
	_, err := c.js.CreateStream(ctx, config)
	if code := codeOf(err); code == codeReplicasUnsupported || code == codeNoSuitablePeers {
		config.Replicas = 1
		if len(c.nc.Servers()) >= replicas {
			config.Replicas = fewReplicas
		}
		_, err = c.js.CreateStream(ctx, config)
	}
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return nil
	}
	return err
}

// addReplicas adds the replica that could not be placed when a stream was created. When that
// fails still, the next one to open the stream tries again.
func (c *connection) addReplicas(ctx context.Context, s jetstream.Stream) {
	if config := s.CachedInfo().Config; config.Replicas == fewReplicas {
		config.Replicas = replicas
		_, _ = c.js.UpdateStream(ctx, config)
	}
}

func (c *connection) remove(ctx context.Context, journal string) error {
	for _, name := range []string{streamName(journal), bucketStream(stateBucket(journal))} {
		if err := c.js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

func (c *connection) journals(ctx context.Context, job string) (journals []string, err error) {
	names := c.js.StreamNames(ctx)
	prefixes := []string{streamName(journalPrefix(job)), bucketStream(stateBucket(journalPrefix(job)))}
	for name := range names.Name() {
		for _, prefix := range prefixes {
			if id, found := strings.CutPrefix(name, prefix); found {
				journals = append(journals, journalPrefix(job)+id)
			}
		}
	}
	return journals, names.Err()
}
