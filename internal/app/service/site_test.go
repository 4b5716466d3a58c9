package service

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/jobs"
)

// A proxy answers for all hosts. Those of garden.test redirect to www, old.test to shop.old.test;
// none.test does not answer.
type proxy struct {
	*httptest.Server
	down atomic.Bool
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	p := &proxy{}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

// ServeHTTP implements [http.Handler].
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	moved := map[string]string{"garden.test": "www.garden.test", "old.test": "shop.old.test"}
	switch to := moved[r.Host]; {
	case p.down.Load(), r.Host == "none.test", r.Method == http.MethodConnect:
		http.NotFound(w, r)
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case to != "":
		http.Redirect(w, r, "http://"+to+r.URL.Path, http.StatusMovedPermanently)
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Home</title><p>A page with words of its own. <a href=/two>two</a>")
	}
}

// crawl crawls an address to its end.
func (p *proxy) crawl(t *testing.T, s *Service, address string) *Crawl {
	t.Helper()
	c, err := s.Start(t.Context(), Request{URL: address, Options: map[string][]string{
		"rate": {"0"}, "proxy": {p.URL},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return ended(t, s, c.ID)
}

// siteList returns the sites as name, number of crawls and number of schedules.
func siteList(t *testing.T, s *Service) (list []string) {
	t.Helper()
	cursor := ""
	for {
		sites, next, err := s.Sites(t.Context(), SiteFilter{}, cursor, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, site := range sites {
			list = append(list, fmt.Sprintf("%s %d %d", site.Name, site.Crawls, site.Schedules))
		}
		if cursor = next; cursor == "" {
			return list
		}
	}
}

// TestOneSite crawls spellings of an address and one that redirects: crawls, schedules and
// comparisons are those of one site.
func TestOneSite(t *testing.T) {
	t.Parallel()
	web := newProxy(t)
	s, _ := start(t, Options{Folder: t.TempDir()})
	schedule := func(url string) {
		t.Helper()
		_, err := s.PutSchedule(t.Context(), Schedule{URL: url, Every: 24 * time.Hour})
		if err != nil {
			t.Fatal(err)
		}
	}
	schedule("http://old.test/")
	if err := s.SetLabels(t.Context(), "old.test", []string{"shop", " a  client\n", "shop", ""}); err != nil {
		t.Fatal(err)
	}
	first := web.crawl(t, s, "http://garden.test/")
	schedule("http://www.garden.test")
	second := web.crawl(t, s, "http://www.garden.test:80")
	web.crawl(t, s, "http://old.test/")
	web.crawl(t, s, "http://shop.old.test/")
	schedule("old.test")
	web.crawl(t, s, "http://none.test/")
	if first.State != StateDone || first.Site != "garden.test" || second.Previous != first.ID {
		t.Errorf("%+v, then %+v", first, second)
	}
	want := []string{"garden.test 2 1", "shop.old.test 2 2"}
	if got := siteList(t, s); !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	for _, name := range []string{"garden.test", "www.garden.test", "WWW.garden.test:443"} {
		site, err := s.Site(t.Context(), name)
		if err != nil || site.Name != "garden.test" || len(site.History) != 2 {
			t.Fatalf("%s: %+v, %v", name, site, err)
		}
		crawls, _, errCrawls := s.Crawls(t.Context(), name, "", 10)
		schedules, errSchedules := s.Schedules(t.Context(), name)
		if len(crawls) != 2 || len(schedules) != 1 || schedules[0].Site != "garden.test" {
			t.Errorf("%s: %d crawls, schedules %+v, %v, %v", name, len(crawls), schedules, errCrawls, errSchedules)
		}
	}
	if site, err := s.Site(t.Context(), "none.test"); err != nil || site.Result != nil || site.Last.State != StateFailed {
		t.Errorf("a site without an answer: %+v, %v", site, err)
	}
	moved, err := s.Site(t.Context(), "shop.old.test")
	if err != nil || !slices.Equal(moved.Labels, []string{"a client", "shop"}) {
		t.Errorf("the labels did not follow the site: %+v, %v", moved, err)
	}
	if err := s.SetLabels(t.Context(), "www.garden.test", []string{"garden"}); err != nil {
		t.Error(err)
	}
	if err := s.DeleteSite(t.Context(), "garden.test"); err != nil || len(siteList(t, s)) != 1 {
		t.Errorf("%v, then %q", err, siteList(t, s))
	}
	again, err := s.PutSchedule(t.Context(), Schedule{URL: "garden.test", Every: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if site, err := s.Site(t.Context(), again.Site); err != nil || len(site.Labels) > 0 {
		t.Errorf("a deleted site keeps its labels: %+v, %v", site, err)
	}
}

// TestOldSites joins the crawls and schedules that an earlier version stored by the address
// that was typed.
func TestOldSites(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store, err := jobs.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	err = store.Update(t.Context(), func(tx *jobs.Tx) error {
		for _, host := range []string{"garden.test", "www.garden.test", "other.test:8080", "www.localhost"} {
			c := &jobs.Crawl{ID: newID(), Site: host, Start: "x/", State: StateDone}
			if err := tx.AddCrawl(c); err != nil {
				return err
			}
		}
		return tx.SaveSchedule(&jobs.Schedule{ID: newID(), Site: "www.garden.test", Next: time.Now().Add(time.Hour)})
	})
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Folder: folder})
	defer s.Close()
	want := []string{"garden.test 2 1", "other.test:8080 1 0", "www.localhost 1 0"}
	if got := siteList(t, s); !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
}

// TestFailures keeps the results of a site that fails again and again, and counts equal failures.
func TestFailures(t *testing.T) {
	t.Parallel()
	web := newProxy(t)
	s, _ := start(t, Options{Folder: t.TempDir(), Keep: 2})
	first := web.crawl(t, s, "http://www.garden.test/")
	second := web.crawl(t, s, "http://www.garden.test/")
	web.down.Store(true)
	for range 5 {
		web.crawl(t, s, "http://garden.test/")
	}
	site, err := s.Site(t.Context(), "garden.test")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range site.History {
		got = append(got, fmt.Sprintf("%s %d", c.State, c.Repeats))
	}
	if want := []string{"done 0", "done 0", "failed 3", "failed 0"}; !slices.Equal(got, want) {
		t.Errorf("crawls %q, want %q", got, want)
	}
	if site.History[0].ID != first.ID || site.Result == nil || site.Result.ID != second.ID ||
		site.Last.State != StateFailed {
		t.Errorf("%+v", site)
	}
}

// TestTries gives a site the figures of its last complete crawl: one that was stopped or had no more
// time is a try, and not what the next crawl is compared with. Neither is one with other options where
// there is one with the same.
func TestTries(t *testing.T) {
	t.Parallel()
	web := newSite(t, 20)
	s, _ := start(t, Options{Folder: t.TempDir()})
	crawl := func(options map[string][]string) *Crawl {
		t.Helper()
		options["rate"] = []string{"0"}
		c, err := s.Start(t.Context(), Request{URL: web.URL, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	overview := func(id string) (compared bool, other []string) {
		t.Helper()
		opened, release, err := s.OpenResult(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		o, err := opened.Overview(t.Context())
		if err != nil || o.Compared != (o.Changes != nil) {
			t.Fatalf("%+v, %v", o, err)
		}
		return o.Compared, o.OtherOptions
	}
	first := ended(t, s, crawl(map[string][]string{}).ID)

	web.gate = make(chan struct{})
	stopped := crawl(map[string][]string{})
	<-web.reached
	if _, err := s.Stop(t.Context(), stopped.ID); err != nil {
		t.Fatal(err)
	}
	stopped = ended(t, s, stopped.ID)
	late := ended(t, s, crawl(map[string][]string{"max-time": {"2s"}}).ID)
	for _, try := range []*Crawl{stopped, late} {
		site, err := s.Site(t.Context(), first.Site)
		if err != nil || site.Result.ID != first.ID || site.Result.Counts.Pages != 21 || site.Last.ID != late.ID {
			t.Errorf("%+v, %v", site, err)
		}
		if try.Complete || try.Counts.Pages == 0 || try.Counts.Pages > 10 {
			t.Errorf("%+v", try)
		}
	}
	close(web.gate)

	few := ended(t, s, crawl(map[string][]string{"max-pages": {"3"}}).ID)
	compared, other := overview(few.ID)
	if few.Previous != first.ID || compared || !slices.Equal(other, []string{"max-pages"}) {
		t.Errorf("other options: %+v, %v, %q", few, compared, other)
	}
	second := ended(t, s, crawl(map[string][]string{}).ID)
	if compared, _ := overview(second.ID); second.Previous != first.ID || !compared || !second.Complete {
		t.Errorf("the same options: %+v, %v", second, compared)
	}
	site, err := s.Site(t.Context(), first.Site)
	if err != nil || site.Result.ID != second.ID {
		t.Errorf("%+v, %v", site, err)
	}
}

// TestSurplus decides which crawls of a site are kept.
func TestSurplus(t *testing.T) {
	t.Parallel()
	failed := &jobs.Failure{Code: "timeout"}
	// Done, out of time, stopped, cancelled, failed and running; the newest first.
	for _, c := range []struct{ crawls, want string }{
		{"dddd", "  xx"}, {"ffffdddd", "  xx  xx"}, {"fdfdfdfd", "    xxxx"}, {"rrrd", "    "}, {"ccccd", "  xx "},
		{"ssssd", "  xx "}, {"ffD", "   "}, {"ddDD", "   x"}, {"lllld", "  xx "},
	} {
		var crawls []*jobs.Crawl
		for _, kind := range c.crawls {
			crawl := &jobs.Crawl{Start: "a", State: StateDone}
			switch kind {
			case 'D':
				crawl.Start = "b"
			case 'l':
				crawl.Limit = limitTime
			case 's', 'c':
				crawl.State = StateStopped
				if kind == 's' {
					crawl.Counts.Pages = 1
				}
			case 'f':
				crawl.State, crawl.Failure = StateFailed, failed
			case 'r':
				crawl.State = StateRunning
			}
			crawls = append(crawls, crawl)
		}
		old, got := surplus(crawls, 2), ""
		for _, crawl := range crawls {
			if slices.Contains(old, crawl) {
				got += "x"
			} else {
				got += " "
			}
		}
		if got != c.want {
			t.Errorf("of %s, %q are deleted, want %q", c.crawls, got, c.want)
		}
	}
}
