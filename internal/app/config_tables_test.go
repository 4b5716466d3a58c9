package app

import (
	"reflect"
	"testing"
	"time"
)

// TestTables sets and copies every setting, so that none has a type that cannot be
// read, and keeps names unique.
func TestTables(t *testing.T) {
	for name, table := range map[string][]Setting{
		"crawl": NewCrawlSettings().All(), "lint": NewLintSettings().All(), "list": NewListSettings().All(),
		"diff": NewDiffSettings().All(), "report": NewReportSettings().All(), "build": NewBuildSettings().All(),
		"announce": NewAnnounceSettings().Settings(), "watch": NewWatchSettings().All(),
	} {
		seen := map[string]bool{}
		for i := range table {
			s := &table[i]
			if seen[s.Name] || s.Name == "" || s.Help == "" {
				t.Errorf("%s: %q is repeated or lacks a text", name, s.Name)
			}
			seen[s.Name] = true
			text := "1"
			if _, isMap := s.Value.(*map[string]int); isMap {
				text = "x=1"
			}
			if _, isMap := s.Value.(*map[string]string); isMap {
				text = "x=1"
			}
			if _, isTime := s.Value.(*time.Duration); isTime {
				text = "1s"
			}
			if err := s.set([]string{text}, false); err != nil {
				t.Errorf("%s: %s: %v", name, s.Name, err)
			}
			target := Setting{Name: s.Name, Value: reflect.New(reflect.TypeOf(s.Value).Elem()).Interface()}
			target.copyFrom(s)
			if !reflect.DeepEqual(target.Value, s.Value) {
				t.Errorf("%s: %s: copied %v of %v", name, s.Name, target.Value, s.Value)
			}
		}
	}
}
