package database

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
)

// find returns the folder that matches pattern and has the programs, the last of
// several. Where they are missing, it calls [programtest.Missing].
func find(t testing.TB, pkg, pattern string, names ...string) string {
	t.Helper()
	folders, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(folders) - 1; i >= 0; i-- {
		if hasAll(folders[i], names) {
			return folders[i]
		}
	}
	programtest.Missing(t, fmt.Sprintf("no %s in %s: apt-get install %s", strings.Join(names, " and "), pattern, pkg))
	return ""
}

func hasAll(folder string, names []string) bool {
	for _, name := range names {
		if _, err := exec.LookPath(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

// supervise runs a server until its standard input ends, which happens at the
// latest when the process of the test does, and then sends it the signal $0.
const supervise = `"$@" </dev/null & server=$!; exec >&- 2>&-; read -r line; kill -s "$0" $server; wait`

// startTimeout is far more than a server takes on a busy machine.
const startTimeout = 2 * time.Minute

// A server is a running program and the log that it writes to standard error.
type server struct {
	command *exec.Cmd
	input   io.Closer // closing it stops the server
	ready   chan struct{}
	ended   chan struct{} // closed when the log ends
	log     []string      // until it is ready or has ended
}

var running sync.Map // the servers by their port, for Kill

// start runs the program until it logs that it is ready, and returns its port. The
// signal ends it. Another process may take the free port first, so it tries again.
func start(t testing.TB, o owner, signal, ready string, arguments func(port int) []string) int {
	t.Helper()
	var last *server
	for range 3 {
		port := freePort(t)
		s := launch(t, o, ready, append([]string{"-c", supervise, signal}, arguments(port)...))
		select {
		case <-s.ready:
			running.Store(port, s)
			t.Cleanup(func() { kill(port) })
			return port
		case <-s.ended:
		case <-time.After(startTimeout):
		}
		s.stop()
		last = s
	}
	t.Fatalf("the server does not start:\n%s", strings.Join(last.log, "\n"))
	return 0
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func launch(t testing.TB, o owner, ready string, arguments []string) *server {
	t.Helper()
	s := &server{command: o.command("sh", arguments...), ready: make(chan struct{}), ended: make(chan struct{})}
	input, err := s.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := s.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	s.input = input
	go s.read(log, ready)
	return s
}

// read reads the log to its end, so that the server never waits for a reader.
func (s *server) read(log io.Reader, ready string) {
	defer close(s.ended)
	isReady := false
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if isReady {
			continue
		}
		s.log = append(s.log, lines.Text())
		if isReady = strings.Contains(lines.Text(), ready); isReady {
			close(s.ready)
		}
	}
}

// stop ends the server and waits for it, but not for a child of PostgreSQL that has
// just begun and holds the log open until it misses its client.
func (s *server) stop() {
	s.input.Close()
	_ = s.command.Wait() // the status of a program that was killed
	<-s.ended
}

func kill(port int) {
	if s, found := running.LoadAndDelete(port); found {
		s.(*server).stop()
	}
}

// Kill ends the server of an address that a Start function returned, at once and
// without a farewell to its clients, and returns when it has ended.
func Kill(t testing.TB, address string) {
	t.Helper()
	var port int
	if _, rest, found := strings.Cut(address, "@127.0.0.1:"); found {
		_, _ = fmt.Sscanf(rest, "%d", &port)
	}
	if _, found := running.Load(port); !found {
		t.Fatalf("no server runs at %s", address)
	}
	kill(port)
}
