// Package statefile makes files of state private to their owner, whatever the umask is. They
// hold passwords, events of sites with a log-in, and what makes the callbacks of hubs hard to
// guess. It also words how a state of another version is refused.
package statefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

const (
	ownerOnly = 0o600
	others    = 0o077 // permissions of other users
)

// creating keeps other goroutines from opening a file while Create has it open: closing it
// would end the locks that SQLite has on it.
var creating sync.Mutex

// Create makes an empty file that only its owner may read and write, unless a file of that
// name exists. SQLite gives the log and the journal of a database the same permissions.
func Create(name string) error {
	creating.Lock()
	defer creating.Unlock()
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, ownerOnly)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// Copy copies a file to one that does not exist and that only its owner may read and write.
func Copy(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, ownerOnly)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Restrict takes the permissions of other users from a regular file or a folder of Mapa, which
// a copy may have given them. What belongs to another user, or is on a file system without
// permissions, stays as it is.
func Restrict(name string) error {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() || info.Mode().Perm()&others == 0 {
		return err
	}
	err = os.Chmod(name, info.Mode().Perm()&^others)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// ErrVersion means that another version of Mapa made a state. Nothing converts it.
var ErrVersion = errors.New("made by another version of mapa")

// ErrNewer is an ErrVersion of a newer version, which still reads the state.
var ErrNewer error = newerError{}

type newerError struct{}

// Error says that a newer version made a state.
func (newerError) Error() string { return "made by a newer version of mapa" }

// Is reports whether target is ErrVersion.
func (newerError) Is(target error) bool { return target == ErrVersion }

// CheckVersion returns ErrVersion or ErrNewer unless a state has the version that this program reads.
func CheckVersion(found, reads int) error {
	err := ErrVersion
	switch {
	case found == reads:
		return nil
	case found > reads:
		err = ErrNewer
	}
	return fmt.Errorf("%w: it has format %d, and this one reads format %d", err, found, reads)
}
