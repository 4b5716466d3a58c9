package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptServerKey is the key of a script's *scriptServer.
type scriptServerKey struct{}

// A scriptServer is mapa serve, as a script runs it.
type scriptServer struct {
	held    chan struct{} // pages below /held/ answer when it is closed
	process *exec.Cmd
	address string
	log     bytes.Buffer
}

// ServeHTTP answers a page below /held/.
func (s *scriptServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-s.held:
		fmt.Fprint(w, "<title>held</title><p>Until now.")
	case <-r.Context().Done():
	}
}

// server runs a server:
//
//	server start FOLDER    starts it on the data in a folder
//	server crawl URL       starts a crawl, which $CRAWL names from then on
//	server await           waits until that crawl has ended and shows it
//	server await running   waits until it requests pages
//	server release         lets the pages below /held/ answer
//	server stop            ends the server and writes its log to server.log
//	server kill            the same, as kill -9 does
func server(ts *testscript.TestScript, _ bool, args []string) {
	s := ts.Value(scriptServerKey{}).(*scriptServer)
	switch args[0] {
	case "start":
		s.start(ts, args[1])
	case "crawl":
		body, err := json.Marshal(map[string]any{"url": args[1], "options": map[string]any{"rate": 0}})
		ts.Check(err)
		var c struct{ ID string }
		ts.Check(json.NewDecoder(s.api(ts, http.MethodPost, "crawls", string(body))).Decode(&c))
		ts.Setenv("CRAWL", c.ID)
	case "await":
		s.await(ts, args[1:])
	case "release":
		close(s.held)
	case "stop":
		s.end(ts, os.Interrupt)
	case "kill":
		s.end(ts, os.Kill)
	default:
		ts.Fatalf("unknown subcommand %s", args[0])
	}
}

func (s *scriptServer) start(ts *testscript.TestScript, folder string) {
	program, err := os.Executable()
	ts.Check(err)
	s.log.Reset()
	s.process = exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--data", ts.MkAbs(folder))
	s.process.Env, s.process.Stderr = append(os.Environ(), runVariable+"=1"), &s.log
	output, err := s.process.StdoutPipe()
	ts.Check(err)
	ts.Check(s.process.Start())
	process := s.process.Process
	ts.Defer(func() { _ = process.Kill() }) // it may have ended
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		_ = s.process.Wait()
		ts.Fatalf("the server does not start: %v\n%s", err, &s.log)
	}
	s.address = strings.TrimSpace(strings.TrimPrefix(line, "Mapa is at "))
}

// end ends the server. Its exit code is that of the signal or 0.
func (s *scriptServer) end(ts *testscript.TestScript, signal os.Signal) {
	ts.Check(s.process.Process.Signal(signal))
	if err := s.process.Wait(); err != nil && signal != os.Kill {
		ts.Fatalf("%v\n%s", err, &s.log)
	}
	ts.Check(os.WriteFile(ts.MkAbs("server.log"), s.log.Bytes(), 0o600))
}

// api sends a request to the API and returns the answer.
func (s *scriptServer) api(ts *testscript.TestScript, method, path, body string) *bytes.Buffer {
	request, err := http.NewRequest(method, s.address+"api/v1/"+path, strings.NewReader(body))
	ts.Check(err)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer answer.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(answer.Body)
	ts.Check(err)
	if answer.StatusCode >= 300 {
		ts.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, &text)
	}
	return &text
}

// await reads the events of a crawl until they name a state, or end.
func (s *scriptServer) await(ts *testscript.TestScript, state []string) {
	path := "crawls/" + ts.Getenv("CRAWL")
	answer, err := http.Get(s.address + "api/v1/" + path + "/events")
	ts.Check(err)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if len(state) > 0 && strings.Contains(lines.Text(), `"state":"`+state[0]+`"`) {
			break
		}
	}
	ts.Check(lines.Err())
	_, err = ts.Stdout().Write(s.api(ts, http.MethodGet, path, "").Bytes())
	ts.Check(err)
}
