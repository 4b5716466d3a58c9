package cli

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/catalog"
)

// english are the texts of the tests.
var english = catalog.For(catalog.English)

func inEnglish() *catalog.Catalog { return english }

func progressOf(pages, waiting int, elapsed time.Duration, resumed bool) app.Progress {
	return app.Progress{Progress: crawl.Progress{
		Pages: pages, Waiting: waiting, Found: pages + waiting, Elapsed: elapsed, Resumed: resumed,
	}}
}

// TestProgressAfterResume counts only the pages of this run for the rate.
func TestProgressAfterResume(t *testing.T) {
	var m meter
	first := progressOf(10_000, 400, time.Second, true)
	m.update(&first)
	if line := m.line(&first, english, 0); strings.Contains(line, "left") {
		t.Errorf("a rate from nothing: %s", line)
	}
	next := progressOf(10_020, 380, 3*time.Second, true)
	m.update(&next)
	if line := m.line(&next, english, 0); !strings.Contains(line, "10 per second") || !strings.Contains(line, "38s left") {
		t.Error(line)
	}
	// The next site starts over.
	other := progressOf(50, 100, time.Second, false)
	m.update(&other)
	if line := m.line(&other, english, 0); !strings.Contains(line, "50 per second") || !strings.Contains(line, "2s left") {
		t.Error(line)
	}
}

// TestProgressWidth keeps the line within the terminal, so that it never wraps.
func TestProgressWidth(t *testing.T) {
	var m meter
	p := progressOf(123_456, 654_321, time.Hour, false)
	m.update(&p)
	p.Total = 777_777
	for columns := 1; columns < 200; columns++ {
		if line := m.line(&p, english, columns); len(line) >= columns {
			t.Errorf("%d columns: %q", columns, line)
		}
	}
	want := "[===                 ]  15 %, 123456 pages"
	if line := m.line(&p, english, 80); !strings.HasPrefix(line, want) {
		t.Error(line)
	}
}

// TestProgressDelay names a Crawl-delay that makes the crawl slow, before the first page too.
func TestProgressDelay(t *testing.T) {
	const text = "robots.txt asks for 8s between requests"
	var m meter
	p := progressOf(3, 5, 24*time.Second, false)
	for _, p.Reading = range []string{"", "https://example.com/sitemap.xml"} {
		for delay, want := range map[time.Duration]bool{0: false, 500 * time.Millisecond: false, 8 * time.Second: true} {
			p.Delay = delay
			m.update(&p)
			if line := m.line(&p, english, 0); strings.Contains(line, text) != want {
				t.Errorf("delay %v: %s", delay, line)
			}
		}
		for columns := 1; columns < 100; columns++ {
			if line := m.line(&p, english, columns); len(line) >= columns {
				t.Errorf("%d columns: %q", columns, line)
			}
		}
	}
}

// TestProgressEnds clears the line before the summary is printed to the same terminal.
func TestProgressEnds(t *testing.T) {
	var out strings.Builder
	p := &progress{out: &out, terminal: true, texts: inEnglish}
	p.event(progressOf(10, 20, time.Second, false))
	p.event(app.Ended{})
	if !strings.HasSuffix(out.String(), clearLine) || p.shown {
		t.Errorf("%q", out.String())
	}
}

// TestProgressLimited names a faster rate where the default one makes a crawl long.
func TestProgressLimited(t *testing.T) {
	for _, test := range []struct {
		waiting     int
		defaultRate float64
		want        bool
	}{{12_001, 20, true}, {11_999, 20, false}, {12_001, 0, false}} {
		var m meter
		p := progressOf(200, test.waiting, 10*time.Second, false)
		p.DefaultRate = test.defaultRate
		m.update(&p)
		line := m.line(&p, english, 0)
		if strings.Contains(line, "left, limited to 20 per second (see --rate auto)") != test.want {
			t.Errorf("%+v: %s", test, line)
		}
	}
}

// TestRateChange says what a rate is from now on.
func TestRateChange(t *testing.T) {
	for perSecond, want := range map[float64]string{
		0: "a.example: no rate limit any more: it has recovered\n", 0.5: "a.example: now 0.5 requests per second: it has recovered\n",
	} {
		var out strings.Builder
		newProgress(&out, inEnglish).event(app.RateChange{Host: "a.example", PerSecond: perSecond, Why: "it has recovered"})
		if out.String() != "mapa: "+want {
			t.Errorf("%q", out.String())
		}
	}
}

// TestPlainProgress prints a line now and then where there is no terminal.
func TestPlainProgress(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, inEnglish)
	for second := range 75 {
		p.event(progressOf(second, 10, time.Duration(second)*time.Second, false))
	}
	want := "mapa: 10 pages, 10 waiting, 10s left, 0 broken, 1 per second, 20 found\n"
	got := out.String()
	if strings.Count(got, "\n") != 3 || !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}

// TestDumbTerminal takes TERM=dumb for no terminal.
func TestDumbTerminal(t *testing.T) {
	if !hasControl("xterm") || hasControl("dumb") {
		t.Error("TERM is not observed")
	}
}

// TestNullDevice takes the null device for no terminal, as under a scheduler.
func TestNullDevice(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Errorf("%s counts as a terminal", os.DevNull)
	}
}
