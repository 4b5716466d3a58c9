package journal

import (
	"cmp"
	"context"
	"slices"
)

// share makes room for a job when this worker has no place free and crawls at least two
// sites more of another job. It claims a site for the next Claim, and lets one of the
// other job be given back. So a small job does not wait for the large sites of another.
func (w *Worker) share(ctx context.Context) {
	if !w.claiming.TryLock() {
		return // a Claim waits: there is a place free
	}
	defer w.claiming.Unlock()
	worker, isHeld := w.lease.held()
	if !isHeld || w.next != nil {
		return
	}
	shards := map[*jobView][]*Shard{}
	for _, s := range w.held() {
		if s.canceled.Load() {
			return // it is being given back
		}
		shards[s.view] = append(shards[s.view], s)
	}
	views := w.openViews(ctx)
	for _, v := range views {
		most := shards[views[len(views)-1]]
		if len(shards[v])+2 > len(most) {
			return
		}
		if w.next = w.claimOf(ctx, v, worker); w.next != nil {
			fewestPages(most).canceled.Store(true)
			return
		}
	}
}

// fewestPages returns the shard that costs the next owner the least to replay.
func fewestPages(shards []*Shard) *Shard {
	return slices.MinFunc(shards, func(a, b *Shard) int {
		return cmp.Compare(a.progress.Load().Pages, b.progress.Load().Pages)
	})
}
