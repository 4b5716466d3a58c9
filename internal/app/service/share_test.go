package service

import (
	"errors"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/jobs"
)

// A sharer is a service whose crawls are only records.
type sharer struct {
	*Service
	t   *testing.T
	now time.Time
}

func newSharer(t *testing.T) *sharer {
	t.Helper()
	s := &sharer{t: t, now: time.Now()}
	s.Service = open(t, Options{Folder: t.TempDir(), Now: func() time.Time { return s.now }})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// add adds a crawl of a host, and returns its ID.
func (s *sharer) add(host string, state State) string {
	s.t.Helper()
	c := &jobs.Crawl{ID: newID(), Site: host, Start: host + "/", State: state, Details: jobs.Details{
		Counts: jobs.Counts{Pages: 1}, Failure: &jobs.Failure{Code: FailureStart},
	}}
	if err := s.store.Update(s.t.Context(), func(tx *jobs.Tx) error { return tx.AddCrawl(c) }); err != nil {
		s.t.Fatal(err)
	}
	return c.ID
}

func (s *sharer) change(id string, change func(*jobs.Crawl)) {
	s.t.Helper()
	_, err := s.modify(s.t.Context(), id, func(_ *jobs.Tx, c *jobs.Crawl) error {
		change(c)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *sharer) delete(id string) {
	s.t.Helper()
	if _, err := s.Delete(s.t.Context(), id); err != nil {
		s.t.Fatal(err)
	}
}

// share shares the newest result of a site for a week.
func (s *sharer) share(site string) (share *Share, token string) {
	s.t.Helper()
	share, token, err := s.Share(s.t.Context(), Shared{Site: site}, 7*24*time.Hour)
	if err != nil {
		s.t.Fatal(err)
	}
	return share, token
}

// shows checks which crawl a token of a site admits to; none for an empty ID.
func (s *sharer) shows(why, site, token, want string) {
	s.t.Helper()
	crawl, expires, err := s.CheckShare(s.t.Context(), Shared{Site: site}, token)
	isWrong := err != nil || crawl != want || !expires.After(s.now)
	if want == "" {
		isWrong = !errors.Is(err, ErrNotFound)
	}
	if isWrong {
		s.t.Errorf("%s: %q until %v, %v, want %q", why, crawl, expires, err, want)
	}
}

// TestNewestShare shows the newest result of a site and nothing else, whatever the names of the site are.
func TestNewestShare(t *testing.T) {
	t.Parallel()
	s := newSharer(t)
	first := s.add("www.garden.test", StateDone)
	other := s.add("other.test", StateDone)
	share, token := s.share("www.garden.test:443")
	if share.Site != "garden.test" || share.Shared != (Shared{Site: "garden.test"}) {
		t.Errorf("%+v", share)
	}
	s.shows("one crawl", "garden.test", token, first)
	for _, state := range []State{StateQueued, StateRunning, StatePaused, StateFailed} {
		s.add("garden.test", state)
		s.shows("a crawl that is "+string(state), "www.garden.test", token, first)
	}
	s.change(s.add("garden.test", StateDone), func(c *jobs.Crawl) { c.Limit = jobs.LimitServer })
	s.shows("a partial crawl", "garden.test", token, first)
	second := s.add("garden.test", StateDone)
	s.shows("a newer crawl", "garden.test", token, second)
	s.change(second, func(c *jobs.Crawl) { c.State = StateQueued })
	s.shows("the newer one goes on", "garden.test", token, first)
	s.change(second, func(c *jobs.Crawl) { c.State = StateDone })

	s.shows("another site", "other.test", token, "")
	s.shows("no site", "", token, "")
	s.shows("another token", "garden.test", token[1:], "")
	s.shows("no token", "garden.test", "", "")
	s.shows("the hash", "garden.test", hashOf(token), "")
	for _, id := range []string{first, second, other} {
		if crawl, _, err := s.CheckShare(t.Context(), Shared{Crawl: id}, token); !errors.Is(err, ErrNotFound) {
			t.Errorf("the token of the site opens %s: %v", crawl, err)
		}
	}
	_, ofCrawl, err := s.Share(t.Context(), Shared{Crawl: first}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	s.shows("the token of a crawl", "garden.test", ofCrawl, "")
	if crawl, _, err := s.CheckShare(t.Context(), Shared{Crawl: first}, ofCrawl); err != nil || crawl != first {
		t.Errorf("the share of a crawl: %q, %v", crawl, err)
	}
	for of, want := range map[Shared]int{{Crawl: first}: 1, {Crawl: second}: 0, {Site: "garden.test"}: 1, {}: 2} {
		if shares, err := s.Shares(t.Context(), of); err != nil || len(shares) != want {
			t.Errorf("%+v has %+v, %v", of, shares, err)
		}
	}
	if err := s.Revoke(t.Context(), Shared{Crawl: first}, share.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("a crawl revokes the share of the site: %v", err)
	}
	if err := s.Revoke(t.Context(), Shared{Site: "other.test"}, share.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("another site revokes the share: %v", err)
	}
	s.now = s.now.Add(7*24*time.Hour - time.Second)
	s.shows("a second before its end", "garden.test", token, second)
	s.now = s.now.Add(time.Second)
	s.shows("expired", "garden.test", token, "")
}

// TestNewestShareRefused makes no share of a site without a result.
func TestNewestShareRefused(t *testing.T) {
	t.Parallel()
	s := newSharer(t)
	s.add("garden.test", StateRunning)
	s.add("garden.test", StateFailed)
	for _, site := range []string{"garden.test", "none.test", ""} {
		if _, _, err := s.Share(t.Context(), Shared{Site: site}, time.Hour); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q is shared: %v", site, err)
		}
	}
	s.add("garden.test", StateDone)
	for range maxShares {
		s.share("garden.test")
		s.add("garden.test", StateDone)
	}
	if _, _, err := s.Share(t.Context(), Shared{Site: "garden.test"}, time.Hour); !errors.Is(err, ErrShares) {
		t.Errorf("another share: %v", err)
	}
}

// TestNewestShareEnds keeps the share of a site while the site has a crawl. A site that is crawled again afterwards
// was not shared.
func TestNewestShareEnds(t *testing.T) {
	t.Parallel()
	s := newSharer(t)
	first := s.add("garden.test", StateDone)
	share, token := s.share("garden.test")
	second := s.add("www.garden.test", StateDone)
	s.delete(first)
	s.shows("its crawl is deleted", "garden.test", token, second)
	if err := s.Revoke(t.Context(), share.Shared, share.ID); err != nil {
		t.Error(err)
	}
	s.shows("revoked", "garden.test", token, "")

	_, token = s.share("garden.test")
	s.delete(second)
	s.shows("no crawl", "garden.test", token, "")
	s.add("garden.test", StateDone)
	s.shows("a crawl after the last one was deleted", "garden.test", token, "")

	_, token = s.share("garden.test")
	s.add("garden.test", StateFailed)
	if err := s.DeleteSite(t.Context(), "garden.test"); err != nil {
		t.Fatal(err)
	}
	s.add("garden.test", StateDone)
	s.shows("a crawl after the site was deleted", "garden.test", token, "")
	if shares, err := s.Shares(t.Context(), Shared{}); len(shares) > 0 || err != nil {
		t.Errorf("left: %+v, %v", shares, err)
	}
}

// TestNewestShareMoves does not show the site to which a start redirects by now, nor a site that somebody else crawls
// under the old name.
func TestNewestShareMoves(t *testing.T) {
	t.Parallel()
	s := newSharer(t)
	first := s.add("garden.test", StateDone)
	_, token := s.share("garden.test")
	s.add("park.test", StateDone)
	move := func(to string) {
		t.Helper()
		_, err := s.modify(t.Context(), first, func(tx *jobs.Tx, c *jobs.Crawl) error {
			return joinSite(tx, c, &addresses.SiteAddress{Name: to})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	move("park.test")
	s.shows("the site that it moved to", "park.test", token, "")
	s.shows("the site that was shared", "garden.test", token, "")
	if shares, err := s.Shares(t.Context(), Shared{}); len(shares) > 0 || err != nil {
		t.Errorf("shares of a site without crawls: %+v, %v", shares, err)
	}
	s.change(s.add("garden.test", StateDone), func(c *jobs.Crawl) { c.URL = "https://garden.test/other" })
	s.shows("another start at the old name", "garden.test", token, "")
	s.delete(first)
	s.shows("its crawl is deleted", "park.test", token, "")
	s.shows("its crawl is deleted", "garden.test", token, "")
}

// TestNewestShareBackup keeps a share in a backup whose crawl is deleted meanwhile.
func TestNewestShareBackup(t *testing.T) {
	t.Parallel()
	s := newSharer(t)
	first := s.add("garden.test", StateDone)
	_, token := s.share("garden.test")
	second := s.add("garden.test", StateDone)
	folder := t.TempDir()
	if err := s.store.CopyTo(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	state, err := jobs.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	b := &backup{present: s.store, state: state}
	record, err := s.record(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	s.delete(first)
	if changed, err := b.takeChange(t.Context(), record); !changed || err != nil {
		t.Errorf("%v, %v", changed, err)
	}
	if err := state.Close(); err != nil {
		t.Fatal(err)
	}
	restored := open(t, Options{Folder: folder})
	defer restored.Close()
	crawl, _, err := restored.CheckShare(t.Context(), Shared{Site: "garden.test"}, token)
	if crawl != second || err != nil {
		t.Errorf("restored: %q, %v", crawl, err)
	}
}
