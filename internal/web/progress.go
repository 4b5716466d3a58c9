package web

import (
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// A progressView is an update of a crawl for a script or a program.
type progressView struct {
	Number   uint64         `json:"number"`
	State    service.State  `json:"state"`
	Counts   service.Counts `json:"counts"`
	Rate     float64        `json:"rate,omitempty"` // pages per second
	URL      string         `json:"url,omitempty"`
	Left     float64        `json:"left,omitempty"`  // seconds; 0 is unknown
	Total    int64          `json:"total,omitempty"` // pages at the end, as estimated; 0 is unknown
	Step     service.Step   `json:"step,omitempty"`
	Depths   []int64        `json:"depths,omitempty"`
	Problems []problemView  `json:"problems,omitempty"`
	Notice   string         `json:"notice,omitempty"`
}

// A problemView is a URL that is broken, and the page it was found on.
type problemView struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"`
	On     string `json:"on,omitempty"`
}

func newProgress(u *service.Update) progressView {
	v := progressView{
		Number: u.Number, State: u.State, Counts: u.Counts, Rate: u.Rate, URL: u.URL,
		Left: u.Left.Round(time.Second).Seconds(), Total: u.Total, Step: u.Step, Depths: u.Depths,
		Notice: u.Notice,
	}
	for _, p := range u.Problems {
		v.Problems = append(v.Problems, problemView{p.URL, p.Status, p.On})
	}
	return v
}
