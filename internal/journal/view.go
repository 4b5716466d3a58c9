package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// jobView is what this process knows of a running job. The servers may know more.
type jobView struct {
	job    Job
	stream stream
	states bucket
	*layout

	mutex   sync.Mutex
	groups  []groupView   // by group
	ended   int           // sites
	newest  uint64        // revision of the last change seen
	offered map[int][]int // sites with offered URLs by group, when last counted
	next    int           // group to begin the next search at
	stop    context.CancelFunc
	changed func()
}

// groupView is the state of a group and its revision.
type groupView struct {
	groupState
	revision uint64
}

// openView reads the sites of a job and follows the states of its groups until ctx ends.
// changed is called after every change, and must not wait.
func openView(ctx context.Context, job Job, s stream, states bucket, changed func()) (*jobView, error) {
	sites, err := readSites(ctx, s, &job)
	if err != nil {
		return nil, err
	}
	l := newLayout(sites)
	ctx, cancel := context.WithCancel(ctx)
	v := &jobView{
		job: job, stream: s, states: states, layout: l, groups: make([]groupView, l.groupCount), stop: cancel,
		changed: changed,
	}
	if err := states.watch(ctx, ">", v.take); err != nil {
		cancel()
		return nil, err
	}
	return v, nil
}

// readSites reads the list of the sites of a job.
func readSites(ctx context.Context, s stream, job *Job) (sites []Site, err error) {
	for at := uint64(0); len(sites) < job.Sites; {
		m, err := within(ctx, func(ctx context.Context) (message, error) {
			return s.next(ctx, sitesSubject(job.Name), at)
		})
		if err == nil && m.sequence == 0 {
			err = fmt.Errorf("%w: %d of %d sites", ErrDamaged, len(sites), job.Sites)
		}
		if err != nil {
			return nil, err
		}
		at = m.sequence
		if sites, err = decodeSites(sites, m.data); err != nil {
			return nil, err
		}
	}
	return sites, nil
}

// take records the state of a group.
func (v *jobView) take(e entry) {
	if e.revision == 0 {
		v.forget()
		return
	}
	group, err := strconv.Atoi(e.key)
	if err != nil || group < 0 || group >= len(v.groups) {
		return
	}
	var state groupState
	if json.Unmarshal(e.value, &state) != nil {
		return
	}
	v.mutex.Lock()
	if before := &v.groups[group]; e.revision > before.revision {
		v.ended += len(state.Ended) - len(before.Ended)
		*before = groupView{state, e.revision}
		v.newest = max(v.newest, e.revision)
	}
	v.mutex.Unlock()
	v.changed()
}

// forget makes all states unknown.
func (v *jobView) forget() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	clear(v.groups)
	v.ended, v.newest = 0, 0
}

// group returns the state of a group.
func (v *jobView) group(group int) groupView {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.groups[group]
}

// claimable returns a group with something to crawl that is free by its owner, after the
// one that was returned before.
func (v *jobView) claimable(isFree func(group int, owner string) bool) (group int, state groupView, ok bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for range v.groups {
		group, v.next = v.next, (v.next+1)%len(v.groups)
		state = v.groups[group]
		switch {
		case len(state.Ended) == len(v.sitesOf(group)) && v.offered[group] == nil:
		case time.Until(state.After.Time) > 0:
		case isFree(group, state.Owner):
			return group, state, true
		}
	}
	return 0, groupView{}, false
}

// countOffers asks which groups have offered URLs. It does so only when all sites have
// ended: before that, URLs are offered while their site is crawled anyway. A site that
// failed or reached a limit has no use for them, and would leave them there every time.
func (v *jobView) countOffers(ctx context.Context) error {
	counts, err := within(ctx, func(ctx context.Context) (map[string]uint64, error) {
		return v.stream.counts(ctx, offerSubjects(v.job.Name))
	})
	if err != nil {
		return err
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.offered = map[int][]int{}
	for subject, n := range counts {
		site, err := strconv.Atoi(subject[strings.LastIndexByte(subject, '.')+1:])
		if err != nil || site < 0 || site >= len(v.sites) || n == 0 {
			continue
		}
		group := v.groupOf(site)
		if end := v.groups[group].Ended[site]; end != nil && end.Failure == "" && end.Limit == "" {
			v.offered[group] = append(v.offered[group], site)
		}
	}
	return nil
}

// isDone reports whether every site has ended and nothing is offered. The states are read
// before and after the offers are counted: a site that somebody crawls in between changes
// them.
func (v *jobView) isDone(ctx context.Context) (bool, error) {
	before, ended := v.endedAt()
	if !ended {
		return false, nil
	}
	if err := v.countOffers(ctx); err != nil {
		return false, err
	}
	newest, err := within(ctx, v.states.newest)
	if err != nil || newest != before {
		return false, err
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return len(v.offered) == 0, nil
}

// endedAt returns the revision of the last change, and whether every site has ended and
// nobody has one.
func (v *jobView) endedAt() (revision uint64, ended bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.ended < len(v.sites) {
		return v.newest, false
	}
	for i := range v.groups {
		if v.groups[i].Owner != "" {
			return v.newest, false
		}
	}
	return v.newest, true
}

// offeredSite returns a site of a group with offered URLs, as far as is known.
func (v *jobView) offeredSite(group int) (site int, ok bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if sites := v.offered[group]; len(sites) > 0 {
		return sites[0], true
	}
	return 0, false
}

// forgetOffers notes that the offers to a site are being taken in.
func (v *jobView) forgetOffers(group, site int) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	rest := slices.DeleteFunc(v.offered[group], func(s int) bool { return s == site })
	if len(rest) == 0 {
		delete(v.offered, group)
	} else {
		v.offered[group] = rest
	}
}
