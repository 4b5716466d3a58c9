package ledger

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce"
)

const pageA = "https://example.com/a"

// update counts the changes of the sitemap of the tests.
func (l *Ledger) update(t *testing.T, do func(*Update) error) {
	t.Helper()
	if err := l.Update(t.Context(), sitemapURL, do); err != nil {
		t.Fatal(err)
	}
}

// pendingA returns the versions of the changes that indexnow has not received.
func (l *Ledger) pendingA(t *testing.T) (versions []string) {
	t.Helper()
	for c, err := range l.Pending(t.Context(), sitemapURL, "indexnow") {
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, c.Version)
	}
	return versions
}

// receive records that indexnow receives a version of a page.
func (l *Ledger) receive(t *testing.T, version string) {
	t.Helper()
	c, err := l.Claim(t.Context(), batch(version))
	if err == nil {
		err = l.Settle(t.Context(), c, announce.OutcomeSent)
	}
	if err != nil || len(c.Items) != 1 {
		t.Fatalf("claim %+v, error %v", c, err)
	}
}

// TestSameState records the same change again, as a comparison with the same earlier
// sitemap does: who has received the page in this state has received it.
func TestSameState(t *testing.T) {
	l := openTest(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	add := func(u *Update) error { return u.Add(pageA, "changed") }
	l.update(t, func(u *Update) error { return errors.Join(u.SetPage(Page{URL: pageA, LastMod: "2026-01-01"}), add(u)) })
	first := l.pendingA(t)
	if len(first) != 1 {
		t.Fatalf("%q are pending", first)
	}
	l.receive(t, first[0])
	l.update(t, add)
	if again := l.pendingA(t); len(again) > 0 {
		t.Errorf("%q are pending again", again)
	}
	l.update(t, func(u *Update) error { return errors.Join(u.SetPage(Page{URL: pageA, LastMod: "2026-01-02"}), add(u)) })
	second := l.pendingA(t)
	if len(second) != 1 || second[0] == first[0] {
		t.Errorf("%q are pending after another change", second)
	}
	l.receive(t, second[0])
	drop := func(u *Update) error { return errors.Join(u.DropPage(pageA), u.Add(pageA, "removed")) }
	l.update(t, drop)
	third := l.pendingA(t)
	if len(third) != 1 || slices.Contains([]string{first[0], second[0]}, third[0]) {
		t.Fatalf("%q are pending after the page was removed", third)
	}
	l.receive(t, third[0])
	l.update(t, drop)
	if again := l.pendingA(t); len(again) > 0 {
		t.Errorf("%q are pending again", again)
	}
}

// TestVersionsOfSitemaps counts the states of two sitemaps that share a page together: a
// version of one is never taken for one of the other.
func TestVersionsOfSitemaps(t *testing.T) {
	l := openTest(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	change := func(u *Update) error { return errors.Join(u.SetPage(Page{URL: pageA}), u.Add(pageA, "changed")) }
	l.update(t, change)
	l.receive(t, l.pendingA(t)[0])
	if err := l.Update(t.Context(), "https://example.com/other.xml", change); err != nil {
		t.Fatal(err)
	}
	if n, err := l.CountPending(t.Context(), "https://example.com/other.xml", "indexnow"); err != nil || n != 1 {
		t.Errorf("%d pending, error %v", n, err)
	}
}

// TestListed reads more pages than are read at once.
func TestListed(t *testing.T) {
	l := openTest(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	l.update(t, func(u *Update) error {
		for i := range 2*pageSize + 1 {
			if err := u.SetPage(Page{URL: pageA + string(rune('a'+i%26)) + time.Duration(i).String()}); err != nil {
				return err
			}
		}
		return nil
	})
	var urls []string
	for p, err := range l.Listed(t.Context(), sitemapURL) {
		if err != nil || p.Version == "" {
			t.Fatalf("%+v, error %v", p, err)
		}
		urls = append(urls, p.URL)
	}
	if len(urls) != 2*pageSize+1 || !slices.IsSorted(urls) || len(slices.Compact(urls)) != 2*pageSize+1 {
		t.Errorf("%d pages", len(urls))
	}
}

// TestClockIsAhead lets a run record with a clock that is a year ahead. Afterwards nothing
// waits for that year, and no change is forgotten.
func TestClockIsAhead(t *testing.T) {
	l := openTest(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	set := func(u *Update) error { return errors.Join(u.SetPage(Page{URL: pageA}), u.Add(pageA, "changed")) }
	l.update(t, set)
	none := func(*Update) error { return nil }
	l.update(t, none)
	l.receive(t, "other")
	now := time.Now()
	err := l.SetQuota(t.Context(), announce.Quota{Channel: "indexnow", Target: "example.com", Kind: announce.KindURLs,
		Since: now.Add(365 * 24 * time.Hour), Resets: now.Add(366 * 24 * time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	const year = 365 * 24 * 3600 * 1000
	for _, statement := range []string{
		"update item set at = at + ?", "update claim set begun = begun + ?", "update sitemap set seen = seen + ?",
	} {
		if _, err := l.db.ExecContext(t.Context(), statement, year); err != nil {
			t.Fatal(err)
		}
	}
	b := batch("1")
	b.Cooldown = 10 * time.Minute
	c, err := l.Claim(context.Background(), b)
	if err != nil || len(c.Items) != 1 {
		t.Errorf("claim %+v, error %v", c, err)
	}
	if quotas, err := l.Quotas(t.Context()); err != nil || len(quotas) > 0 {
		t.Errorf("quotas %+v, error %v", quotas, err)
	}
	l.update(t, none)
	if n, err := l.CountPending(t.Context(), sitemapURL, "baidu"); err != nil || n != 1 {
		t.Errorf("%d pending, error %v", n, err)
	}
	if _, err := l.db.ExecContext(t.Context(), "update change set at = at - ?", year); err != nil {
		t.Fatal(err)
	}
	l.update(t, none)
	if n, err := l.CountPending(t.Context(), sitemapURL, "baidu"); err != nil || n != 0 {
		t.Errorf("%d pending after a year, error %v", n, err)
	}
}
