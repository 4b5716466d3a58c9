package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/store"
)

// TestEarlierVersion crawls into a folder whose crawl file does not say what was
// written: the usual outputs are replaced.
func TestEarlierVersion(t *testing.T) {
	host := guarded(t)
	settings := appcrawl.NewSettings()
	settings.Output = t.TempDir()
	settings.Publish.MaxShrink = 100
	a := new(app.App)
	if _, err := appcrawl.Run(t.Context(), a, "http://me:s3c%2Fret@"+host+"/", settings); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(settings.Output, "urllist.txt")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	settings.Publish.Outputs = []string{"xml", "txt"}
	var foreign *outputs.ForeignFileError
	if _, err := appcrawl.Run(t.Context(), a, "http://me:s3c%2Fret@"+host+"/", settings); !errors.As(err, &foreign) {
		t.Fatalf("error %v", err)
	}
	file, err := store.Open(filepath.Join(settings.Output, "crawl.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.ForgetFiles(), file.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := appcrawl.Run(t.Context(), a, "http://me:s3c%2Fret@"+host+"/", settings); err != nil {
			t.Fatal(err)
		}
	}
}
