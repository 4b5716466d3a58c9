package service

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce"
	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/ledger"
)

// export writes an export of Search Console to a folder and returns its path.
func export(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, text)
	return path
}

// chart is the export of a number of indexed pages.
func chart(t *testing.T) string {
	return export(t, "Chart.csv", "Date,Not indexed,Indexed,Impressions\n2026-11-01,3,2,10\n2026-11-20,1,4,12\n")
}

// searches is the export of the searches for a page of a site.
func searches(t *testing.T, site string) string {
	return export(t, "Pages.csv", "Top pages,Clicks,Impressions,CTR,Position\n"+site+"/page/1,7,70,10%,3.5\n")
}

// figuresIn returns the exports of a crawl, and the clicks of its page 1.
func figuresIn(t *testing.T, s *Service, id string) (exports int, clicks int64) {
	t.Helper()
	opened, release, err := s.OpenResult(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	overview, err := opened.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := opened.Pages(t.Context(), map[string]string{"text": "/page/1", "sort": "url"}, "", 1)
	if err != nil || len(list.Pages) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if overview.Figures != nil {
		exports = len(overview.Figures.Exports)
	}
	return exports, list.Pages[0].Figures.Google.Clicks
}

// announceTo records in the ledger of a server that something was sent to a target.
func announceTo(t *testing.T, s *Service, target string) {
	t.Helper()
	l, err := ledger.Open(t.Context(), filepath.Join(s.options.Folder, ledger.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	claim, err := l.Claim(t.Context(), &announce.Batch{
		Channel: "indexnow", Target: target, Kind: announce.KindURLs, Lease: time.Hour,
		Items: []announce.Item{{URL: target, Version: "1"}},
	})
	if err == nil {
		err = l.Settle(t.Context(), claim, announce.OutcomeSent)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFigures adds figures to a site: the newest crawl has them, also for who reads it already, and so has the next.
// They outlive the crawls and are deleted with the site.
func TestFigures(t *testing.T) {
	t.Parallel()
	web := newSite(t, 3)
	s, stop := start(t, Options{Folder: t.TempDir()})
	first := ended(t, s, request(t, s, web.URL).ID)
	name := first.Site
	if _, err := s.AddFigures(t.Context(), "other.example", []string{chart(t)}); !errors.Is(err, ErrNotFound) {
		t.Errorf("another site: %v", err)
	}
	announceTo(t, s, "other.example")
	_, release, err := s.OpenResult(t.Context(), first.ID) // somebody reads it
	if err != nil {
		t.Fatal(err)
	}
	added, err := s.AddFigures(t.Context(), name, []string{chart(t), searches(t, web.URL)})
	if err != nil || len(added.Read) != 2 || added.Read[1].Matched != 1 || len(added.Submitted) > 0 {
		t.Fatalf("%+v, %v", added, err)
	}
	if exports, clicks := figuresIn(t, s, first.ID); exports != 2 || clicks != 7 {
		t.Errorf("%d exports, %d clicks", exports, clicks)
	}
	release()
	if c, err := s.Crawl(t.Context(), first.ID); err != nil || c.record.Size != s.sizeOf(first.ID) {
		t.Errorf("size %d, %v", c.record.Size, err)
	}
	second := ended(t, s, request(t, s, web.URL).ID)
	if exports, clicks := figuresIn(t, s, second.ID); exports != 2 || clicks != 7 {
		t.Errorf("the next crawl: %d exports, %d clicks", exports, clicks)
	}
	announceTo(t, s, "https://"+name+"/")
	if again, err := s.AddFigures(t.Context(), name, nil); err != nil || len(again.Submitted) != 1 {
		t.Errorf("after an announcement: %+v, %v", again, err)
	}
	backup, _ := backUp(t, s.options.Folder)
	folder := restore(t, backup)
	for _, id := range []string{first.ID, second.ID} {
		if _, err := s.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	third := ended(t, s, request(t, s, web.URL).ID)
	if exports, clicks := figuresIn(t, s, third.ID); exports != 2 || clicks != 7 {
		t.Errorf("after the deletion of all crawls: %d exports, %d clicks", exports, clicks)
	}
	kept := s.figuresOf(name).File
	if err := s.DeleteSite(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(kept); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after the deletion of the site: %v", err)
	}
	stop()

	restored, _ := start(t, Options{Folder: folder})
	next := ended(t, restored, request(t, restored, web.URL).ID)
	if exports, clicks := figuresIn(t, restored, next.ID); exports != 2 || clicks != 7 {
		t.Errorf("a crawl after a backup: %d exports, %d clicks", exports, clicks)
	}
}

// TestFiguresFail leaves everything as it was when figures cannot be added.
func TestFiguresFail(t *testing.T) {
	t.Parallel()
	web := newSite(t, 3)
	s, _ := start(t, Options{Folder: t.TempDir()})
	c := ended(t, s, request(t, s, web.URL).ID)
	before := tree(t, s.folder(c.ID))
	check := func(want func(error) bool, ctx context.Context, names ...string) {
		t.Helper()
		if _, err := s.AddFigures(ctx, c.Site, names); !want(err) {
			t.Errorf("%v", err)
		}
		if left := changed(before, tree(t, s.folder(c.ID))); len(left) > 0 {
			t.Errorf("changed: %q", left)
		}
		if left := folders(t, s); len(left) != 1 {
			t.Errorf("folders %q", left)
		}
	}
	wrong := export(t, "wrong.csv", "Name,Color\nchair,red\n")
	isOf := func(err error) bool {
		file, is := errors.AsType[*appfigures.FileError](err)
		return is && file.Name == wrong
	}
	check(isOf, t.Context(), chart(t), wrong)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	check(func(err error) bool { return errors.Is(err, context.Canceled) }, canceled, chart(t))
	if exports, _ := figuresIn(t, s, c.ID); exports != 0 {
		t.Errorf("%d exports", exports)
	}

	// A file that cannot be read is no reason to lose a crawl.
	write(t, s.figuresOf(c.Site).File, strings.Repeat("no database", 100))
	next := ended(t, s, request(t, s, web.URL).ID)
	if next.State != StateDone || !next.Complete {
		t.Errorf("a crawl with damaged figures: %+v", next)
	}
}

// TestFiguresIncomplete joins nothing with a crawl that may go on.
func TestFiguresIncomplete(t *testing.T) {
	t.Parallel()
	web := newSite(t, 30)
	web.gate = make(chan struct{})
	defer close(web.gate)
	s, _ := start(t, Options{Folder: t.TempDir()})
	c := request(t, s, web.URL)
	<-web.reached
	if _, err := s.Stop(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	c = ended(t, s, c.ID)
	_, err := s.AddFigures(t.Context(), c.Site, []string{chart(t)})
	if c.State != StateStopped || !errors.Is(err, ErrIncomplete) {
		t.Errorf("%s: %v", c.State, err)
	}
}

// TestFiguresPlace finds the announcements of a site in the ledger of all, and keeps figures apart by port.
func TestFiguresPlace(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	kept := map[string]bool{}
	for _, host := range []string{"www.example.com", "example.com:443", "example.com"} {
		kept[s.figuresOf(host).File] = true
	}
	for _, host := range []string{"example.com:8080", "example.com-8080", "[::1]:8080", ".."} {
		place := s.figuresOf(host)
		if kept[place.File] || filepath.Dir(place.File) != filepath.Join(s.options.Folder, figuresName) {
			t.Errorf("%s is at %s", host, place.File)
		}
		kept[place.File] = true
	}
	if len(kept) != 5 {
		t.Errorf("%v", kept)
	}

	place := s.figuresOf("example.com")
	for target, want := range map[string]bool{
		"example.com": true, "www.example.com": true, "https://example.com/": true, "sc-domain:example.com": true,
		"https:example.com:443": true, "other.example": false, "https://example.com.other.example/": false,
		"sc-domain:other.example": false, "https://other.example/example.com": false, "example.com:8080": false, "": false,
	} {
		if place.IsAnnounced(target) != want {
			t.Errorf("%q is announced: %v", target, !want)
		}
	}
}
