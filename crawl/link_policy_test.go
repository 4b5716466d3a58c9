package crawl

import (
	"regexp"
	"testing"

	"github.com/mapatools/mapa/internal/fetch"
)

// TestLinkRules decides about failures by the first rule that matches the URL and the failure.
func TestLinkRules(t *testing.T) {
	statuses := func(first, last int) [][2]int { return [][2]int{{first, last}} }
	causes := func(all ...string) []string { return all }
	policy := []LinkRule{
		{regexp.MustCompile(`^https://jobs\.example/`), statuses(999, 999), causes(CauseTimeout), LinkSkip},
		{regexp.MustCompile(`^https://jobs\.example/`), statuses(400, 599), causes(CauseDNS), LinkInfo},
		{regexp.MustCompile(`^/old/`), nil, nil, LinkWarning}, // the path of any site
		{regexp.MustCompile(`//own\.example/`), nil, nil, LinkError},
		{nil, statuses(410, 410), causes(CauseTLS, CauseRefused), LinkSkip},
	}
	unreachable := func(detail Detail) Page { return Page{Reason: ReasonUnreachable, Detail: detail} }
	for _, test := range []struct {
		url    string
		page   Page
		level  LinkLevel
		reason Reason
		detail Detail
	}{
		{"https://jobs.example/1", Page{Status: 999, Reason: ReasonInconclusive}, LinkSkip, ReasonNotAPage, "accepted\t999"},
		{"https://jobs.example/1", unreachable(kindDetail(fetch.KindAnswerTimeout)), LinkSkip, ReasonNotAPage,
			"accepted-cause\tfailure.answer-timeout"},
		{"https://jobs.example/1", unreachable(kindDetail(fetch.KindTooSlow)), LinkSkip, ReasonNotAPage,
			"accepted-cause\tfailure.too-slow"},
		{"https://jobs.example/1", unreachable(nest(DetailRobotsFailed, kindDetail(fetch.KindTotalTimeout))), LinkSkip,
			ReasonNotAPage, "accepted-cause\tfailure.total-timeout"},
		// The response with the status was incomplete.
		{"https://jobs.example/1", Page{Status: 999, Reason: ReasonUnreachable, Detail: kindDetail(fetch.KindDropped)}, "",
			ReasonUnreachable, "failure.dropped"},
		{"https://jobs.example/1", Page{Status: 404, Reason: ReasonClientError}, LinkInfo, ReasonClientError, ""},
		{"https://jobs.example/1", Page{Status: 403, Reason: ReasonInconclusive}, LinkInfo, ReasonInconclusive, ""},
		{"https://jobs.example/1", Page{Status: 410, Reason: ReasonClientError}, LinkInfo, ReasonClientError, ""},
		{"https://jobs.example/1", unreachable(kindDetail(fetch.KindNoHost)), LinkInfo, ReasonUnreachable, "failure.no-host"},
		{"https://jobs.example/1", unreachable(kindDetail(fetch.KindDNS)), LinkInfo, ReasonUnreachable, "failure.dns"},
		{"https://any.example/old/1", unreachable(kindDetail(fetch.KindDropped)), LinkWarning, ReasonUnreachable,
			"failure.dropped"},
		{"https://own.example/a", Page{Status: 403, Reason: ReasonInconclusive}, LinkError, ReasonClientError, ""},
		{"https://own.example/a", Page{Status: 999, Reason: ReasonInconclusive}, LinkError, ReasonClientError, ""},
		{"https://own.example/a", Page{Status: 503, Reason: ReasonInconclusive}, LinkError, ReasonServerError, ""},
		{"https://own.example/a", Page{Status: 301, Reason: ReasonRedirectLoop}, "", ReasonRedirectLoop, ""},
		{"https://own.example/a", Page{Status: 200}, "", ReasonListed, ""},
		{"https://any.example/", Page{Status: 410, Reason: ReasonClientError}, LinkSkip, ReasonNotAPage, "accepted\t410"},
		{"https://any.example/", unreachable(kindDetail(fetch.KindTLS)), LinkSkip, ReasonNotAPage,
			"accepted-cause\tfailure.tls"},
		{"https://any.example/", unreachable(kindDetail(fetch.KindRefused)), LinkSkip, ReasonNotAPage,
			"accepted-cause\tfailure.refused"},
		{"https://any.example/", Page{Status: 404, Reason: ReasonClientError}, "", ReasonClientError, ""},
	} {
		level := LevelOf(policy, test.url, &test.page)
		page := test.page
		applyRules(policy, test.url, &page)
		if level != test.level || page.Reason != test.reason || page.Detail != test.detail {
			t.Errorf("%s, %d %s %q: %q, %q %q", test.url, test.page.Status, test.page.Reason, test.page.Detail,
				level, page.Reason, page.Detail)
		}
	}
}

// TestSkippedLinks requests a URL unless the rules that match it skip every failure.
func TestSkippedLinks(t *testing.T) {
	all, some := regexp.MustCompile(`//a\.example/`), regexp.MustCompile(`/b$`)
	policy := []LinkRule{
		{nil, nil, []string{CauseTimeout}, LinkSkip},
		{some, [][2]int{{404, 404}}, nil, LinkError}, {all, nil, nil, LinkSkip},
		{regexp.MustCompile(`//c\.example/`), nil, nil, LinkWarning},
	}
	for address, want := range map[string]*regexp.Regexp{
		"https://a.example/": all, "https://a.example/b": nil, "https://c.example/": nil, "https://d.example/": nil,
	} {
		if got := skippedBy(policy, []byte(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
