package testsite_test

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
)

var (
	serveTruth = flag.String("truth", "",
		"serve the site at this `ADDRESS`, and its edits at /edit, instead of testing")
	truthSeed = flag.Uint64("truth-seed", 1, "what that site is made from")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *serveTruth == "" {
		os.Exit(m.Run())
	}
	site := testsite.NewTruthSite(testsite.TruthOptions{Seed: *truthSeed, Size: 3, Now: time.Now()})
	http.Handle("/", site)
	http.HandleFunc("/edit", func(w http.ResponseWriter, _ *http.Request) {
		site.Edit()
		fmt.Fprintln(w, "edited")
	})
	fmt.Printf("%smapa crawl http://%s/ --rate 0 '%s'\n", testsite.TruthSettings, *serveTruth,
		strings.Join(testsite.TruthFlags, "' '"))
	log.Fatal(http.ListenAndServe(*serveTruth, nil))
}

var truthNow = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

// visit asks for a target and returns the status, the header and the body.
func visit(site http.Handler, target string, header ...string) (int, http.Header, string) {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	body, _ := io.ReadAll(w.Body)
	return w.Code, w.Header(), string(body)
}

func TestTruthIsTheSameAgain(t *testing.T) {
	options := testsite.TruthOptions{Seed: 7, Size: 2, Now: truthNow}
	one, other := testsite.NewTruthSite(options), testsite.NewTruthSite(options)
	if !reflect.DeepEqual(one.Truth(), other.Truth()) {
		t.Error("the same options make another site")
	}
	options.Seed++
	if reflect.DeepEqual(one.Truth(), testsite.NewTruthSite(options).Truth()) {
		t.Error("another seed makes the same site")
	}
	one.Edit()
	if reflect.DeepEqual(one.Truth(), other.Truth()) {
		t.Error("the edits change nothing")
	}
}

// TestTruthAnswers compares the site's answers with what it says about itself.
func TestTruthAnswers(t *testing.T) {
	site := testsite.NewTruthSite(testsite.TruthOptions{Seed: 8, Size: 2, Now: truthNow})
	for _, when := range []string{"before", "after"} {
		for target, want := range site.Truth() {
			if !strings.HasPrefix(target, "/") {
				continue
			}
			status, header, body := visit(site, target)
			fits := status == http.StatusOK
			switch want.Reason {
			case "redirect":
				location := header.Get("Location")
				fits = fits && strings.Contains(body, `http-equiv="Refresh"`) ||
					status/100 == 3 && strings.HasSuffix(location, want.Target)
			case "redirect-loop":
				fits = status/100 == 3
			case "client-error", "inconclusive":
				fits = status/100 == 4
			case "server-error":
				fits = status/100 == 5
			}
			if !fits {
				t.Errorf("%s the edits, %s (%s) answers with %d", when, target, want.Kind, status)
			}
		}
		site.Edit()
	}
}

func TestTruthUnchanged(t *testing.T) {
	site := testsite.NewTruthSite(testsite.TruthOptions{Seed: 9, Size: 1, Now: truthNow, ETags: true})
	churning := 0
	for target, want := range site.Truth() {
		status, header, body := visit(site, target)
		if status != http.StatusOK || want.Reason == "soft-404" || !strings.HasPrefix(target, "/") ||
			header.Get("ETag") == "" {
			continue
		}
		if _, _, again := visit(site, target); again != body {
			churning++
		}
		if status, _, body := visit(site, target, "If-None-Match", header.Get("ETag")); status != http.StatusNotModified ||
			body != "" {
			t.Errorf("%s is sent again with status %d", target, status)
		}
	}
	if churning < 100 {
		t.Errorf("only %d pages differ between two requests", churning)
	}
}
