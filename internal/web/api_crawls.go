package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/mapatools/mapa/internal/app/service"
)

// apiStart queues a crawl.
func (s *Server) apiStart(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		URL      string  `json:"url"`
		Options  options `json:"options"`
		Language string  `json:"language"`
	}
	if err := readJSON(r, &body); err != nil {
		return err
	}
	c, err := s.options.Service.Start(r.Context(), service.Request{
		URL: body.URL, Options: body.Options, Client: callerOf(r).quota(), Language: body.Language,
	})
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/v1/crawls/"+c.ID)
	return writeJSON(w, http.StatusCreated, shown(c, callerOf(r)), nil)
}

const mediaJSON = "application/json"

// options are the options of a crawl by the names of its flags. In JSON a value is a
// string, a number, true or false, or an array of them.
type options map[string][]string

// UnmarshalJSON implements [json.Unmarshaler].
func (o *options) UnmarshalJSON(text []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	*o = options{}
	for name, value := range values {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			list = []json.RawMessage{value}
		}
		for _, element := range list {
			text, err := optionText(element)
			if err != nil {
				return &service.OptionError{Name: name, Err: err}
			}
			(*o)[name] = append((*o)[name], text)
		}
	}
	return nil
}

func optionText(value json.RawMessage) (string, error) {
	var text string
	var number json.Number
	var flag bool
	switch {
	case string(value) == "null":
	case json.Unmarshal(value, &text) == nil:
		return text, nil
	case json.Unmarshal(value, &number) == nil:
		return number.String(), nil
	case json.Unmarshal(value, &flag) == nil:
		return strconv.FormatBool(flag), nil
	}
	return "", fmt.Errorf("it must be a string, a number, true, false, or an array of them")
}

// apiCrawls lists crawls, the newest first.
func (s *Server) apiCrawls(w http.ResponseWriter, r *http.Request) error {
	cursor, limit, err := pageOf(r)
	if err != nil {
		return err
	}
	crawls, next, err := s.options.Service.Crawls(r.Context(), r.URL.Query().Get("site"), cursor, limit)
	return writeJSON(w, http.StatusOK, crawlList{crawls, next}, err)
}

// The number of rows of a list.
const (
	defaultRows = 50
	maxRows     = 500
	maxCursor   = 4096 // bytes
)

// pageOf returns the cursor and the limit of a request for a list.
func pageOf(r *http.Request) (cursor string, limit int, err error) {
	query := r.URL.Query()
	if cursor = query.Get("cursor"); len(cursor) > maxCursor {
		return "", 0, badRequest("the cursor is not one of this server")
	}
	text := query.Get("limit")
	if text == "" {
		return cursor, defaultRows, nil
	}
	limit, err = strconv.Atoi(text)
	if err != nil || limit < 1 || limit > maxRows {
		return "", 0, badRequest("limit must be a number from 1 to %d", maxRows)
	}
	return cursor, limit, nil
}

// apiCrawl describes a crawl.
func (s *Server) apiCrawl(w http.ResponseWriter, r *http.Request) error {
	c, err := s.options.Service.Crawl(r.Context(), r.PathValue("id"))
	return writeCrawl(w, r, c, err)
}

// apiStop ends a crawl. A visitor may end their own.
func (s *Server) apiStop(w http.ResponseWriter, r *http.Request) error {
	c, err := s.stop(r)
	return writeCrawl(w, r, c, err)
}

func (s *Server) stop(r *http.Request) (*service.Crawl, error) {
	id := r.PathValue("id")
	if caller := callerOf(r); caller.role < roleOwner {
		c, err := s.options.Service.Crawl(r.Context(), id)
		if err != nil {
			return nil, err
		}
		if c.Client != caller.client {
			return nil, errForeign
		}
	}
	return s.options.Service.Stop(r.Context(), id)
}

var errForeign = &statusError{
	status: http.StatusForbidden, code: "forbidden", detail: "only the network that started the crawl may stop it",
}

// apiPause pauses a crawl.
func (s *Server) apiPause(w http.ResponseWriter, r *http.Request) error {
	c, err := s.options.Service.Pause(r.Context(), r.PathValue("id"))
	return writeCrawl(w, r, c, err)
}

// apiResume resumes a crawl.
func (s *Server) apiResume(w http.ResponseWriter, r *http.Request) error {
	c, err := s.options.Service.Resume(r.Context(), r.PathValue("id"))
	return writeCrawl(w, r, c, err)
}

// apiDelete deletes a crawl with its result.
func (s *Server) apiDelete(w http.ResponseWriter, r *http.Request) error {
	_, err := s.options.Service.Delete(r.Context(), r.PathValue("id"))
	return noContent(w, err)
}

func writeCrawl(w http.ResponseWriter, r *http.Request, c *service.Crawl, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, shown(c, callerOf(r)), nil)
}

type crawlList struct {
	Crawls []service.Crawl `json:"crawls"`
	Next   string          `json:"next,omitempty"` // cursor
}

// shown returns what a caller may see of a crawl: a visitor no link to a crawl of
// somebody else.
func shown(c *service.Crawl, who caller) *service.Crawl {
	if who.role >= roleReader {
		return c
	}
	own := *c
	own.Previous = ""
	return &own
}
