package hostile

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A Server is a website with one behaviour. Its methods are safe for concurrent
// use.
type Server struct {
	Behaviour
	URL string // of the home page, without a slash at its end

	size     Size
	port     int
	inflated atomic.Int64
	done     chan struct{} // closed by Close
	running  sync.WaitGroup

	making sync.Mutex            // one body at a time
	bodies map[string]compressed // by path

	mutex    sync.Mutex
	listener net.Listener
	conns    map[net.Conn]struct{}
	times    map[string][]time.Time // by host
	paths    map[string]int         // by host and path
	total    int
	closed   bool
}

// Start starts a server on a free port of the loopback interface.
func Start(b Behaviour, size Size) (*Server, error) {
	s := &Server{
		Behaviour: b, size: size, done: make(chan struct{}),
		conns: map[net.Conn]struct{}{}, bodies: map[string]compressed{}, times: map[string][]time.Time{},
		paths: map[string]int{},
	}
	if err := s.listen(); err != nil {
		return nil, fmt.Errorf("hostile server %s: %w", b.Name, err)
	}
	return s, nil
}

// listen accepts connections on the server's port, or on a free one the first time.
func (s *Server) listen() error {
	address := "127.0.0.1"
	if s.hosts {
		address = "0.0.0.0"
	}
	listener, err := net.Listen("tcp4", fmt.Sprintf("%s:%d", address, s.port))
	if err != nil {
		return err
	}
	if s.port == 0 {
		s.port = listener.Addr().(*net.TCPAddr).Port
		s.URL = fmt.Sprintf("http://127.0.0.1:%d", s.port)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return listener.Close()
	}
	s.listener = listener
	s.running.Add(1)
	go s.accept(listener)
	return nil
}

func (s *Server) accept(listener net.Listener) {
	defer s.running.Done()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		if !conn.RemoteAddr().(*net.TCPAddr).IP.IsLoopback() || !s.keep(conn) {
			_ = conn.Close()
			continue
		}
		go func() {
			defer s.running.Done()
			defer s.drop(conn)
			s.serve(conn)
		}()
	}
}

// keep notes a connection, for Close to end it.
func (s *Server) keep(conn net.Conn) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return false
	}
	s.conns[conn] = struct{}{}
	s.running.Add(1)
	return true
}

func (s *Server) drop(conn net.Conn) {
	_ = conn.Close()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.conns, conn)
}

// stop ends the listener and all connections.
func (s *Server) stop() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_ = s.listener.Close()
	for conn := range s.conns {
		_ = conn.Close()
	}
}

// restart is an outage: no connection works until the pause is over.
func (s *Server) restart(pause time.Duration) {
	s.stop()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return
	}
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		if s.wait(pause) {
			_ = s.listen() // a port taken by another stays an outage
		}
	}()
}

// Close ends the server with all its connections and waits for its goroutines.
func (s *Server) Close() {
	s.mutex.Lock()
	closed := s.closed
	s.closed = true
	s.mutex.Unlock()
	if closed {
		return
	}
	close(s.done)
	s.stop()
	s.running.Wait()
}

// wait pauses, and reports whether the server is still running after it.
func (s *Server) wait(pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}

// pick returns the number for the server's size.
func (s *Server) pick(small, full int) int {
	if s.size == Small {
		return small
	}
	return full
}

// host is the authority of one of the server's other hosts, numbered from 1.
func (s *Server) host(n int) string {
	return fmt.Sprintf("127.%d.%d.%d:%d", 1+n>>16&0x7f, n>>8&0xff, n&0xff, s.port)
}
