//go:build !unix

package database

import (
	"errors"
	"os/exec"
)

// A credential is a user to run programs as; nil is the present one.
type credential struct{}

func credentialOf(string) (*credential, error) { return nil, errors.ErrUnsupported }

func (*credential) give(string) error { return nil }

func (*credential) apply(*exec.Cmd) {}
