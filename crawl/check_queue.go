package crawl

import (
	"container/list"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	// maxChecks is the most URLs that are checked at once. A request to a host that does not
	// answer holds a place for half a minute, and there are many such hosts. Pages need the rest
	// of maxUnsaved, and a full batch.
	maxChecks = 200
	// checksPerPage is how many checks there may be for each page that is requested at once.
	checksPerPage = 25
	// checksInRow is how many URLs of a host are checked before the next host comes: as many as
	// the usual rate lets start at once, so that no place waits for it.
	checksInRow = 8
	// maxGrouped is how many bytes of memory the URLs take that are sorted by host.
	maxGrouped = 8 << 20
	// hostOverhead is about how many bytes a host takes in memory without its URLs.
	hostOverhead = 512
)

// checksAtOnce returns how many URLs are checked at once, of all hosts.
func checksAtOnce(concurrency int) int {
	return max(min(checksPerPage*concurrency, maxChecks), checksPerHost(concurrency))
}

// checksPerHost returns how many URLs of a host are checked at once.
func checksPerHost(concurrency int) int { return max(2, concurrency/2) }

// checkQueue is the queue of the URLs that are only checked. It sorts them by host, so that a
// host that is slow, or has many URLs, does not hold up the others. Hosts without a request in
// flight come first. Of these, pop prefers the host that it had last, for checksInRow URLs: its
// connection is open, and its robots.txt is known. At most maxGrouped bytes of URLs are sorted in
// memory; the rest waits in the order in which it was found. It is not safe for concurrent use.
type checkQueue struct {
	waiting frontier // not sorted yet
	perHost int      // URLs in flight
	hosts   map[string]*checkHost
	grouped int       // URLs of hosts
	bytes   int       // that these take
	idle    list.List // of *checkHost with URLs, none of them in flight
	busy    list.List // of *checkHost with URLs, and some in flight, but less than perHost
}

// A checkHost has the URLs of one host, as bytes.
type checkHost struct {
	name     string
	items    []byte
	read     int    // offset in items
	pushed   string // the last URL in items
	popped   string // the last URL that was read
	inFlight int
	inRow    int        // taken since another host came
	in       *list.List // of the queue, or nil
	place    *list.Element
}

func newCheckQueue(folder string, perHost int) checkQueue {
	return checkQueue{
		waiting: frontier{disk: diskQueue{folder: folder}}, perHost: perHost, hosts: map[string]*checkHost{},
	}
}

// count returns how many URLs wait.
func (q *checkQueue) count() int { return q.waiting.count + q.grouped }

// push appends an item. It fails only where the disk does.
func (q *checkQueue) push(i item) error { return q.waiting.push(i) }

// pop removes an item, which the caller must pass to end later. It reports false if the queue is
// empty, or all of its hosts are busy.
func (q *checkQueue) pop() (item, bool, error) {
	if err := q.group(); err != nil {
		return item{}, false, err
	}
	first := q.idle.Front()
	if first == nil {
		first = q.busy.Front()
	}
	if first == nil {
		return item{}, false, nil
	}
	host := first.Value.(*checkHost)
	i := q.take(host)
	host.inFlight++
	q.arrange(host)
	return i, true, nil
}

// end notes that an item of a host is not in flight any more.
func (q *checkQueue) end(host *checkHost) {
	host.inFlight--
	q.arrange(host)
}

// group sorts what waits, as far as there is room.
func (q *checkQueue) group() error {
	for q.bytes < maxGrouped {
		i, ok, err := q.waiting.pop()
		if !ok || err != nil {
			return err
		}
		_, name, _ := strings.Cut(urlnorm.Origin(i.url), "://")
		host := q.hosts[name]
		if host == nil {
			host = &checkHost{name: name}
			q.hosts[name] = host
			q.bytes += hostOverhead
		}
		before := len(host.items)
		host.items = appendItem(host.items, &i, host.pushed)
		host.pushed = i.url
		q.bytes += len(host.items) - before
		q.grouped++
		if host.in == nil && host.inFlight == 0 {
			host.in, host.place = &q.idle, q.idle.PushBack(host)
		} else if host.in == nil {
			q.arrange(host)
		}
	}
	return nil
}

// take removes the first item of a host.
func (q *checkQueue) take(host *checkHost) item {
	i, size := readItem(host.items[host.read:], host.popped)
	i.host = host
	host.read += size
	host.inRow++
	host.popped = i.url
	q.grouped--
	if host.read >= len(host.items)/2 {
		q.bytes -= host.read
		host.items, host.read = slices.Clone(host.items[host.read:]), 0
	}
	return i
}

func (h *checkHost) isEmpty() bool { return h.read == len(h.items) }

// arrange moves a host to the list that it belongs to now, and forgets one without URLs.
func (q *checkQueue) arrange(host *checkHost) {
	if host.in != nil {
		host.in.Remove(host.place)
		host.in = nil
	}
	switch {
	case host.isEmpty() && host.inFlight == 0:
		delete(q.hosts, host.name)
		q.bytes -= hostOverhead
	case host.isEmpty() || host.inFlight >= q.perHost:
	case host.inFlight == 0 && host.inRow >= checksInRow:
		host.inRow = 0
		host.in, host.place = &q.idle, q.idle.PushBack(host)
	case host.inFlight == 0:
		host.in, host.place = &q.idle, q.idle.PushFront(host)
	default:
		host.in, host.place = &q.busy, q.busy.PushBack(host)
	}
}

// close removes the file of the queue.
func (q *checkQueue) close() error { return q.waiting.disk.close() }
