package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// newTestModels returns handlers as mapa serve has them.
func newTestModels(o *Options) Models {
	options := mcp.Options{Service: o.Service, App: o.App, PublicOnly: o.Public}
	reading := mcp.NewHandler(options)
	options.AllowCrawl = true
	return Models{Reading: reading, Changing: mcp.NewHandler(options)}
}

// callOf returns the body of a call of a tool.
func callOf(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// asModel sends a body as a language model does.
func (s *site) asModel(body string, header ...string) (*http.Response, string) {
	return s.do("POST", "/mcp", body, append([]string{"Accept", "application/json, text/event-stream"}, header...)...)
}

// TestModels admits models by their token, and lets them change what it allows.
func TestModels(t *testing.T) {
	private, open, local := newSite(t, withLogin), newSite(t, public), newSite(t, nil)
	login, _ := private.do("POST", "/login", "password="+strings.ReplaceAll(password, " ", "+"),
		"Content-Type", "application/x-www-form-urlencoded")
	cookie := []string{"Cookie", login.Cookies()[0].Name + "=" + login.Cookies()[0].Value}
	list, start := callOf("list_crawls", "{}"), callOf("start_crawl", `{"url":"`+shop(t)+`"}`)
	passwd := callOf("lint", `{"url":"file:///etc/passwd"}`)
	oldRevision := append(bearer(fullToken), "Mcp-Protocol-Version", "1999-01-01")
	large := callOf("why", `{"id":"`+strings.Repeat("a", maxBody)+`"}`)
	lint := callOf("lint", `{"url":"`+shop(t)+`/a.xml"}`)
	foreign := append(bearer(fullToken), "Origin", otherWorld)
	for name, c := range map[string]struct {
		site   *site
		body   string
		header []string
		status int
		want   string
	}{
		"stranger":             {private, list, nil, 401, "docs/serve.md#login"},
		"wrong token":          {private, list, bearer(fullToken + "x"), 401, "#login"},
		"empty token":          {private, list, bearer(""), 401, "#login"},
		"login":                {private, list, cookie, 401, "#login"},
		"reader lists":         {private, list, bearer(readToken), 200, `\"crawls\":[`},
		"reader starts":        {private, start, bearer(readToken), 200, `unknown tool \"start_crawl\"`},
		"reader stops":         {private, callOf("stop_crawl", `{"id":"a"}`), bearer(readToken), 200, "unknown tool"},
		"owner starts":         {private, start, bearer(fullToken), 200, `\"state\":\"`}, // it may run already
		"visitor":              {open, list, nil, 404, "#not-found"},
		"visitor, wrong":       {open, list, bearer("x"), 401, "#login"},
		"public reader":        {open, list, bearer(readToken), 200, `\"crawls\":[`},
		"public, private lint": {open, lint, bearer(fullToken), 200, "not allowed"},
		"local lists":          {local, list, nil, 200, `\"crawls\":[`},
		"local starts":         {local, start, nil, 200, "unknown tool"},
		"local, rebinding":     {local, list, []string{"Host", "evil.example"}, 421, "#host"},
		"local, other origin":  {local, list, []string{"Origin", otherWorld}, 403, "#cross-origin"},
		"other origin":         {private, list, foreign, 403, "#cross-origin"},
		"no origin":            {private, list, append(bearer(fullToken), "Origin", "null"), 403, "#cross-origin"},
		"batch":                {private, " [" + list + "," + list + "]", bearer(fullToken), 400, "not a batch"},
		"large":                {private, large, bearer(fullToken), 413, "larger than"},
		"no JSON":              {private, "{", bearer(fullToken), 400, ""},
		"no message":           {private, "null", bearer(fullToken), 400, ""},
		"form":                 {private, list, append(bearer(fullToken), "Content-Type", "text/plain"), 415, ""},
		"old revision":         {private, list, oldRevision, 400, ""},
		"unknown session":      {private, list, append(bearer(fullToken), "Mcp-Session-Id", "x"), 200, "crawls"},
		"file":                 {private, passwd, bearer(fullToken), 200, `"isError":true`},
		"path as crawl":        {private, callOf("overview", `{"id":"../../etc"}`), bearer(fullToken), 200, `"isError":true`},
	} {
		answer, text := c.site.asModel(c.body, c.header...)
		if answer.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %s", name, answer.StatusCode, text)
		}
		if answer.Header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s begins a session", name)
		}
	}
	answer, _ := private.do("GET", "/mcp", "", append(bearer(readToken), "Accept", "text/event-stream")...)
	if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != "POST" {
		t.Errorf("GET: %d, allowed is %s", answer.StatusCode, answer.Header.Get("Allow"))
	}
	crawls, _, err := private.service.Crawls(t.Context(), "", "", 10)
	if err != nil || len(crawls) != 1 {
		t.Errorf("%d crawls were started, %v", len(crawls), err)
	}
}

