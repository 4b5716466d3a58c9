package hostile

import (
	"maps"
	"time"
)

// count notes a request and returns its number on the server, from 1.
func (s *Server) count(host, path string) int {
	now := time.Now()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.times[host] = append(s.times[host], now)
	s.paths[host+path]++
	s.total++
	return s.total
}

// Requests returns how often each URL was requested: host and port, path and query.
func (s *Server) Requests() map[string]int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return maps.Clone(s.paths)
}

// Hosts returns the number of requests to each host.
func (s *Server) Hosts() map[string]int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	hosts := map[string]int{}
	for host, times := range s.times {
		hosts[host] = len(times)
	}
	return hosts
}

// Busiest returns the most requests that one host received within any window of
// this length.
func (s *Server) Busiest(window time.Duration) (host string, requests int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name, times := range s.times {
		first := 0
		for last, at := range times {
			for at.Sub(times[first]) >= window {
				first++
			}
			if n := last - first + 1; n > requests {
				host, requests = name, n
			}
		}
	}
	return host, requests
}

// Inflated returns how many bytes of bodies the server sent, after decompression.
// Of a body above what clients keep, it counts [Kept].
func (s *Server) Inflated() int64 { return s.inflated.Load() }

// Kept is the most bytes of one body that Mapa keeps by default.
const Kept = 10 << 20
