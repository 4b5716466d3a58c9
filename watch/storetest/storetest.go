// Package storetest is the suite that every [watch.Store] must pass.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/watch"
)

// Run tests a store. open returns an empty store. reopen closes it and opens it again
// with what it kept, or returns it as it is when nothing outlives it.
func Run(t *testing.T, open func(t *testing.T) watch.Store, reopen func(t *testing.T, s watch.Store) watch.Store) {
	for name, test := range map[string]func(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store){
		"Key": testKey, "Documents": testDocuments, "Blocks": testBlocks, "Failure": testFailure, "Events": testEvents,
		"Sites": testSites, "Subscriptions": testSubscriptions, "Canceled": testCanceled,
	} {
		t.Run(name, func(t *testing.T) {
			test(t, open(t), func(s watch.Store) watch.Store { return reopen(t, s) })
		})
	}
}

const site = "example.com"

// update fails the test when the change fails.
func update(t *testing.T, s watch.Store, change func(watch.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), site, change); err != nil {
		t.Fatal(err)
	}
}

func testKey(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	first, err := s.Key(t.Context())
	if err != nil || first == [32]byte{} {
		t.Fatalf("key %x, %v", first, err)
	}
	s = reopen(s)
	if second, err := s.Key(t.Context()); second != first || err != nil {
		t.Errorf("the key changed from %x to %x, %v", first, second, err)
	}
}

