//go:build unix

package browser

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts a command as the first process of a group, so that Ctrl-C in a terminal does not
// reach it and killGroup reaches all of it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends all processes of a command that was started.
func killGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// lockFile locks a file until it is closed, unless another process or file has the lock.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// checkSystem returns why the browser cannot start on this system.
func checkSystem(o Options) error {
	if os.Geteuid() == 0 && !o.NoSandbox {
		return ErrSandbox
	}
	return nil
}
