package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/app/checks"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	appdiff "github.com/mapatools/mapa/internal/app/diff"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/spf13/cobra"
)

// The exit codes. exitMeanings explains them.
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

// A helpError is a usage error whose text says nothing about what to type: the help of the command does.
type helpError struct{ err error }

func (e *helpError) Error() string { return e.err.Error() }
func (e *helpError) Unwrap() error { return e.err }

// An exitError ends the program with a code after everything has been printed.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit with %d", e.code) }

// exitWith returns the error for a code, nil for exitDone.
func exitWith(code int) error {
	if code == exitDone {
		return nil
	}
	return &exitError{code}
}

// explain prints what went wrong and returns the exit code.
func explain(ctx context.Context, c *catalog.Catalog, stderr io.Writer, err error) int {
	var usage *usageError
	var exit *exitError
	switch {
	case errors.Is(err, errStopped):
		return exitDone
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "mapa: "+c.Text("error.interrupted"))
		return exitInterrupted
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		printError(stderr, c, cause.KindUsage, usage.err)
		if _, is := errors.AsType[*helpError](err); is {
			fmt.Fprintln(stderr, c.Text("error.help", usage.command.CommandPath()))
		}
		return exitUsage
	case errors.As(err, &exit):
		return exit.code
	}
	printError(stderr, c, cause.KindOf(err), err)
	return codeOf(err)
}

// kindCodes are the exit codes of errors.
var kindCodes = map[cause.Kind]int{
	cause.KindUsage: exitUsage, cause.KindUnreached: exitUnreachable, cause.KindPart: exitPart,
}

// codeOf returns the exit code of an error. One of no kind ends a command that has kept nothing.
func codeOf(err error) int { return cmp.Or(kindCodes[cause.KindOf(err)], exitUnreachable) }

// precedence orders the exit codes: if several hold, the first one counts.
var precedence = []int{exitInterrupted, exitUsage, exitUnreachable, exitPart, exitFindings, exitDone}

// firstCode returns the exit code that counts of several.
func firstCode(codes ...int) int {
	for _, code := range precedence {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return exitDone
}

// settingError makes a wrong setting a usage error; others stay as they are.
func settingError(c *cobra.Command, err error) error {
	if _, is := errors.AsType[*setting.Error](err); is {
		return &usageError{c, err}
	}
	return err
}

// crawlError returns the error for a crawl without a result.
func crawlError(a *app.App, c *cobra.Command, err error) error {
	var cut *appcrawl.CutError
	if !errors.As(err, &cut) {
		return settingError(c, err)
	}
	fmt.Fprintln(c.ErrOrStderr(), "mapa: "+a.Texts().Text("line.kept", cutText(a.Texts(), cut)))
	return cutExit(cut)
}

// crawlExit returns the error for a crawl with a result.
func crawlExit(result *appcrawl.Result) error {
	switch {
	case result.Details.Cut != nil:
		return cutExit(result.Details.Cut)
	case result.Details.Refused != nil:
		return result.Details.Refused
	case result.Verdict != nil && result.Verdict.Kind == insight.Unusable:
		return exitWith(unusableCode(result.Verdict.Cause))
	case slices.Contains(resumable, result.Limit):
		return exitWith(exitPart)
	}
	return checkExit(&result.Details.Check)
}

// unusableCode returns the exit code of a crawl whose sitemap cannot be used because of a site rule. Nothing was
// kept of a site that shows no page.
func unusableCode(rule string) int {
	switch rule {
	case "site-login", "site-start-broken", "site-robots-blocks-all":
		return exitUnreachable
	}
	return exitPart
}

// checkExit returns the error for a crawl whose links were checked.
func checkExit(result *checks.Result) error {
	if result.Failing > 0 {
		return exitWith(exitFindings)
	}
	return nil
}

// cutExit returns the error for a crawl that was cut off. [explain] notices an
// interruption by itself.
func cutExit(cut *appcrawl.CutError) error {
	if cut.Outage || cut.Unrendered != nil {
		return exitWith(exitPart)
	}
	return nil
}

// resumable are the limits after which the next run continues.
var resumable = []string{crawl.LimitTime}

// sourcesExit returns the error for sources that could not all be read. Read is the number of
// files, or of entries, that could be.
func sourcesExit(failed []error, read int) error {
	switch {
	case len(failed) == 0:
		return nil
	case read == 0:
		codes := make([]int, len(failed))
		for i, err := range failed {
			codes[i] = codeOf(err)
		}
		return exitWith(firstCode(codes...))
	}
	return exitWith(exitPart)
}

func lintExit(result *applint.Result) error {
	switch {
	case len(result.Unopened) > 0:
		return sourcesExit(result.Unopened, result.Opened)
	case result.Opened == 0 && result.Unreachable > 0:
		return exitWith(exitUnreachable)
	case result.Failing > 0:
		return exitWith(exitFindings)
	}
	return nil
}

func fixExit(result *applint.FixResult) error {
	if err := sourcesExit(result.Unopened, result.Opened); err != nil {
		return err
	}
	if len(result.Left) > 0 {
		return exitWith(exitPart)
	}
	return nil
}

func diffExit(result *appdiff.Result, hasGates bool) error {
	if err := sourcesExit(result.Failed, result.Files); err != nil {
		return err
	}
	differs := result.Counts != nil && result.Counts.Total() > 0
	if hasGates {
		differs = len(result.Gates) > 0
	}
	if differs {
		return exitWith(exitFindings)
	}
	return nil
}
