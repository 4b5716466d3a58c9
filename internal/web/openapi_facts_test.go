package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/page"
)

// TestFactsInDocument compares the schema of a URL, and the parameters of lists of URLs, with the table of facts. Their
// descriptions are those of docs/crawl-file.md. UPDATE_GOLDEN=1 writes them.
func TestFactsInDocument(t *testing.T) {
	meanings := meaningsOfFacts(t)
	var properties, parameters []string
	for _, f := range page.In(page.JSON) {
		schema := schemaOf(f)
		properties = append(properties, fmt.Sprintf(`%q: {%s, "description": %s}`, f.Key, schema, quoted(meanings[f.Key])))
	}
	parameter := func(name, description, schema string) {
		parameters = append(parameters, fmt.Sprintf(
			`{"name": %q, "in": "query", "required": false, "description": %s, "schema": {%s}}`, name, quoted(description), schema))
	}
	text := `"type": "string"`
	for _, f := range page.In(page.Filter) {
		form := "A value"
		if f.Number != nil && f.Kind != page.Set {
			form = "A number, a range such as 11-15, or none"
		}
		parameter(f.Key, form+": "+meanings[f.Key], text)
	}
	var orders []string
	for _, f := range page.In(page.Sort) {
		orders = append(orders, f.Key)
	}
	parameter("folder", "The URL of a folder.", text)
	parameter("text", "Text in the URL or the title.", text)
	parameter("rule", "The ID of a rule that found something on the page, such as title-missing.", text)
	parameter("sort", strings.Join(orders, ", ")+"; after - from the largest.", text)
	parameter("cursor", "The value of next in the previous answer.", text)
	parameter("limit", "Number of rows.", `"type": "integer", "minimum": 1, "maximum": 500, "default": 50`)
	id := `{"name": "id", "in": "path", "required": true, "description": "The ID of the crawl.", "schema": {"type": "string"}}`
	document := string(openAPI)
	for _, part := range []struct{ pattern, value string }{
		{`(?ms)^   "Page": (\{$.*?^   \})`, `{"type": "object", "required": ["id", "url", "decision", "listed", "role"], "properties": {` +
			strings.Join(properties, ",") + `}, "additionalProperties": false}`},
		{`(?ms)"operationId": "listPages",$.*?^    "parameters": (\[$.*?^    \])`, `[` + id + `,` +
			strings.Join(parameters, ",") + `]`},
	} {
		at := regexp.MustCompile(part.pattern).FindStringSubmatchIndex(document)
		if at == nil {
			t.Fatalf("the document does not match %s", part.pattern)
		}
		indent := document[strings.LastIndex(document[:at[2]], "\n")+1 : at[2]]
		indent = indent[:len(indent)-len(strings.TrimLeft(indent, " "))]
		var value bytes.Buffer
		if err := json.Indent(&value, []byte(part.value), indent, " "); err != nil {
			t.Fatal(err)
		}
		document = document[:at[2]] + value.String() + document[at[3]:]
	}
	if document == string(openAPI) {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile("openapi.json", []byte(document), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("openapi.json is not that of the table of facts; UPDATE_GOLDEN=1 rewrites it: %s", firstDifference(document, string(openAPI)))
}

func firstDifference(want, got string) string {
	wanted, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(lines)) {
		if wanted[i] != lines[i] {
			return fmt.Sprintf("line %d is %s, want %s", i+1, lines[i], wanted[i])
		}
	}
	return "the lengths differ"
}

// schemaOf returns the type of a fact in JSON.
func schemaOf(f *page.Fact) string {
	switch f.Kind {
	case page.Number, page.Bytes:
		return `"type": "integer"`
	case page.Milliseconds, page.Decimal:
		return `"type": "number"`
	case page.Flag:
		return `"type": "boolean"`
	case page.Set:
		return `"type": "array", "items": {"type": "string"}`
	case page.Time:
		return `"type": "string", "format": "date-time"`
	}
	if f.Key == "joined" {
		return `"type": "object", "additionalProperties": {"type": "string"}`
	}
	return `"type": "string"`
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text) // a string cannot fail
	return string(encoded)
}

var (
	factRow = regexp.MustCompile("(?m)^\\| (`[a-z0-9_]+`(?:, `[a-z0-9_]+`)*) \\| (.+) \\|$")
	link    = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)
)

// meaningsOfFacts reads what the facts mean from the documentation of the view.
func meaningsOfFacts(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/crawl-file.md")
	if err != nil {
		t.Fatal(err)
	}
	meanings := map[string]string{}
	view, _, _ := strings.Cut(string(text), "\n## The tables")
	for _, row := range factRow.FindAllStringSubmatch(view, -1) {
		meaning := strings.NewReplacer("`", "", " (below)", "").Replace(link.ReplaceAllString(row[2], "$1"))
		for key := range strings.SplitSeq(row[1], ", ") {
			meanings[strings.Trim(key, "`")] = meaning
		}
	}
	for _, f := range page.In(page.SQL) {
		if meanings[f.Key] == "" {
			t.Errorf("docs/crawl-file.md does not say what %s means", f.Key)
		}
	}
	return meanings
}
