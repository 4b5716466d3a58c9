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
// take the lock of its owner and remove it after that. A lock that is damaged is replaced; who
// requests the host for another job is then known from the state of that job.
func (w *Worker) lockHost(ctx context.Context, host string, lock hostLock) error {
	if w.isCrawled(host, lock.Job) {
		return errHostTaken
	}
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

// isCrawled reports whether a worker that is not gone crawls a host for another of the jobs
// that this worker knows.
func (w *Worker) isCrawled(host, job string) bool {
	for _, v := range w.openedViews() {
		if v.job.Name == job {
			continue
		}
		if owner := v.crawler(host); owner != "" && !w.peers.isGone(owner) {
			return true
		}
	}
	return false
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

// changeHosts changes the locks of a key. Locks that cannot be read count as none.
func (w *Worker) changeHosts(ctx context.Context, key string, change func(map[string]hostLock) error) error {
	for wait := (pause{}); ; {
		damaged, err := w.changeHostsOnce(ctx, key, change)
		if err == nil {
			if damaged {
				w.notice("the locks of hosts in " + key + " were damaged, and are replaced")
			}
			return nil
		}
		if !errors.Is(err, errConflict) && !IsUnanswered(err) {
			return err
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

func (w *Worker) changeHostsOnce(
	ctx context.Context, key string, change func(map[string]hostLock) error,
) (damaged bool, err error) {
	e, err := within(ctx, func(ctx context.Context) (entry, error) { return w.servers.jobs().get(ctx, key) })
	if err != nil {
		return false, err
	}
	var locks map[string]hostLock
	if e.value != nil {
		damaged = json.Unmarshal(e.value, &locks) != nil || locks == nil
	}
	if damaged || locks == nil {
		locks = map[string]hostLock{}
	}
	if err := change(locks); err != nil {
		return damaged, err
	}
	value, err := json.Marshal(locks)
	if err != nil {
		return damaged, err
	}
	_, err = within(ctx, func(ctx context.Context) (uint64, error) {
		return w.servers.jobs().put(ctx, key, value, e.revision)
	})
	return damaged, err
}
