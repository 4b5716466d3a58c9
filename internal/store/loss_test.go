package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"
)

// noticed is when the crawl of a test began, by its number.
func noticed(crawl int) time.Time { return time.Date(2026, 11, 10+crawl, 8, 0, 0, 0, time.UTC) }

// lossesOf returns a sequence of losses.
func lossesOf(losses ...*Loss) iter.Seq2[*Loss, error] {
	return func(yield func(*Loss, error) bool) {
		for _, loss := range losses {
			if !yield(loss, nil) {
				return
			}
		}
	}
}

// openLosses returns the losses of a kind as lines.
func openLosses(t *testing.T, f *File, kind string) (lines []string) {
	t.Helper()
	for _, loss := range collect(t, f.Losses(t.Context(), kind)) {
		since := loss.Since.Format(time.DateOnly)
		lines = append(lines, fmt.Sprint(loss.URL, " ", since, " ", loss.Kind, " ", loss.Decision, " ",
			loss.Status, " ", loss.Title))
	}
	return lines
}

// sampleLosses returns a file with three losses, one of which was added twice.
func sampleLosses(t *testing.T) *File {
	t.Helper()
	f, _ := create(t)
	t.Cleanup(func() { closeFile(t, f) })
	err := f.AddLosses(lossesOf(
		&Loss{"https://example.com/c", noticed(1), "newly-broken", "server-error", 500, "C", false},
		&Loss{"https://example.com/a", noticed(2), "left-sitemap", "noindex", 200, "A", false},
		&Loss{"https://example.com/b", noticed(1), "left-sitemap", "noindex", 200, "", false},
	))
	if err != nil {
		t.Fatal(err)
	}
	again := &Loss{"https://example.com/a", noticed(3), "newly-broken", "unreachable", 0, "B", false}
	if err := f.AddLosses(lossesOf(again)); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAddLosses(t *testing.T) {
	f := sampleLosses(t)
	a := "https://example.com/a 2026-11-12 left-sitemap noindex 200 A"
	b := "https://example.com/b 2026-11-11 left-sitemap noindex 200 "
	c := "https://example.com/c 2026-11-11 newly-broken server-error 500 C"
	equal(t, "all", openLosses(t, f, ""), []string{a, b, c})
	equal(t, "left-sitemap", openLosses(t, f, "left-sitemap"), []string{a, b})
	equal(t, "newly-broken", openLosses(t, f, "newly-broken"), []string{c})
	counts, err := f.CountLosses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "counts", counts, []LossCount{
		{"left-sitemap", "noindex", 2, noticed(1)}, {"newly-broken", "server-error", 1, noticed(1)}})
	loss, err := f.LossOf("https://example.com/b")
	if err != nil || loss == nil || !loss.Since.Equal(noticed(1)) {
		t.Errorf("%+v, %v", loss, err)
	}
	if loss, err := f.LossOf("https://example.com/"); loss != nil || err != nil {
		t.Errorf("of a page that is not lost: %+v, %v", loss, err)
	}
}

// TestAddLossesFails adds none of the losses of a sequence that fails.
func TestAddLossesFails(t *testing.T) {
	f := sampleLosses(t)
	failure := errors.New("cannot read")
	err := f.AddLosses(func(yield func(*Loss, error) bool) {
		_ = yield(&Loss{URL: "https://example.com/d", Kind: "left-sitemap", Decision: "noindex"}, nil) && yield(nil, failure)
	})
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	equal(t, "losses", len(openLosses(t, f, "")), 3)
}

func TestUpdateLosses(t *testing.T) {
	f := sampleLosses(t)
	var seen []string
	err := f.UpdateLosses(func(loss *Loss) (bool, error) {
		seen = append(seen, loss.URL)
		if loss.URL == "https://example.com/b" {
			return false, nil
		}
		loss.Kind, loss.Decision, loss.Status = "newly-broken", "client-error", 404
		loss.Since, loss.Title = noticed(9), "another" // are kept as they were
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "order", seen, []string{"https://example.com/a", "https://example.com/b", "https://example.com/c"})
	want := []string{"https://example.com/a 2026-11-12 newly-broken client-error 404 A",
		"https://example.com/c 2026-11-11 newly-broken client-error 404 C"}
	equal(t, "left", openLosses(t, f, ""), want)
	failure := errors.New("cannot read")
	err = f.UpdateLosses(func(loss *Loss) (bool, error) {
		if loss.URL == "https://example.com/c" {
			return false, failure
		}
		return false, nil
	})
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	equal(t, "after an error", openLosses(t, f, ""), want)
}

// TestIgnoreLosses counts and lists the losses that are not ignored.
func TestIgnoreLosses(t *testing.T) {
	f := sampleLosses(t)
	err := f.UpdateLosses(func(loss *Loss) (bool, error) {
		loss.Ignored = loss.URL != "https://example.com/b"
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "others", openLosses(t, f, ""), []string{"https://example.com/b 2026-11-11 left-sitemap noindex 200 "})
	counts, err := f.CountLosses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "counts", counts, []LossCount{{"left-sitemap", "noindex", 1, noticed(1)}})
	var ignored []bool
	for _, loss := range collect(t, f.AllLosses(t.Context())) {
		ignored = append(ignored, loss.Ignored)
	}
	equal(t, "all", ignored, []bool{true, false, true})
}

// TestManyLosses updates more losses than are read at once.
func TestManyLosses(t *testing.T) {
	f, _ := create(t)
	defer closeFile(t, f)
	var losses []*Loss
	for n := range 2500 {
		url := fmt.Sprintf("https://example.com/%04d", n)
		losses = append(losses, &Loss{url, noticed(1), "left-sitemap", "noindex", 200, "", false})
	}
	if err := f.AddLosses(lossesOf(losses...)); err != nil {
		t.Fatal(err)
	}
	number := 0
	err := f.UpdateLosses(func(*Loss) (bool, error) {
		number++
		return number%5 == 0, nil
	})
	if err != nil || number != len(losses) {
		t.Errorf("%d losses, %v", number, err)
	}
	left := openLosses(t, f, "")
	if len(left) != 500 || !slices.IsSorted(left) {
		t.Errorf("%d losses are left, sorted %v", len(left), slices.IsSorted(left))
	}
}

// TestDamagedLosses reads rows that another program has made up: their values are of other types.
func TestDamagedLosses(t *testing.T) {
	f := sampleLosses(t)
	if err := f.db.Exec("update loss set since = 'never', status = -5, kind = 7, title = x'ff'"); err != nil {
		t.Fatal(err)
	}
	equal(t, "losses", len(openLosses(t, f, "")), 3)
	if _, err := f.CountLosses(t.Context()); err != nil {
		t.Error(err)
	}
	for _, loss := range collect(t, f.Losses(t.Context(), "")) {
		if loss.Status < 0 || !loss.Since.IsZero() {
			t.Errorf("%+v", loss)
		}
	}
}
