package service

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
)

// retryTime is the longest time between two looks of Run at all its work, in case an error
// prevented one.
const retryTime = 15 * time.Second

// Run runs crawls, schedules and the tasks that follow crawls, until ctx ends. Then it waits
// until the running crawls have stored their pages. They stay running in the store, and the
// next Run continues them. Run must be called once.
func (s *Service) Run(ctx context.Context) error {
	crawls, suspend := context.WithCancelCause(context.WithoutCancel(ctx))
	defer suspend(nil)
	var others sync.WaitGroup
	if s.options.Public == nil {
		others.Go(func() { s.runTasks(ctx) })
	}
	if s.options.Workers != nil {
		others.Go(func() { s.runWorkers(ctx) })
	}
	for ctx.Err() == nil {
		pause, err := s.step(ctx, crawls)
		if err != nil && ctx.Err() == nil {
			s.log.Error("cannot look at the queue", "error", err)
			pause = retryTime
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(pause):
		}
	}
	suspend(appcrawl.InterruptSuspend)
	for _, r := range s.runs() {
		<-r.done
		r.live.publish(func(u *Update) { u.Notice = suspendedNotice })
		s.log.Info("crawl suspended, it will go on", "crawl", r.id, "site", r.site)
	}
	others.Wait()
	return nil
}

// suspendedNotice is what those who watch a crawl learn at the end of the server.
const suspendedNotice = "the server ends; the crawl will go on when it runs again"

// runs returns the crawls that run.
func (s *Service) runs() []*run {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Collect(maps.Values(s.running))
}

func (s *Service) isRunning(id string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.running[id] != nil
}

// step does what is due, and returns after how long something is.
func (s *Service) step(ctx, crawls context.Context) (time.Duration, error) {
	s.fillReserve()
	now := s.now()
	if err := s.tick(ctx, now); err != nil {
		return 0, err
	}
	if err := s.expire(ctx, now); err != nil {
		return 0, err
	}
	if err := s.dispatch(ctx, crawls); err != nil {
		return 0, err
	}
	var next time.Time
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		next, err = tx.NextSchedule()
		return err
	})
	if next.IsZero() {
		return retryTime, err
	}
	return min(max(next.Sub(now), time.Millisecond), retryTime), err
}

// A queuedCrawl is a crawl that waits for its turn.
type queuedCrawl struct {
	*jobs.Crawl
	goesOn bool // it ran, or was asked to stop: it comes first
}

// dispatch starts crawls that wait, as many as may run at once, one of a host, the clients
// by turns.
func (s *Service) dispatch(ctx, crawls context.Context) error {
	queue, err := s.queue(ctx)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.announcePositions()
	defer s.mutex.Unlock()
	hosts := map[string]bool{}
	for _, r := range s.running {
		hosts[r.host] = true
	}
	for _, c := range s.arrangeLocked(queue) {
		isFull := len(s.running) >= s.options.Parallel && !c.Stopping
		if isFull || s.running[c.ID] != nil || hosts[c.Host] || s.results.inUse(c.ID) {
			continue
		}
		hosts[c.Host] = true
		s.turn++
		s.served[c.Client] = s.turn
		s.beginLocked(crawls, c.Crawl)
	}
	s.arrangeLocked(queue)
	return nil
}

// queue returns the crawls that wait, the oldest first. Those that run are among them.
func (s *Service) queue(ctx context.Context) (queue []queuedCrawl, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		for _, state := range []State{StateRunning, StateQueued} {
			crawls, err := tx.InState(state)
			if err != nil {
				return err
			}
			for _, c := range crawls {
				queue = append(queue, queuedCrawl{c, state == StateRunning || c.Stopping})
			}
		}
		return nil
	})
	return queue, err
}

// reorder finds the places in the queue again.
func (s *Service) reorder(ctx context.Context) {
	queue, err := s.queue(ctx)
	if err != nil {
		return // the next step finds them
	}
	s.mutex.Lock()
	s.arrangeLocked(queue)
	s.mutex.Unlock()
	s.announcePositions()
}

// arrangeLocked returns the crawls that do not run yet in the order of their turns, and
// notes their places.
func (s *Service) arrangeLocked(queue []queuedCrawl) []queuedCrawl {
	queue = slices.DeleteFunc(slices.Clone(queue), func(c queuedCrawl) bool { return s.running[c.ID] != nil })
	clients := map[string]bool{}
	for _, r := range s.running {
		clients[r.client] = true
	}
	for _, c := range queue {
		clients[c.Client] = true
	}
	maps.DeleteFunc(s.served, func(client string, _ int64) bool { return !clients[client] })
	ordered := byTurns(queue, s.served)
	clear(s.order)
	for i, c := range ordered {
		s.order[c.ID] = i + 1
	}
	return ordered
}

// byTurns orders crawls: first those that go on, then by turns one of each client, whose
// own are in the order of their creation. The client that was served longest ago is next.
func byTurns(queue []queuedCrawl, served map[string]int64) []queuedCrawl {
	ofClient := map[string][]queuedCrawl{}
	var ordered []queuedCrawl
	var clients []string // by their turn
	for _, c := range queue {
		if c.goesOn {
			ordered = append(ordered, c)
			continue
		}
		if ofClient[c.Client] == nil {
			clients = append(clients, c.Client)
		}
		ofClient[c.Client] = append(ofClient[c.Client], c)
	}
	slices.SortStableFunc(clients, func(a, b string) int { return cmp.Compare(served[a], served[b]) })
	for len(clients) > 0 {
		next := clients[:0]
		for _, client := range clients {
			ordered = append(ordered, ofClient[client][0])
			if ofClient[client] = ofClient[client][1:]; len(ofClient[client]) > 0 {
				next = append(next, client)
			}
		}
		clients = next
	}
	return ordered
}

// modify changes a crawl in the store. The error is ErrNotFound when it was
// deleted.
func (s *Service) modify(
	ctx context.Context, id string, change func(*jobs.Tx, *jobs.Crawl) error,
) (record *jobs.Crawl, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		if record, err = tx.Crawl(id); err != nil {
			return err
		}
		if err := change(tx, record); err != nil {
			return err
		}
		return tx.SaveCrawl(record)
	})
	return record, err
}
