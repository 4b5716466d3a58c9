package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/ledgertest"
	"github.com/mapatools/mapa/internal/sqlite"
)

// holdVariable makes the test's own binary claim a batch in a ledger, and wait.
const holdVariable = "MAPA_TEST_LEDGER"

func TestMain(m *testing.M) {
	if name := os.Getenv(holdVariable); name != "" {
		l, err := Open(context.Background(), name)
		if err == nil {
			_, err = l.Claim(context.Background(), batch("1"))
		}
		fmt.Println(err)
		select {}
	}
	os.Exit(m.Run())
}

func batch(version string) *announce.Batch {
	return &announce.Batch{
		Channel: "indexnow", Target: "example.com", Kind: announce.KindURLs, Lease: time.Hour,
		Items: []announce.Item{{URL: "https://example.com/a", Version: version}},
	}
}

func openTest(t *testing.T, name string) *Ledger {
	t.Helper()
	l, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestSuite(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) announce.Ledger {
		return openTest(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	})
}

// shared is two ledgers on one file, used in turn.
type shared struct {
	*Ledger
	other *Ledger
}

func (s *shared) Claim(ctx context.Context, b *announce.Batch) (*announce.Claim, error) {
	s.Ledger, s.other = s.other, s.Ledger
	return s.Ledger.Claim(ctx, b)
}

// TestShared runs the suite on two ledgers that share a file, except for concurrency,
// which TestSuite has.
func TestShared(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) announce.Ledger {
		name := filepath.Join(t.TempDir(), "ledger.sqlite")
		if filepath.Base(t.Name()) == "Concurrent" {
			return openTest(t, name)
		}
		return &shared{openTest(t, name), openTest(t, name)}
	})
}

// TestKill kills a process between the claim and its end: while it lives, its items are
// busy; afterwards they are sent again, and counted as repeated.
func TestKill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.sqlite")
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), holdVariable+"="+name)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	claimed := make([]byte, len("<nil>"))
	if _, err := out.Read(claimed); err != nil || string(claimed) != "<nil>" {
		t.Fatalf("the claim: %s, %v", claimed, err)
	}
	l := openTest(t, name)
	if c, err := l.Claim(t.Context(), batch("1")); err != nil || c.Busy != 1 {
		t.Errorf("claim %+v, error %v", c, err)
	}
	if cut, err := l.Interrupted(t.Context()); err != nil || len(cut) != 0 {
		t.Errorf("interrupted %v, error %v", cut, err)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // it was killed
	if cut, err := l.Interrupted(t.Context()); err != nil || len(cut) != 1 || cut[0].Items != 1 {
		t.Errorf("interrupted %v, error %v", cut, err)
	}
	c, err := l.Claim(t.Context(), batch("1"))
	if err != nil || c.Repeated != 1 || len(c.Items) != 1 {
		t.Errorf("claim %+v, error %v", c, err)
	}
	if err := l.Settle(t.Context(), c, announce.OutcomeSent); err != nil {
		t.Fatal(err)
	}
	if cut, err := l.Interrupted(t.Context()); err != nil || len(cut) != 0 {
		t.Errorf("interrupted %v, error %v", cut, err)
	}
}

func TestClockSetBack(t *testing.T) {
	o := owner{begun: time.Now().Add(24 * time.Hour).UnixMilli(), until: time.Now().Add(25 * time.Hour).UnixMilli(),
		machine: "elsewhere"}
	if o.isOpen(time.Now()) {
		t.Error("a claim from the future holds its items")
	}
	o.begun = time.Now().UnixMilli()
	if !o.isOpen(time.Now()) {
		t.Error("a claim of another machine does not hold its items for its lease")
	}
}

func TestForeignFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.sqlite")
	text := []byte("This is a text that is long enough to be a file of its own, and no database at all.")
	for range 5 {
		text = append(text, text...)
	}
	if err := os.WriteFile(name, text, 0o640); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), name); !errors.Is(err, sqlite.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if after, err := os.Stat(name); err != nil || after.Mode() != before.Mode() {
		t.Errorf("the file had the mode %v, and has %v, %v", before.Mode(), after.Mode(), err)
	}
	if after, err := os.ReadFile(name); err != nil || string(after) != string(text) {
		t.Error("the file was changed")
	}
	for _, open := range []func(context.Context, string) (*Ledger, error){Open, OpenCopy} {
		if _, err := open(t.Context(), t.TempDir()); !errors.Is(err, sqlite.ErrForeign) {
			t.Errorf("a folder: %v", err)
		}
	}
}

