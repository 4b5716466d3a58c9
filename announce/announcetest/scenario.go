package announcetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/announce"
)

// A Scenario is an answer that an engine documents for a failure, or one that a client
// must survive.
type Scenario struct {
	Name     string
	Provider announce.Provider
	// Method and Path say which requests get the answer: those whose path contains it.
	Method, Path string
	Status       int
	Header       map[string]string
	Body         string
	// Reason is that of the error of a client.
	Reason announce.Reason
}

// A running scenario answers some more requests.
type running struct {
	Scenario
	left int
}

// Play makes the server answer the next requests that fit a scenario with its answer,
// times in all.
func (s *Server) Play(name string, times int) error {
	for _, scenario := range Scenarios() {
		if scenario.Name == name {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.scenarios = append(s.scenarios, &running{scenario, times})
			return nil
		}
	}
	return fmt.Errorf("unknown scenario %q", name)
}

// nextScenario returns the scenario that answers a request, or nil.
func (s *Server) nextScenario(r *Request) *Scenario {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, scenario := range s.scenarios {
		if scenario.left > 0 && r.Method == scenario.Method && strings.Contains(r.Path, scenario.Path) {
			scenario.left--
			return &scenario.Scenario
		}
	}
	return nil
}

// The bodies that are made while they are sent.
const (
	bodyHang = "\x00hang" // no answer until the client gives up
	bodyHuge = "\x00huge" // an answer without an end
)

func (s *Scenario) answer(w http.ResponseWriter, r *http.Request) {
	for name, value := range s.Header {
		w.Header().Set(name, value)
	}
	if s.Body == bodyHang {
		<-r.Context().Done()
		return
	}
	w.WriteHeader(s.Status)
	if s.Body != bodyHuge {
		_, _ = io.WriteString(w, s.Body) // the client may be gone
		return
	}
	chunk := strings.Repeat("x", 64<<10)
	for {
		if _, err := io.WriteString(w, chunk); err != nil || r.Context().Err() != nil {
			return
		}
	}
}

// Scenarios returns all scenarios.
func Scenarios() []Scenario {
	var all []Scenario
	for _, list := range [][]Scenario{
		indexNowScenarios, googleScenarios, bingScenarios, yandexScenarios, baiduScenarios, hubScenarios,
	} {
		all = append(all, list...)
	}
	return append(all, hostileScenarios()...)
}

func indexNow(name string, status int, body string, reason announce.Reason, header ...string) Scenario {
	s := Scenario{Name: "indexnow-" + name, Provider: announce.ProviderIndexNow, Method: http.MethodPost,
		Path: "/indexnow", Status: status, Body: body, Reason: reason}
	if len(header) == 2 {
		s.Header = map[string]string{header[0]: header[1]}
	}
	return s
}

var indexNowScenarios = []Scenario{
	indexNow("202", 202, "", announce.ReasonOther),
	indexNow("400", 400, `{"errorCode":"InvalidRequestParameters","message":"Invalid request"}`, announce.ReasonBadRequest),
	indexNow("403-pending", 403, `{"errorCode":"SiteVerificationNotCompleted",`+
		`"message":"Site Verification is not completed."}`, announce.ReasonKeyPending),
	indexNow("403-burned", 403, `{"errorCode":"UserForbiddedToAccessSite",`+
		`"message":"User is unauthorized to access the site."}`, announce.ReasonKeyRejected),
	indexNow("403-key-not-found", 403, `{"errorCode":"KeyNotFound","message":"no key"}`, announce.ReasonKeyInvalid),
	indexNow("403-invalid-key", 403, `{"errorCode":"InvalidKey","message":"other key"}`, announce.ReasonKeyInvalid),
	indexNow("403", 403, "", announce.ReasonKeyInvalid),
	indexNow("405", 405, "", announce.ReasonMethod),
	indexNow("422", 422, "Url list items must belong to the host", announce.ReasonUnprocessable),
	indexNow("429", 429, `{"errorCode":"TooManyRequests","message":"too many"}`, announce.ReasonTooMany,
		"Retry-After", "90"),
	indexNow("429-bare", 429, "", announce.ReasonTooMany),
	indexNow("500", 500, "", announce.ReasonServer),
	indexNow("503", 503, "", announce.ReasonServer, "Retry-After", "7"),
}

