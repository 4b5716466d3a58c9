package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	startTime = 30 * time.Second // until the browser answers
	closeTime = 2 * time.Second  // until it ends by itself
)

// A process is a running browser with all its processes.
type process struct {
	*connection
	command *exec.Cmd
	pipe    *os.File // that the browser reads; closing it ends the browser
	output  tail
	ended   chan struct{} // closed when the browser ended
}

// startProcess starts a browser and waits until it answers.
func startProcess(ctx context.Context, path string, o Options, f *folder, arguments []string) (*process, error) {
	p := &process{command: exec.Command(path, arguments...), ended: make(chan struct{})}
	toRead, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, toWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, toRead.Close(), in.Close())
	}
	p.command.ExtraFiles = []*os.File{toRead, toWrite} // file descriptors 3 and 4
	p.command.Env, p.command.Dir = f.environment(), f.path
	p.command.Stderr = &p.output
	p.command.WaitDelay = time.Second // for the output of processes that outlive the first one
	ownGroup(p.command)
	p.pipe = in
	err = p.command.Start()
	toRead.Close() // the browser has its own
	toWrite.Close()
	if err != nil {
		return nil, errors.Join(&StartError{Path: path, Err: err}, in.Close(), out.Close())
	}
	p.connection = newConnection(in, out)
	go func() {
		_ = p.command.Wait() // whatever it says, the browser ended
		killGroup(p.command) // what the first process left
		close(p.ended)
		<-p.gone
		out.Close()
	}()
	if err := p.awaitAnswer(ctx); err != nil {
		p.kill()
		return nil, p.explainStart(path, o, err)
	}
	return p, nil
}

// awaitAnswer waits until the browser answers its first request.
func (p *process) awaitAnswer(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, fmt.Errorf("no answer in %s", startTime))
	defer cancel()
	return p.call(ctx, "", "Browser.getVersion", nil, nil)
}

// explainStart returns why the browser did not start. What it wrote names the sandbox where that
// is missing.
func (p *process) explainStart(path string, o Options, err error) error {
	output := p.output.String()
	namesSandbox := strings.Contains(output, "no-sandbox") || strings.Contains(output, "sandbox!")
	if !o.NoSandbox && errors.Is(err, errGone) && namesSandbox {
		return fmt.Errorf("%s: %w", path, ErrSandbox)
	}
	return &StartError{Path: path, Output: output, Err: err}
}

// close ends the browser: politely, and after closeTime by force.
func (p *process) close() {
	p.tell("", "Browser.close", nil)
	select {
	case <-p.ended:
	case <-time.After(closeTime):
	}
	p.kill()
}

// kill ends all processes of the browser and waits for that.
func (p *process) kill() {
	p.pipe.Close()
	select {
	case <-p.ended: // its number may be that of another process
	default:
		killGroup(p.command)
		<-p.ended
	}
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is how many bytes a tail keeps.
const maxTail = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-maxTail):]...)
	return len(p), nil
}

// String returns the text without control characters.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return ' '
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(t.text), "")))
}
