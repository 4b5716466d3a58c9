package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/app/service"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect starts a server whose queue runs, and returns a client that talks to it over
// pipes.
func connect(t *testing.T, allowCrawl bool) (*service.Service, *sdk.ClientSession) {
	t.Helper()
	a := &app.App{Version: "test"}
	crawls, err := service.Open(t.Context(), service.Options{Folder: t.TempDir(), App: a})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	queue, served := make(chan error, 1), make(chan error, 1)
	go func() { queue <- crawls.Run(ctx) }()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	go func() {
		served <- Run(ctx, Options{Service: crawls, App: a, AllowCrawl: allowCrawl}, serverIn, serverOut)
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		cancel()
		<-queue
		if err := crawls.Close(); err != nil {
			t.Error(err)
		}
	})
	return crawls, session
}

// maxAnswer is the most characters of an answer about the small sites of these tests.
const maxAnswer = 2500

// call calls a tool and returns its answer, and whether it is an error.
func call(t *testing.T, session *sdk.ClientSession, name string, arguments map[string]any) (string, bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err.Error(), true
	}
	if len(result.Content) != 1 || result.StructuredContent != nil {
		t.Errorf("%s is answered %d times, and with structure %v", name, len(result.Content), result.StructuredContent)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if len(text) > maxAnswer {
		t.Errorf("%s has %d characters: %s", name, len(text), text)
	}
	return text, result.IsError
}

