package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// startServe starts the server on a free port, with more arguments. It returns its address, and what stops it
// and returns its exit code and standard error.
func startServe(t *testing.T, arguments ...string) (address string, stop func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- cli.Run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, arguments...), nil, in, &stderr)
		in.Close()
	}()
	stop = sync.OnceValues(func() (int, string) {
		cancel()
		return <-code, stderr.String()
	})
	t.Cleanup(func() { stop() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		code, text := stop()
		t.Fatalf("exit code %d: %s", code, text)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "Mapa is at ")), stop
}

// TestServe starts the server on a free port, asks it for its start page, and stops it.
func TestServe(t *testing.T) {
	folder := t.TempDir()
	address, stop := startServe(t, "--data", folder)
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s answers %d", address, answer.StatusCode)
	}
	listen := strings.Trim(strings.TrimPrefix(address, "http://"), "/")
	var status bytes.Buffer
	if code := cli.Run(t.Context(), []string{"serve", "status", "--listen", listen}, nil, &status, io.Discard); code != 0 {
		t.Errorf("status: exit code %d: %s", code, &status)
	}
	for _, arguments := range [][]string{{"mcp", "--data", folder}, {"mcp", "--data", folder, "--allow-crawl"}} {
		var refusal bytes.Buffer
		code := cli.Run(t.Context(), arguments, strings.NewReader(""), io.Discard, &refusal)
		if code == 0 || !strings.Contains(refusal.String(), "a server that runs answers models at /mcp") {
			t.Errorf("%v while the server runs: exit code %d: %s", arguments, code, &refusal)
		}
	}
	if code, text := stop(); code != 0 || !strings.Contains(text, "will go on") {
		t.Errorf("exit code %d: %s", code, text)
	}
}

// TestServeModels offers language models the tools that their token allows.
func TestServeModels(t *testing.T) {
	folder := t.TempDir()
	full, read := strings.Repeat("f", 32), strings.Repeat("r", 32)
	tokens := filepath.Join(folder, "tokens")
	if err := os.WriteFile(tokens, []byte("full "+full+"\nread "+read+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, _ := startServe(t, "--data", filepath.Join(folder, "data"), "--token-file", tokens)
	for token, mayCrawl := range map[string]bool{full: true, read: false} {
		body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"mcp", body)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !bytes.Contains(tools, []byte(`"list_pages"`)) ||
			bytes.Contains(tools, []byte(`"start_crawl"`)) != mayCrawl {
			t.Errorf("%s: %d %s %v", token, answer.StatusCode, tools, err)
		}
	}
}

// TestServeUnit starts the server with the environment of its systemd unit, and with all
// the settings that serve.env proposes.
func TestServeUnit(t *testing.T) {
	var text []byte
	for _, name := range []string{"mapa-serve.service", "serve.env"} {
		file, err := os.ReadFile(filepath.Join("../../packaging", name))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, file...)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "password"), []byte("correct horse battery\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	variables := regexp.MustCompile(`(?m)^(?:Environment=|#)(MAPA_\w+)=(.+)$`).FindAllStringSubmatch(string(text), -1)
	for _, v := range variables {
		t.Setenv(v[1], strings.NewReplacer("/var/lib/mapa", filepath.Join(folder, "data"), "/etc/mapa", folder).Replace(v[2]))
	}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code, stderr := make(chan int, 1), &bytes.Buffer{}
	go func() {
		code <- cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0"}, nil, in, stderr)
		in.Close()
	}()
	line, _ := bufio.NewReader(out).ReadString('\n') // nothing when it fails
	stop()
	if code := <-code; line != "Mapa is at https://maps.example.com/\n" || code != 0 || len(variables) != 5 {
		t.Errorf("%d variables, exit code %d: %s %s", len(variables), code, line, stderr)
	}
	if _, err := os.Stat(filepath.Join(folder, "data", "serve", "mapa.sqlite")); err != nil {
		t.Error(err)
	}
}

// TestServeStatusOfOthers does not take another server for one of Mapa.
func TestServeStatusOfOthers(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "<title>Home</title>")
	}))
	defer other.Close()
	listen := strings.TrimPrefix(other.URL, "http://")
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), []string{"serve", "status", "--listen", listen}, nil, &stdout, &stderr)
	if code != 4 || !strings.Contains(stderr.String(), "is not mapa serve") {
		t.Errorf("exit code %d: %s%s", code, &stdout, &stderr)
	}
}
