package journal

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Codes of errors that the client library has no names for
// (https://github.com/nats-io/nats-server/blob/main/server/errors.json).
const (
	codeAccountExceeded     jetstream.ErrorCode = 10002
	codeNoSuitablePeers     jetstream.ErrorCode = 10005
	codeInsufficient        jetstream.ErrorCode = 10023
	codeMemoryExceeded      jetstream.ErrorCode = 10028
	codeNotAssigned         jetstream.ErrorCode = 10007
	codeNotLeader           jetstream.ErrorCode = 10009
	codeNotForAccount       jetstream.ErrorCode = 10039
	codeStorageExceeded     jetstream.ErrorCode = 10047
	codeReplicasUnsupported jetstream.ErrorCode = 10074
	codeStoreFailed         jetstream.ErrorCode = 10077
	codeStreamOffline       jetstream.ErrorCode = 10118
)

var (
	fullCodes = []jetstream.ErrorCode{
		codeAccountExceeded, codeInsufficient, codeMemoryExceeded, codeStorageExceeded, codeStoreFailed,
	}
	// transientCodes are of servers that start or elect a leader.
	transientCodes = []jetstream.ErrorCode{codeNoSuitablePeers, codeNotAssigned, codeNotLeader, codeStreamOffline}
	conflictCodes  = []jetstream.ErrorCode{
		jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant,
	}
)

// codeOf returns the code of an error of the servers, or 0.
func codeOf(err error) jetstream.ErrorCode {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.ErrorCode
	}
	if js, ok := errors.AsType[jetstream.JetStreamError](err); ok && js.APIError() != nil {
		return js.APIError().ErrorCode
	}
	return 0
}

// classify turns errors of the servers into those of the protocol.
func classify(err error) error {
	code := codeOf(err)
	switch {
	case code == 0:
		return err
	case slices.Contains(conflictCodes, code):
		return errConflict
	case slices.Contains(fullCodes, code):
		return errFull
	}
	return err
}

// IsUnanswered reports whether the servers did not answer, or could not yet.
func IsUnanswered(err error) bool {
	for _, target := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrReconnectBufExceeded,
		jetstream.ErrNoStreamResponse,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	if _, isUnanswered := errors.AsType[*UnansweredError](err); isUnanswered {
		return true
	}
	api, isAPI := errors.AsType[*jetstream.APIError](err)
	return isAPI && (api.Code == http.StatusServiceUnavailable && api.ErrorCode != codeNotForAccount ||
		slices.Contains(transientCodes, api.ErrorCode))
}

// isRefused reports whether the servers have answered that they do not do what they were
// asked for, and will not later.
func isRefused(err error) bool {
	api, isAPI := errors.AsType[*jetstream.APIError](err)
	return isAPI && api.Code < http.StatusInternalServerError && !slices.Contains(conflictCodes, api.ErrorCode) &&
		!IsUnanswered(err)
}

// jetStream is a stream of JetStream. Its leader answers all reads: those of replicas may
// be out of date.
type jetStream struct {
	js     jetstream.JetStream
	stream jetstream.Stream
}

func (s *jetStream) publish(ctx context.Context, subject string, data []byte, last uint64) (uint64, error) {
	ack, err := s.js.Publish(ctx, subject, data, jetstream.WithExpectLastSequencePerSubject(last))
	if err != nil {
		return 0, classify(err)
	}
	return ack.Sequence, nil
}

func (s *jetStream) offer(ctx context.Context, subject string, data []byte, id string) error {
	_, err := s.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
	return classify(err)
}

func (s *jetStream) last(ctx context.Context, subject string) (message, error) {
	return messageOf(s.stream.GetLastMsgForSubject(ctx, subject))
}

func (s *jetStream) next(ctx context.Context, subject string, after uint64) (message, error) {
	return messageOf(s.stream.GetMsg(ctx, after+1, jetstream.WithGetMsgSubject(subject)))
}

func messageOf(m *jetstream.RawStreamMsg, err error) (message, error) {
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return message{}, nil
	}
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return message{}, errGone
	}
	if err != nil {
		return message{}, err
	}
	return message{m.Sequence, m.Data}, nil
}

func (s *jetStream) purge(ctx context.Context, subject string, to uint64) error {
	return s.stream.Purge(ctx, jetstream.WithPurgeSubject(subject), jetstream.WithPurgeSequence(to+1))
}

func (s *jetStream) counts(ctx context.Context, pattern string) (map[string]uint64, error) {
	info, err := s.stream.Info(ctx, jetstream.WithSubjectFilter(pattern))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

// keyValue is a key-value bucket of JetStream.
type keyValue struct {
	kv     jetstream.KeyValue
	stream jetstream.Stream // that keeps it
	// restore makes the bucket again when somebody has removed it. It may be nil.
	restore func(context.Context) error
}

// bucketStream returns the name of the stream that keeps a bucket.
func bucketStream(bucket string) string { return "KV_" + bucket }

func (k *keyValue) get(ctx context.Context, key string) (entry, error) {
	found, err := k.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrKeyDeleted) {
		return entry{key: key}, nil
	}
	if err != nil {
		return entry{}, err
	}
	return entry{key, presentValue(found.Value()), found.Revision()}, nil
}

func (k *keyValue) put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	var err error
	if revision == 0 {
		revision, err = k.kv.Create(ctx, key, value)
	} else {
		revision, err = k.kv.Update(ctx, key, value, revision)
	}
	return revision, classify(err)
}

func (k *keyValue) remove(ctx context.Context, key string, revision uint64) error {
	return classify(k.kv.Delete(ctx, key, jetstream.LastRevision(revision)))
}

func (k *keyValue) newest(ctx context.Context) (uint64, error) {
	info, err := k.stream.Info(ctx)
	if errors.Is(err, jetstream.ErrStreamNotFound) && k.restore != nil {
		err = k.restore(ctx)
	}
	if err != nil || info == nil {
		return 0, err
	}
	return info.State.LastSeq, nil
}
