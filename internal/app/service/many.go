package service

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/jobs"
)

// MaxAddresses is the most sites that are added at once.
const MaxAddresses = 500

// maxWrong is the most lines of a LinesError.
const maxWrong = 20

// ErrAddresses means that no address is given, or more than [MaxAddresses].
var ErrAddresses = fmt.Errorf("the number of addresses must be from 1 to %d", MaxAddresses)

// A LinesError says which lines of a list, the first 20, have no address that can be crawled.
type LinesError []LineError

// A LineError says why a line has no such address.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error names the first line, and the reason.
func (e LinesError) Error() string { return fmt.Sprintf("line %d: %v", e[0].Line, e[0].Err) }

// AddSites adds a schedule like plan for each address of a list, one a line, gives the sites labels unless they have
// some, and crawls them now. An address that has a schedule, or comes a second time, is known and left out. The
// schedules publish nothing, since two sites cannot share a folder. After an error nothing is added: it is
// [ErrAddresses], a [LinesError], [ErrLabels], a [*LimitError], or one of PutSchedule.
func (s *Service) AddSites(
	ctx context.Context, list string, plan Schedule, labels []string,
) (added, known int, err error) {
	if s.options.Public != nil {
		return 0, 0, ErrNoSchedules
	}
	if labels, err = cleanLabels(labels); err != nil {
		return 0, 0, err
	}
	if err := s.checkBrowser(ctx, plan.Options["render"]); err != nil {
		return 0, 0, err
	}
	plan.Publish, plan.Announce = PublishTarget{}, AnnounceTarget{}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		starts, err := scheduledStarts(tx)
		if err != nil {
			return err
		}
		schedules, repeated, err := s.readLines(list, plan, starts)
		if err != nil {
			return err
		}
		added, known = len(schedules), repeated
		active, _, err := countActive(tx, "")
		if err == nil && active+added > maxQueued {
			err = &LimitError{LimitQueue, retryTime}
		}
		if err != nil {
			return err
		}
		for _, schedule := range schedules {
			if err := s.addScheduled(tx, schedule, labels); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	s.reorder(ctx)
	s.wakeUp()
	return added, known, nil
}

// scheduledStarts returns the starts that have a schedule.
func scheduledStarts(tx *jobs.Tx) (map[string]bool, error) {
	schedules, err := tx.Schedules(nil)
	starts := map[string]bool{}
	for _, schedule := range schedules {
		if address, err := addresses.ReadSiteAddress(schedule.URL); err == nil {
			starts[address.Start] = true
		}
	}
	return starts, err
}

// readLines returns a schedule like plan for each line whose start is not known, and how many are. It adds the starts
// to those that are known.
func (s *Service) readLines(
	list string, plan Schedule, known map[string]bool,
) (schedules []*Schedule, repeated int, err error) {
	var wrong LinesError
	number := 0
	for line := range strings.Lines(list) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if len(schedules)+repeated == MaxAddresses {
			return nil, 0, ErrAddresses
		}
		schedule := plan
		schedule.ID, schedule.URL = newID(), line
		address, err := s.checkSchedule(&schedule, storedTarget{})
		_, isOption := errors.AsType[*OptionError](err)
		_, isPlan := errors.AsType[*ScheduleError](err)
		switch {
		case isOption || isPlan:
			return nil, 0, err
		case err != nil:
			if wrong = append(wrong, LineError{number, err}); len(wrong) == maxWrong {
				return nil, 0, wrong
			}
		case known[address.Start]:
			repeated++
		default:
			known[address.Start] = true
			schedules = append(schedules, &schedule)
		}
	}
	switch {
	case len(wrong) > 0:
		return nil, 0, wrong
	case len(schedules)+repeated == 0:
		return nil, 0, ErrAddresses
	}
	return schedules, repeated, nil
}

// addScheduled stores a schedule, labels its site, and queues a crawl of it.
func (s *Service) addScheduled(tx *jobs.Tx, schedule *Schedule, labels []string) error {
	address, err := addresses.ReadSiteAddress(schedule.URL)
	if err == nil {
		schedule.Site, err = siteOf(tx, address)
	}
	if err == nil {
		err = tx.AddLabels(addresses.SiteName(schedule.Site), labels)
	}
	if err == nil {
		err = tx.SaveSchedule(schedule)
	}
	if err == nil {
		_, err = s.queueScheduled(tx, schedule, s.now())
	}
	return err
}
