package announce_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/announcetest"
	"github.com/mapatools/mapa/announce/internal/calendar"
)

func (w *world) play(t *testing.T, name string, times int) {
	t.Helper()
	if err := w.Play(name, times); err != nil {
		t.Fatal(err)
	}
}

// TestWaits measures, in virtual time, how long temporary failures are waited for.
func TestWaits(t *testing.T) {
	for _, test := range []struct {
		scenario    string
		times       int
		least, most time.Duration
		sent        int
	}{
		{"indexnow-500", 2, 15 * time.Second, 19 * time.Second, 2},           // 5 s and 10 s
		{"indexnow-503", 1, 7 * time.Second, 8 * time.Second, 2},             // Retry-After: 7
		{"indexnow-429", 1, 90 * time.Second, 91 * time.Second, 2},           // Retry-After: 90
		{"indexnow-429-bare", 1, minute, 75 * time.Second, 2},                // at least 60 s
		{"indexnow-403-pending", 3, 210 * time.Second, 263 * time.Second, 2}, // 30, 60 and 120 s
		{"indexnow-403-pending", 1000, 7 * minute, 10 * minute, 0},           // given up within 10 minutes
		{"indexnow-403-burned", 1, 0, 0, 0},                                  // no retry
		{"indexnow-hang", 1, 65 * time.Second, 67 * time.Second, 2},          // a minute, and 5 s
	} {
		t.Run(test.scenario, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				w.options.Wait = 10 * minute
				w.play(t, test.scenario, test.times)
				begun := time.Now()
				r := w.announcer(t, announce.ProviderIndexNow).Announce(t.Context(), announcement("1"))[0]
				if took := time.Since(begun); took < test.least || took > test.most {
					t.Errorf("it took %v, want %v to %v", took, test.least, test.most)
				}
				if r.Sent != test.sent {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

// TestPendingLater sends what IndexNow did not take yet with the next announcement.
func TestPendingLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.play(t, "indexnow-403-pending", 1)
		a := w.announcer(t, announce.ProviderIndexNow)
		if r := a.Announce(t.Context(), announcement("1"))[0]; r.Pending != 2 || r.Err != nil || len(r.Notes) == 0 {
			t.Errorf("first: %+v", r)
		}
		if r := a.Announce(t.Context(), announcement("1"))[0]; r.Sent != 2 || r.Repeated != 0 {
			t.Errorf("second: %+v", r)
		}
	})
}

// TestCooldown holds a URL back for ten minutes, also in a new version.
func TestCooldown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		a := w.announcer(t, announce.ProviderIndexNow)
		a.Announce(t.Context(), announcement("1"))
		time.Sleep(9 * minute)
		r := a.Announce(t.Context(), announcement("2"))[0]
		if r.Waiting != 2 || r.Sent != 0 || time.Until(r.Until) != minute {
			t.Errorf("after 9 minutes: %+v", r)
		}
		time.Sleep(minute)
		if r := a.Announce(t.Context(), announcement("2"))[0]; r.Sent != 2 || r.Err != nil {
			t.Errorf("after 10 minutes: %+v", r)
		}
	})
}

// TestQuotaResets sends within the quota, keeps the rest, and sends it after the reset.
func TestQuotaResets(t *testing.T) {
	for _, test := range []struct {
		provider announce.Provider
		zone     calendar.Zone
	}{
		{announce.ProviderBing, calendar.UTC},
		{announce.ProviderYandex, calendar.Moscow},
		{announce.ProviderBaidu, calendar.Shanghai},
	} {
		t.Run(string(test.provider), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, func(o *announcetest.Options) { o.BingQuota, o.YandexQuota, o.BaiduQuota = 2, 2, 2 })
				a := w.announcer(t, test.provider)
				send := func() announce.Result {
					t.Helper()
					results := a.Announce(t.Context(), &announce.Announcement{URLs: urls("1", "/a", "/b")})
					more := a.Announce(t.Context(), &announce.Announcement{URLs: urls("1", "/a", "/b", "/c")})
					r := more[len(more)-1]
					if results[len(results)-1].Err != nil || r.Err != nil {
						t.Fatalf("%+v, then %+v", results, more)
					}
					return r
				}
				_, midnight := test.zone.Day(time.Now())
				if r := send(); r.Known != 2 || r.Waiting != 1 || r.Sent != 0 || !r.Until.Equal(midnight) {
					t.Errorf("before the reset at %v: %+v", midnight, r)
				}
				time.Sleep(time.Until(midnight))
				if r := send(); r.Sent != 1 || r.Waiting != 0 {
					t.Errorf("after the reset: %+v", r)
				}
			})
		})
	}
}

// TestPacificMidnight keeps a sitemap back until Google's quota resets.
func TestPacificMidnight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.play(t, "google-429-daily", 1)
		a := w.announcer(t, announce.ProviderGoogle)
		_, midnight := calendar.Pacific.Day(time.Now())
		if r := a.Announce(t.Context(), announcement("1"))[0]; r.Err != nil || r.Waiting != 1 || !r.Until.Equal(midnight) {
			t.Errorf("used up: %+v", r)
		}
		time.Sleep(time.Until(midnight) - time.Second)
		if r := a.Announce(t.Context(), announcement("1"))[0]; r.Sent != 0 || r.Waiting != 1 {
			t.Errorf("a second before the reset: %+v", r)
		}
		time.Sleep(time.Second)
		if r := a.Announce(t.Context(), announcement("1"))[0]; r.Sent != 1 {
			t.Errorf("after the reset: %+v", r)
		}
	})
}

// TestRecrawlQuota counts Yandex's requests to read a sitemap again by month.
func TestRecrawlQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(o *announcetest.Options) { o.RecrawlQuota = 1 })
		a := w.announcer(t, announce.ProviderYandex)
		for i, want := range []string{"added", "sent", "waiting"} {
			results := a.Announce(t.Context(), &announce.Announcement{
				Sitemap: announce.Item{URL: origin + "/sitemap.xml", Version: want},
			})
			last := results[len(results)-1]
			_, month := calendar.Moscow.Month(time.Now())
			switch {
			case i == 0 && (last.Kind != announce.KindSitemap || last.Sent != 1),
				i == 1 && (last.Kind != announce.KindRecrawl || last.Sent != 1),
				i == 2 && (last.Kind != announce.KindRecrawl || last.Waiting != 1 || !last.Until.Equal(month)):
				t.Errorf("%s: %+v", want, results)
			}
		}
	})
}