func shop(t *testing.T) string {
	pages := map[string]string{
		"/":            `<title>Shop</title><p>Welcome <a href=/chair>chair</a> <a href=/gone>gone</a>`,
		"/chair":       `<title>Chair</title><p>Wood`,
		"/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>nothing</loc></url></urlset>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pages[r.URL.Path] == "" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestCrawl crawls a site twice and asks for everything about it.
func TestCrawl(t *testing.T) {
	crawls, session := connect(t, true)
	site := shop(t)
	var ids []string
	for range 2 {
		options := map[string]any{"max-pages": []string{"9"}}
		text, failed := call(t, session, "start_crawl", map[string]any{"url": site, "options": options})
		var crawl struct{ ID string }
		if err := json.Unmarshal([]byte(text), &crawl); err != nil || failed {
			t.Fatal(text)
		}
		for _, err := range crawls.Watch(t.Context(), crawl.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
		}
		ids = append(ids, crawl.ID)
	}
	for _, test := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"list_crawls", nil, ids[0]},
		{"crawl_status", map[string]any{"id": ids[1]}, `"state":"done"`},
		{"list_pages", map[string]any{"id": ids[1], "decision": "listed"}, "/chair"},
		{"overview", map[string]any{"id": ids[1]}, `"rule":"link-broken","count":1`},
		{"list_findings", map[string]any{"id": ids[1], "rule": "link-broken"}, `"text":"gone"`},
		{"list_pages", map[string]any{"id": ids[1], "rule": "link-broken"}, `"total":1`},
		{"why", map[string]any{"id": ids[1], "url": site + "/gone"}, `"status":404`},
		{"why", map[string]any{"id": ids[1], "url": strings.TrimPrefix(site, "http://") + "/chair/"}, `"decision":"listed"`},
		{"compare", map[string]any{"old": ids[0], "new": ids[1]}, `"changes"`},
		{"lint", map[string]any{"url": site + "/sitemap.xml"}, `"severity":"error"`},
	} {
		text, failed := call(t, session, test.tool, test.arguments)
		if failed || !strings.Contains(text, test.want) {
			t.Errorf("%s: %s", test.tool, text)
		}
		var answer struct{ Note string }
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Note != note {
			t.Errorf("%s: without a note, %v: %s", test.tool, err, text)
		}
	}
	for tool, arguments := range map[string]map[string]any{
		"crawl_status": {"id": "none"}, "why": {"id": ids[1], "url": site + "/none"}, "stop_crawl": {"id": ids[1]},
		"list_pages": {"id": ids[1], "status": "many"}, "start_crawl": {"url": "/etc"},
		"compare": {"old": ids[0], "new": "none"}, "list_findings": {"id": ids[1], "rule": "none"},
	} {
		if text, failed := call(t, session, tool, arguments); !failed || !strings.Contains(text, note) {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// TestListCrawls lists many crawls with few characters for each.
func TestListCrawls(t *testing.T) {
	crawls, session := connect(t, true)
	site := shop(t)
	const many = 10
	for range many {
		options := map[string][]string{"exclude": {"^/a/long/pattern/of/addresses"}, "max-pages": {"9"}}
		if _, err := crawls.Start(t.Context(), service.Request{URL: site, Options: options}); err != nil {
			t.Fatal(err)
		}
	}
	text, failed := call(t, session, "list_crawls", map[string]any{"site": strings.TrimPrefix(site, "http://")})
	if failed || strings.Count(text, `"state"`) != many || len(text) > 200*many {
		t.Errorf("%d characters: %s", len(text), text)
	}
	text, _ = call(t, session, "list_crawls", map[string]any{"site": "none.example"})
	if !strings.Contains(text, `"crawls":[]`) {
		t.Errorf("of no crawls: %s", text)
	}
}

// TestIgnored leaves what is ignored out of the numbers and lists, and says how much that is.
func TestIgnored(t *testing.T) {
	crawls, session := connect(t, true)
	crawl, err := crawls.Start(t.Context(), service.Request{URL: shop(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range crawls.Watch(t.Context(), crawl.ID, 0) {
		if err != nil {
			t.Fatal(err)
		}
	}
	err = crawls.ChangeIgnored(t.Context(), crawl.Site, func([]*baseline.Entry) ([]*baseline.Entry, error) {
		return []*baseline.Entry{{Rule: "link-broken", Folder: "/"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]any{"id": crawl.ID}
	for tool, arguments := range map[string]map[string]any{"list_crawls": nil, "crawl_status": of, "overview": of} {
		text, failed := call(t, session, tool, arguments)
		if failed || !strings.Contains(text, `"ignored":1`) || strings.Contains(text, "link-broken") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	text, _ := call(t, session, "list_findings", map[string]any{"id": crawl.ID, "rule": "link-broken"})
	if !strings.Contains(text, `"findings":[],"total":0`) {
		t.Errorf("findings: %s", text)
	}
}

// TestNoted puts the note before all members of an object, however few.
func TestNoted(t *testing.T) {
	for _, test := range []struct {
		answer any
		want   string
	}{
		{struct{}{}, `{"note":"` + note + `"}`},
		{map[string]string{"title": "ignore all"}, `{"note":"` + note + `","title":"ignore all"}`},
		{&finding{Rule: "dns"}, `{"note":"` + note + `","rule":"dns","severity":"","message":"","count":0}`},
	} {
		if text, err := json.Marshal(noted{test.answer}); string(text) != test.want || err != nil {
			t.Errorf("%s, %v, want %s", text, err, test.want)
		}
	}
}

// TestSecrets shows no secret of a crawl, and begins none with what is shown in its place.
func TestSecrets(t *testing.T) {
	crawls, session := connect(t, true)
	options := map[string][]string{
		"user": {"me:hunter2"}, "header": {"X-Key: hunter2"}, "sitemap": {"https://me:hunter2@files.example/s.xml"},
	}
	crawl, err := crawls.Start(t.Context(), service.Request{URL: shop(t), Options: options})
	if err != nil {
		t.Fatal(err)
	}
	for tool, secrets := range map[string]int{"list_crawls": 0, "crawl_status": 3} {
		arguments := map[string]any{}
		if secrets > 0 {
			arguments["id"] = crawl.ID
		}
		text, failed := call(t, session, tool, arguments)
		if failed || strings.Contains(text, "hunter2") || strings.Count(text, "(secret)") != secrets {
			t.Errorf("%s: %s", tool, text)
		}
	}
	for _, address := range []string{crawl.URL, shop(t)} {
		text, failed := call(t, session, "start_crawl", map[string]any{"url": address, "options": crawl.Options})
		if !failed || !strings.Contains(text, "give it again") {
			t.Errorf("%s: %s", address, text)
		}
	}
}

// TestReadOnly offers no tool that changes anything, and reaches neither private networks
// nor files.
func TestReadOnly(t *testing.T) {
	_, session := connect(t, false)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 8 {
		t.Fatalf("%d tools, %v", len(tools.Tools), err)
	}
	for _, tool := range tools.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s changes something", tool.Name)
		}
	}
	if text, failed := call(t, session, "start_crawl", map[string]any{"url": shop(t)}); !failed {
		t.Errorf("a crawl was started: %s", text)
	}
	file := filepath.Join(t.TempDir(), "sitemap.txt")
	if err := os.WriteFile(file, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{shop(t) + "/sitemap.xml", file, "file://" + file, "-"} {
		text, failed := call(t, session, "lint", map[string]any{"url": source})
		refused := failed || strings.Contains(text, `"rule":"fetch-fail"`) || strings.Contains(text, `"rule":"dns"`)
		if !refused || strings.Contains(text, "s3cret") {
			t.Errorf("%s: %s", source, text)
		}
	}
}
