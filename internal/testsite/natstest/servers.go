// Package natstest runs nats-server processes for tests and benchmarks.
package natstest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// programVariable names the program in place of the nats-server on the path.
const programVariable = "MAPA_NATS_SERVER"

// Program returns the nats-server to run, or an error that says that there is none.
func Program() (string, error) {
	if name := os.Getenv(programVariable); name != "" {
		return name, nil
	}
	name, err := exec.LookPath("nats-server")
	if err != nil {
		return "", errors.New("there is no nats-server: install the package of that name, or set " + programVariable)
	}
	return name, nil
}

// A Node is where a server runs.
type Node struct {
	// Clients and Routes are the addresses where it listens for clients and for other
	// servers.
	Clients, Routes string
	// Command, with the arguments that follow, runs the server. It may be empty.
	Command []string
}

// Loopback returns n nodes on loopback.
func Loopback(n int) []Node {
	return slices.Repeat([]Node{{Clients: "127.0.0.1", Routes: "127.0.0.1"}}, n)
}

// Servers are processes with JetStream, a cluster if there are several.
type Servers struct {
	folder    string
	program   string
	nodes     []Node
	ports     []int
	processes []*exec.Cmd
}

// Start starts a server on each node. They keep their files in a folder. extra is added to
// the configuration of each.
func Start(folder string, nodes []Node, extra string) (*Servers, error) {
	program, err := Program()
	if err != nil {
		return nil, err
	}
	n := len(nodes)
	s := &Servers{folder: folder, program: program, nodes: nodes, processes: make([]*exec.Cmd, n)}
	ports, err := freePorts(2 * n)
	if err != nil {
		return nil, err
	}
	s.ports = ports[:n]
	sync := ", sync_interval: always"
	version, err := exec.Command(program, "--version").Output()
	if err != nil {
		return nil, err
	}
	if strings.Contains(string(version), "v2.9.") { // before the setting was introduced
		sync = ""
	}
	var routes []string
	for i, port := range ports[n:] {
		routes = append(routes, fmt.Sprintf("nats://%s:%d", nodes[i].Routes, port))
	}
	for i := range n {
		text := fmt.Sprintf("server_name: n%d\nlisten: %q\njetstream { store_dir: %q%s }\n%s\n",
			i, s.address(i), s.file(i, "data"), sync, extra)
		if n > 1 {
			text += fmt.Sprintf("cluster { name: mapa, listen: \"%s:%d\", routes: [%s] }\n", nodes[i].Routes,
				ports[n+i], strings.Join(routes, ", "))
		}
		if err := os.WriteFile(s.file(i, "conf"), []byte(text), 0o600); err != nil {
			return nil, err
		}
		if err := s.StartOne(i); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func (s *Servers) file(i int, kind string) string {
	return filepath.Join(s.folder, fmt.Sprintf("n%d.%s", i, kind))
}

// URL returns the addresses of all servers, separated by commas.
func (s *Servers) URL() string {
	var all []string
	for i := range s.ports {
		all = append(all, s.URLOf(i))
	}
	return strings.Join(all, ",")
}

// URLOf returns the address of a server.
func (s *Servers) URLOf(i int) string { return "nats://" + s.address(i) }

func (s *Servers) address(i int) string { return fmt.Sprintf("%s:%d", s.nodes[i].Clients, s.ports[i]) }

// StartOne starts a server that does not run, and waits until it listens.
func (s *Servers) StartOne(i int) error {
	log, err := os.OpenFile(s.file(i, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	arguments := append(slices.Clone(s.nodes[i].Command), s.program, "-c", s.file(i, "conf"))
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		return err
	}
	s.processes[i] = command
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.Dial("tcp", s.address(i))
		if err == nil {
			return connection.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("nats-server %d does not listen: %w", i, err)
		}
	}
}

// Kill ends a server at once, as a crash does.
func (s *Servers) Kill(i int) error {
	command := s.processes[i]
	s.processes[i] = nil
	if command == nil {
		return nil
	}
	err := command.Process.Kill()
	_ = command.Wait() // it was killed
	return err
}

// PID returns the process of a server.
func (s *Servers) PID(i int) int { return s.processes[i].Process.Pid }

// Close ends all servers.
func (s *Servers) Close() (err error) {
	for i := range s.processes {
		err = errors.Join(err, s.Kill(i))
	}
	return err
}

// Ready waits until ready reports true, as when the servers have elected a leader.
func Ready(ctx context.Context, ready func() bool) error {
	for !ready() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

// freePorts returns ports of loopback that nothing listens on.
func freePorts(n int) (ports []int, err error) {
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
