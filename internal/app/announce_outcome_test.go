package app

import (
	"testing"

	"github.com/mapatools/mapa/announce"
)

// TestAnnounceOutcome counts a provider as reached that took a part before it failed.
func TestAnnounceOutcome(t *testing.T) {
	gone := &announce.Error{Reason: announce.ReasonUnreachable}
	for name, test := range map[string]struct {
		result announce.Result
		want   Announced
	}{
		"never reached":       {announce.Result{Err: gone, Failed: 5}, AnnouncedNone},
		"gone after a part":   {announce.Result{Err: gone, Sent: 2000, Failed: 500}, AnnouncedPart},
		"all sent":            {announce.Result{Sent: 5}, AnnouncedAll},
		"a part was not sent": {announce.Result{Sent: 5, Failed: 1}, AnnouncedPart},
	} {
		r := &AnnounceResult{Results: []ProviderResult{{Result: test.result}}}
		if got := r.Outcome(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