func google(name string, status int, reason, message string, want announce.Reason) Scenario {
	return Scenario{Name: "google-" + name, Provider: announce.ProviderGoogle, Method: http.MethodPut, Path: "/sitemaps/",
		Status: status, Reason: want, Body: fmt.Sprintf(
			`{"error":{"code":%d,"message":%q,"errors":[{"domain":"global","reason":%q}]}}`, status, message, reason)}
}

var googleScenarios = []Scenario{
	google("400", 400, "invalidParameter", "Invalid value for: feedpath", announce.ReasonBadRequest),
	google("401", 401, "authError", "Invalid Credentials", announce.ReasonCredentials),
	google("403", 403, "forbidden", "User does not have sufficient permission for site 'https://example.com/'. "+
		"See also: https://support.google.com/webmasters/answer/2451999.", announce.ReasonPermission),
	google("403-disabled", 403, "accessNotConfigured", "Search Console API has not been used in project 1 before",
		announce.ReasonDisabled),
	google("403-scope", 403, "insufficientPermissions", "Insufficient Permission", announce.ReasonScope),
	google("403-quota", 403, "quotaExceeded", "Quota exceeded", announce.ReasonQuota),
	google("404", 404, "notFound", "Not Found", announce.ReasonNotFound),
	google("429", 429, "rateLimitExceeded", "Rate Limit Exceeded", announce.ReasonTooMany),
	google("429-daily", 429, "dailyLimitExceeded", "Daily Limit Exceeded", announce.ReasonQuota),
	google("503", 503, "backendError", "Backend Error", announce.ReasonServer),
	{Name: "google-new-format", Provider: announce.ProviderGoogle, Method: http.MethodPut, Path: "/sitemaps/", Status: 403,
		Reason: announce.ReasonDisabled, Body: `{"error":{"code":403,"status":"PERMISSION_DENIED","message":"disabled",` +
			`"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED"}]}}`},
	{Name: "google-token-refused", Provider: announce.ProviderGoogle, Method: http.MethodPost, Path: "/token", Status: 400,
		Reason: announce.ReasonCredentials, Body: `{"error":"invalid_grant","error_description":"account not found"}`},
	{Name: "google-no-property", Provider: announce.ProviderGoogle, Method: http.MethodGet, Path: "/webmasters/v3/sites",
		Status: 200, Reason: announce.ReasonNoProperty, Body: `{"siteEntry":[{"siteUrl":"https://other.example/",` +
			`"permissionLevel":"siteOwner"}]}`},
}

// bingScenarios has one for every ApiErrorCode.
var bingScenarios = func() (all []Scenario) {
	for code, want := range []announce.Reason{
		1: announce.ReasonServer, 2: announce.ReasonServer, 3: announce.ReasonCredentials, 4: announce.ReasonThrottled,
		5: announce.ReasonThrottled, 6: announce.ReasonUserBlocked, 7: announce.ReasonInvalidURL,
		8: announce.ReasonInvalidParameter, 9: announce.ReasonTooManySites, 10: announce.ReasonUnknownUser,
		11: announce.ReasonNotFound, 12: announce.ReasonOther, 13: announce.ReasonNotAllowed,
		14: announce.ReasonNotVerified, 15: announce.ReasonUnexpectedState, 16: announce.ReasonDeprecated,
	} {
		if code > 0 {
			all = append(all, Scenario{Name: fmt.Sprintf("bing-%d", code), Provider: announce.ProviderBing,
				Method: http.MethodPost, Path: "/SubmitFeed", Status: 400, Reason: want,
				Body: fmt.Sprintf(`{"ErrorCode":%d,"Message":"ERROR!!! code %[1]d"}`, code)})
		}
	}
	return all
}()

func yandex(name string, status int, code string, want announce.Reason) Scenario {
	return Scenario{Name: "yandex-" + name, Provider: announce.ProviderYandex, Method: http.MethodPost,
		Path: "/user-added-sitemaps", Status: status, Reason: want,
		Body: fmt.Sprintf(`{"error_code":%q,"error_message":"some string","available_user_id":1}`, code)}
}

