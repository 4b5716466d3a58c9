package compare

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/page"
)

// TestDocs checks that docs/changes.md is complete and its example correct.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/changes.md")
	if err != nil {
		t.Fatal(err)
	}
	document := string(text)
	var names []string
	for _, kind := range Kinds {
		names = append(names, string(kind))
	}
	for _, fact := range page.In(page.Change) {
		names = append(names, fact.Key)
	}
	records := []reflect.Type{reflect.TypeFor[Change](), reflect.TypeFor[State](), reflect.TypeFor[FactChange]()}
	for _, record := range records {
		for i := range record.NumField() {
			key, _, _ := strings.Cut(record.Field(i).Tag.Get("json"), ",")
			if key != "" && key != "-" {
				names = append(names, key)
			}
		}
	}
	for _, name := range names {
		if !strings.Contains(document, "`"+name+"`") {
			t.Errorf("docs/changes.md does not name %s", name)
		}
	}
	_, rest, _ := strings.Cut(document, "```\n")
	example, _, _ := strings.Cut(rest, "\n```")
	var change Change
	if err := json.Unmarshal([]byte(example), &change); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(change); err != nil || string(again) != example {
		t.Errorf("the example is\n%s, %v, not\n%s", again, err, example)
	}
}
