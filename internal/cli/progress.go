package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/format"
)

// A progress prints the events of a run: progress in one line of a terminal, and
// notices in lines of their own.
type progress struct {
	out      io.Writer
	terminal bool
	shown    bool // the line of progress is on the terminal
}

func newProgress(out io.Writer) *progress {
	return &progress{out: out, terminal: isTerminal(out)}
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// isColored reports whether output there may have colors (https://no-color.org).
func isColored(out io.Writer) bool {
	return isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// maxReading is how many characters of a sitemap's URL the line of progress has.
const maxReading = 60

const clearLine = "\r\x1b[K"

// event prints an event. Package app calls it from one goroutine at a time.
func (p *progress) event(event app.Event) {
	switch e := event.(type) {
	case app.CrawlProgress:
		p.show(&e.Progress)
	case app.RateChange:
		p.say(fmt.Sprintf("%s: now %.3g requests per second: %s", e.Host, e.PerSecond, e.Why))
	case app.Notice:
		p.say(e.Text)
	case app.Problem:
		p.end()
		complain(p.out, e.Err)
	case app.StartMoved:
		text := fmt.Sprintf("%s redirects to %s, which is crawled", e.From, e.To)
		if e.CredentialsDropped {
			text += "; --user, --cookie and --header are not sent there"
		}
		p.say(text)
	case app.HTTPFallback:
		p.say(fmt.Sprintf("%s does not answer over https: crawling %s", e.From, e.To))
	case app.SeedsIgnored:
		p.say(seedsIgnoredText)
	case app.CrawlIncomplete:
		p.say(fmt.Sprintf(crawlIncompleteText, e.Folder))
	case app.HostSkipped:
		p.say(hostSkippedText(e))
	case app.LintSummary:
		p.end()
		fmt.Fprintln(p.out, e.Text)
	}
}

func (p *progress) show(c *crawl.Progress) {
	if !p.terminal {
		return
	}
	if c.Reading != "" {
		p.shown = true
		fmt.Fprintf(p.out, clearLine+"%d found, reading %s", c.Found, format.Truncate(printable(c.Reading), maxReading))
		return
	}
	perSecond := float64(c.Pages) / c.Elapsed.Seconds()
	left := ""
	if perSecond > 0 && c.Waiting > 0 {
		left = fmt.Sprintf(", %v left", (time.Duration(float64(c.Waiting)/perSecond) * time.Second).Round(time.Second))
	}
	p.shown = true
	fmt.Fprintf(p.out, clearLine+"%d pages, %d found, %d waiting, %.0f per second, %d broken%s",
		c.Pages, c.Found, c.Waiting, perSecond, c.Broken, left)
}

// say prints a notice.
func (p *progress) say(text string) {
	p.end()
	fmt.Fprintln(p.out, "mapa: "+printable(format.Redact(text)))
}

// end removes the line of progress.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.out, clearLine)
		p.shown = false
	}
}
