package crawl_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// TestInterruption stops a crawl several times and continues it.
func TestInterruption(t *testing.T) {
	t.Parallel()
	const pages, workers = 300, 4
	undisturbed := &crawl.MemoryStore{}
	origin := serve(t, &tree{pages: pages})
	if _, err := run(t, undisturbed, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	want := decisions(undisturbed, origin)

	site := &tree{pages: pages, at: map[int]func(){}}
	origin = serve(t, site)
	store, stops := &crawl.MemoryStore{}, 0
	for _, after := range []int{1, 2, 40, 100, 170, 290} {
		ctx, cancel := context.WithCancel(t.Context())
		site.mutex.Lock()
		site.at[site.asked+after-stops] = cancel
		site.mutex.Unlock()
		_, err := crawl.Run(ctx, store,
			&crawl.Options{Start: origin, Concurrency: workers, Access: access.Access{Rate: access.PerSecond(0)}})
		cancel()
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, crawl.ErrStopped) {
			t.Fatalf("stop %d: %v", stops, err)
		}
	}
	if stops < 4 {
		t.Fatalf("only %d stops", stops)
	}
	progress, err := run(t, store, &crawl.Options{Start: origin})
	if err != nil || !progress.Resumed || progress.Pages != pages || progress.Waiting != 0 {
		t.Fatalf("%+v, %v", progress, err)
	}
	compare(t, decisions(store, origin), want)
	repeats := 0
	for target, times := range site.requests {
		if target != "/robots.txt" && !missingProbe.MatchString(target) {
			repeats += times - 1
		}
	}
	if repeats > stops*workers {
		t.Errorf("%d requests were repeated after %d stops with %d workers", repeats, stops, workers)
	}
}

// TestResumeWithoutChecks continues a crawl that has URLs to check, with settings by which
// none are looked for.
func TestResumeWithoutChecks(t *testing.T) {
	t.Parallel()
	origin := serve(t, &tree{pages: 3})
	for _, role := range []crawl.Role{crawl.RoleAsset, crawl.RoleExternal, 200} {
		store := crawl.NewMemoryStore()
		err := store.Append(t.Context(), crawl.Commit{
			Found: []crawl.Link{{ID: 1, URL: origin + "/"}, {ID: 2, URL: origin + "/checked", From: 1, Depth: 1, Role: role}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		options := &crawl.Options{Start: origin + "/", Access: access.Access{Rate: access.PerSecond(0)}}
		progress, err := crawl.Run(ctx, store, options)
		if err != nil || progress.Waiting != 0 {
			t.Errorf("role %d: %+v, %v", role, progress, err)
		}
	}
}

// TestSeedsSurviveInterruption stops the crawl before the sitemap is read.
func TestSeedsSurviveInterruption(t *testing.T) {
	t.Parallel()
	site := parse(t, `
-- /robots.txt --
Sitemap: http://$HOST/sitemap.xml
-- /sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://$HOST/orphan</loc></url></urlset>
-- / --
<title>Home</title><p>home</p>
-- /orphan --
<title>Orphan</title><p>orphan</p>
`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" && ctx.Err() == nil {
			cancel()
			w.WriteHeader(http.StatusNotFound)
			return
		}
		site.ServeHTTP(w, r)
	}))
	store := &crawl.MemoryStore{}
	if _, err := crawl.Run(ctx, store, &crawl.Options{Start: origin}); !errors.Is(err, crawl.ErrStopped) {
		t.Fatal(err)
	}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/orphan": ""})
}

// TestFollowedLinkSurvivesInterruption stops the crawl right after a URL that only
// nofollow links led to is queued.
func TestFollowedLinkSurvivesInterruption(t *testing.T) {
	t.Parallel()
	site := parse(t, `
-- / --
<title>Home</title><p>home</p><a rel="nofollow" href="/held">x</a> <a href="/follows">x</a>
-- /follows --
<title>Follows</title><p>follows</p><a href="/held">x</a>
-- /held --
<title>Held</title><p>held</p>
`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			cancel()
		}
		site.ServeHTTP(w, r)
	}))
	store := &crawl.MemoryStore{}
	if _, err := crawl.Run(ctx, store,
		&crawl.Options{Start: origin, Access: access.Access{Rate: access.PerSecond(0)}}); !errors.Is(err, crawl.ErrStopped) {
		t.Fatal(err)
	}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/follows": "", "/held": ""})
}

// failingStore fails at its second batch.
type failingStore struct {
	crawl.MemoryStore
	commits int
}

var errDisk = errors.New("disk is full")

func (s *failingStore) Append(ctx context.Context, c crawl.Commit) error {
	if s.commits++; s.commits > 1 {
		return errDisk
	}
	return s.MemoryStore.Append(ctx, c)
}

func TestStoreFails(t *testing.T) {
	t.Parallel()
	origin := serve(t, &tree{pages: 2000})
	if _, err := run(t, &failingStore{}, &crawl.Options{Start: origin}); !errors.Is(err, errDisk) {
		t.Error(err)
	}
}