// TestModelCalls bounds the calls that run at once.
func TestModelCalls(t *testing.T) {
	s := newSite(t, withLogin)
	for range s.modelCalls.most {
		if _, err := s.modelCalls.take(caller{role: roleOwner}); err != nil {
			t.Fatal(err)
		}
	}
	answer, _ := s.asModel(callOf("list_crawls", "{}"), bearer(fullToken)...)
	if answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") == "" {
		t.Errorf("one more call: %d", answer.StatusCode)
	}
}

// A slowBody is a body that does not come before it is released.
type slowBody struct{ read, release chan struct{} }

// Read implements [io.Reader].
func (b *slowBody) Read([]byte) (int, error) {
	close(b.read)
	<-b.release
	return 0, io.EOF
}

// TestModelSlowBody takes no slot for a call that has not arrived.
func TestModelSlowBody(t *testing.T) {
	s := newSite(t, withLogin)
	body, ended := &slowBody{make(chan struct{}), make(chan struct{})}, make(chan struct{})
	request := httptest.NewRequest("POST", ownOrigin+"/mcp", body)
	request.Header.Set("Authorization", "Bearer "+readToken)
	go func() {
		defer close(ended)
		s.ServeHTTP(httptest.NewRecorder(), request)
	}()
	<-body.read
	if n := s.modelCalls.number(); n != 0 {
		t.Errorf("%d slots are taken", n)
	}
	close(body.release)
	<-ended
}

// A tokenTransport sends a token with every request.
type tokenTransport struct{}

// RoundTrip implements [http.RoundTripper].
func (tokenTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+fullToken)
	return http.DefaultTransport.RoundTrip(r)
}

// TestModelClient goes from a crawl to its broken links with a client of the protocol, below
// a path.
func TestModelClient(t *testing.T) {
	s := newSite(t, func(o *Options, crawls *service.Options) {
		belowPath(o, crawls)
		o.Origin = "http://maps.example.com/mapa"
	})
	server := httptest.NewServer(s)
	defer server.Close()
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: server.URL + "/mapa/mcp", HTTPClient: &http.Client{Transport: tokenTransport{}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	call := func(tool string, arguments map[string]any) string {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || result.IsError {
			t.Fatalf("%s: %v %v", tool, result, err)
		}
		return result.Content[0].(*sdk.TextContent).Text
	}
	var crawl struct{ ID string }
	if err := json.Unmarshal([]byte(call("start_crawl", map[string]any{"url": shop(t)})), &crawl); err != nil {
		t.Fatal(err)
	}
	s.wait("/mapa/api/v1/crawls/"+crawl.ID, bearer(fullToken)...)
	text := call("list_findings", map[string]any{"id": crawl.ID, "rule": "link-broken"})
	if !strings.Contains(text, "/gone is broken (404 Not Found)") || !strings.Contains(text, `"text":"gone"`) {
		t.Errorf("the broken links are %s", text)
	}
}

// TestModelLeaves ends a call whose client has gone, in every revision of the protocol.
func TestModelLeaves(t *testing.T) {
	for _, revision := range []string{"", "2025-06-18"} {
		s := newSite(t, withLogin)
		server := httptest.NewServer(s)
		defer server.Close()
		asked, left := make(chan struct{}, 1), make(chan struct{}, 1)
		slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case asked <- struct{}{}:
			default:
			}
			<-r.Context().Done()
			select {
			case left <- struct{}{}:
			default:
			}
		}))
		defer slow.Close()
		ctx, leave := context.WithCancel(t.Context())
		body := strings.NewReader(callOf("lint", `{"url":"`+slow.URL+`/sitemap.xml"}`))
		request, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/mcp", body)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Authorization": "Bearer " + fullToken, "Mcp-Protocol-Version": revision,
		} {
			request.Header.Set(name, value)
		}
		ended := make(chan error, 1)
		go func() {
			answer, err := http.DefaultClient.Do(request)
			if err == nil {
				answer.Body.Close()
			}
			ended <- err
		}()
		<-asked
		leave()
		<-ended
		<-left
	}
}
