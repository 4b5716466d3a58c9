package service

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestCron has expressions of crontab(5) with the times that follow another one.
func TestCron(t *testing.T) {
	t.Parallel()
	madrid, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Skip(err)
	}
	const form = "2006-01-02 15:04 Mon"
	for _, test := range []struct{ expression, after, want string }{
		{"* * * * *", "2026-11-22 11:59 Sun", "2026-11-22 12:00 Sun"},
		{"30 4 * * *", "2026-11-22 04:30 Sun", "2026-11-23 04:30 Mon"},
		{"*/15 9-17 * * 1-5", "2026-11-20 17:45 Fri", "2026-11-23 09:00 Mon"},
		{"0 0 29 2 *", "2026-11-22 00:00 Sun", "2028-02-29 00:00 Tue"},
		{"0 0 29 2 *", "2096-03-01 00:00 Thu", "2104-02-29 00:00 Fri"},
		{"0 12 13 * 5", "2026-11-13 12:00 Fri", "2026-11-20 12:00 Fri"},  // the 13th, or a Friday
		{"0 12 */2 * 5", "2026-11-13 12:00 Fri", "2026-11-27 12:00 Fri"}, // odd days that are a Friday
		{"0 0 29 2 */7", "2088-02-29 00:00 Sun", "2128-02-29 00:00 Sun"},
		{"0 0 * * 7", "2026-11-22 00:00 Sun", "2026-11-29 00:00 Sun"},
		{"0 0 1 jan,JUL *", "2026-11-22 00:00 Sun", "2027-01-01 00:00 Fri"},
		{"5/20 0 * * *", "2026-11-22 00:05 Sun", "2026-11-22 00:25 Sun"},
		{"0 0 31 * *", "2026-11-22 00:00 Sun", "2026-12-31 00:00 Thu"},
		{"30 2 * * *", "2026-03-28 02:30 Sat", "2026-03-29 03:30 Sun"}, // the clock is set forward at 2
		{"30 2 * * *", "2026-03-29 03:30 Sun", "2026-03-30 02:30 Mon"},
		{"30 2 * * *", "2026-10-24 02:30 Sat", "2026-10-25 02:30 Sun"}, // the clock is set back at 3
		{"30 2 * * *", "2026-10-25 02:30 Sun", "2026-10-26 02:30 Mon"},
	} {
		c, err := parseCron(test.expression)
		if err != nil {
			t.Error(err)
			continue
		}
		after, err := time.ParseInLocation(form, test.after, madrid)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.next(after).Format(form); got != test.want {
			t.Errorf("%s after %s: %s, want %s", test.expression, test.after, got, test.want)
		}
	}
	for _, wrong := range []string{
		"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 *", "* * * * 8",
		"*/0 * * * *", "5-1 * * * *", "a * * * *", "-1 * * * *", "1- * * * *", ", * * * *", "* * 31 2 *", "@daily",
		"TZ=0 * * * *", "*/ * * * *", "1/ * * * *", "999999999999999999999 * * * *", "+1 * * * *", "* * * mon *",
	} {
		if c, err := parseCron(wrong); !errors.Is(err, ErrCron) {
			t.Errorf("%q: %+v, %v", wrong, c, err)
		}
	}
}

// TestCronOracle compares random expressions with a search by single minutes.
func TestCronOracle(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		fields := make([]string, 5)
		for i, bound := range [][2]int{{0, 59}, {0, 23}, {1, 28}, {1, 12}, {0, 6}} {
			fields[i] = randomField(random, bound[0], bound[1])
		}
		expression := strings.Join(fields, " ")
		c, err := parseCron(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		after := time.Date(2026, 1, 1, 0, random.IntN(365*24*60), 0, 0, time.UTC)
		got := c.next(after)
		matches := matchesOf(fields)
		at := after.Add(time.Minute)
		for end := at.AddDate(0, 0, 45); at.Before(end) && !matches(at); {
			at = at.Add(time.Minute)
		}
		if !matches(at) { // rare: only its own time is checked
			at = got
		}
		if !got.Equal(at) || !matches(got) {
			t.Errorf("%s after %v: %v, want %v", expression, after, got, at)
		}
	}
}

func randomField(r *rand.Rand, first, last int) string {
	value := func() int { return first + r.IntN(last-first+1) }
	switch r.IntN(6) {
	case 0, 1, 2:
		return "*"
	case 3:
		return fmt.Sprintf("*/%d", 1+r.IntN(7))
	case 4:
		a, b := value(), value()
		return fmt.Sprintf("%d-%d,%d", min(a, b), max(a, b), value())
	}
	return strconv.Itoa(value())
}

// matchesOf returns whether fields match a minute, by the words of crontab(5).
func matchesOf(fields []string) func(time.Time) bool {
	var allowed [5][60]bool
	for i, first := range []int{0, 0, 1, 1, 0} {
		for value := range allowed[i] {
			for part := range strings.SplitSeq(fields[i], ",") {
				var low, high, step int
				if n, _ := fmt.Sscanf(part, "*/%d", &step); n == 1 {
					allowed[i][value] = allowed[i][value] || value >= first && (value-first)%step == 0
					continue
				}
				n, _ := fmt.Sscanf(part, "%d-%d", &low, &high)
				isInside := n == 2 && low <= value && value <= high || n == 1 && low == value
				allowed[i][value] = allowed[i][value] || part == "*" || isInside
			}
		}
	}
	either := fields[2][0] != '*' && fields[4][0] != '*'
	return func(at time.Time) bool {
		inMonth, inWeek := allowed[2][at.Day()], allowed[4][at.Weekday()]
		return allowed[0][at.Minute()] && allowed[1][at.Hour()] && allowed[3][at.Month()] &&
			(inMonth && inWeek || either && (inMonth || inWeek))
	}
}

// TestWeekly knows the expressions that are a time on days of the week, and writes them.
func TestWeekly(t *testing.T) {
	for expression, want := range map[string]string{
		"30 4 * * *": "30 4 * * *", "30 4 * * 1": "30 4 * * 1", "0 23 * * mon-fri": "0 23 * * 1,2,3,4,5",
		"5 0 * * 7": "5 0 * * 0", "5 0 1-31 * 1": "", "30 4 */1 jan-dec */2": "30 4 * * 0,2,4,6",
		"30 4 * * 0-7": "30 4 * * *",
		"30 4 1 * *":   "", "30 4 * 1 *": "", "*/5 4 * * *": "",
		"30 4,5 * * *": "", "30 4 */2 * *": "", "soon": "", "": "",
	} {
		weekly, is := ParseWeekly(expression)
		if is != (want != "") || is && weekly.Cron() != want {
			t.Errorf("%q: %+v, %t, want %q", expression, weekly, is, want)
		}
	}
}
