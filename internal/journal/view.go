package journal

import (
	"bytes"
	"context"
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
	notice  func(text string)
}

// groupView is the state of a group and its revision.
type groupView struct {
	groupState
	revision uint64
}

// newView returns the view of a job with its sites. changed is called after every change, and
// notice with a text for people; neither must wait.
func newView(job Job, s stream, states bucket, sites []Site, changed func(), notice func(text string)) *jobView {
	l := newLayout(sites)
	return &jobView{
		job: job, stream: s, states: states, layout: l, groups: make([]groupView, l.groupCount), stop: func() {},
		changed: changed, notice: notice,
	}
}

// watch follows the states of the groups until ctx ends. It closes ready after all present
// ones.
func (v *jobView) watch(ctx context.Context) (ready <-chan struct{}) {
	ctx, v.stop = context.WithCancel(ctx)
	return v.states.watch(ctx, ">", v.take)
}

// readSites reads the list of the sites of a job.
func readSites(ctx context.Context, s stream, job *Job) (sites []Site, err error) {
	var before []byte
	for at := uint64(0); len(sites) < job.Sites; {
		m, err := answered(ctx, "reading the list of sites", func(ctx context.Context) (message, error) {
			return s.next(ctx, sitesSubject(job.journal()), at)
		})
		if err != nil {
			return nil, err
		}
		if m.sequence == 0 {
			return nil, fmt.Errorf("%w: its list has %d of %d sites", ErrDamaged, len(sites), job.Sites)
		}
		at = m.sequence
		if bytes.Equal(m.data, before) {
			continue
		}
		before = m.data
		if sites, err = decodeSites(sites, m.data, job.Sites); err != nil {
			return nil, err
		}
	}
	return sites, nil
}

// take records the state of a group.
func (v *jobView) take(e entry) {
	if e.key == "" {
		v.forget()
		return
	}
	group, err := strconv.Atoi(e.key)
	if err != nil || group < 0 || group >= len(v.groups) || groupKey(group) != e.key {
		return // nobody reads it
	}
	if e.revision > v.group(group).revision {
		v.set(group, e)
	}
}

// set replaces the state of a group. One that is damaged counts as none: its sites are
// claimed again, and their logs say what was crawled.
func (v *jobView) set(group int, e entry) {
	state, err := decodeState(v.layout, group, e.value)
	if err != nil {
		v.notice(fmt.Sprintf("job %s: %v; it is made again from the log", v.job.Name, err))
	}
	v.mutex.Lock()
	before := &v.groups[group]
	v.ended += len(state.Ended) - len(before.Ended)
	*before = groupView{state, e.revision}
	v.newest = max(v.newest, e.revision)
	v.mutex.Unlock()
	v.changed()
}

// refresh asks for the state of a group, after a write has found another one than is known.
func (v *jobView) refresh(ctx context.Context, group int) {
	e, err := within(ctx, func(ctx context.Context) (entry, error) { return v.states.get(ctx, groupKey(group)) })
	if err != nil {
		return // the next attempt finds out
	}
	if e.revision != v.group(group).revision {
		v.set(group, e)
	}
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
		return v.stream.counts(ctx, offerSubjects(v.job.journal()))
	})
	if err != nil {
		return err
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.offered = map[int][]int{}
	for subject, n := range counts {
		site, err := strconv.Atoi(subject[strings.LastIndexByte(subject, '.')+1:])
		if err != nil || site < 0 || site >= len(v.sites) || n == 0 || offerSubject(v.job.journal(), site) != subject {
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

// siteOf returns the site of a group that its owner crawls: the first that has not ended, or
// else one with offered URLs.
func (v *jobView) siteOf(group int, state *groupState) int {
	sites := v.sitesOf(group)
	for _, site := range sites {
		if state.Ended[site] == nil {
			return site
		}
	}
	if site, ok := v.offeredSite(group); ok {
		return site
	}
	return sites[0]
}

// crawler returns the worker that crawls a host, "" for none.
func (v *jobView) crawler(host string) string {
	site, found := v.byHost[host]
	if !found {
		return ""
	}
	group := v.groupOf(site)
	state := v.group(group)
	if v.siteOf(group, &state.groupState) != site {
		return ""
	}
	return state.Owner
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
