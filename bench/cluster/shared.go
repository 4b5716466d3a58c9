package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// shared crawls the sites on workers. The time ends when the submitter has written all
// results.
func (b *bench) shared(workers int) (_ *usage, err error) {
	folder, err := os.MkdirTemp(b.folder, "servers-")
	if err != nil {
		return nil, err
	}
	servers, err := natstest.Start(folder, natstest.Loopback(3), "")
	if err != nil {
		return nil, err
	}
	defer servers.Close()
	mapa := func(arguments ...string) *exec.Cmd {
		return exec.Command(b.program, append(arguments, "--quiet", "--nats", servers.URL())...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := natstest.Ready(ctx, func() bool { return mapa("job", "list").Run() == nil }); err != nil {
		return nil, err
	}
	var running []*exec.Cmd
	for range workers {
		worker := mapa("worker", "--parallel", strconv.Itoa(b.parallel), "--temp", folder)
		worker.Stderr = os.Stderr
		if err := worker.Start(); err != nil {
			return nil, err
		}
		defer worker.Process.Kill() //nolint:errcheck // it has ended unless something failed
		running = append(running, worker)
	}
	before := serverTime(servers)
	began := time.Now()
	submit := mapa("crawl", "--sites", b.list, "--job", fmt.Sprint("bench-", workers), "-o",
		filepath.Join(folder, "results"))
	if output, err := submit.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, output)
	}
	u := &usage{wall: time.Since(began), servers: serverTime(servers) - before}
	u.submit = submit.ProcessState.UserTime() + submit.ProcessState.SystemTime()
	for i := range 3 {
		u.serverMemory = max(u.serverMemory, peakMemory(servers.PID(i)))
	}
	for _, worker := range running {
		u.workerMemory = max(u.workerMemory, peakMemory(worker.Process.Pid))
		if err := worker.Process.Signal(syscall.SIGTERM); err != nil {
			return nil, err
		}
		_ = worker.Wait() // it was interrupted
		u.workers += worker.ProcessState.UserTime() + worker.ProcessState.SystemTime()
	}
	b.runs++
	return u, b.checkRequests(b.runs)
}

// checkRequests returns an error unless every page was requested once in each of so many
// crawls.
func (b *bench) checkRequests(crawls int) error {
	for site := range b.sites.Sites {
		if n, want := b.sites.Requested(site)+b.sites.Again(site), crawls*b.sites.Pages; n != want {
			return fmt.Errorf("site %d: %d requests for pages, want %d", site, n, want)
		}
	}
	return nil
}

// clockTicks is the number of ticks of /proc/PID/stat a second (proc_pid_stat(5)).
const clockTicks = 100

// serverTime returns the processor time of all servers.
func serverTime(servers *natstest.Servers) (total time.Duration) {
	for i := range 3 {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", servers.PID(i)))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		for _, field := range fields[11:13] { // utime and stime
			ticks, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				panic(errors.New("stat without times"))
			}
			total += time.Duration(ticks) * time.Second / clockTicks
		}
	}
	return total
}

// peakMemory returns the most memory that a process has had, in bytes.
func peakMemory(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes) // 0 where it is missing
	return kilobytes << 10
}
