package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"syscall"
	"time"
)

// freePort is a port to listen on: the wanted one, or 80 where that is allowed,
// since only there links can name the default port, or any.
func freePort(wanted int) (int, error) {
	tries := []int{wanted}
	if wanted == 0 {
		tries = []int{80, 0}
	}
	var failed error
	for _, port := range tries {
		listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err != nil {
			failed = err
			continue
		}
		defer listener.Close()
		return listener.Addr().(*net.TCPAddr).Port, nil
	}
	return 0, failed
}

// configuration is nginx's: files as they are, redirects by a map, and a log
// that holds every request as it was sent.
const configuration = `daemon off;
worker_processes 1;
user %[1]s;
pid nginx.pid;
error_log error.log;
events { worker_connections 1024; }
http {
	log_format requests escape=none '$msec $status $request_uri';
	access_log access.log requests;
	client_body_temp_path temporary/body;
	proxy_temp_path temporary/proxy;
	fastcgi_temp_path temporary/fastcgi;
	uwsgi_temp_path temporary/uwsgi;
	scgi_temp_path temporary/scgi;
	types { text/html html; text/css css; text/javascript js; image/png png; application/zip zip; text/plain txt; }
	default_type text/html;
	charset utf-8;
	absolute_redirect off;
	keepalive_requests 1000000;
	sendfile on;
	tcp_nopush on;
	map_hash_max_size 262144;
	map_hash_bucket_size 256;
	map $uri $moved { include moved.conf; }
	server {
		listen 127.0.0.1:%[2]d backlog=1024;
		server_name localhost;
		root %[3]s;
		if ($moved) { return 301 $moved; }
		location / { try_files $uri$is_args$args ${uri}index.html =404; }
	}
}
`

// A server is a running nginx.
type server struct {
	command *exec.Cmd
	log     string // the access log
	stderr  bytes.Buffer
}

// serve starts nginx for a site that is written to root, with its logs in dir.
func (s *site) serve(root, dir string) (*server, error) {
	if err := os.MkdirAll(filepath.Join(dir, "temporary"), 0o755); err != nil {
		return nil, err
	}
	account, err := user.Current()
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(configuration, account.Username, s.port, root)
	if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(text), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "moved.conf"), s.moved(), 0o644); err != nil {
		return nil, err
	}
	n := &server{log: filepath.Join(dir, "access.log")}
	n.command = exec.Command("nginx", "-p", dir, "-c", "nginx.conf", "-e", "error.log")
	n.command.Stderr = &n.stderr
	// The terminal's interrupt is for the crawlers; nginx is stopped after them.
	n.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := n.command.Start(); err != nil {
		return nil, err
	}
	return n, n.ready(s.port)
}

// moved maps the addresses that redirect; half of the targets are absolute.
func (s *site) moved() []byte {
	var text bytes.Buffer
	for i, a := range s.addresses {
		if a.kind != redirect && a.kind != loop {
			continue
		}
		target := s.addresses[a.target].path
		if i%2 == 0 {
			target = s.base + target
		}
		fmt.Fprintf(&text, "%s \"%s\";\n", a.path, target)
	}
	return text.Bytes()
}

// ready waits until nginx accepts connections.
func (n *server) ready(port int) error {
	deadline := time.Now().Add(10 * time.Second)
	for {
		connection, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			return connection.Close()
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("nginx does not answer: %w", err), errors.New(n.stderr.String()), n.stop())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// progress grows with each request: it is the length of the log.
func (n *server) progress() (int64, error) {
	info, err := os.Stat(n.log)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// traffic returns what the log says, once it is complete.
func (n *server) traffic() (t traffic, err error) {
	requests, err := readRequests(n.log)
	for _, r := range requests {
		if r.status == "304" {
			t.unchanged++
		}
		t.last = r.at
	}
	return t, err
}

// stop ends nginx, after which the log is complete.
func (n *server) stop() error {
	if err := n.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return n.command.Wait()
}
