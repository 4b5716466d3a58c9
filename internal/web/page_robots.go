package web

import (
	"context"
	"net/http"
	"strings"

	approbots "github.com/mapatools/mapa/internal/app/robots"
	"github.com/mapatools/mapa/robots"
)

type robotsView struct {
	frame
	URL, Agent, Text string
	Error            string
	Agents           []string
	Verdict          *verdictView
}

// A verdictView is what a robots.txt says of a page.
type verdictView struct {
	Allowed     bool
	Why, Source string
	Lines       []robotsLine
	More        int // lines that are not shown
}

// A robotsLine is a line of a robots.txt. Hit is the rule that decides.
type robotsLine struct {
	Number int
	Text   string
	Hit    bool
}

// maxRobots is the size of the largest form with a robots.txt, in bytes. Its characters
// may take three bytes each in a form.
const maxRobots = 3*robots.ReadLimit + maxBody

// pageRobots shows the form of the robots.txt tester.
func (s *Server) pageRobots(w http.ResponseWriter, r *http.Request) error {
	return s.robotsForm(w, r, http.StatusOK, robotsView{})
}

func (s *Server) robotsForm(w http.ResponseWriter, r *http.Request, status int, v robotsView) error {
	v.frame, v.Agents = s.newFrame(r, "robots"), append(approbots.Names(), "mapa")
	v.Title = v.texts.Text("web.robots.title")
	return s.render(w, status, "robots", &v.frame, &v)
}

// testRobots says which rule of a robots.txt decides about a page.
func (s *Server) testRobots(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	text := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	v := robotsView{URL: text("url"), Agent: text("agent"), Text: r.PostForm.Get("text")}
	settings := &approbots.Settings{Text: v.Text, Agent: v.Agent, Request: s.requests()}
	var check *approbots.Result
	err := s.tool(w, r, func(ctx context.Context) (err error) {
		check, err = approbots.Check(ctx, s.options.App, []string{v.URL}, settings)
		return err
	})
	if err != nil {
		status, text := explainToolError(r, err)
		if text == "" {
			return err
		}
		v.Error = text
		return s.robotsForm(w, r, status, v)
	}
	v.Verdict = newVerdictView(s.newFrame(r, "robots"), check)
	return s.robotsForm(w, r, http.StatusOK, v)
}

// The lines of a robots.txt that are shown: around the one that decides.
const (
	linesBefore = 100
	linesAfter  = 300
)

func newVerdictView(f frame, check *approbots.Result) *verdictView {
	verdict := &check.Verdicts[0]
	v := &verdictView{Allowed: verdict.Allowed, Why: f.texts.Text("web.robots.no-rule"), Source: check.URL}
	switch {
	case verdict.Line > 0:
		v.Why = f.texts.Text("web.robots.rule", verdict.Line, verdict.Rule)
	case check.Status/100 > 2 && verdict.Allowed:
		v.Why = f.texts.Text("web.robots.none", check.Status)
	case check.Status/100 > 2:
		v.Why = f.texts.Text("web.robots.unavailable", check.Status)
	case verdict.Cause != "":
		v.Why = f.texts.Detail("robots."+string(verdict.Cause), nil)
	}
	first, number := verdict.Line-linesBefore, 0
	for line := range strings.Lines(check.Text) {
		number++
		if number < first || number > max(first, 1)+linesBefore+linesAfter {
			v.More++
			continue
		}
		v.Lines = append(v.Lines, robotsLine{number, strings.TrimRight(line, "\r\n"), number == verdict.Line})
	}
	return v
}
