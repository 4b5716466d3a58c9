package crawl

import (
	"context"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/robots"
)

// An Agent is another crawler. A site may refuse its user agent.
type Agent struct {
	UserAgent string
	// Tokens are its product tokens. Where the robots.txt of the site keeps one of them from the start page, the
	// crawl does not ask in its name.
	Tokens []string
	// Status and Detail are how a site refuses the user agent, although it answers the crawler: the HTTP status code, 0
	// without a response, and why. Only OnAgents of [Options] sets them.
	Status int
	Detail Detail
}

// readRobots takes what concerns other crawlers out of the robots.txt of the site.
func (s *site) readRobots(file *robots.File) {
	start := s.address.toCrawled(s.start)
	s.agents = slices.DeleteFunc(slices.Clone(s.options.Checks.Agents), func(agent Agent) bool {
		return slices.ContainsFunc(agent.Tokens, func(token string) bool { return !file.Group(token).Verdict(start).Allowed })
	})
	if s.options.OnRobots != nil {
		s.options.OnRobots(file)
	}
}

// askAgents requests the page that the start leads to on its host once more: as the crawler itself, and if that is
// answered, as each agent. It reports false if nothing is known of the agents. It comes at the end, since a firewall
// may take the requests for those of an impostor and refuse all that follow.
func (c *crawler) askAgents(ctx context.Context) (refused []Agent, asked bool) {
	if len(c.options.Checks.Agents) == 0 || c.options.Local.Transport != nil || !c.mayLook() {
		return nil, false
	}
	start := c.address.toCrawled(c.start)
	request := fetch.Request{URL: start, Limit: 1, RetryLater: true}
	onHost := hostFetcher{c.hosts.robots, urlnorm.Host(start)}
	own, err := fetch.Follow(onHost, c.options.Traps.Redirects).Fetch(ctx, &request)
	if err != nil || refusesAgent(own) {
		return nil, false
	}
	request.URL = own.URL
	for _, agent := range c.agents {
		request.UserAgent = agent.UserAgent
		response, err := c.hosts.robots.Fetch(ctx, &request)
		switch {
		case ctx.Err() != nil:
			return nil, false
		case response == nil:
			agent.Detail = failureDetail(err)
			refused = append(refused, agent)
		case refusesAgent(response):
			agent.Status = response.Status
			agent.Detail = textDetail(DetailStatus, http.StatusText(response.Status))
			refused = append(refused, agent)
		}
	}
	return refused, true
}

// refusesAgent reports whether a response is an error or a challenge.
func refusesAgent(response *fetch.Response) bool {
	return response.Status >= 400 || refusal(response).reason == ReasonInconclusive
}

// A hostFetcher requests only the URLs of a host.
type hostFetcher struct {
	next fetch.Fetcher
	host string
}

// Fetch implements [fetch.Fetcher].
func (f hostFetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if urlnorm.Host(req.URL) != f.host {
		return nil, &fetch.Error{URL: req.URL, Kind: fetch.KindBlocked}
	}
	return f.next.Fetch(ctx, req)
}
