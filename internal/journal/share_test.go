package journal

import (
	"context"
	"runtime"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestShare gives a new job a place of a worker that has none free.
func TestShare(t *testing.T) {
	t.Parallel()
	c, ctx := connect(t), t.Context()
	submit := func(job string, hosts ...string) {
		t.Helper()
		var sites []Site
		for _, host := range hosts {
			sites = append(sites, Site{Start: "https://" + host + "/", Host: host})
		}
		if err := c.Submit(ctx, Job{Name: job}, sites); err != nil {
			t.Fatal(err)
		}
	}
	submit("large", "a.example", "b.example", "c.example", "d.example")
	w, err := c.NewWorker(ctx, WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(context.Background()) })
	var shards []*Shard
	for i := range 3 {
		s, err := w.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		s.Report(crawl.Progress{Pages: 10 - i})
		shards = append(shards, s)
	}
	submit("small", "e.example")
	for len(w.openViews(ctx)) < 2 {
		runtime.Gosched()
	}
	for range 2 {
		w.share(ctx)
	}
	for i, s := range shards {
		if isGivenBack, want := s.Held() != nil, i == 2; isGivenBack != want {
			t.Errorf("%s is given back: %t, want %t", s.host(), isGivenBack, want)
		}
	}
	s, err := w.Claim(ctx)
	if err != nil || s.Meta().Start != "https://e.example/" {
		t.Error("the site of the small job is not claimed:", s, err)
	}
}
