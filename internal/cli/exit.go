package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/source"
	"github.com/spf13/cobra"
)

// The exit codes; the words for them are in exitText.
const (
	exitDone        = 0
	exitFindings    = 1
	exitUsage       = 2
	exitPart        = 3
	exitUnreachable = 4
	exitInterrupted = 130
)

// A usageError is a command line that cannot be understood.
type usageError struct {
	command *cobra.Command
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// An incomplete is a run that could not do all of its work, or found what it
// was to look for, and has said so.
type incomplete struct{ code int }

func (e *incomplete) Error() string { return "not everything could be done" }

// errFindings is a check that found something at or above --fail-on, and has
// said so.
var errFindings = errors.New("there are findings")

// explain tells people what went wrong and returns the exit code.
func explain(ctx context.Context, stderr io.Writer, err error) int {
	var usage *usageError
	var part *incomplete
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "mapa: interrupted")
		return exitInterrupted
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "mapa: %v\nRun '%s --help' for what it takes.\n", err, usage.command.CommandPath())
		return exitUsage
	case errors.As(err, &part):
		return part.code
	}
	complain(stderr, err)
	if isUnreachable(err) {
		return exitUnreachable
	}
	return exitPart
}

// isUnreachable reports whether a crawl could not even begin.
func isUnreachable(err error) bool {
	for _, reason := range []error{crawl.ErrStart, crawl.ErrForbidden, source.ErrOpen, source.ErrNoSitemap} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return isMoved(err)
}

// complain prints an error in one line, with the hint that goes with it.
func complain(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "mapa: %s\n", printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
	for _, h := range hints {
		if h.fits(err) {
			fmt.Fprintf(stderr, "  %s\n", h.text)
			return
		}
	}
}

// unreadable chooses the exit code for sources that could not be read: 4 when
// nothing could even be opened, not an index either.
func unreadable(errs []error, filesRead int) int {
	code := exitPart
	for _, err := range errs {
		var where *source.Error
		switch {
		case filesRead > 0, errors.As(err, &where) && where.Index != "":
			return exitPart
		case errors.Is(err, source.ErrOpen):
			code = exitUnreachable
		}
	}
	return code
}

func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("there is no command %q", args[0])
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		err = fmt.Errorf("%w: did you mean %s?", err, near[0])
	}
	return &usageError{c, err}
}

// atLeastOne demands arguments and says which.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return &usageError{c, fmt.Errorf("%s needs %s", c.Name(), what)}
		}
		return nil
	}
}

// exactlyTwo demands two arguments and says which.
func exactlyTwo(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 2 {
			return &usageError{c, fmt.Errorf("%s takes %s, not %s", c.Name(), what, format.Plural(len(args), "argument"))}
		}
		return nil
	}
}

// atMostOne takes an argument or none.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return &usageError{c, fmt.Errorf("%s takes %s or nothing, not %d arguments", c.Name(), what, len(args))}
		}
		return nil
	}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{c, fmt.Errorf("%s takes no arguments", c.Name())}
	}
	return nil
}