func testDocuments(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	var ids []int64
	update(t, s, func(tx watch.Tx) error {
		for _, url := range []string{"https://example.com/b.xml", "https://example.com/a.xml"} {
			id, err := tx.SetDocument(document(t, `{"url": "`+url+`", "etag": "1"}`))
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	s = reopen(s)
	update(t, s, func(tx watch.Tx) error {
		changed := document(t, `{"url": "https://example.com/a.xml", "etag": "2"}`)
		changed.ID = ids[1]
		id, err := tx.SetDocument(changed)
		if id != ids[1] || err != nil {
			t.Errorf("the ID changed from %d to %d, %v", ids[1], id, err)
		}
		return tx.RemoveDocument(ids[0])
	})
	s = reopen(s)
	update(t, s, func(tx watch.Tx) error {
		all, err := tx.Documents()
		want := document(t, `{"url": "https://example.com/a.xml", "etag": "2"}`)
		want.ID = ids[1]
		if len(all) != 1 || all[0] != want {
			t.Errorf("documents %+v", all)
		}
		return err
	})
	err := s.Update(t.Context(), "other.example", func(tx watch.Tx) error {
		all, err := tx.Documents()
		if len(all) != 0 {
			t.Errorf("another site has documents %+v", all)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// document returns a document with what the watcher knows of it.
func document(t *testing.T, text string) (d watch.Document) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func testBlocks(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	block := func(number uint32, text string) watch.Block {
		return watch.Block{Number: number, Keys: []byte("keys of " + text), Entries: []byte(text)}
	}
	var id int64
	update(t, s, func(tx watch.Tx) (err error) {
		if id, err = tx.SetDocument(watch.Document{URL: "https://example.com/a.xml"}); err != nil {
			return err
		}
		return tx.SetBlocks(id, watch.Fetched, []watch.Block{block(0, "old"), block(7, "old"), block(65535, "old")})
	})
	update(t, s, func(tx watch.Tx) error {
		if err := tx.Promote(id); err != nil {
			return err
		}
		return tx.SetBlocks(id, watch.Fetched, []watch.Block{block(3, "new")})
	})
	s = reopen(s)
	for _, test := range []struct {
		g           watch.Generation
		first, last uint32
		want        []uint32
	}{
		{watch.Compared, 0, 65535, []uint32{0, 7, 65535}},
		{watch.Compared, 1, 7, []uint32{7}},
		{watch.Compared, 8, 65534, nil},
		{watch.Fetched, 0, 65535, []uint32{3}},
	} {
		update(t, s, func(tx watch.Tx) error {
			blocks, err := tx.Blocks(id, test.g, test.first, test.last)
			var numbers []uint32
			for _, b := range blocks {
				numbers = append(numbers, b.Number)
				if string(b.Keys) != "keys of "+string(b.Entries) {
					t.Errorf("block %d has keys %q and entries %q", b.Number, b.Keys, b.Entries)
				}
			}
			if !slices.Equal(numbers, test.want) {
				t.Errorf("generation %d, %d to %d: %v, want %v", test.g, test.first, test.last, numbers, test.want)
			}
			return err
		})
	}
	update(t, s, func(tx watch.Tx) error {
		if err := tx.Promote(id); err != nil {
			return err
		}
		blocks, err := tx.Blocks(id, watch.Compared, 0, 65535)
		if len(blocks) != 1 || blocks[0].Number != 3 {
			t.Errorf("promoted %+v", blocks)
		}
		return err
	})
}

var errStop = errors.New("stop")

func testFailure(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	err := s.Update(t.Context(), site, func(tx watch.Tx) error {
		id, err := tx.SetDocument(watch.Document{URL: "https://example.com/a.xml"})
		if err != nil {
			return err
		}
		blocks := []watch.Block{{Number: 1, Keys: []byte("k"), Entries: []byte("e")}}
		if err := tx.SetBlocks(id, watch.Fetched, blocks); err != nil {
			return err
		}
		if err := tx.SetSite(watch.Site{Name: site, Known: true}); err != nil {
			return err
		}
		if err := tx.AddEvents([]watch.Event{{Loc: "https://example.com/"}}); err != nil {
			return err
		}
		return errStop
	})
	if !errors.Is(err, errStop) {
		t.Fatalf("the error is %v", err)
	}
	s = reopen(s)
	pending, err := s.Pending(t.Context(), 10)
	if len(pending) != 0 || err != nil {
		t.Errorf("events of a change that failed: %v, %v", pending, err)
	}
	if sites, err := s.Sites(t.Context()); len(sites) != 0 || err != nil {
		t.Errorf("sites of a change that failed: %v, %v", sites, err)
	}
	update(t, s, func(tx watch.Tx) error {
		all, err := tx.Documents()
		if len(all) != 0 {
			t.Errorf("documents of a change that failed: %v", all)
		}
		return err
	})
}

func testEvents(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	const count = 1201
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, part := range []int{1, 1000, 200} {
		update(t, s, func(tx watch.Tx) error {
			events := make([]watch.Event, part)
			for i := range events {
				events[i] = watch.Event{
					Time: now, Site: site, Type: watch.EventChanged, Fields: []string{"lastmod"},
					Loc: fmt.Sprintf("https://example.com/%d?a&b", i),
				}
			}
			return tx.AddEvents(events)
		})
	}
	var ids []string
	for {
		pending, err := s.Pending(t.Context(), 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(pending) == 0 {
			break
		}
		again, err := s.Pending(t.Context(), 7)
		if err != nil || len(again) != len(pending) || again[0].ID != pending[0].ID {
			t.Fatalf("a second look finds %v instead of %v, %v", again, pending, err)
		}
		for _, e := range pending {
			if e.Type != watch.EventChanged || !e.Time.Equal(now) || !slices.Equal(e.Fields, []string{"lastmod"}) {
				t.Fatalf("event %+v", e)
			}
			ids = append(ids, e.ID)
		}
		if err := s.Acknowledge(t.Context(), pending[len(pending)-1].ID); err != nil {
			t.Fatal(err)
		}
		if len(ids)%49 == 0 {
			s = reopen(s)
		}
	}
	slices.Sort(ids)
	if unique := slices.Compact(ids); len(unique) != count {
		t.Errorf("%d events with different IDs, want %d", len(unique), count)
	}
	if err := s.Acknowledge(t.Context(), "no ID"); err == nil {
		t.Error("acknowledged an ID of no store")
	}
}

func testSites(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	want := watch.Site{Name: site, Origin: "https://example.com", Known: true, Interval: time.Minute,
		Discrepancies: []watch.Discrepancy{{URL: "https://example.com/sitemap.xml", Reason: "lastmods do not move"}}}
	update(t, s, func(tx watch.Tx) error {
		if got, err := tx.Site(); got.Name != site || got.Known || err != nil {
			t.Errorf("a new site is %+v, %v", got, err)
		}
		return tx.SetSite(want)
	})
	s = reopen(s)
	sites, err := s.Sites(t.Context())
	if err != nil || len(sites) != 1 || fmt.Sprint(sites[0]) != fmt.Sprint(want) {
		t.Errorf("sites %+v, %v", sites, err)
	}
}

func testCanceled(t *testing.T, s watch.Store, _ func(watch.Store) watch.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Update(ctx, site, func(watch.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Update after the end of its context: %v", err)
	}
	update(t, s, func(tx watch.Tx) error { return nil })
}

func testSubscriptions(t *testing.T, s watch.Store, reopen func(watch.Store) watch.Store) {
	for _, of := range []watch.Subscription{
		{ID: "b", Topic: "https://example.com/feed", State: watch.SubscriptionPending},
		{ID: "a", Topic: "https://example.com/news", State: watch.SubscriptionActive, Lease: time.Hour},
		{ID: "b", Topic: "https://example.com/feed", State: watch.SubscriptionDenied, Problem: "no"},
	} {
		if err := s.SetSubscription(t.Context(), of); err != nil {
			t.Fatal(err)
		}
	}
	s = reopen(s)
	all, err := s.Subscriptions(t.Context())
	if err != nil || len(all) != 2 || all[0].ID != "a" || all[0].Lease != time.Hour || all[1].Problem != "no" {
		t.Errorf("subscriptions %+v, %v", all, err)
	}
}
