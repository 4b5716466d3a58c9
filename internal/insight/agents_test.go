package insight_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/robots"
)

// TestAIRobots finds the AI robots that robots.txt treats differently from others, at the start page.
func TestAIRobots(t *testing.T) {
	t.Parallel()
	const gpt = "\nUser-agent: gptbot\nUser-agent: CCBot\n"
	for _, test := range []struct {
		file, start string
		robots      []string
		mayRead     bool
	}{
		{"", "/", []string{}, false},
		{"User-agent: *\nDisallow: /", "/", []string{}, true},
		{"User-agent: *\nDisallow: /x" + gpt + "Disallow: /", "/", []string{"GPTBot", "CCBot"}, false},
		{"User-agent: *\nDisallow: /" + gpt + "Allow: /", "/", []string{"GPTBot", "CCBot"}, true},
		{gpt + "Disallow: /shop/", "/", []string{}, false},
		{gpt + "Disallow: /shop/", "/shop/", []string{"GPTBot", "CCBot"}, false},
		{gpt + "Crawl-delay: 9", "/", []string{}, false},
	} {
		file, err := robots.Parse(strings.NewReader(test.file))
		if err != nil {
			t.Fatal(err)
		}
		var found insight.Agents
		found.ReadRobots(file, "https://example.com"+test.start)
		if found.Robots == nil || !slices.Equal(found.Robots, test.robots) || found.MayRead != test.mayRead {
			t.Errorf("%q: %+v", test.file, found)
		}
	}
}

// TestAgentFindings has one finding for all AI robots, and one for each response to search engines. Neither decides the
// verdict. What is not known counts as nothing.
func TestAgentFindings(t *testing.T) {
	t.Parallel()
	forbidden := insight.Why{Status: http.StatusForbidden, Detail: crawl.NewDetail(crawl.DetailStatus, "Forbidden")}
	end := insight.End{Agents: insight.Agents{
		Robots: []string{"GPTBot", "CCBot"}, MayRead: true,
		Refused: []insight.RefusedEngine{
			{Name: "Googlebot", Why: forbidden}, {Name: "bingbot", Why: insight.Why{Status: 503}},
			{Name: "YandexBot", Why: forbidden},
		},
	}}
	file := crawlSite(t, page("/", strings.Repeat("words of a page ", 80)))
	rules := &insight.Options{Only: []string{"site-ai-robots", "site-engine-refused"}}
	verdict, lines := judgeSite(t, file, rules, &end)
	text := ""
	for f, err := range insight.Read(t.Context(), file, insight.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		text += f.Text(catalog.For(catalog.English)) + "\n"
	}
	if verdict.Kind != insight.Problems || verdict.Cause != "" || verdict.Warnings != 2 || verdict.Infos != 1 ||
		len(lines) != 3 || !strings.Contains(text, "Googlebot, YandexBot: 403 Forbidden") ||
		!strings.Contains(text, "bingbot: 503") ||
		!strings.Contains(text, "lets these AI robots read the start page, which other crawlers may not read: GPTBot, CCBot") {
		t.Errorf("%+v\n%s", verdict, text)
	}
	verdict, lines = judgeSite(t, file, rules, &insight.End{})
	if len(verdict.Rules) > 0 || len(lines) > 0 {
		t.Errorf("%+v, %q", verdict, lines)
	}
	end.Agents = insight.Agents{Robots: []string{}, Refused: []insight.RefusedEngine{}}
	verdict, lines = judgeSite(t, file, rules, &end)
	if verdict.Kind != insight.Ready || len(verdict.Rules) != 2 || len(lines) > 0 {
		t.Errorf("%+v, %q", verdict, lines)
	}
}
