package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCatalog checks that every text of the catalogue is used, and that the script finds
// all that it asks for. A key of Go or a template without a text panics in other tests.
func TestCatalog(t *testing.T) {
	sources := ""
	for _, pattern := range []string{"*.go", "*.html", "script/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			if name == "english.go" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources += string(text)
		}
	}
	suffix := regexp.MustCompile(`(\.(one|other|text|empty|shared))+$`)
	for key := range english {
		name := strings.TrimPrefix(suffix.ReplaceAllString(key, ""), "script.")
		last := name[strings.LastIndexByte(name, '.')+1:]
		if !strings.Contains(sources, `"`+key+`"`) && !strings.Contains(sources, `"`+name+`"`) &&
			!strings.Contains(sources, `"`+last+`"`) {
			t.Errorf("the text %s is not used", key)
		}
	}
	texts := english.scriptTexts()
	for _, found := range regexp.MustCompile(`say\("([^"]+)"[,)]`).FindAllStringSubmatch(sources, -1) {
		if _, ok := texts[found[1]]; !ok {
			t.Errorf("the script has no text %s", found[1])
		}
	}
}
