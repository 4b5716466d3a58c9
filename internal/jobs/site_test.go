package jobs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	engine "github.com/mapatools/mapa/crawl"
)

// TestSites finds the newest crawl and the best result of sites with several hosts, and what the complete ones listed.
func TestSites(t *testing.T) {
	s := open(t, t.TempDir())
	at := time.UnixMilli(1_800_000_000_000)
	crawl := func(site string, state State, limit string, pages int64) *Crawl {
		return &Crawl{
			Site: site, State: state, Details: Details{Limit: limit, Counts: Counts{Pages: pages, Listed: pages}},
		}
	}
	for _, c := range []*Crawl{
		crawl("a.test", StateDone, "", 1), crawl("www.a.test", StateDone, "", 2),
		crawl("a.test", StateDone, string(engine.LimitTime), 3), crawl("www.a.test", StateFailed, "", 0),
		crawl("b.test", StateStopped, "", 0), crawl("b.test", StateStopped, "", 5),
		crawl("b.test", StateDone, LimitServer, 6),
		crawl("c.test", StateFailed, "", 0),
		crawl("d.test", StateFailed, "", 1), crawl("d.test", StateFailed, "", 0),
		crawl("e.test", StateFailed, "", 0), crawl("e.test", StateQueued, "", 0),
	} {
		at = at.Add(time.Minute)
		c.ID, c.Created = fmt.Sprint(at.UnixMilli()), at
		update(t, s, func(tx *Tx) error { return tx.AddCrawl(c) })
	}
	update(t, s, func(tx *Tx) error { return tx.SaveSchedule(&Schedule{ID: "s", Site: "www.f.test"}) })
	nameOf := func(host string) string { return strings.TrimPrefix(host, "www.") }
	update(t, s, func(tx *Tx) error {
		all, err := tx.Sites(nil, nameOf)
		if err != nil {
			return err
		}
		got := map[string]string{}
		for name, site := range all {
			last, result := int64(-1), int64(-1)
			if site.Last != nil {
				last = site.Last.Number
			}
			if site.Result != nil {
				result = site.Result.Counts.Pages
			}
			got[name] = fmt.Sprint(site.Crawls, len(site.Schedules), last, result, site.Visited)
		}
		want := map[string]string{
			"a.test": "4 0 4 2 true", "b.test": "3 0 7 6 true", "c.test": "1 0 8 -1 false", "d.test": "2 0 10 -1 true",
			"e.test": "2 0 12 -1 true", "f.test": "0 1 -1 -1 false",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("sites %v, want %v", got, want)
		}
		one, err := tx.Site([]string{"a.test", "www.a.test"})
		if err != nil || !reflect.DeepEqual(one, all["a.test"]) {
			t.Errorf("one site is %+v, %v", one, err)
		}
		if _, err := tx.Site([]string{"none.test"}); !errors.Is(err, ErrNotFound) {
			t.Errorf("a site that is not there: %v", err)
		}
		points, err := tx.Points([]string{"a.test", "www.a.test", "b.test"}, 10)
		if len(points) != 2 || points[0].Listed != 1 || points[1].Listed != 2 || !points[0].Time.Before(points[1].Time) {
			t.Errorf("points %v", points)
		}
		return err
	})
}

// TestPoints takes the last crawls of each host.
func TestPoints(t *testing.T) {
	s := open(t, t.TempDir())
	update(t, s, func(tx *Tx) error {
		for i := range 10 {
			c := &Crawl{ID: fmt.Sprint(i), Site: []string{"a", "b"}[i%2], State: StateDone}
			c.Counts.Listed = int64(i)
			if err := tx.AddCrawl(c); err != nil {
				return err
			}
		}
		points, err := tx.Points([]string{"a", "b"}, 2)
		var listed []int64
		for _, p := range points {
			listed = append(listed, p.Listed)
		}
		if want := []int64{6, 7, 8, 9}; !slices.Equal(listed, want) {
			t.Errorf("points %v, want %v", listed, want)
		}
		return err
	})
}

// TestLabels keeps the labels of sites, also without crawls.
func TestLabels(t *testing.T) {
	s := open(t, t.TempDir())
	update(t, s, func(tx *Tx) error {
		return errors.Join(tx.SetLabels("a", []string{"own", "client", "own"}), tx.SetLabels("b", []string{"x"}),
			tx.SetLabels("b", nil), tx.SetLabels("c", []string{}), tx.AddLabels("a", []string{"other"}))
	})
	update(t, s, func(tx *Tx) error {
		got, err := tx.Labels()
		if want := map[string][]string{"a": {"client", "own"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("labels %v, want %v", got, want)
		}
		return err
	})
}
