//go:build unix

package database

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// A credential is a user to run programs as; nil is the present one.
type credential struct{ uid, gid int }

func credentialOf(name string) (*credential, error) {
	account, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(account.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(account.Gid)
	return &credential{uid, gid}, err
}

// give makes the user the owner of a file.
func (c *credential) give(name string) error {
	if c == nil {
		return nil
	}
	return os.Chown(name, c.uid, c.gid)
}

// apply makes a command run as the user.
func (c *credential) apply(command *exec.Cmd) {
	if c != nil {
		command.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: uint32(c.uid), Gid: uint32(c.gid)},
		}
	}
}
