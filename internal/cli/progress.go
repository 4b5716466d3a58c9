package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// A progress prints the events of a run: progress in one line of a terminal, and
// notices in lines of their own.
type progress struct {
	out      io.Writer
	terminal bool
	quiet    bool // print errors only
	texts    func() *catalog.Catalog
	meter    meter
	shown    bool      // the line of progress is on the terminal
	saidJob  time.Time // when a line about a job was printed
}

func newProgress(out io.Writer, texts func() *catalog.Catalog) *progress {
	return &progress{out: out, texts: texts, terminal: isTerminal(out) && hasControl(os.Getenv("TERM"))}
}

// isTerminal reports whether a person can read or type there. The null device is a
// character device too.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// isColored reports whether output there may have colors (https://no-color.org).
func isColored(out io.Writer) bool {
	return isTerminal(out) && os.Getenv("NO_COLOR") == "" && hasControl(os.Getenv("TERM"))
}

// widthOf returns the number of columns of a terminal, 0 for anything else.
func widthOf(out io.Writer) int {
	if file, ok := out.(*os.File); ok && isTerminal(out) {
		return columns(file)
	}
	return 0
}

// maxReading is how many characters of a sitemap's URL the line of progress has.
const maxReading = 60

// hasControl reports whether a terminal of this kind obeys escape sequences.
func hasControl(term string) bool { return term != "dumb" }

const clearLine = "\r\x1b[K"

// event prints an event. Package app calls it from one goroutine at a time.
func (p *progress) event(event app.Event) {
	if _, isProblem := event.(app.Problem); p.quiet && !isProblem {
		return
	}
	switch e := event.(type) {
	case app.Progress:
		p.show(&e)
	case appcrawl.JobProgress:
		p.showJob(&e)
	case app.Ended:
		p.end() // the summary goes to the same terminal
	case app.Problem:
		p.end()
		printError(p.out, p.texts(), cause.KindOf(e.Err), e.Err)
	case applint.Summary:
		p.end()
		fmt.Fprintln(p.out, e.Text)
	default:
		if text := event.In(p.texts()); text != "" {
			p.say(text)
		}
	}
}

func (p *progress) show(c *app.Progress) {
	p.meter.update(c)
	if !p.terminal {
		if line := p.meter.plain(c, p.texts()); line != "" {
			p.say(line)
		}
		return
	}
	width := 0
	if file, ok := p.out.(*os.File); ok {
		width = columns(file)
	}
	p.shown = true
	fmt.Fprint(p.out, clearLine+p.meter.line(c, p.texts(), width))
}

// showJob prints the progress of a job.
func (p *progress) showJob(j *appcrawl.JobProgress) {
	line := j.In(p.texts())
	if !p.terminal {
		if time.Since(p.saidJob) >= plainInterval {
			p.saidJob = time.Now()
			p.say(line)
		}
		return
	}
	p.shown = true
	fmt.Fprint(p.out, clearLine+line)
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
