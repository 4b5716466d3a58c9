package service

import (
	"context"

	"github.com/mapatools/mapa/internal/jobs"
)

// Stats are figures of a server.
type Stats struct {
	Queued, Running, Paused int   // crawls
	BytesToday              int64 // that the crawls of this day downloaded, where that is limited
	Disk                    int64 // bytes of all results
}

// Stats returns the figures of the server.
func (s *Service) Stats(ctx context.Context) (stats Stats, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		for state, count := range map[State]*int{
			StateQueued: &stats.Queued, StateRunning: &stats.Running, StatePaused: &stats.Paused,
		} {
			crawls, err := tx.InState(state)
			if err != nil {
				return err
			}
			*count = len(crawls)
		}
		usage, err := tx.TotalUsage(s.now())
		if err != nil {
			return err
		}
		stats.BytesToday = usage.Bytes
		stats.Disk, err = tx.TotalSize()
		return err
	})
	return stats, err
}
