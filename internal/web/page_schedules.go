package web

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// A scheduleRow is a schedule in a list.
type scheduleRow struct {
	ID, URL, When       string
	Next                time.Time
	Paused              bool
	Last                *service.Crawl // nil before the first run
	Publishes, Notifies string         // to where, and whom
	Edit                bool           // the reader may change it
}

// scheduleRows returns the rows of schedules.
func (s *Server) scheduleRows(
	ctx context.Context, f *frame, schedules []service.Schedule,
) (rows []scheduleRow, err error) {
	for i := range schedules {
		schedule := &schedules[i]
		zone := schedule.Next.Local().Format("MST")
		row := scheduleRow{
			ID: schedule.ID, URL: schedule.URL, When: planText(f.texts, schedule, zone),
			Next: schedule.Next, Paused: schedule.Paused,
			Publishes: schedule.Publish.Folder, Notifies: notifiedBy(schedule), Edit: f.IsOwner,
		}
		if row.Last, err = s.options.Service.LastRun(ctx, schedule.ID); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// notifiedBy names whom a schedule notifies: an e-mail address, and the host of a webhook.
func notifiedBy(schedule *service.Schedule) string {
	var names []string
	if schedule.Email != "" {
		names = append(names, schedule.Email)
	}
	if u, err := url.Parse(schedule.Webhook); err == nil && u.Host != "" {
		names = append(names, u.Host)
	}
	return strings.Join(names, ", ")
}

type schedulesPage struct {
	frame
	Done      template.HTML // what was done just before, or empty
	Schedules []scheduleRow
}

// pageSchedules lists all schedules. The query names the one that was saved, if any.
func (s *Server) pageSchedules(w http.ResponseWriter, r *http.Request) error {
	v := schedulesPage{frame: s.newFrame(r, "schedules")}
	v.Title = v.texts.Text("web.schedules.title")
	schedules, err := s.options.Service.Schedules(r.Context(), "")
	if err != nil {
		return err
	}
	if v.Schedules, err = s.scheduleRows(r.Context(), &v.frame, schedules); err != nil {
		return err
	}
	query := r.URL.Query()
	if query.Has("deleted") {
		v.Done = markup(v.texts, "web.schedules.deleted")
	}
	for _, row := range v.Schedules {
		switch {
		case row.ID != query.Get("saved"):
		case row.Paused:
			v.Done = markup(v.texts, "web.schedules.saved.paused", row.URL)
		default:
			v.Done = markup(v.texts, "web.schedules.saved", row.URL, row.Next)
		}
	}
	return s.render(w, http.StatusOK, "schedules", &v.frame, &v)
}
