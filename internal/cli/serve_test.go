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
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// TestServe starts the server on a free port, asks it for its start page, and stops it.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var stderr bytes.Buffer
	code, folder := make(chan int, 1), t.TempDir()
	go func() {
		code <- cli.Run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--data", folder}, nil, in, &stderr)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "Mapa is at "))
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
	stop()
	if code := <-code; code != 0 || !strings.Contains(stderr.String(), "will go on") {
		t.Errorf("exit code %d: %s", code, &stderr)
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
	if code != 3 || !strings.Contains(stderr.String(), "is not mapa serve") {
		t.Errorf("exit code %d: %s%s", code, &stdout, &stderr)
	}
}
