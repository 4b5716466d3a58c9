//go:build !unix

package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

func ownGroup(*exec.Cmd) {}

func killGroup(c *exec.Cmd) { _ = c.Process.Kill() }

func lockFile(*os.File) error { return errors.ErrUnsupported }

// checkSystem refuses: a program inherits file descriptors 3 and 4 on Unix alone.
func checkSystem(Options) error {
	return fmt.Errorf("the browser cannot be controlled on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
