package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
)

// hostSlots is the number of keys that hold who requests which host. They are few, since
// the servers keep every key that was ever written.
const hostSlots = 4096

// hostLock says which worker requests a host, and for which job. Several jobs may have the
// host: only one of them gets it at a time.
type hostLock struct {
	Job    string `json:"job"`
	Worker string `json:"worker"`
}

func hostKey(host string) string {
	hash := fnv.New32a()
	hash.Write([]byte(host))
	return fmt.Sprintf("host.%d", hash.Sum32()%hostSlots)
}

var errHostTaken = errors.New("another worker or job has the host")

// lockHost lets a worker request a host for a job. It returns errHostTaken while a worker
// that is not gone does so, also for the same job: who claims a site too late must not
// take the lock of its owner and remove it after that.
func (w *Worker) lockHost(ctx context.Context, host string, lock hostLock) error {
	return w.changeHosts(ctx, hostKey(host), func(locks map[string]hostLock) error {
		for name, other := range locks {
			switch {
			case w.peers.isGone(other.Worker) && other.Worker != lock.Worker:
				delete(locks, name)
			case name == host && other != lock:
				return errHostTaken
			}
		}
		locks[host] = lock
		return nil
	})
}

// unlockHost lets other jobs have a host.
func (w *Worker) unlockHost(ctx context.Context, host string, lock hostLock) error {
	return w.changeHosts(ctx, hostKey(host), func(locks map[string]hostLock) error {
		if locks[host] == lock {
			delete(locks, host)
		}
		return nil
	})
}

// changeHosts changes the locks of a key.
func (w *Worker) changeHosts(ctx context.Context, key string, change func(map[string]hostLock) error) error {
	for wait := (pause{}); ; {
		e, err := within(ctx, func(ctx context.Context) (entry, error) { return w.servers.jobs().get(ctx, key) })
		if err == nil {
			locks := map[string]hostLock{}
			if e.value != nil && json.Unmarshal(e.value, &locks) != nil {
				return fmt.Errorf("%w: the locks of hosts", ErrDamaged)
			}
			if err := change(locks); err != nil {
				return err
			}
			value, err := json.Marshal(locks)
			if err != nil {
				return err
			}
			_, err = within(ctx, func(ctx context.Context) (uint64, error) {
				return w.servers.jobs().put(ctx, key, value, e.revision)
			})
			if err == nil {
				return nil
			}
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}
