package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// A manyForm is the part of the form of a schedule that is for many sites.
type manyForm struct{ List, Labels string }

// pageMany shows the form that adds many sites with a schedule each.
func (s *Server) pageMany(w http.ResponseWriter, r *http.Request) error {
	plan := service.Schedule{Cron: usualPlan.Cron()}
	return s.showMany(w, r, http.StatusOK, &plan, manyForm{}, nil)
}

func (s *Server) showMany(
	w http.ResponseWriter, r *http.Request, status int, plan *service.Schedule, form manyForm, failed error,
) error {
	v := s.newSchedulePage(r, plan)
	v.Title, v.Path, v.Many, v.Secrets = v.texts.Text("web.many.title"), "/schedules/many", &form, nil
	if lines, is := errors.AsType[service.LinesError](failed); is {
		v.Error = explainLines(v.texts, lines)
	} else if failed != nil {
		v.Error = v.Options.explain(v.texts, failed)
	}
	if r.Method == http.MethodPost { // nothing else has what was typed
		v.Typed = "schedule"
	}
	return s.render(w, status, "schedule", &v.frame, v)
}

// explainLines says what is wrong with each line.
func explainLines(c *catalog.Catalog, lines service.LinesError) string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		why, is := explainInput(c, line.Err)
		if !is {
			why = c.Text("web.error.address")
		}
		texts[i] = c.Text("web.many.line", c.Count(int64(line.Line)), why)
	}
	return strings.Join(texts, "\n")
}

// addMany adds the sites of the form, and shows all sites.
func (s *Server) addMany(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	form := manyForm{r.PostForm.Get("urls"), r.PostForm.Get("labels")}
	plan := &service.Schedule{Language: string(languageOf(r))}
	err := readSchedule(plan, r.PostForm)
	if chosen, is := chosenLanguage(r); is { // the form is to be shown again, and not stored
		s.keepLanguage(w, chosen)
		return s.showMany(w, r, http.StatusOK, plan, form, err)
	}
	var added, known int
	if err == nil {
		added, known, err = s.options.Service.AddSites(r.Context(), form.List, *plan, splitLabels(form.Labels))
	}
	_, isLines := errors.AsType[service.LinesError](err)
	if _, is := explainInput(catalogOf(r), err); is || isLines {
		return s.showMany(w, r, problemOf(err).Status, plan, form, err)
	}
	if err != nil {
		return err
	}
	query := url.Values{"added": {strconv.Itoa(added)}, "known": {strconv.Itoa(known)}}
	return seeOther(w, r, "/sites?"+query.Encode(), nil)
}
