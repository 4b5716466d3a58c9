package ledger

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// A process is one that claims batches.
type process struct {
	machine string
	pid     int
	token   string // random: another process may have had the same number
}

// self is this process.
var self = func() process {
	machine, _ := os.Hostname() // without a name, leases decide
	return process{machine, os.Getpid(), rand.Text()}
}()

// An owner is the process of a claim, with what decides whether it still sends.
type owner struct {
	outcome      sql.NullInt64
	begun, until int64
	machine      string
	pid          int
	process      string
}

// isOpen reports whether the claim is yet to be settled by a process that may be alive.
// On this machine the process is looked for; elsewhere the lease decides. A claim from
// the future means that the clock was set back, so that its lease says nothing.
func (o *owner) isOpen(now time.Time) bool {
	switch {
	case o.outcome.Valid || now.UnixMilli() >= o.until || isAhead(sqlite.TimeOf(o.begun), now):
		return false
	case o.machine != self.machine || o.machine == "":
		return true
	case o.pid == self.pid:
		return o.process == self.token
	}
	return isAlive(o.pid)
}

// isAlive reports whether there is a process with a number.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true // FindProcess finds only those that are there
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
