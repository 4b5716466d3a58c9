package service

import (
	"testing"

	"github.com/mapatools/mapa/internal/jobs"
)

// TestLike repeats a crawl with its secrets, which are shown to nobody.
func TestLike(t *testing.T) {
	s := open(t, Options{Folder: t.TempDir()})
	options := map[string][]string{"header": {"X-Key: secret"}, "max-pages": {"5"}}
	first, err := s.Start(t.Context(), Request{URL: "www.example.com", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	if got := first.Options["header"][0]; got != Redacted {
		t.Fatalf("the crawl shows %q", got)
	}
	again, err := s.Start(t.Context(), Request{URL: "www.example.com", Options: first.Options, Like: first.ID})
	if err != nil {
		t.Fatal(err)
	}
	err = s.store.Update(t.Context(), func(tx *jobs.Tx) error {
		record, err := tx.Crawl(again.ID)
		if err == nil && record.Options["header"][0] != "X-Key: secret" {
			t.Errorf("the repeated crawl sends %q", record.Options["header"])
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := s.Start(t.Context(), Request{URL: "www.example.com", Like: "nothing"}); err == nil {
		t.Error("a crawl like one that is not there began")
	}
}
