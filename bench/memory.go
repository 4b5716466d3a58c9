package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// The tasks that need a process of their own.
const (
	taskRead      = "read"
	taskWrite     = "write"
	taskWriteGzip = "write-gzip"
	taskLint      = "lint"
	taskBuild     = "build"
	taskProgram   = "program"
	taskLoop      = "loop"
)

// A peak is what a task reports.
type peak struct {
	URLs     int
	Resident int64 // bytes at most
	Seconds  float64
}

// runTask does a task and prints its peak.
func runTask(name string, b *bench) error {
	var p peak
	var err error
	switch name {
	case taskRead:
		p.URLs, err = readMany(b.size.many)
	case taskWrite:
		p.URLs, err = writeMany(b.size.many, false)
	case taskWriteGzip:
		p.URLs, err = writeMany(b.size.many, true)
	case taskLint:
		p, err = lintMany()
	case taskBuild:
		p, err = buildMany()
	case taskProgram:
		p, err = runProgram()
	case taskLoop:
		p, err = loopOver()
	default:
		err = fmt.Errorf("no task is called %q", name)
	}
	if err != nil {
		return err
	}
	if p.Resident == 0 {
		if p.Resident, err = highWater(); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(p)
}

// highWater is the most memory that was resident in this process at once.
func highWater() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("/proc/self/status has no VmHWM")
}

// task runs a task in a process of its own.
func (b *bench) task(name string, variables ...string) (peak, error) {
	arguments := []string{"-child", name}
	if b.size == quickSize {
		arguments = append(arguments, "-quick")
	}
	self, err := os.Executable()
	if err != nil {
		return peak{}, err
	}
	command := exec.Command(self, arguments...)
	command.Env = append(os.Environ(), variables...)
	command.Dir = b.dir
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return peak{}, fmt.Errorf("task %s: %w", name, err)
	}
	var p peak
	return p, json.NewDecoder(bytes.NewReader(output)).Decode(&p)
}

// peak runs a task and adds the line of its memory.
func (b *bench) peak(title, name string, required float64) error {
	p, err := b.task(name)
	if err != nil {
		return err
	}
	if p.URLs != b.size.many {
		return fmt.Errorf("task %s: %d URLs instead of %d", name, p.URLs, b.size.many)
	}
	megabytes := float64(p.Resident) / 1e6
	b.table.add(line{
		name:     fmt.Sprintf("%s %d URLs", title, p.URLs),
		required: fmt.Sprintf("<%.0f MB", required),
		measured: fmt.Sprintf("%.1f MB", megabytes),
		passed:   passedText(required, megabytes < required),
	})
	return nil
}

// readMany reads one endless file.
func readMany(n int) (int, error) {
	var did work
	for entry, err := range sitemap.NewReader(newStream(plainRecord, 0, n), unbounded).Entries() {
		if err != nil {
			return did.urls, err
		}
		if err := did.note(entry); err != nil {
			return did.urls, err
		}
	}
	return did.urls, nil
}
