package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

func testFinish(t *testing.T, b *Backend) {
	s := b.start(t)
	for _, step := range []struct {
		name     string
		do       func()
		finished bool
	}{
		{"create", func() {}, false},
		{"reopen", s.reopen, false},
		{"append", func() { s.append(Sample()[0]) }, false},
		{"finish", s.finish, true},
		{"finish again", s.finish, true},
		{"reopen finished", s.reopen, true},
		{"append to finished", func() { s.append(Sample()[1]) }, false},
		{"reopen unfinished", s.reopen, false},
		{"finish at last", s.finish, true},
		{"append without reopening", func() { s.append(Sample()[2:]...) }, false},
	} {
		if step.do(); s.Finished() != step.finished {
			t.Errorf("%s: finished is %t", step.name, s.Finished())
		}
	}
	equal(t, "records", len(collect(t, s.Pages(t.Context()))), len(sampleRecords()))
}

func testFinishCanceled(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	if err := s.Finish(canceled(t)); !errors.Is(err, context.Canceled) || s.Finished() {
		t.Errorf("error %v of a canceled context, finished is %t", err, s.Finished())
	}
}

// canceled returns a context that has ended.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// replay returns pages and links as Replay hands them back, and checks their order.
func replay(t *testing.T, store crawl.Store) (links []crawl.Link, pages []crawl.Page) {
	t.Helper()
	err := store.Replay(t.Context(), func(commit crawl.Commit) error {
		for _, page := range commit.Done {
			if len(links) > 0 {
				return fmt.Errorf("page %d comes after the first link", page.ID)
			}
			pages = append(pages, crawl.Page{ID: page.ID, Status: page.Status, Reason: page.Reason, Target: page.Target,
				MediaType: page.MediaType, Size: page.Size, Transferred: page.Transferred, Digest: page.Digest,
				Rendered: page.Rendered})
		}
		for _, link := range commit.Found {
			if link.ID != crawl.ID(len(links)+1) {
				return fmt.Errorf("link %d comes after %d links", link.ID, len(links))
			}
			link.SeededBy = 0 // need not be handed back
			links = append(links, link)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(pages, func(a, b crawl.Page) int { return int(a.ID - b.ID) })
	return links, pages
}

// wantReplay returns what Replay must hand back of a crawl.
func wantReplay(commits []crawl.Commit) (links []crawl.Link, pages []crawl.Page) {
	links, pages = flatten(commits)
	for i := range links {
		links[i].SeededBy = 0
	}
	for i, page := range pages {
		pages[i] = crawl.Page{ID: page.ID, Status: page.Status, Reason: page.Reason, Target: page.Target,
			MediaType: page.MediaType, Size: page.Size, Transferred: page.Transferred, Digest: page.Digest,
			Rendered: page.Rendered}
	}
	return links, pages
}

func testReplay(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	wantLinks, wantPages := wantReplay(Sample())
	for range 2 { // once more after opening again
		links, pages := replay(t, s)
		equal(t, "links", links, wantLinks)
		equal(t, "pages", pages, wantPages)
		s.reopen()
	}
}

func testReplayStops(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	stop := errors.New("stop")
	calls := 0
	err := s.Replay(t.Context(), func(crawl.Commit) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	err = s.Replay(canceled(t), func(crawl.Commit) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a canceled context", err)
	}
}

// testResume opens the store again after every commit.
func testResume(t *testing.T, b *Backend) {
	s := b.start(t)
	commits := Sample()
	for i, commit := range commits {
		s.append(commit)
		s.reopen()
		wantLinks, wantPages := wantReplay(commits[:i+1])
		links, pages := replay(t, s)
		equal(t, fmt.Sprintf("links after commit %d", i), links, wantLinks)
		equal(t, fmt.Sprintf("pages after commit %d", i), pages, wantPages)
	}
	want := sampleRecords()
	for i := range want {
		want[i].Page.Links, want[i].Page.Anchors, want[i].Page.Shingles = nil, nil, nil
	}
	equal(t, "pages in the end", collect(t, s.Pages(t.Context())), want)
}

// testAppendIsAtomic appends the links of a page twice in one commit.
func testAppendIsAtomic(t *testing.T, b *Backend) {
	commits := Sample()
	s := b.start(t, commits[0])
	twice := commits[1]
	twice.Done = append(slices.Clone(twice.Done), twice.Done[0])
	if err := s.Append(t.Context(), twice); err == nil {
		t.Error("the links of a page were appended twice")
	}
	links, pages := replay(t, s)
	if len(links) != 2 || len(pages) != 0 {
		t.Errorf("%d links and %d pages are there after a commit that failed", len(links), len(pages))
	}
	s.append(commits[1])
	if err := s.Append(t.Context(), crawl.Commit{Done: commits[1].Done}); err == nil {
		t.Error("the links of a page were appended twice, in two commits")
	}
}

func testAppendCanceled(t *testing.T, b *Backend) {
	commits := Sample()
	s := b.start(t, commits[0])
	if err := s.Append(canceled(t), commits[1]); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a canceled context", err)
	}
	if links, pages := replay(t, s); len(links) != 2 || len(pages) != 0 {
		t.Errorf("%d links and %d pages are there after a canceled commit", len(links), len(pages))
	}
}

// testReplacePage replaces a redirect by one that leads back, and a page with links,
// which stay.
func testReplacePage(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	redirect := crawl.Page{ID: 4, Status: 302, Reason: crawl.ReasonRedirectLoop, Target: 4}
	start := crawl.Page{ID: 1, Status: 302, Reason: crawl.ReasonRedirectLoop, Target: 1}
	s.append(crawl.Commit{Done: []crawl.Page{redirect, start}})
	for range 2 {
		got, ok, err := s.Page(4)
		if err != nil || !ok {
			t.Fatalf("page 4 is there: %t, error %v", ok, err)
		}
		equal(t, "page 4", got.Page, redirect)
		got, ok, err = s.Page(1)
		if err != nil || !ok {
			t.Fatalf("page 1 is there: %t, error %v", ok, err)
		}
		want := start
		before := Sample()[1].Done[0]
		want.Links, want.Anchors, want.Shingles = before.Links, before.Anchors, before.Shingles
		equal(t, "page 1", got.Page, want)
		equal(t, "records", len(collect(t, s.Pages(t.Context()))), len(sampleRecords()))
		s.reopen()
	}
}

// testReplaceLink makes a link that was not to be followed one that is.
func testReplaceLink(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	link := crawl.Link{ID: 2, URL: "https://example.com/add", Depth: 7, From: 3}
	s.append(crawl.Commit{Found: []crawl.Link{link}},
		crawl.Commit{Seeds: []crawl.Link{{ID: 2, SeededBy: crawl.SeedList}}})
	link.SeededBy = crawl.SeedSitemap | crawl.SeedList
	for range 2 {
		got, err := s.Link(2)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "link 2", got, link)
		s.reopen()
	}
}
