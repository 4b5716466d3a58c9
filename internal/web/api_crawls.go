package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

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
	writeJSON(w, mediaJSON, http.StatusCreated, newCrawlView(c, callerOf(r)))
	return nil
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
	if err != nil {
		return err
	}
	list := crawlList{Crawls: []crawlView{}, Next: next}
	for i := range crawls {
		list.Crawls = append(list.Crawls, newCrawlView(&crawls[i], callerOf(r)))
	}
	writeJSON(w, mediaJSON, http.StatusOK, list)
	return nil
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
	if _, err := s.options.Service.Delete(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func writeCrawl(w http.ResponseWriter, r *http.Request, c *service.Crawl, err error) error {
	if err != nil {
		return err
	}
	writeJSON(w, mediaJSON, http.StatusOK, newCrawlView(c, callerOf(r)))
	return nil
}

type crawlList struct {
	Crawls []crawlView `json:"crawls"`
	Next   string      `json:"next,omitempty"` // cursor
}

// A crawlView is a crawl for a program.
type crawlView struct {
	ID       string              `json:"id"`
	Site     string              `json:"site"`
	URL      string              `json:"url"`
	State    service.State       `json:"state"`
	Created  time.Time           `json:"created"`
	Began    time.Time           `json:"began,omitzero"`
	Ended    time.Time           `json:"ended,omitzero"`
	Expires  time.Time           `json:"expires,omitzero"`
	Counts   countsView          `json:"counts"`
	Limit    string              `json:"limit,omitempty"`
	Error    *failureView        `json:"error,omitempty"`
	Options  map[string][]string `json:"options,omitempty"`
	Position int                 `json:"position,omitempty"`
	Previous string              `json:"previous,omitempty"`
	Schedule string              `json:"schedule,omitempty"`
	Files    []fileView          `json:"files,omitempty"`
}

type countsView struct {
	Pages     int64 `json:"pages"`
	Listed    int64 `json:"listed"`
	Broken    int64 `json:"broken"`
	Redirects int64 `json:"redirects"`
	Waiting   int64 `json:"waiting"`
	Blocked   int64 `json:"blocked"`
	Bytes     int64 `json:"bytes"`
}

type failureView struct {
	Code string `json:"code"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

type fileView struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// newCrawlView returns what a caller may see of a crawl: a visitor no link to a crawl of
// somebody else.
func newCrawlView(c *service.Crawl, who caller) crawlView {
	v := crawlView{
		ID: c.ID, Site: c.Site, URL: c.URL, State: c.State, Created: c.Created, Began: c.Began, Ended: c.Ended,
		Expires: c.Expires, Counts: newCountsView(&c.Counts), Limit: c.Limit, Options: c.Options, Position: c.Position,
		Schedule: c.Schedule,
	}
	if who.role >= roleReader {
		v.Previous = c.Previous
	}
	if c.Failure != nil {
		v.Error = &failureView{c.Failure.Code, c.Failure.Text, c.Failure.Hint}
	}
	for _, file := range c.Files {
		v.Files = append(v.Files, fileView{file.Name, file.Size})
	}
	return v
}

func newCountsView(c *service.Counts) countsView {
	return countsView{c.Pages, c.Listed, c.Broken, c.Redirects, c.Waiting, c.Blocked, c.Bytes}
}