var yandexScenarios = []Scenario{
	yandex("400", 400, "INVALID_URL", announce.ReasonInvalidURL),
	yandex("401", 401, "INVALID_OAUTH_TOKEN", announce.ReasonCredentials),
	yandex("403-scope", 403, "ACCESS_FORBIDDEN", announce.ReasonScope),
	yandex("403-user", 403, "INVALID_USER_ID", announce.ReasonWrongUser),
	yandex("404-not-verified", 404, "HOST_NOT_VERIFIED", announce.ReasonNotVerified),
	yandex("404-not-loaded", 404, "HOST_NOT_LOADED", announce.ReasonNotLoaded),
	yandex("429", 429, "TOO_MANY_REQUESTS_ERROR", announce.ReasonTooMany),
	yandex("429-quota", 429, "QUOTA_EXCEEDED", announce.ReasonQuota),
	yandex("500", 500, "", announce.ReasonServer),
}

func baidu(name string, status int, message string, want announce.Reason) Scenario {
	return Scenario{Name: "baidu-" + name, Provider: announce.ProviderBaidu, Method: http.MethodPost, Path: "/urls",
		Status: status, Reason: want, Body: fmt.Sprintf(`{"error":%d,"message":%q}`, status, message)}
}

var baiduScenarios = []Scenario{
	baidu("site", 400, "site error", announce.ReasonSiteMismatch),
	baidu("empty", 400, "empty content", announce.ReasonEmpty),
	baidu("too-many", 400, "only 2000 urls are allowed once", announce.ReasonTooManyURLs),
	baidu("quota", 400, "over quota", announce.ReasonQuota),
	baidu("token", 401, "token is not valid", announce.ReasonCredentials),
	baidu("not-found", 404, "not found", announce.ReasonNotFound),
	baidu("internal", 500, "internal error, please try later", announce.ReasonServer),
}

func hub(name string, status int, body string, want announce.Reason) Scenario {
	return Scenario{Name: "websub-" + name, Provider: announce.ProviderWebSub, Method: http.MethodPost, Path: "/hub",
		Status: status, Body: body, Reason: want}
}

var hubScenarios = []Scenario{
	hub("202", 202, "", announce.ReasonOther),
	hub("400", 400, "hub.topic is required", announce.ReasonHub),
	hub("403", 403, "", announce.ReasonHub),
	hub("404", 404, "Topic not found", announce.ReasonHub),
	hub("429", 429, "", announce.ReasonTooMany),
	hub("500", 500, "", announce.ReasonServer),
}

// hostileScenarios are answers of something that is not an engine, for the request of
// each provider that sends its announcement.
func hostileScenarios() (all []Scenario) {
	targets := []Scenario{
		{Provider: announce.ProviderIndexNow, Method: http.MethodPost, Path: "/indexnow"},
		{Provider: announce.ProviderGoogle, Method: http.MethodPut, Path: "/sitemaps/"},
		{Provider: announce.ProviderBing, Method: http.MethodPost, Path: "/SubmitFeed"},
		{Provider: announce.ProviderYandex, Method: http.MethodPost, Path: "/user-added-sitemaps"},
		{Provider: announce.ProviderBaidu, Method: http.MethodPost, Path: "/urls"},
		{Provider: announce.ProviderWebSub, Method: http.MethodPost, Path: "/hub"},
	}
	for _, target := range targets {
		for _, hostile := range []Scenario{
			{Name: "hang", Body: bodyHang, Reason: announce.ReasonUnreachable},
			{Name: "huge", Status: 200, Body: bodyHuge, Reason: announce.ReasonBadAnswer},
			{Name: "redirect", Status: 307, Header: map[string]string{"Location": "http://localhost:1/steal"},
				Reason: announce.ReasonRedirect},
			{Name: "control", Status: 400, Body: "\x1b[2J\x1b]0;owned\x07::error::no\r\n##[command]\u202e",
				Reason: announce.ReasonBadRequest},
		} {
			hostile.Provider, hostile.Method, hostile.Path = target.Provider, target.Method, target.Path
			if target.Provider == announce.ProviderWebSub && hostile.Reason == announce.ReasonBadRequest {
				hostile.Reason = announce.ReasonHub
			}
			hostile.Name = string(target.Provider) + "-" + hostile.Name
			all = append(all, hostile)
		}
	}
	return all
}
