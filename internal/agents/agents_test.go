package agents_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/agents"
)

// TestDocumented compares docs/robots.md with the lists.
func TestDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/robots.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"as of " + agents.Updated}
	for _, r := range agents.Robots() {
		rows = append(rows, fmt.Sprintf("| `%s` | [%s](%s) | `%s` | `%s` |", r.Name, r.Operator, r.Source, r.Purpose, r.Obeys))
	}
	for _, e := range agents.Engines() {
		rows = append(rows, fmt.Sprintf("| [%s](%s) | `%s` |", e.Name, e.Source, e.UserAgent))
	}
	for _, row := range rows {
		if !strings.Contains(string(page), row+"\n") && !strings.Contains(string(page), row+":") {
			t.Errorf("docs/robots.md does not have\n%s", row)
		}
	}
}

// TestEngines checks that each user agent names its engine, as the robots of robots.txt do.
func TestEngines(t *testing.T) {
	t.Parallel()
	for _, e := range agents.Engines() {
		if !strings.Contains(e.UserAgent, e.Name+"/") || !slices.Contains(e.Tokens, e.Name) {
			t.Errorf("%+v", e)
		}
	}
}
