package measure

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// treeCommand is like command, for a process with all that it starts.
const treeCommand = "measure-tree"

// samplePause is the time between two looks at the memory of a tree of processes. A look at a
// browser takes milliseconds for each of its processes.
const samplePause = 500 * time.Millisecond

// observeTree runs a command and returns what it cost with all its descendants: their CPU time, and
// as Memory the largest sum of their proportional set sizes, in which shared memory counts once.
func observeTree(output string, arguments []string) (Cost, error) {
	file, err := os.Create(output)
	if err != nil {
		return Cost{}, err
	}
	defer file.Close()
	// Descendants whose parent has ended become children of this process, which waits for them.
	const prSetChildSubreaper = 36
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return Cost{}, errno
	}
	process := exec.Command(arguments[0], arguments[1:]...)
	process.Stdout, process.Stderr = file, os.Stderr
	start := time.Now()
	if err := process.Start(); err != nil {
		return Cost{}, err
	}
	done, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- samplePeak(done) }()
	err = process.Wait()
	cost := Cost{Wall: time.Since(start), Exit: process.ProcessState.ExitCode()}
	endDescendants()
	close(done)
	cost.Memory = <-peak
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return Cost{}, err
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		return Cost{}, err
	}
	cost.CPU = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	return cost, nil
}

// endDescendants waits for the descendants that are left, and kills those that do not end by
// themselves.
func endDescendants() {
	kill := time.AfterFunc(5*time.Second, func() {
		for _, pid := range descendants(os.Getpid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	defer kill.Stop()
	for {
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// samplePeak returns the largest sum of the proportional set sizes of the descendants until done.
func samplePeak(done <-chan struct{}) (peak int64) {
	ticker := time.NewTicker(samplePause)
	defer ticker.Stop()
	for {
		var sum int64
		for _, pid := range descendants(os.Getpid()) {
			sum += proportionalSize(pid)
		}
		peak = max(peak, sum)
		select {
		case <-done:
			return peak
		case <-ticker.C:
		}
	}
}

// descendants returns the processes that a process and its descendants have started.
func descendants(of int) (all []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	children := map[int][]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The name of the program may contain anything, but is the last in parentheses.
		rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
		parent, _ := strconv.Atoi(strings.Fields(rest)[1])
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		children[parent] = append(children[parent], pid)
	}
	all = children[of]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// proportionalSize returns the memory of a process in bytes, and 0 when it has ended.
func proportionalSize(pid int) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "\nPss:")
	rest, _, _ = strings.Cut(rest, "kB")
	kilobytes, _ := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
	return kilobytes << 10
}
