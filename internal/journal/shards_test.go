package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
	"github.com/mapatools/mapa/internal/journal"
)

// workers begins a job of sites, given by their starts, and returns what makes another
// worker for it.
type workers func(t *testing.T, starts ...string) (newWorker func() *journal.Worker)

// TestShards tests that workers hand out shards as [journal.Shard] promises.
func TestShards(t *testing.T) {
	c := connect(t)
	begin := func(t *testing.T, starts ...string) func() *journal.Worker {
		job, first := submit(t, c, hosts(starts)...)
		return func() *journal.Worker {
			if w := first; w != nil {
				first = nil
				return w
			}
			return newWorker(t, c, job)
		}
	}
	for name, test := range map[string]func(*testing.T, workers){
		"Claim":  testClaim,
		"Replay": testShardReplay,
		"Begin":  testBegin,
		"Offer":  testOffer,
		"Reopen": testReopen,
		"Notes":  testNotes,
		"Limit":  testLimit,
		"Spent":  testSpent,
	} {
		t.Run(name, func(t *testing.T) { test(t, begin) })
	}
}

// hosts returns the hosts of starts.
func hosts(starts []string) (hosts []string) {
	for _, start := range starts {
		hosts = append(hosts, strings.TrimSuffix(strings.TrimPrefix(start, "https://"), "/"))
	}
	return hosts
}

var meta = crawl.Meta{Start: startA, Options: "depth=3", Program: "mapa test"}

const (
	startA = "https://a.example/"
	startB = "https://b.example/"
)

// claimTime is the longest wait for a shard that is free.
const claimTime = time.Minute

func closeShard(t *testing.T, s *journal.Shard, end journal.ShardEnd) {
	t.Helper()
	if err := s.Close(t.Context(), end); err != nil {
		t.Fatal(err)
	}
}

// wantEnd checks that every shard is finished.
func wantEnd(t *testing.T, e *journal.Worker) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), claimTime)
	defer cancel()
	if _, err := e.Claim(ctx); err != io.EOF {
		t.Errorf("claim after the end: %v", err)
	}
}

// testClaim hands every site out once, and ends when all have.
func testClaim(t *testing.T, begin workers) {
	newWorker := begin(t, startA, startB, "https://c.example/")
	first, second := newWorker(), newWorker()
	var starts []string
	var shards []*journal.Shard
	for _, w := range []*journal.Worker{first, second, first} {
		s := claim(t, w)
		starts, shards = append(starts, s.Meta().Start), append(shards, s)
	}
	slices.Sort(starts)
	if want := []string{startA, startB, "https://c.example/"}; !slices.Equal(starts, want) {
		t.Errorf("%v, want %v", starts, want)
	}
	for _, s := range shards {
		if err := s.Held(); err != nil {
			t.Error("before the end:", err)
		}
		if err := s.Begin(t.Context(), s.Meta()); err != nil {
			t.Error(err)
		}
		closeShard(t, s, journal.ShardEnd{})
		if err := s.Append(t.Context(), crawl.Commit{}); !errors.Is(err, journal.ErrLost) {
			t.Error("append after the end:", err)
		}
	}
	wantEnd(t, first)
	wantEnd(t, second)
}

