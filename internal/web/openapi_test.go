package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mapatools/mapa/internal/catalog"
)

// A document is the description of the API, with its schemas as JSON Schema.
type document struct {
	Paths map[string]map[string]struct {
		OperationID string                 `json:"operationId"`
		Responses   map[string]apiResponse `json:"responses"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

type apiResponse struct {
	Content map[string]struct {
		Schema json.RawMessage `json:"schema"`
	} `json:"content"`
}

// apiDescription reads the document. References are those of JSON Schema.
var apiDescription = sync.OnceValue(func() *document {
	d := &document{}
	text := strings.ReplaceAll(string(openAPI), "#/components/schemas/", "#/$defs/")
	if err := json.Unmarshal([]byte(text), d); err != nil {
		panic(err)
	}
	return d
})

// schemas holds resolved schemas by their text.
var schemas sync.Map

func (d *document) validate(schema json.RawMessage, value any) error {
	known, ok := schemas.Load(string(schema))
	if !ok {
		root := &jsonschema.Schema{}
		if err := json.Unmarshal(schema, root); err != nil {
			return err
		}
		root.Defs = map[string]*jsonschema.Schema{}
		for name, text := range d.Components.Schemas {
			root.Defs[name] = &jsonschema.Schema{}
			if err := json.Unmarshal(text, root.Defs[name]); err != nil {
				return err
			}
		}
		resolved, err := root.Resolve(nil)
		if err != nil {
			return err
		}
		known, _ = schemas.LoadOrStore(string(schema), resolved)
	}
	return known.(*jsonschema.Resolved).Validate(value)
}

var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// operation returns the responses that the document has for a request.
func (d *document) operation(r *http.Request) map[string]apiResponse {
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/api/v1")
	var best string
	for pattern := range d.Paths {
		expression := parameter.ReplaceAllString(strings.ReplaceAll(pattern, ".", `\.`), `[^/]+`)
		matches := regexp.MustCompile("^" + expression + "$").MatchString(path)
		if matches && (best == "" || strings.Count(pattern, "{") < strings.Count(best, "{")) {
			best = pattern
		}
	}
	method := strings.ToLower(strings.Replace(r.Method, http.MethodHead, http.MethodGet, 1))
	return d.Paths[best][method].Responses
}

// checkAnswer checks what every answer must have, and one of the API against the document.
func checkAnswer(t *testing.T, r *http.Request, answer *http.Response, body []byte) {
	t.Helper()
	referrer := "same-origin"
	if strings.HasPrefix(r.URL.Path, sharePrefix) {
		referrer = "no-referrer"
	}
	for name, value := range map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": referrer,
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if answer.Header.Get(name) != value {
			t.Errorf("%s %s: %s is %q", r.Method, r.URL, name, answer.Header.Get(name))
		}
	}
	csp := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") ||
		strings.Contains(csp, "unsafe") {
		t.Errorf("%s %s: the policy is %q", r.Method, r.URL, csp)
	}
	responses := apiDescription().operation(r)
	isAPI := strings.HasPrefix(r.URL.Path, "/api/v1/")
	if !isAPI || responses == nil || answer.StatusCode == http.StatusMisdirectedRequest {
		return
	}
	checkResponse(t, r, answer, body, responses)
}

func checkResponse(
	t *testing.T, r *http.Request, answer *http.Response, body []byte, responses map[string]apiResponse,
) {
	t.Helper()
	known, ok := responses[strconv.Itoa(answer.StatusCode)]
	if !ok {
		t.Errorf("%s %s: the document has no answer %d\n%s", r.Method, r.URL, answer.StatusCode, body)
		return
	}
	mediaType, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	content, ok := known.Content[mediaType]
	if !ok {
		if _, any := known.Content["*/*"]; !any && len(known.Content)+len(body) > 0 {
			t.Errorf("%s %s: %d has %s, which the document does not", r.Method, r.URL, answer.StatusCode, mediaType)
		}
		return
	}
	if !strings.HasSuffix(mediaType, "json") || r.Method == http.MethodHead {
		return
	}
	var value any
	err := json.Unmarshal(body, &value)
	if err == nil {
		err = apiDescription().validate(content.Schema, value)
	}
	if err != nil {
		t.Errorf("%s %s: %v\n%s", r.Method, r.URL, err, body)
	}
}

// TestDocument has every route of the API in the document, and nothing else, and the
// answers that each role and each kind of route can get.
func TestDocument(t *testing.T) {
	s := newSite(t, withReaders) // only where others have to log in, there are shares
	documented := map[string]bool{}
	for path, operations := range apiDescription().Paths {
		for method, operation := range operations {
			documented[strings.ToUpper(method)+" /api/v1"+path] = true
			if operation.OperationID == "" {
				t.Errorf("%s %s has no operationId", method, path)
			}
		}
	}
	var routed []string
	for _, route := range s.routes() {
		if strings.Contains(route.pattern, " /api/v1/") && !strings.HasSuffix(route.pattern, "/openapi.json") {
			routed = append(routed, route.pattern)
		}
	}
	for _, pattern := range routed {
		if !documented[pattern] {
			t.Errorf("the document does not have %s", pattern)
		}
	}
	for pattern := range documented {
		if !slices.Contains(routed, pattern) {
			t.Errorf("there is no route %s", pattern)
		}
	}
	answer, body := s.do("GET", "/api/v1/openapi.json", "")
	if answer.StatusCode != http.StatusOK || body != string(openAPI) {
		t.Errorf("the document: %d", answer.StatusCode)
	}
}

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// TestFailureCodes has every code of a failure in the document, and nothing else.
func TestFailureCodes(t *testing.T) {
	var failure struct {
		Properties struct {
			Code struct {
				Enum []string `json:"enum"`
			} `json:"code"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(apiDescription().Components.Schemas["Failure"], &failure); err != nil {
		t.Fatal(err)
	}
	codes := slices.Sorted(maps.Keys(catalog.For(catalog.English).WithPrefix("web.failure.")))
	if got := slices.Sorted(slices.Values(failure.Properties.Code.Enum)); !slices.Equal(got, codes) {
		t.Errorf("the document has %v, want %v", got, codes)
	}
}

// TestProblemTypes explains every type of problem in docs/serve.md.
func TestProblemTypes(t *testing.T) {
	text, err := os.ReadFile("../../docs/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`(?:code: |newProblem\(http\.\w+, )"([a-z-]+)"`)
	found := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range code.FindAllSubmatch(source, -1) {
			found++
			if !strings.Contains(string(text), fmt.Sprintf(`<a id=%q></a>`, match[1])) {
				t.Errorf("docs/serve.md does not explain %s of %s", match[1], file)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d problems were found", found)
	}
}
