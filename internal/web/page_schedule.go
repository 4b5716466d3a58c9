package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app/service"
)

// providerNames are the names of those to whom a publication is announced.
var providerNames = map[announce.Provider]string{
	announce.ProviderRobots: "robots.txt", announce.ProviderGoogle: "Google", announce.ProviderBing: "Bing",
	announce.ProviderIndexNow: "IndexNow", announce.ProviderYandex: "Yandex", announce.ProviderBaidu: "Baidu",
	announce.ProviderWebSub: "WebSub",
}

type schedulePage struct {
	frame
	ID, URL, Error      string
	Many                *manyForm // nil for the schedule of one site
	Next                time.Time
	Plan                planForm
	Jitter              string
	Publish, PublishURL string
	Email, Webhook      string
	Formats, Notify     []choice // of the webhook; of what to notify
	Test                []testLine
	Providers           []choice // to announce to
	Secrets             []secretField
	Paused, Open        bool
	Mail                bool // the server can send it
	Options             formOptions
}

// addNotified adds the choices of the form about notifications.
func (v *schedulePage) addNotified(of *service.Schedule) {
	v.Formats = []choice{{Name: v.texts.Text("web.schedule.format.auto"), Checked: of.WebhookFormat == ""}}
	for _, f := range service.WebhookFormats {
		v.Formats = append(v.Formats, choice{Value: string(f), Name: formatNames[f], Checked: of.WebhookFormat == string(f)})
	}
	for _, name := range service.NotifyNames {
		v.Notify = append(v.Notify, choice{
			Value: name, Name: v.texts.Text("web.schedule.notify." + name), Checked: slices.Contains(of.Notify, name),
		})
	}
}

// formatNames are the names of the services that a webhook can belong to.
var formatNames = map[service.WebhookFormat]string{
	service.FormatJSON: "JSON", service.FormatSlack: "Slack", service.FormatDiscord: "Discord",
	service.FormatTeams: "Microsoft Teams", service.FormatNtfy: "ntfy",
}

// pageNewSchedule shows the form for a new schedule.
func (s *Server) pageNewSchedule(w http.ResponseWriter, r *http.Request) error {
	schedule := service.Schedule{URL: r.URL.Query().Get("url"), Cron: usualPlan.Cron()}
	return s.scheduleForm(w, r, http.StatusOK, &schedule, nil)
}

