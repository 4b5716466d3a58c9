package web

import (
	"context"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/app/access"
)

// toolTime is how long a tool may run.
const toolTime = 60 * time.Second

// tool runs a tool that sends requests, with a deadline. Few run at once, and one for
// each visitor.
func (s *Server) tool(w http.ResponseWriter, r *http.Request, run func(ctx context.Context) error) error {
	who := callerOf(r)
	if who.quota() != "" {
		if err := s.toolRuns.try(who.quota(), s.options.Now()); err != nil {
			return err
		}
	}
	end, err := s.tools.take(who)
	if err != nil {
		return err
	}
	defer end()
	if err := allowTime(http.NewResponseController(w), toolTime+writeTime); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), toolTime)
	defer cancel()
	return run(ctx)
}

// requests returns the settings of the requests of tools. On a public server they reach
// only the public internet, whoever asks.
func (s *Server) requests() access.RequestSettings {
	return access.RequestSettings{PublicOnly: s.options.Public}
}
