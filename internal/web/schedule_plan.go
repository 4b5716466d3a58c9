package web

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

const day = 24 * time.Hour

// intervals are those that the form offers and names.
var intervals = []struct {
	every time.Duration
	key   string
}{{time.Hour, "web.schedule.every.hour"}, {30 * day, "web.schedule.every.month"}}

// usualPlan is when a new schedule runs: on Mondays, at night.
var usualPlan = service.Weekly{Hour: 4, Minute: 30, Days: []time.Weekday{time.Monday}}

// weekdays are the days of the week with the ends of the keys of their names, from Monday on as
// in ISO 8601.
var weekdays = []struct {
	day time.Weekday
	key string
}{
	{time.Monday, "monday"}, {time.Tuesday, "tuesday"}, {time.Wednesday, "wednesday"}, {time.Thursday, "thursday"},
	{time.Friday, "friday"}, {time.Saturday, "saturday"}, {time.Sunday, "sunday"},
}

// onDays is the choice of a time on days of the week, in place of an interval.
const onDays = "days"

// A planForm is the part of the form that says when a schedule runs.
type planForm struct {
	Intervals, Days []choice
	At              string // a time such as 04:30
	Cron            string // an expression that the other fields cannot show
	Now             string // in the zone of the server
}

func newPlanForm(c *catalog.Catalog, of *service.Schedule, now time.Time) planForm {
	plan, isWeekly := service.ParseWeekly(of.Cron)
	v := planForm{Now: c.Time(now)}
	if !isWeekly {
		plan, v.Cron = usualPlan, of.Cron
	}
	v.At = clockOf(plan)
	v.Intervals = []choice{{Value: onDays, Name: c.Text("web.schedule.every.days"), Checked: of.Every == 0}}
	for _, i := range intervals {
		v.Intervals = append(v.Intervals, choice{Value: i.every.String(), Name: c.Text(i.key), Checked: i.every == of.Every})
	}
	if of.Every > 0 && !slices.ContainsFunc(v.Intervals, func(c choice) bool { return c.Checked }) {
		v.Intervals = append(v.Intervals, choice{Value: of.Every.String(), Name: intervalName(c, of.Every), Checked: true})
	}
	for _, w := range weekdays {
		v.Days = append(v.Days, choice{
			Value: w.key, Name: c.Text("web.day." + w.key), Checked: slices.Contains(plan.Days, w.day),
		})
	}
	return v
}

func clockOf(w service.Weekly) string {
	return time.Date(1, 1, 1, w.Hour, w.Minute, 0, 0, time.UTC).Format("15:04")
}

// readPlan reads when a schedule runs. A cron expression counts before the other fields.
func readPlan(s *service.Schedule, form url.Values) error {
	s.Cron, s.Every = strings.TrimSpace(form.Get("cron")), 0
	switch every := form.Get("every"); {
	case s.Cron != "":
		return nil
	case every != onDays:
		interval, err := time.ParseDuration(every)
		if err != nil {
			return &service.ScheduleError{Field: "every", Err: err}
		}
		s.Every = interval
		return nil
	}
	plan := service.Weekly{Hour: usualPlan.Hour, Minute: usualPlan.Minute}
	at, err := time.Parse("15:04", form.Get("at"))
	if err == nil {
		plan.Hour, plan.Minute = at.Hour(), at.Minute()
	}
	for _, w := range weekdays {
		if slices.Contains(form["day"], w.key) {
			plan.Days = append(plan.Days, w.day)
		}
	}
	s.Cron = plan.Cron() // also after an error, so that the form keeps the days
	if err != nil {
		return &service.ScheduleError{Field: "at", Err: err}
	}
	return nil
}

// weeklyOf returns the days and the time of a cron expression, or nothing for one that says something else. Every day
// has no days.
func weeklyOf(cron string) (days []string, at string) {
	plan, isWeekly := service.ParseWeekly(cron)
	if !isWeekly {
		return nil, ""
	}
	for _, w := range weekdays {
		if slices.Contains(plan.Days, w.day) {
			days = append(days, w.key)
		}
	}
	return days, clockOf(plan)
}

// cronOf returns the cron expression of days and a time.
func cronOf(days []string, at string) (string, error) {
	clock, err := time.Parse("15:04", at)
	if err != nil {
		return "", &service.ScheduleError{Field: "time", Err: errors.New("must be a time such as 04:30")}
	}
	plan := service.Weekly{Hour: clock.Hour(), Minute: clock.Minute()}
	for _, w := range weekdays {
		if slices.Contains(days, w.key) {
			plan.Days = append(plan.Days, w.day)
		}
	}
	if len(plan.Days) != len(days) {
		return "", &service.ScheduleError{Field: "days", Err: errors.New("must be different days such as monday")}
	}
	return plan.Cron(), nil
}

// isSamePlan reports whether two cron expressions are of the same days and the same time.
func isSamePlan(a, b string) bool {
	daysA, atA := weeklyOf(a)
	daysB, atB := weeklyOf(b)
	return atA != "" && atA == atB && slices.Equal(daysA, daysB)
}

// planText says when a schedule runs. zone is the name of the zone of the server.
func planText(c *catalog.Catalog, s *service.Schedule, zone string) string {
	if s.Cron == "" {
		return intervalName(c, s.Every)
	}
	plan, isWeekly := service.ParseWeekly(s.Cron)
	at := clockOf(plan) + " " + zone
	switch {
	case !isWeekly:
		return c.Text("web.schedule.by-cron", s.Cron) + " " + zone
	case len(plan.Days) == 0:
		return c.Text("web.schedule.at-days", c.Text("web.schedule.every.day"), at)
	}
	var days []string
	for _, w := range weekdays {
		if slices.Contains(plan.Days, w.day) {
			days = append(days, c.Text("web.days."+w.key))
		}
	}
	last := len(days) - 1
	names := days[last]
	if last > 0 {
		names = c.Text("verdict.and", strings.Join(days[:last], ", "), names)
	}
	return c.Text("web.schedule.at-days", names, at)
}

func intervalName(c *catalog.Catalog, every time.Duration) string {
	for _, i := range intervals {
		if i.every == every {
			return c.Text(i.key)
		}
	}
	return c.Text("web.schedule.every.other", exactSpan(c, every))
}
