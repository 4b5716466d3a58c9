package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// documents are the files of a site, by their media types, and their kinds.
var documents = []struct {
	media string
	kind  crawl.DocumentKind
}{
	{"application/pdf", crawl.DocumentPDF},
	{"application/postscript", ""},
	{"application/msword", crawl.DocumentOffice},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", crawl.DocumentOffice},
	{"application/vnd.oasis.opendocument.text", crawl.DocumentOffice},
	{"application/epub+zip", crawl.DocumentEPUB},
	{"text/plain; charset=utf-8", crawl.DocumentText},
	{"text/x-csrc", crawl.DocumentText},
	{"Text/CSV", crawl.DocumentText},
	{"text/css", ""},
	{"application/zip", ""},
	{"application/octet-stream", ""},
}

// TestDocuments lists the kinds of documents that are asked for, and counts them.
func TestDocuments(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var number int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &number); err == nil {
			w.Header().Set("Content-Type", documents[number].media)
			return
		}
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		for i := range documents {
			fmt.Fprintf(w, "<a href=/%d>%[1]d</a> ", i)
		}
	}))
	for name, kinds := range map[string][]crawl.DocumentKind{
		"default": nil, "none": {}, "text": {crawl.DocumentText}, "all": crawl.DocumentKinds(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &crawl.MemoryStore{}
			if _, err := run(t, store, &crawl.Options{Start: origin, Documents: kinds}); err != nil {
				t.Fatal(err)
			}
			if kinds == nil {
				kinds = crawl.DefaultDocuments()
			}
			want, counts := map[string]decision{"/": ""}, map[crawl.DocumentKind]int64{}
			for i, document := range documents {
				media, _, _ := strings.Cut(strings.ToLower(document.media), ";")
				want[fmt.Sprintf("/%d", i)] = decision("not-a-page: " + media)
				for _, kind := range kinds {
					if kind == document.kind {
						want[fmt.Sprintf("/%d", i)] = ""
						counts[kind]++
					}
				}
			}
			compare(t, decisions(store, origin), want)
			summary, err := store.Summary(t.Context())
			if err != nil || fmt.Sprint(summary.Documents) != fmt.Sprint(counts) {
				t.Errorf("%v documents, want %v (%v)", summary.Documents, counts, err)
			}
		})
	}
}
