package robots

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mapatools/mapa/internal/agents"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/robots"
)

// AllRobots is the name of all robots of AI services.
const AllRobots = "ai"

// Permissions are which robots may read a page.
type Permissions struct {
	URL    string       `json:"url"`
	File   string       `json:"robots_txt"`        // URL, after redirects
	Status int          `json:"status"`            // of the response for it
	Date   string       `json:"updated,omitempty"` // of the list of AI robots, if it was used
	Robots []Permission `json:"robots"`
}

// A Permission is whether one robot may read a page, and why.
type Permission struct {
	agents.Robot
	Allowed bool   `json:"allowed"`
	Rule    string `json:"rule,omitempty"`
	Line    int    `json:"line,omitempty"`
	Reason  string `json:"reason,omitempty"` // when no rule decides

	verdict robots.Verdict
}

// Names returns the product tokens of search engines and AI robots, to choose from.
func Names() (names []string) {
	for _, engine := range agents.Engines() {
		names = append(names, engine.Name)
	}
	for _, robot := range agents.Robots() {
		names = append(names, robot.Name)
	}
	return names
}

// CheckRobots tests which robots may read a page, by the robots.txt of its host. They are named by their product
// tokens; AllRobots means those of AI services.
func CheckRobots(ctx context.Context, a *app.App, address string, names []string) (*Permissions, error) {
	check, err := Check(ctx, a, []string{address}, &Settings{})
	if err != nil {
		return nil, err
	}
	clean, _ := access.CutUsers([]string{address})
	p := &Permissions{URL: clean[0], File: check.URL, Status: check.Status}
	for _, robot := range robotsNamed(names) {
		if robot.Operator != "" {
			p.Date = agents.Updated
		}
		verdict := check.file.Group(robot.Name).Verdict(p.URL)
		p.Robots = append(p.Robots, Permission{robot, verdict.Allowed, verdict.Rule, verdict.Line, verdict.Reason, verdict})
	}
	return p, nil
}

// robotsNamed returns the robots with some names, each once.
func robotsNamed(names []string) (all []agents.Robot) {
	known := agents.Robots()
	for _, name := range names {
		named := []agents.Robot{{Name: name}}
		if name == AllRobots {
			named = known
		}
		for _, robot := range named {
			isRobot := func(r agents.Robot) bool { return strings.EqualFold(r.Name, robot.Name) }
			if i := slices.IndexFunc(known, isRobot); i >= 0 {
				robot = known[i]
			}
			if !slices.ContainsFunc(all, isRobot) {
				all = append(all, robot)
			}
		}
	}
	return all
}

// In returns the permissions as a table, in the language of a catalog.
func (p *Permissions) In(c *catalog.Catalog) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s\n  %s: %d\n\n", format.Printable(format.ReadableURL(p.URL)), format.Printable(p.File), p.Status)
	table := tabwriter.NewWriter(&t, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintf(table, "  %s\n", strings.Join(cells, "\t")) }
	about := func(texts ...string) []string { return texts }
	if p.Date == "" {
		about = func(...string) []string { return nil }
	}
	row(append([]string{c.Text("why.as.robot"), c.Text("why.as.may-read"), c.Text("why.as.by")},
		about(c.Text("why.as.purpose"), c.Text("why.as.operator"), c.Text("why.as.obeys"))...)...)
	for i := range p.Robots {
		r := &p.Robots[i]
		mayRead := c.Text("why.as.disallowed")
		if r.Allowed {
			mayRead = c.Text("why.as.allowed")
		}
		row(append([]string{format.Printable(r.Name), mayRead, r.by(c)},
			about(textOf(c, string(r.Purpose)), r.Operator, textOf(c, string(r.Obeys)))...)...)
	}
	_ = table.Flush() // a builder takes everything
	if day, err := time.Parse(time.DateOnly, p.Date); err == nil {
		fmt.Fprintf(&t, "\n%s\n", c.Text("why.as.note", c.Date(day)))
	}
	return t.String()
}

// by returns what decides: a line or a reason.
func (p *Permission) by(c *catalog.Catalog) string {
	if p.Line > 0 {
		return format.Printable(c.Text("why.as.line", p.Line, p.Rule))
	}
	var arguments []string
	if p.verdict.Cause == robots.CauseStatus {
		arguments = []string{strconv.Itoa(p.verdict.Status)}
	}
	return c.Detail("robots."+string(p.verdict.Cause), arguments)
}

// textOf returns the text of a code, or "" without one.
func textOf(c *catalog.Catalog, code string) string {
	if code == "" {
		return ""
	}
	return c.Text("why.as." + code)
}
