package web

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// TestDownloadTables sends tables to people as exports are, and to programs as they are.
func TestDownloadTables(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	path := "/crawls/" + s.crawl(`{"url":"` + newSmall(t).URL + `"}`)["id"].(string)
	const mark = "\ufeff"
	_, plain := s.do("GET", "/api/v1"+path+"/files/broken.csv", "", "Accept-Language", "es")
	if strings.HasPrefix(plain, mark) || !strings.Contains(plain, ",") || strings.Contains(plain, ";") {
		t.Fatalf("the API sends %q", plain)
	}
	for language, want := range map[string]string{"en": mark + plain, "es": mark + strings.ReplaceAll(plain, ",", ";")} {
		read := func(name string) string {
			answer, body := s.do("GET", path+"/"+name, "", "Accept-Language", language)
			if answer.StatusCode != 200 {
				t.Fatalf("%s: %d", name, answer.StatusCode)
			}
			return body
		}
		got := map[string]string{"broken.csv": read("files/broken.csv")}
		packed, err := gzip.NewReader(strings.NewReader(read("files/broken.csv.gz")))
		if err != nil {
			t.Fatal(err)
		}
		got["broken.csv.gz"] = readAll(t, packed)
		archive := []byte(read("files.zip"))
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		file, err := files.Open("broken.csv")
		if err != nil {
			t.Fatal(err)
		}
		got["files.zip"] = readAll(t, file)
		for name, text := range got {
			if text != want {
				t.Errorf("%s: %s has %q, want %q", language, name, text, want)
			}
		}
	}
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
