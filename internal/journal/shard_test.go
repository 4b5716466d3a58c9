package journal

import (
	"context"
	"testing"
	"time"
)

// TestNotesOfOwner shows that what an owner notes of a site is stored while it has the site,
// so that it is known after its death, and that others leave the site alone for so long.
func TestNotesOfOwner(t *testing.T) {
	t.Parallel()
	c, ctx := connect(t), t.Context()
	sites := []Site{{Start: "https://a.example/", Host: "a.example"}}
	if err := c.Submit(ctx, Job{Name: "notes"}, sites); err != nil {
		t.Fatal(err)
	}
	w, err := c.NewWorker(ctx, WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(context.Background()) })
	s, err := w.Claim(ctx)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.Follow(ctx, "notes")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s.Slow(0.5)
	s.Postpone(time.Now().Add(24 * time.Hour))
	for state := f.view.group(0); state.Rate != 0.5 || state.After.IsZero(); state = f.view.group(0) {
		<-f.changes
	}
	isFree := func(int, string) bool { return true }
	if _, _, ok := f.view.claimable(isFree); ok {
		t.Error("the site is handed out before the end of the pause")
	}
	if after := f.view.group(0).After; time.Until(after.Time) > retryTime+2*time.Second {
		t.Errorf("the site waits until %v, more than %v", after, retryTime)
	}
}
