package insight

import (
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/agents"
	"github.com/mapatools/mapa/robots"
)

// Agents are what a crawl found out about other crawlers.
type Agents struct {
	// Robots are the robots of AI services that robots.txt treats differently from crawlers that it does not name, at
	// the start page. It is nil if robots.txt was not read.
	Robots []string `json:"robots"`
	// MayRead says that only these robots may read the start page, instead of all others.
	MayRead bool `json:"may_read"`
	// Refused are the search engines whose user agent the start page refuses. It is nil if that was not asked.
	Refused []RefusedEngine `json:"refused"`
}

// A RefusedEngine is a search engine whose user agent a site refuses.
type RefusedEngine struct {
	Name string `json:"name"`
	Why  Why    `json:"why"`
}

// ReadRobots takes what concerns the robots of AI services out of the robots.txt of a site.
func (a *Agents) ReadRobots(file *robots.File, start string) {
	isAllowed := func(token string) bool { return file.Group(token).Verdict(start).Allowed }
	a.Robots, a.MayRead = []string{}, !isAllowed("")
	for _, robot := range agents.Robots() {
		if isAllowed(robot.Name) == a.MayRead {
			a.Robots = append(a.Robots, robot.Name)
		}
	}
}

// ReadRefused takes over which user agents the start page refuses.
func (a *Agents) ReadRefused(refused []crawl.Agent) {
	a.Refused = []RefusedEngine{}
	for _, one := range refused {
		a.Refused = append(a.Refused, RefusedEngine{one.Tokens[0], Why{one.Status, one.Detail}})
	}
}

// The rules about other crawlers.
const (
	ruleAIRobots      = "site-ai-robots"
	ruleEngineRefused = "site-engine-refused"
)

// judgeAgents applies the rules about other crawlers. Search engines that get the same response are one finding.
func (j *judge) judgeAgents() error {
	found := &j.end.Agents
	if rule := j.rules.rule(ruleAIRobots); rule != nil && len(found.Robots) > 0 {
		f := &Finding{Severity: rule.Severity, Page: 1, Count: 1, Arguments: Arguments{strings.Join(found.Robots, ", ")}}
		if found.MayRead {
			f.Message = "rule.site-ai-robots.may-read"
		}
		j.emitFinding(rule, f)
	}
	rule, names := j.rules.rule(ruleEngineRefused), map[Why][]string{}
	for _, one := range found.Refused {
		names[one.Why] = append(names[one.Why], one.Name)
	}
	for _, one := range found.Refused {
		if alike := names[one.Why]; rule != nil && alike[0] == one.Name {
			j.report(rule, rule.Severity, 1, 0, 1, strings.Join(alike, ", "), one.Why)
		}
	}
	return j.failed
}
