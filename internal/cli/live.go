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
	file, ok := out.(*os.File)
	terminal := false
	if ok {
		info, err := file.Stat()
		terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return &liveLine{out: out, terminal: terminal}
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