// TestDamaged reads a ledger whose tables and types another program has changed. The error
// does not repeat SQL.
func TestDamaged(t *testing.T) {
	for _, change := range []string{
		"drop table page", "alter table page rename column digest to other",
		"create table other as select * from page; drop table page; alter table other rename to page; " +
			"insert into page values ('https://site.example/sitemap.xml', 'https://site.example/', null, null, 'x')",
	} {
		l, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.sqlite"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.db.Exec(change); err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range l.Listed(t.Context(), "https://site.example/sitemap.xml") {
			last = err
		}
		if !errors.Is(last, sqlite.ErrDamaged) || !strings.HasSuffix(last.Error(), "ledger.sqlite is damaged") {
			t.Errorf("%s: %v", change, last)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLink makes no ledger elsewhere: a link may come with a folder of strangers.
func TestLink(t *testing.T) {
	name, elsewhere := filepath.Join(t.TempDir(), "ledger.sqlite"), filepath.Join(t.TempDir(), "made")
	if err := os.Symlink(elsewhere, name); err != nil {
		t.Skip(err)
	}
	if _, err := Open(t.Context(), name); !errors.Is(err, sqlite.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("the link was followed")
	}
}

func changes(t *testing.T, seq iter.Seq2[Change, error]) (urls []string) {
	t.Helper()
	for c, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, c.URL)
	}
	return urls
}

const sitemapURL = "https://example.com/sitemap.xml"

// TestPending counts a change for every channel until that one has received it.
func TestPending(t *testing.T) {
	l := openTest(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	known := []bool{}
	update := func(do func(*Update) error) {
		t.Helper()
		err := l.Update(t.Context(), sitemapURL, func(u *Update) error {
			known = append(known, u.Known)
			return do(u)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	update(func(u *Update) error {
		return errors.Join(u.SetPage(Page{URL: "https://example.com/a", LastMod: "2026-01-02", Digest: "1"}),
			u.SetPage(Page{URL: "https://example.com/b"}), u.SetPage(Page{URL: "https://example.com/c"}))
	})
	update(func(u *Update) error {
		var pages []Page
		for p, err := range u.Pages() {
			if err != nil {
				return err
			}
			pages = append(pages, p)
		}
		if len(pages) != 3 || pages[0].Digest != "1" {
			t.Errorf("pages %v", pages)
		}
		return errors.Join(u.Add("https://example.com/a", "changed"), u.DropPage("https://example.com/b"),
			u.Add("https://example.com/b", "removed"))
	})
	if !slices.Equal(known, []bool{false, true}) {
		t.Errorf("known: %v", known)
	}
	a, b := "https://example.com/a", "https://example.com/b"
	if got := changes(t, l.Pending(t.Context(), sitemapURL, "indexnow")); !slices.Equal(got, []string{a, b}) {
		t.Errorf("pending for indexnow: %v", got)
	}
	claim, err := l.Claim(t.Context(), batch("1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Settle(t.Context(), claim, announce.OutcomeSent); err != nil {
		t.Fatal(err)
	}
	if got := changes(t, l.Pending(t.Context(), sitemapURL, "indexnow")); !slices.Equal(got, []string{b}) {
		t.Errorf("pending for indexnow after a was sent: %v", got)
	}
	both := changes(t, l.Distinct(t.Context(), sitemapURL, []string{"indexnow", "baidu"}))
	if !slices.Equal(both, []string{a, b}) {
		t.Errorf("pending for both: %v", both)
	}
	if n, err := l.CountPending(t.Context(), sitemapURL, "baidu"); err != nil || n != 2 {
		t.Errorf("%d pending for baidu, error %v", n, err)
	}
	failed := errors.New("failed")
	if err := l.Update(t.Context(), sitemapURL, func(u *Update) error {
		return errors.Join(u.Add("https://example.com/d", "added"), failed)
	}); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	if n, err := l.CountPending(t.Context(), sitemapURL, "baidu"); err != nil || n != 2 {
		t.Errorf("%d pending after a failed update, error %v", n, err)
	}
}

// TestCopy records nothing in the original.
func TestCopy(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.sqlite")
	l := openTest(t, name)
	copied, err := OpenCopy(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := copied.Claim(t.Context(), batch("1")); err != nil {
		t.Fatal(err)
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := l.Claim(t.Context(), batch("1")); err != nil || len(c.Items) != 1 || c.Repeated != 0 {
		t.Errorf("claim %+v, error %v", c, err)
	}
	none, err := OpenCopy(t.Context(), filepath.Join(t.TempDir(), "missing"))
	if err != nil {
		t.Fatal(err)
	}
	if err := none.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLocked gives up soon after its context while another process holds the ledger.
func TestLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.sqlite")
	holder, waiter := openTest(t, name), openTest(t, name)
	err := holder.Update(t.Context(), sitemapURL, func(*Update) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		begun := time.Now()
		_, err := waiter.Claim(ctx, batch("1"))
		if took := time.Since(begun); err == nil || took > 10*time.Second {
			t.Errorf("error %v after %v", err, took)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := waiter.Claim(t.Context(), batch("1")); err != nil {
		t.Error(err)
	}
	nowhere := filepath.Join(t.TempDir(), "missing", "ledger.sqlite")
	if _, err := Open(t.Context(), nowhere); !errors.Is(err, sqlite.ErrNoFolder) {
		t.Errorf("error %v", err)
	}
}
