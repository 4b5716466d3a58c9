package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// answerTime is how long one request to the servers may take.
	answerTime = 5 * time.Second
	// operationTime is how long an operation repeats its requests while the servers do not
	// answer. It is several times as long as they need for another leader after one of them
	// has failed.
	operationTime = time.Minute
	// firstPause is the pause after a failed request, which doubles up to maxPause.
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second
)

// An UnansweredError says that the servers have not answered for too long.
type UnansweredError struct {
	Step string // of the operation, such as "storing the list of sites"
	Err  error  // of the last request
}

// Error names the step, and the last error unless the servers said nothing.
func (e *UnansweredError) Error() string {
	text := fmt.Sprintf("%s: the servers have not answered for %v", e.Step, operationTime)
	if errors.Is(e.Err, context.DeadlineExceeded) {
		return text
	}
	return text + ": " + e.Err.Error()
}

// Unwrap returns the last error.
func (e *UnansweredError) Unwrap() error { return e.Err }

var errOperationTime = errors.New("the servers have not answered in time")

// operation returns the context of an operation, which ends when the servers have not let it
// succeed in time.
func operation(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, operationTime, errOperationTime)
}

// answered repeats a request of an operation until the servers answer it. It may take place
// more than once.
func answered[T any](ctx context.Context, step string, request func(context.Context) (T, error)) (T, error) {
	for wait := (pause{}); ; {
		value, err := within(ctx, request)
		if !IsUnanswered(err) {
			return value, err
		}
		if wait.sleep(ctx) != nil {
			return value, unansweredError(ctx, step, err)
		}
	}
}

// unansweredError returns the error for an operation whose context has ended, after the error
// of its last request.
func unansweredError(ctx context.Context, step string, last error) error {
	if cause := context.Cause(ctx); !errors.Is(cause, errOperationTime) {
		return cause
	}
	return &UnansweredError{step, last}
}

// do is answered for a request without a result.
func do(ctx context.Context, step string, request func(context.Context) error) error {
	_, err := answered(ctx, step, func(ctx context.Context) (any, error) { return nil, request(ctx) })
	return err
}

// awaitWatch waits until a watch has passed on all present values.
func awaitWatch(ctx context.Context, step string, ready <-chan struct{}) error {
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return unansweredError(ctx, step, context.DeadlineExceeded)
	}
}

// within makes one request, which may take answerTime.
func within[T any](ctx context.Context, request func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return request(ctx)
}

// pause is the growing wait between the attempts of a request.
type pause struct{ next time.Duration }

// sleep returns the cause of ctx when it ends first.
func (p *pause) sleep(ctx context.Context) error {
	p.next = min(max(2*p.next, firstPause), maxPause)
	timer := time.NewTimer(p.next/2 + rand.N(p.next/2))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
