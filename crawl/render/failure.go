package render

import "fmt"

// An Error reports a request of a page that failed or was refused. Its cause is a [*Refusal] or a
// [*StatusError], or else there was no complete answer.
type Error struct {
	URL string
	Err error
}

// Error names the URL and the cause.
func (e *Error) Error() string { return e.URL + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// A Refusal reports a request of a browser that a crawl does not send, or whose answer it does not pass on.
type Refusal struct{ Reason string }

// Error gives the reason.
func (e *Refusal) Error() string { return "refused: " + e.Reason }

// A StatusError reports an answer whose status says that it is not what was asked for.
type StatusError struct{ Status int }

// Error names the status.
func (e *StatusError) Error() string { return fmt.Sprintf("the answer has status %d", e.Status) }
