package browser

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// DebianPackage is the package of Debian that has the browser which costs least.
const DebianPackage = "chromium-headless-shell"

// names are the programs that can render, the cheapest first.
var names = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// A MissingError reports that there is no browser.
type MissingError struct {
	Path string // that was asked for, or ""
	Err  error
}

// Error names the package that has a browser.
func (e *MissingError) Error() string {
	if e.Path != "" {
		return fmt.Sprintf("the browser %s cannot be used: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("found none of the browsers %s; Debian's package is %s", strings.Join(names, ", "), DebianPackage)
}

// Unwrap returns the cause.
func (e *MissingError) Unwrap() error { return e.Err }

// A StartError reports that the browser did not start.
type StartError struct {
	Path   string
	Output string // the end of what it wrote
	Err    error
}

// Error has the end of what the browser wrote.
func (e *StartError) Error() string {
	text := fmt.Sprintf("the browser %s does not start: %v", e.Path, e.Err)
	if e.Output != "" {
		text += ": " + e.Output
	}
	return text
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// ErrSandbox reports that the browser's sandbox does not work here: Mapa runs as root, or the system
// gives the user no namespaces. [Options.NoSandbox] does without.
var ErrSandbox = errors.New("the browser's sandbox needs a user other than root, with user namespaces")

// Find returns the path of a browser: that of the named one, or of the cheapest on the path. An error
// is a [MissingError].
func Find(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", &MissingError{path, err}
		}
		return found, nil
	}
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", &MissingError{"", exec.ErrNotFound}
}