// pageSchedule shows the form of a schedule.
func (s *Server) pageSchedule(w http.ResponseWriter, r *http.Request) error {
	schedule, err := s.options.Service.Schedule(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return s.scheduleForm(w, r, http.StatusOK, schedule, nil)
}

func (s *Server) scheduleForm(
	w http.ResponseWriter, r *http.Request, status int, of *service.Schedule, failed error,
) error {
	v := s.newSchedulePage(r, of)
	if failed != nil {
		v.Error = v.Options.explain(v.texts, failed)
	}
	if r.Method == http.MethodPost { // nothing else has what was typed
		v.Typed = "schedule"
	}
	return s.render(w, status, "schedule", &v.frame, v)
}

// newSchedulePage returns the form of a schedule.
func (s *Server) newSchedulePage(r *http.Request, of *service.Schedule) *schedulePage {
	v := &schedulePage{
		frame: s.newFrame(r, "schedules"), ID: of.ID, URL: of.URL, Next: of.Next,
		Jitter: strconv.Itoa(int(of.Jitter.Minutes())), Publish: of.Publish.Folder, PublishURL: of.Publish.URL,
		Email: of.Email, Webhook: of.Webhook, Paused: of.Paused, Open: len(of.Options) > 0,
		Mail: s.options.Service.SendsMail(),
	}
	v.Title, v.Path = v.texts.Text("web.schedules.new"), "/schedules/new"
	if of.ID != "" {
		v.Title, v.Path = v.texts.Text("web.schedule.edit", of.Site), "/schedules/"+of.ID
	}
	v.Options = s.formOptions(v.texts, of.Options)
	v.Secrets = secretFields(v.texts, of.Options, r.PostForm)
	v.Plan = newPlanForm(v.texts, of, s.options.Now())
	v.addNotified(of)
	for _, p := range announce.Providers() {
		v.Providers = append(v.Providers, choice{
			Value: string(p), Name: providerNames[p], Checked: slices.Contains(of.Announce.To, string(p)),
		})
	}
	return v
}

// saveSchedule stores the schedule of the form, new or changed.
func (s *Server) saveSchedule(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	schedule := &service.Schedule{}
	if id := r.PathValue("id"); id != "" {
		var err error
		if schedule, err = s.options.Service.Schedule(r.Context(), id); err != nil {
			return err
		}
	}
	schedule.Language = string(languageOf(r))
	err := readSchedule(schedule, r.PostForm)
	if chosen, is := chosenLanguage(r); is { // the form is to be shown again, and not stored
		s.keepLanguage(w, chosen)
		return s.scheduleForm(w, r, http.StatusOK, schedule, err)
	}
	var saved *service.Schedule
	if err == nil {
		saved, err = s.options.Service.PutSchedule(r.Context(), *schedule)
	}
	if err != nil {
		if _, is := explainInput(catalogOf(r), err); is {
			return s.scheduleForm(w, r, problemOf(err).Status, schedule, err)
		}
		return err
	}
	if r.PostForm.Has("test") {
		return s.testSchedule(w, r, saved)
	}
	return seeOther(w, r, "/schedules?saved="+saved.ID, nil)
}

// runSchedule crawls the site of a schedule now, and shows the crawl.
func (s *Server) runSchedule(w http.ResponseWriter, r *http.Request) error {
	id, err := s.options.Service.RunSchedule(r.Context(), r.PathValue("id"))
	return seeOther(w, r, "/crawls/"+id, err)
}

// A testLine says whether a test message arrived.
type testLine struct {
	Kind, Text string
	Detail     string // of the failure, in English
}

// testSchedule sends a test message to whom a schedule notifies, and shows its form with the
// outcome.
func (s *Server) testSchedule(w http.ResponseWriter, r *http.Request, schedule *service.Schedule) error {
	outcome, err := s.options.Service.SendTest(r.Context(), schedule.ID)
	if err != nil {
		return err
	}
	v, c := s.newSchedulePage(r, schedule), catalogOf(r)
	for _, try := range []struct {
		delivery *service.TestDelivery
		key      string
	}{{outcome.Webhook, "web.schedule.test.webhook"}, {outcome.Email, "web.schedule.test.email"}} {
		switch {
		case try.delivery == nil:
		case try.delivery.Err == nil:
			v.Test = append(v.Test, testLine{Kind: "good", Text: c.Text(try.key)})
		default:
			v.Test = append(v.Test, testLine{Kind: "bad", Text: c.Text(try.key + ".failed"), Detail: try.delivery.Err.Error()})
		}
	}
	if len(v.Test) == 0 {
		v.Test = []testLine{{Kind: "warn", Text: c.Text("web.schedule.test.nobody")}}
	}
	return s.render(w, http.StatusOK, "schedule", &v.frame, v)
}

var errMinutes = errors.New("must be a number of minutes up to a day")

// readSchedule reads the form. What it does not show stays as it is.
func readSchedule(s *service.Schedule, form url.Values) error {
	text := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	s.URL, s.Email, s.Webhook = text("url"), text("email"), text("webhook")
	s.Publish.Folder, s.Publish.URL, s.Paused = text("publish"), text("publish-url"), form.Get("paused") == "true"
	s.Announce.To, s.Notify, s.WebhookFormat = form["announce"], form["notify"], form.Get("webhook-format")
	s.Options = withHidden(optionsOf(form), s.Options)
	readSecrets(s.Options, form)
	if err := readPlan(s, form); err != nil {
		return err
	}
	minutes := 0
	if jitter := text("jitter"); jitter != "" {
		var err error
		if minutes, err = strconv.Atoi(jitter); err != nil || minutes < 0 || minutes > 24*60 {
			return &service.ScheduleError{Field: "jitter", Err: errMinutes}
		}
	}
	s.Jitter = time.Duration(minutes) * time.Minute
	return nil
}

// deleteSchedule deletes a schedule.
func (s *Server) deleteSchedule(w http.ResponseWriter, r *http.Request) error {
	return seeOther(w, r, "/schedules?deleted=true", s.options.Service.DeleteSchedule(r.Context(), r.PathValue("id")))
}
