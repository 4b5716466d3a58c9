package crawl

// A StartError reports why the start page cannot be crawled. It wraps [ErrStart].
type StartError struct {
	URL    string
	Status int   // HTTP status; 0 without an answer
	Err    error // failure of the network; nil for none
	Detail string
}

// Error names the page and the reason.
func (e *StartError) Error() string { return ErrStart.Error() + ": " + e.URL + ": " + e.Detail }

// Unwrap returns ErrStart and the failure of the network.
func (e *StartError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrStart}
	}
	return []error{ErrStart, e.Err}
}

// A ForbiddenError reports that robots.txt blocks the start page. It wraps
// [ErrForbidden].
type ForbiddenError struct {
	Line   int // of the rule in robots.txt; 0 where robots.txt cannot be fetched
	Detail string
}

// Error gives the rule or the reason.
func (e *ForbiddenError) Error() string { return ErrForbidden.Error() + ": " + e.Detail }

// Unwrap returns ErrForbidden.
func (e *ForbiddenError) Unwrap() error { return ErrForbidden }
