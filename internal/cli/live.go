package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// A liveLine shows progress in one line of a terminal, and nothing elsewhere.
type liveLine struct {
	out      io.Writer
	terminal bool
	mutex    sync.Mutex
	shown    bool
}

func newLiveLine(out io.Writer) *liveLine {
	return &liveLine{out: out, terminal: isTerminal(out)}
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// isColored reports whether people want colours there
// (https://no-color.org).
func isColored(out io.Writer) bool {
	return isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

const clearLine = "\r\x1b[K"

func (l *liveLine) show(p crawl.Progress) {
	if !l.terminal {
		return
	}
	perSecond := float64(p.Pages) / p.Elapsed.Seconds()
	left := ""
	if perSecond > 0 && p.Waiting > 0 {
		left = fmt.Sprintf(", %v left", (time.Duration(float64(p.Waiting)/perSecond) * time.Second).Round(time.Second))
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.shown = true
	fmt.Fprintf(l.out, clearLine+"%d pages, %d found, %d waiting, %.0f a second, %d broken%s", p.Pages, p.Found, p.Waiting, perSecond, p.Broken, left)
}

// say prints a line of its own.
func (l *liveLine) say(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.shown {
		fmt.Fprint(l.out, clearLine)
	}
	fmt.Fprintln(l.out, "mapa: "+printable(text))
}

func (l *liveLine) end() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.shown {
		fmt.Fprint(l.out, clearLine)
		l.shown = false
	}
}
