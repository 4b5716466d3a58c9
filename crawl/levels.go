package crawl

import (
	"errors"
	"slices"
)

// levels are the pages that wait. With a limit of the depth, they wait by their depth, and each
// depth is done before the next begins: whatever the order of the responses, a page has the
// depth of its shortest path. Otherwise there is one level. It is not safe for concurrent use.
type levels struct {
	folder string // of the files; empty means the system's
	limit  int    // of the depth; 0 means none
	depth  int    // of the first queue
	queues []frontier
	depths []int32 // by ID: of pages that wait or are beyond the limit, else 0; nil without a limit
	count  int
}

// push adds a page. One that waits farther from the start moves to its new depth.
func (l *levels) push(i item) error {
	at := 0
	if !l.waits(i.id) {
		l.count++
	}
	if l.limit > 0 {
		l.setDepth(i.id, i.depth)
		at = max(i.depth-l.depth, 0)
	}
	for at >= len(l.queues) {
		l.queues = append(l.queues, frontier{disk: diskQueue{folder: l.folder}})
	}
	return l.queues[at].push(i)
}

// pop removes the next page. Only when no page is in flight does it begin with the next depth.
func (l *levels) pop(idle bool) (item, bool, error) {
	for len(l.queues) > 0 {
		switch next, ok, err := l.queues[0].pop(); {
		case err != nil:
			return next, false, err
		case ok && l.limit > 0 && next.depth != int(l.depths[next.id]): // it has moved
		case ok:
			l.setDepth(next.id, 0)
			l.count--
			return next, true, nil
		case !idle || len(l.queues) == 1:
			return next, false, nil
		default:
			if err := l.queues[0].disk.close(); err != nil {
				return next, false, err
			}
			l.queues = l.queues[1:]
			l.depth++
		}
	}
	return item{}, false, nil
}

// setDepth notes the depth of a page that waits or is beyond the limit.
func (l *levels) setDepth(id ID, depth int) {
	if l.limit == 0 {
		return
	}
	if missing := int(id) + 1 - len(l.depths); missing > 0 {
		l.depths = append(l.depths, make([]int32, missing)...)
	}
	l.depths[id] = int32(min(depth, l.limit+1))
}

func (l *levels) waits(id ID) bool {
	return int(id) < len(l.depths) && l.depths[id] > 0 && int(l.depths[id]) <= l.limit
}

// isCut reports whether a page is beyond the limit.
func (l *levels) isCut() bool {
	return slices.ContainsFunc(l.depths, func(depth int32) bool { return int(depth) > l.limit })
}

// isNearer reports whether a link with a depth is a shorter path to a page that waits or is
// beyond the limit.
func (l *levels) isNearer(id ID, depth int) bool {
	return int(id) < len(l.depths) && depth < int(l.depths[id])
}

// close removes the files.
func (l *levels) close() (err error) {
	for i := range l.queues {
		err = errors.Join(err, l.queues[i].disk.close())
	}
	return err
}
