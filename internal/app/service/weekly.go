package service

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Weekly is a time of day on days of the week, which is what most cron expressions say.
type Weekly struct {
	Hour, Minute int
	Days         []time.Weekday // none is every day
}

const everyWeekday = 1<<7 - 1

// ParseWeekly returns what a cron expression says, and false for one that says something else.
func ParseWeekly(expression string) (Weekly, bool) {
	c, err := parseCron(expression)
	if err != nil {
		return Weekly{}, false
	}
	const everyDay, everyMonth = 1<<32 - 2, 1<<13 - 2
	if bits.OnesCount64(c.minutes) != 1 || bits.OnesCount64(c.hours) != 1 || !c.anyDay || c.days != everyDay ||
		c.months != everyMonth {
		return Weekly{}, false
	}
	w := Weekly{Hour: bits.TrailingZeros64(c.hours), Minute: bits.TrailingZeros64(c.minutes)}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if c.weekdays&everyWeekday != everyWeekday && c.weekdays&(1<<day) != 0 {
			w.Days = append(w.Days, day)
		}
	}
	return w, true
}

// Cron returns the expression.
func (w Weekly) Cron() string {
	days := "*"
	if len(w.Days) > 0 {
		names := make([]string, len(w.Days))
		for i, day := range slices.Sorted(slices.Values(w.Days)) {
			names[i] = strconv.Itoa(int(day))
		}
		days = strings.Join(names, ",")
	}
	return fmt.Sprintf("%d %d * * %s", w.Minute, w.Hour, days)
}
