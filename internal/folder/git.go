package folder

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrShallow says that a clone lacks the history that has the dates.
var ErrShallow = errors.New("the git clone is shallow")

// maxDates bounds the files whose dates are kept.
const maxDates = 2_000_000

// GitDates returns, by name, when git committed the last change of the files of a
// folder. Files that are not tracked, or changed since, have none. It is empty outside a
// repository and without git, and [ErrShallow] in a shallow clone.
//
// No program that the repository names is run: no hook, file system monitor, filter,
// pager or signature check.
func GitDates(ctx context.Context, name string) (map[string]time.Time, error) {
	shallow, err := output(ctx, name, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return nil, ctx.Err() // no repository, or none that git trusts
	}
	if strings.TrimSpace(string(shallow)) == "true" {
		return nil, ErrShallow
	}
	dates, err := readLog(ctx, name)
	if err != nil {
		return nil, ctx.Err()
	}
	filters, err := withoutFilters(ctx, name)
	if err != nil {
		return nil, ctx.Err()
	}
	for _, arguments := range [][]string{
		{"diff-files", "--name-only", "-z", "--relative", "--ignore-submodules=all"},
		{"diff-index", "--cached", "--name-only", "-z", "--relative", "--ignore-submodules=all", "HEAD"},
	} {
		changed, err := output(ctx, name, slices.Concat(filters, arguments)...)
		if err != nil {
			return nil, ctx.Err()
		}
		for file := range bytes.SplitSeq(changed, []byte{0}) {
			delete(dates, string(file))
		}
	}
	return dates, nil
}

// withoutFilters returns options that turn off the filters of the configuration, which
// git runs to compare a file that it cannot tell from its time.
func withoutFilters(ctx context.Context, name string) (options []string, err error) {
	// The command fails without a filter.
	names, _ := output(ctx, name, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	for setting := range bytes.SplitSeq(names, []byte{0}) {
		at := bytes.LastIndexByte(setting, '.')
		if at < 0 {
			continue
		}
		switch string(setting[at+1:]) {
		case "clean", "process", "smudge":
			options = append(options, "-c", string(setting)+"=")
		case "required":
			options = append(options, "-c", string(setting)+"=false")
		}
	}
	return options, ctx.Err()
}

// command returns a git command that runs nothing else and asks for nothing.
func command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	safe := []string{"--no-pager", "--no-optional-locks", "-C", name, "-c", "core.fsmonitor=false", "-c",
		"core.hooksPath=" + os.DevNull, "-c", "core.quotePath=false", "-c", "log.showSignature=false"}
	c := exec.CommandContext(ctx, "git", append(safe, arguments...)...)
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0")
	c.WaitDelay = time.Second
	return c
}

// maxOutput bounds what is read of a command.
const maxOutput = 256 << 20

func output(ctx context.Context, name string, arguments ...string) ([]byte, error) {
	var out limitedBuffer
	c := command(ctx, name, arguments...)
	c.Stdout = &out
	err := c.Run()
	return out.Bytes(), err
}

// A limitedBuffer fails when it would hold more than maxOutput.
type limitedBuffer struct{ bytes.Buffer }

var errOutput = errors.New("too much output")

// Write implements [io.Writer].
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		return 0, errOutput
	}
	return b.Buffer.Write(p)
}

// readLog reads the history once, the newest commit first.
func readLog(ctx context.Context, name string) (map[string]time.Time, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := command(ctx, name, "log", "--format=%x01%ct", "--name-only", "-z", "--relative", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=all", "HEAD", "--", ".")
	pipe, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	dates := parseLog(pipe)
	return dates, c.Wait()
}

// parseLog reads fields that end in a zero byte: the seconds of a commit after a byte 1,
// and the names of its files, the first of them after a newline.
func parseLog(in io.Reader) map[string]time.Time {
	dates := map[string]time.Time{}
	var at time.Time
	reader := bufio.NewReaderSize(in, 64<<10)
	for len(dates) < maxDates {
		field, err := reader.ReadString(0)
		if err != nil {
			break
		}
		field = strings.TrimPrefix(strings.TrimSuffix(field, "\x00"), "\n")
		if seconds, isCommit := strings.CutPrefix(field, "\x01"); isCommit {
			if n, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64); err == nil {
				at = time.Unix(n, 0).UTC()
			}
			continue
		}
		if _, newer := dates[field]; !newer && field != "" {
			dates[field] = at
		}
	}
	_, _ = io.Copy(io.Discard, reader) // lets git end
	return dates
}
