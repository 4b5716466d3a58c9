package service

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A cron is a parsed expression of five fields, as in crontab(5): minute, hour, day of the
// month, month and day of the week. Each field is a set of bits.
type cron struct {
	minutes, hours, days, months, weekdays uint64
	// anyDay and anyWeekday report a field that begins with *. Otherwise a day matches
	// where one of the two fields does.
	anyDay, anyWeekday bool
}

// ErrCron means that an expression is not one of cron.
var ErrCron = errors.New("not a cron expression of five fields, such as 30 4 * * 1-5")

var (
	monthNames   = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	weekdayNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
)

// parseCron parses an expression. The error wraps [ErrCron].
func parseCron(text string) (*cron, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return nil, ErrCron
	}
	c := &cron{anyDay: strings.HasPrefix(fields[2], "*"), anyWeekday: strings.HasPrefix(fields[4], "*")}
	for i, field := range []struct {
		into        *uint64
		first, last int
		names       []string
	}{
		{&c.minutes, 0, 59, nil}, {&c.hours, 0, 23, nil}, {&c.days, 1, 31, nil},
		{&c.months, 1, 12, monthNames}, {&c.weekdays, 0, 7, weekdayNames},
	} {
		var err error
		if *field.into, err = parseCronField(fields[i], field.first, field.last, field.names); err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrCron, fields[i], err)
		}
	}
	const sunday = 1 << 7 // also 0
	if c.weekdays&sunday != 0 {
		c.weekdays |= 1
	}
	if c.next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return nil, fmt.Errorf("%w: no day matches it", ErrCron)
	}
	return c, nil
}

// parseCronField parses a field: *, a number, a range, a step, or a list of them.
func parseCronField(text string, first, last int, names []string) (set uint64, err error) {
	for part := range strings.SplitSeq(text, ",") {
		span, stepText, stepped := strings.Cut(part, "/")
		from, to, step := first, last, 1
		if stepped {
			if step, err = strconv.Atoi(stepText); err != nil || step < 1 {
				return 0, errors.New("the step must be 1 or more")
			}
		}
		if span != "*" {
			low, high, isRange := strings.Cut(span, "-")
			if from, err = parseCronValue(low, names, first); err != nil {
				return 0, err
			}
			switch {
			case isRange:
				to, err = parseCronValue(high, names, first)
			case !stepped:
				to = from
			}
			if err != nil {
				return 0, err
			}
		}
		if from < first || to > last || from > to {
			return 0, fmt.Errorf("must be from %d to %d", first, last)
		}
		for value := from; value <= to; value += step {
			set |= 1 << value
		}
	}
	return set, nil
}

// parseCronValue parses a number or a name.
func parseCronValue(text string, names []string, first int) (int, error) {
	if i := slices.Index(names, strings.ToLower(text)); i >= 0 {
		return i + first, nil
	}
	value, err := strconv.ParseUint(text, 10, 8)
	if err != nil {
		return 0, errors.New("not a number")
	}
	return int(value), nil
}

// maxCronYears is how far ahead a time is looked for: between two 29 February that are a
// Monday there are up to forty years.
const maxCronYears = 41

// next returns the first time after another one that the expression matches, in its
// location, or the zero time. Where the clock is set forward, a time that is left out is
// the one after the change; where it is set back, a time comes once.
func (c *cron) next(after time.Time) time.Time {
	day := time.Date(after.Year(), after.Month(), after.Day(), 12, 0, 0, 0, after.Location())
	for end := day.AddDate(maxCronYears, 0, 0); day.Before(end); day = day.AddDate(0, 0, 1) {
		if !c.matchesDay(day) {
			continue
		}
		for hours := c.hours; hours != 0; hours &= hours - 1 {
			for minutes := c.minutes; minutes != 0; minutes &= minutes - 1 {
				at := time.Date(day.Year(), day.Month(), day.Day(), bits.TrailingZeros64(hours),
					bits.TrailingZeros64(minutes), 0, 0, day.Location())
				if at.After(after) {
					return at
				}
			}
		}
	}
	return time.Time{}
}

// matchesDay reports whether the expression matches a day.
func (c *cron) matchesDay(day time.Time) bool {
	inMonth := c.days&(1<<day.Day()) != 0
	inWeek := c.weekdays&(1<<day.Weekday()) != 0
	if c.months&(1<<day.Month()) == 0 {
		return false
	}
	if c.anyDay || c.anyWeekday {
		return inMonth && inWeek
	}
	return inMonth || inWeek
}
