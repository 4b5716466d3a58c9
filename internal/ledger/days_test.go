package ledger

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce"
)

// TestDays returns the days of what was sent to a target, also while the ledger is open.
func TestDays(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.sqlite")
	if _, err := Days(t.Context(), name, func(string) bool { return true }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a ledger: %v", err)
	}
	l := openTest(t, name)
	for i, outcome := range []announce.Outcome{announce.OutcomeSent, announce.OutcomeUnknown, announce.OutcomeSent} {
		b := batch(string(rune('1' + i)))
		b.Items[0].URL += b.Items[0].Version // each is announced for the first time
		c, err := l.Claim(t.Context(), b)
		if err == nil {
			err = l.Settle(t.Context(), c, outcome)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string]bool{"example.com": true, "other.example": false} {
		days, err := Days(t.Context(), name, func(of string) bool { return of == target })
		if err != nil || len(days) > 0 != want || len(days) > 2 { // midnight may have passed
			t.Errorf("%s: %q, %v", target, days, err)
		}
		for _, day := range days {
			if at, err := time.Parse(time.DateOnly, day); err != nil || time.Since(at) > 48*time.Hour {
				t.Errorf("%s: %q, %v", target, day, err)
			}
		}
	}
}
