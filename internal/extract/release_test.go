package extract

import (
	"runtime"
	"strings"
	"testing"
	"weak"
)

// TestRelease scans documents whose results have links, anchors and types, the first with
// more of them, and looks whether the scanner keeps a document in memory.
func TestRelease(t *testing.T) {
	var s Scanner
	scan := func(items int) weak.Pointer[byte] {
		item := `<p id=x itemscope itemtype=https://schema.org/Thing><a href=/page>text</a>`
		document := []byte("<meta name=googlebot content=noindex><title>x</title>" + strings.Repeat(item, items))
		page := s.Scan(document, "text/html; charset=utf-8", Options{})
		if len(page.Links) != items || len(page.Anchors) != items {
			t.Errorf("%d links, %d anchors, want %d", len(page.Links), len(page.Anchors), items)
		}
		return weak.Make(&document[0])
	}
	first, last := scan(500), scan(2)
	s.Release()
	runtime.GC()
	if first.Value() != nil || last.Value() != nil {
		t.Errorf("the first document is kept: %v, the last: %v", first.Value() != nil, last.Value() != nil)
	}
	runtime.KeepAlive(&s)
}
