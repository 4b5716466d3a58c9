package web

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// apiSchedules lists the schedules of all sites or of one.
func (s *Server) apiSchedules(w http.ResponseWriter, r *http.Request) error {
	schedules, err := s.options.Service.Schedules(r.Context(), r.URL.Query().Get("site"))
	if err != nil {
		return err
	}
	list := scheduleList{Schedules: []scheduleView{}}
	for i := range schedules {
		list.Schedules = append(list.Schedules, newScheduleView(&schedules[i]))
	}
	return writeJSON(w, http.StatusOK, list, nil)
}

// apiAddSchedule stores a new schedule.
func (s *Server) apiAddSchedule(w http.ResponseWriter, r *http.Request) error {
	schedule, err := s.putSchedule(r, "")
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/v1/schedules/"+schedule.ID)
	return writeJSON(w, http.StatusCreated, newScheduleView(schedule), nil)
}

// apiSchedule describes a schedule.
func (s *Server) apiSchedule(w http.ResponseWriter, r *http.Request) error {
	schedule, err := s.options.Service.Schedule(r.Context(), r.PathValue("id"))
	return writeSchedule(w, schedule, err)
}

// apiPutSchedule replaces a schedule.
func (s *Server) apiPutSchedule(w http.ResponseWriter, r *http.Request) error {
	schedule, err := s.putSchedule(r, r.PathValue("id"))
	return writeSchedule(w, schedule, err)
}

func writeSchedule(w http.ResponseWriter, schedule *service.Schedule, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, newScheduleView(schedule), nil)
}

func (s *Server) putSchedule(r *http.Request, id string) (*service.Schedule, error) {
	var body scheduleView
	if err := readJSON(r, &body); err != nil {
		return nil, err
	}
	stored := &service.Schedule{}
	if id != "" {
		var err error
		if stored, err = s.options.Service.Schedule(r.Context(), id); err != nil {
			return nil, err
		}
	}
	cron, err := body.cron(stored.Cron)
	if err != nil {
		return nil, err
	}
	return s.options.Service.PutSchedule(r.Context(), service.Schedule{
		ID: id, URL: body.URL, Options: body.Options, Every: time.Duration(body.Every), Cron: cron,
		Jitter: time.Duration(body.Jitter), Publish: service.PublishTarget(body.Publish),
		Announce: service.AnnounceTarget(body.Announce), Notify: body.Notify,
		Webhook: body.Webhook, WebhookFormat: body.WebhookFormat, Email: body.Email,
		Language: body.Language, Paused: body.Paused,
	})
}

// cron returns the cron expression that a schedule is to have. A program that sends back what it got has days and a
// time next to the expression that is stored: what it changed counts.
func (v *scheduleView) cron(stored string) (string, error) {
	if v.Time == "" && len(v.Days) == 0 {
		return v.Cron, nil
	}
	cron, err := cronOf(v.Days, v.Time)
	switch hasOther := v.Cron != "" || v.Every != 0; {
	case err != nil:
		return "", err
	case !hasOther:
		return cron, nil
	case isSamePlan(cron, stored):
		return v.Cron, nil
	case v.Every == 0 && (v.Cron == stored || isSamePlan(cron, v.Cron)):
		return cron, nil
	}
	return "", &service.ScheduleError{Field: "time", Err: errTwoPlans}
}

var errTwoPlans = errors.New("days and time exclude another cron expression or an interval")

// apiRunSchedule crawls the site of a schedule now, unless a crawl of the schedule has not ended. The answer is the
// crawl.
func (s *Server) apiRunSchedule(w http.ResponseWriter, r *http.Request) error {
	id, err := s.options.Service.RunSchedule(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/v1/crawls/"+id)
	c, err := s.options.Service.Crawl(r.Context(), id)
	return writeCrawl(w, r, c, err)
}

// apiDeleteSchedule deletes a schedule. Its crawls stay.
func (s *Server) apiDeleteSchedule(w http.ResponseWriter, r *http.Request) error {
	return noContent(w, s.options.Service.DeleteSchedule(r.Context(), r.PathValue("id")))
}

type scheduleList struct {
	Schedules []scheduleView `json:"schedules"`
}

// A scheduleView is a schedule for a program, which sends it back to change it.
type scheduleView struct {
	ID      string   `json:"id,omitempty"`
	Site    string   `json:"site,omitempty"`
	URL     string   `json:"url"`
	Options options  `json:"options,omitempty"`
	Every   interval `json:"every,omitzero"`
	Cron    string   `json:"cron,omitempty"`
	// Days and Time say what Cron says, where they can. Without days it is every day.
	Days     []string     `json:"days,omitempty"`
	Time     string       `json:"time,omitempty"`
	Jitter   interval     `json:"jitter,omitzero"`
	Next     time.Time    `json:"next,omitzero"`
	Publish  publishView  `json:"publish,omitzero"`
	Announce announceView `json:"announce,omitzero"`
	Notify   []string     `json:"notify,omitempty"`
	Webhook  string       `json:"webhook,omitempty"`
	// WebhookFormat is a [service.WebhookFormat].
	WebhookFormat string `json:"webhook_format,omitempty"`
	Email         string `json:"email,omitempty"`
	Language      string `json:"language,omitempty"`
	Paused        bool   `json:"paused,omitempty"`
}

type publishView struct {
	Folder string `json:"folder,omitempty"`
	URL    string `json:"url,omitempty"`
}

type announceView struct {
	To []string `json:"to,omitempty"`
}

// An interval is a duration, such as 24h, in JSON a string.
type interval time.Duration

// MarshalText implements [encoding.TextMarshaler].
func (i interval) MarshalText() ([]byte, error) { return []byte(time.Duration(i).String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (i *interval) UnmarshalText(text []byte) error {
	duration, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 24h", text)
	}
	*i = interval(duration)
	return nil
}

func newScheduleView(s *service.Schedule) scheduleView {
	days, at := weeklyOf(s.Cron)
	return scheduleView{
		ID: s.ID, Site: s.Site, URL: s.URL, Options: s.Options, Every: interval(s.Every), Cron: s.Cron, Days: days, Time: at,
		Jitter: interval(s.Jitter), Next: s.Next, Publish: publishView(s.Publish), Announce: announceView(s.Announce),
		Notify:  s.Notify,
		Webhook: s.Webhook, WebhookFormat: s.WebhookFormat, Email: s.Email, Language: s.Language, Paused: s.Paused,
	}
}