// replayed returns what a shard hands back: what it began with last, and the commits since.
func replayed(t *testing.T, s *journal.Shard) (meta crawl.Meta, links []crawl.Link, pages []crawl.Page) {
	t.Helper()
	err := s.Replay(t.Context(), func(m crawl.Meta) error {
		meta, links, pages = m, nil, nil
		return nil
	}, func(c crawl.Commit) error {
		links, pages = append(links, c.Found...), append(pages, c.Done...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return meta, links, pages
}

// testShardReplay gives a shard back, and hands what was appended to the next owner.
func testShardReplay(t *testing.T, begin workers) {
	newWorker := begin(t, startA)
	first := claim(t, newWorker())
	if m, _, pages := replayed(t, first); m.Start != "" || len(pages) > 0 {
		t.Error("a new shard hands back", m, pages)
	}
	commits := storetest.Sample()
	if err := first.Begin(t.Context(), meta); err != nil {
		t.Fatal(err)
	}
	for _, c := range commits {
		if err := first.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	closeShard(t, first, journal.ShardEnd{Again: true})
	w := newWorker()
	second := claim(t, w)
	got, links, pages := replayed(t, second)
	var wantLinks []crawl.Link
	var wantPages []crawl.Page
	for _, c := range commits {
		wantLinks, wantPages = append(wantLinks, c.Found...), append(wantPages, c.Done...)
	}
	if got != meta || len(links) != len(wantLinks) || len(pages) != len(wantPages) {
		t.Errorf("%v with %d links and %d pages, want %v with %d and %d",
			got, len(links), len(pages), meta, len(wantLinks), len(wantPages))
	}
	for i := range min(len(pages), len(wantPages)) {
		if pages[i].ID != wantPages[i].ID || pages[i].Status != wantPages[i].Status {
			t.Errorf("page %d is %v, want %v", i, pages[i], wantPages[i])
		}
	}
	closeShard(t, second, journal.ShardEnd{})
	wantEnd(t, w)
}

// testBegin begins a shard twice. The second time discards what was appended.
func testBegin(t *testing.T, begin workers) {
	w := begin(t, startA)()
	s := claim(t, w)
	if err := errors.Join(s.Begin(t.Context(), meta), s.Append(t.Context(), storetest.Sample()[0])); err != nil {
		t.Fatal(err)
	}
	other := crawl.Meta{Start: "http://a.example/", Options: meta.Options, Program: meta.Program}
	if err := s.Begin(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	closeShard(t, s, journal.ShardEnd{Again: true})
	again := claim(t, w)
	if got, links, pages := replayed(t, again); got != other || len(links) > 0 || len(pages) > 0 {
		t.Errorf("%v with %d links and %d pages, want %v without", got, len(links), len(pages), other)
	}
	closeShard(t, again, journal.ShardEnd{})
}

// claimTwo claims the shards of startA and startB.
func claimTwo(t *testing.T, w *journal.Worker) (a, b *journal.Shard) {
	t.Helper()
	a, b = claim(t, w), claim(t, w)
	if a.Meta().Start == startB {
		a, b = b, a
	}
	return a, b
}

func wantOffered(t *testing.T, s *journal.Shard, want ...string) {
	t.Helper()
	if got, err := s.Offered(t.Context()); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q were offered, want %q; error %v", got, want, err)
	}
}

// testOffer hands offered URLs once to the owner of their host.
func testOffer(t *testing.T, begin workers) {
	a, b := claimTwo(t, begin(t, startA, startB)())
	urls := []string{startB + "x", startB + "y"}
	for range 2 { // as after a commit that is repeated
		if err := a.Offer(t.Context(), "b.example", urls); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Offer(t.Context(), "other.example", urls); err != nil {
		t.Error("a host without a shard:", err)
	}
	wantOffered(t, b, urls...)
	wantOffered(t, b)
	wantOffered(t, a)
	wantMany(t, a, b)
	closeShard(t, a, journal.ShardEnd{})
	closeShard(t, b, journal.ShardEnd{})
}

// wantMany offers as many URLs, and as long ones, as a page may have.
func wantMany(t *testing.T, from, to *journal.Shard) {
	t.Helper()
	want := make([]string, 1000)
	for i := range want {
		want[i] = fmt.Sprint(startB, strings.Repeat("x", 2000), i)
	}
	ctx, cancel := context.WithTimeout(t.Context(), claimTime)
	defer cancel()
	if err := from.Offer(ctx, "b.example", want); err != nil {
		t.Error(err)
	}
	var got []string
	for {
		some, err := to.Offered(ctx)
		if err != nil || len(some) == 0 {
			break
		}
		got = append(got, some...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d long URLs were offered, want %d", len(got), len(want))
	}
}

// testSpent adds up how long owners have crawled a shard, without the time between them.
func testSpent(t *testing.T, begin workers) {
	w := begin(t, startA)()
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for owner := range 3 {
		s := claim(t, w)
		replayed(t, s)
		if want := time.Duration(owner) * 20 * time.Second; s.Spent() != want {
			t.Errorf("owner %d: %v spent, want %v", owner, s.Spent(), want)
		}
		if owner == 0 {
			if err := s.Begin(t.Context(), meta); err != nil {
				t.Fatal(err)
			}
		}
		var c crawl.Commit
		for i := range 3 {
			id := crawl.ID(3*owner + i + 1)
			c.Found = append(c.Found, crawl.Link{ID: id, URL: fmt.Sprint(startA, id)})
			at := begun.Add(time.Duration(owner)*time.Hour + time.Duration(i)*10*time.Second)
			c.Done = append(c.Done, crawl.Page{ID: id, Status: 200, Time: at})
		}
		if err := s.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		closeShard(t, s, journal.ShardEnd{Again: owner < 2})
	}
}

// testLimit offers URLs to shards that failed or reached a limit: they stay finished.
func testLimit(t *testing.T, begin workers) {
	w := begin(t, startA, startB)()
	a, b := claimTwo(t, w)
	err := errors.Join(a.Offer(t.Context(), "b.example", []string{startB + "x"}),
		b.Offer(t.Context(), "a.example", []string{startA + "x"}))
	if err != nil {
		t.Fatal(err)
	}
	closeShard(t, a, journal.ShardEnd{Failure: "refused"})
	closeShard(t, b, journal.ShardEnd{Progress: crawl.Progress{Limit: crawl.LimitPages}})
	wantEnd(t, w)
}

// testReopen offers URLs to a shard that is finished: it is handed out again.
func testReopen(t *testing.T, begin workers) {
	w := begin(t, startA, startB)()
	a, b := claimTwo(t, w)
	closeShard(t, b, journal.ShardEnd{})
	if err := a.Offer(t.Context(), "b.example", []string{startB + "late"}); err != nil {
		t.Fatal(err)
	}
	closeShard(t, a, journal.ShardEnd{})
	again := claim(t, w)
	if again.Meta().Start != startB {
		t.Error("another site was opened again:", again.Meta().Start)
	}
	wantOffered(t, again, startB+"late")
	closeShard(t, again, journal.ShardEnd{})
	wantEnd(t, w)
}

// testNotes hands what the first owner has noted of a site to the next, which gets it after
// the pause that the site asks for.
func testNotes(t *testing.T, begin workers) {
	newWorker := begin(t, startA)
	first := claim(t, newWorker())
	if rate := first.Slowed(); rate != 0 {
		t.Errorf("a new shard is slowed down to %v", rate)
	}
	until := time.Now().Add(time.Second)
	first.Slow(2.5)
	first.Postpone(until)
	first.Postpone(until.Add(-time.Hour)) // a later answer that asks for less
	closeShard(t, first, journal.ShardEnd{Again: true})
	w := newWorker()
	second := claim(t, w)
	if now := time.Now(); now.Before(until) {
		t.Errorf("handed out %v before the end of the pause", until.Sub(now))
	}
	if rate := second.Slowed(); rate != 2.5 {
		t.Errorf("slowed down to %v, want 2.5", rate)
	}
	second.Postpone(time.Now().Add(time.Hour))
	closeShard(t, second, journal.ShardEnd{})
	wantEnd(t, w)
}
