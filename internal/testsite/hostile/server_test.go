package hostile

import (
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestServersStop checks that every behaviour has a row in the budget and a server
// that counts its requests, and that ends while clients hang on it.
func TestServersStop(t *testing.T) {
	covered := map[string]bool{}
	for _, row := range budgetRows {
		if _, found := Find(row.behaviour); !found {
			t.Errorf("no behaviour %s", row.behaviour)
		}
		covered[row.behaviour] = true
	}
	names := map[string]bool{}
	for _, b := range Behaviours() {
		t.Run(b.Name, func(t *testing.T) {
			if names[b.Name] || b.Does == "" || b.Deadline <= 0 {
				t.Errorf("%+v", b)
			}
			names[b.Name] = true
			if !covered[b.Name] {
				t.Error("no row in the budget")
			}
			t.Parallel()
			server, err := Start(b, Small)
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			for tries := 0; tries < 20 && total(server) == 0; tries++ { // a busy machine does not answer in time
				for _, path := range []string{"/", "/robots.txt", "/page-1", "/odd", "/sitemap.xml", "/moved-1"} {
					ask(server.URL + path)
				}
			}
			requests := 0
			for _, n := range server.Requests() {
				requests += n
			}
			host, busiest := server.Busiest(time.Hour)
			if requests == 0 || requests != total(server) || busiest != server.Hosts()[host] {
				t.Errorf("%d requests, %d by host, the busiest %s with %d", requests, total(server), host, busiest)
			}
			closed := make(chan struct{})
			go func() { server.Close(); close(closed) }()
			select {
			case <-closed:
			case <-time.After(30 * time.Second):
				stacks := make([]byte, 1<<20)
				t.Fatalf("the server does not end:\n%s", stacks[:runtime.Stack(stacks, true)])
			}
			if conn, err := net.Dial("tcp", strings.TrimLeft(server.URL, "htps:/")); err == nil {
				_ = conn.Close()
				t.Error("the server accepts connections after its end")
			}
		})
	}
}

// ask requests a URL with a client of its own.
func ask(url string) {
	client := http.Client{Timeout: 200 * time.Millisecond, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	response, err := client.Get(url)
	if err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
		_ = response.Body.Close()
	}
}

func TestBusiest(t *testing.T) {
	start := time.Now()
	s := &Server{times: map[string][]time.Time{
		"slow": {start, start.Add(time.Second), start.Add(2 * time.Second), start.Add(3 * time.Second)},
		"fast": {start, start.Add(100 * time.Millisecond), start.Add(999 * time.Millisecond), start.Add(5 * time.Second)},
	}}
	if host, n := s.Busiest(time.Second); host != "fast" || n != 3 {
		t.Errorf("%d requests to %s within a second", n, host)
	}
	if host, n := s.Busiest(4 * time.Second); host != "slow" || n != 4 {
		t.Errorf("%d requests to %s within four seconds", n, host)
	}
}

// TestChecks checks that the checks of the matrix find what they look for.
func TestChecks(t *testing.T) {
	tests := []struct{ format, text, problem string }{
		{"text", "plain text\n\twith: a tab, ünïcode, joi\u200cners and a::b\n", ""},
		{"text", "a\x1bb\n", "U+001B"}, {"text", "a\rb\n", "U+000D"}, {"text", "a\u0085b", "U+0085"}, {"text",
			"a\xffb", "U+00FF"},
		{"text", "a\u202eb", "U+202E"}, {"text", "a\u2066b", "U+2066"}, {"text", "a\u2028b", "U+2028"}, {"text",
			"ok\n ::error::b", "::"},
		{"text", "a\u200fb", "U+200F"}, {"text", "a\u061cb", "U+061C"}, {"text", "a\u3164b", "U+3164"},
		{"text", "a ##[error]b", "##["}, {"text", "a ##vso[b]", "##vso["},
		{"json", `{"a": "b"}`, ""}, {"json", `{"a": "b}`, "invalid JSON"}, {"json", "{\"a\": \"\u202e\"}", "U+202E"},
		{"jsonl", "{}\n[]\n", ""}, {"jsonl", "{}\n{\n", "invalid JSON"},
		{"csv", "a,b\r\n-1,\"c,d\"\r\n", ""}, {"csv", "a,b\n=1+1,c\n", "formula"}, {"csv", "a,＝1\n", "formula"},
		{"csv", "a,b\nc\n", "invalid CSV"},
		{"xml", "<a>b</a>", ""}, {"xml", "<a>b", "invalid XML"}, {"junit", "<a>\x01</a>", "invalid XML"},
		{"html", "<p>&lt;owned></p>", ""}, {"html", "<p><owned></p>", "element"}, {"html", `<p onowned="1">`, "onowned"},
		{"html", `<a href=" JavaScript:z">`, "href"},
		{"github", "::error file=a,line=1,title=b::c\n2 errors\n", ""}, {"github",
			"::error title=b::c\n::stop-commands::x\n", "site's"},
	}
	for _, test := range tests {
		problems := strings.Join(formatProblems(test.format, test.text), "\n")
		if test.problem == "" && problems != "" || !strings.Contains(problems, test.problem) {
			t.Errorf("%s %q: %q, want %q", test.format, test.text, problems, test.problem)
		}
	}
}
