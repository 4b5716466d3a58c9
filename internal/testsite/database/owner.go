package database

import (
	"os"
	"os/exec"
	"testing"
)

// An owner is the user who runs a server and owns its files: the one of the tests,
// and the package's own user where that is root, whom the servers refuse.
type owner struct {
	credential *credential // nil for the user of the tests
}

// ownerOf returns the owner for a package whose user has the name.
func ownerOf(t testing.TB, name string) owner {
	t.Helper()
	if os.Getuid() != 0 {
		return owner{}
	}
	c, err := credentialOf(name)
	if err != nil {
		t.Skipf("root cannot run the server: %v", err)
	}
	return owner{c}
}

// folder returns a temporary folder of the owner. [testing.TB.TempDir] does not help:
// nobody but the user of the tests can enter it.
func (o owner) folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mapa-db-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := o.credential.give(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// command returns a command that runs as the owner.
func (o owner) command(name string, arguments ...string) *exec.Cmd {
	command := exec.Command(name, arguments...)
	command.Dir = os.TempDir()
	o.credential.apply(command)
	return command
}

// run executes a program to its end.
func (o owner) run(t testing.TB, name string, arguments ...string) {
	t.Helper()
	if output, err := o.command(name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, output)
	}
}
