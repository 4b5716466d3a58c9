package sqlitestore_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// The state outlives the program: the second run finds nothing new.
func ExampleOpen() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "https://example.com/\n")
	}))
	defer site.Close()
	folder, err := os.MkdirTemp("", "watch")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	run := func(ctx context.Context) error {
		store, err := sqlitestore.Open(ctx, filepath.Join(folder, "watch.sqlite"))
		if err != nil {
			return err
		}
		defer store.Close()
		watcher, err := watch.New(store, &watch.Options{Sites: []string{site.URL + "/sitemap.txt"}})
		if err != nil {
			return err
		}
		defer watcher.Close()
		for event, err := range watcher.Pass(ctx) {
			if err != nil {
				return err
			}
			fmt.Println(event.Type, event.Loc)
		}
		return nil
	}
	for range 2 {
		fmt.Println("run:")
		if err := run(context.Background()); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// run:
	// new https://example.com/
	// run:
}
