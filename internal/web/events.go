package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

const (
	streamRetry = 5 * time.Second  // after which a browser connects again
	heartbeat   = 15 * time.Second // between two lines at least, so that proxies keep the connection
	streamWrite = 20 * time.Second // for a client to take what was written
)

// events streams what happens during a crawl as server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html). Each is a progress
// event with an id, after which a client resumes with Last-Event-ID. The last event is
// named end.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	after, err := lastEvent(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if _, err := s.options.Service.Crawl(r.Context(), id); err != nil {
		return err
	}
	end, err := s.streams.take(callerOf(r))
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	stream := &eventStream{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold events back
	if err := stream.write("retry: %d\n\n", streamRetry.Milliseconds()); err != nil {
		return nil // the client is gone
	}
	s.stream(ctx, stream, s.options.Service.Watch(ctx, id, after))
	return nil
}

// lastEvent returns the number of the last event that the client has: a header, or a
// parameter for the first connection.
func lastEvent(r *http.Request) (uint64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if text == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, badRequest("the number of the last event is not a number")
	}
	return after, nil
}

// stream writes updates until they end, the client leaves, or the server stops.
func (s *Server) stream(ctx context.Context, out *eventStream, updates iter.Seq2[service.Update, error]) {
	next := make(chan service.Update)
	failed := make(chan error, 1)
	go func() {
		defer close(next)
		for update, err := range updates {
			if err != nil {
				failed <- err
				return
			}
			select {
			case next <- update:
			case <-ctx.Done():
				return
			}
		}
	}()
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for {
		var err error
		select {
		case update, ok := <-next:
			if !ok {
				s.endStream(ctx, out, failed)
				return
			}
			err = out.update(&update)
			ticker.Reset(heartbeat)
		case <-ticker.C:
			err = out.write(": still here\n\n")
		case <-s.closing:
			return // the client connects again when the server is back
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// endStream says that a crawl has ended, or nothing when only the updates have: then the
// client connects again.
func (s *Server) endStream(ctx context.Context, out *eventStream, failed <-chan error) {
	select {
	case err := <-failed:
		if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
			s.options.Logger.Error("events of a crawl", "error", err)
		}
	default:
		_ = out.write("event: end\ndata: {}\n\n") // the client may be gone
	}
}

// An eventStream writes server-sent events. A client that takes too long is cut off.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (e *eventStream) update(update *service.Update) error {
	text, err := json.Marshal(newProgress(update))
	if err != nil {
		return err
	}
	return e.write("id: %d\nevent: progress\ndata: %s\n\n", update.Number, text)
}

func (e *eventStream) write(format string, values ...any) error {
	if err := extendWrite(e.control, streamWrite); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(e.w, format, values...); err != nil {
		return err
	}
	return e.control.Flush()
}

// extendWrite gives a client more time to take what is written next.
func extendWrite(control *http.ResponseController, by time.Duration) error {
	err := control.SetWriteDeadline(time.Now().Add(by))
	if errors.Is(err, http.ErrNotSupported) { // not a connection, as in tests
		return nil
	}
	return err
}
