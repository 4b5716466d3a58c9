package hostile

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A run is what a program did and what it took.
type run struct {
	dir            string
	stdout, stderr string // at most maxOutput bytes of each
	sizes          [2]int64
	code           int // -1 when it was killed
	elapsed        time.Duration
	memory         int64 // peak resident bytes, 0 where the system does not report them
	disk           int64 // peak bytes in dir and in files without a name
}

const (
	maxOutput   = 8 << 20
	sampleEvery = 20 * time.Millisecond
	diskEvery   = 10 // samples
)

// execute runs the program in dir and kills it at the deadline. Unless interrupt is
// zero, the program receives one interrupt after that time. Once the grace at the end has
// begun, time in which the program waits for a busy processor does not count.
func execute(t *testing.T, dir string, deadline, interrupt time.Duration, args ...string) run {
	t.Helper()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	temporary := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "TMPDIR="+temporary, "HOME="+dir, "NO_COLOR=1")
	outputs := t.TempDir() // outside dir, not to count as its disk
	stdout, stderr := create(t, outputs, "stdout"), create(t, outputs, "stderr")
	defer stdout.Close()
	defer stderr.Close()
	command.Stdout, command.Stderr = stdout, stderr
	r := run{dir: dir}
	start := time.Now()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	ticker := time.NewTicker(sampleEvery)
	defer ticker.Stop()
	before := time.Duration(-1) // what starved returned when the grace began
	for samples, isInterrupted := 0, false; ; samples++ {
		select {
		case err = <-ended:
		case <-ticker.C:
			r.memory = max(r.memory, peakMemory(command.Process.Pid))
			if samples%diskEvery == 0 {
				r.disk = max(r.disk, usage(dir)+removedUsage(command.Process.Pid))
			}
			if interrupt > 0 && !isInterrupted && time.Since(start) > interrupt {
				isInterrupted = true
				_ = command.Process.Signal(os.Interrupt)
			}
			if before < 0 && time.Since(start) > deadline-Grace {
				before = starved(command.Process.Pid)
			}
			if late := time.Since(start) - deadline; late < 0 ||
				late < min(maxStarved, starved(command.Process.Pid)-before) {
				continue
			}
			_ = command.Process.Kill()
			err = <-ended
		}
		break
	}
	r.elapsed = time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r.code = command.ProcessState.ExitCode()
	r.disk = max(r.disk, usage(dir))
	r.stdout, r.sizes[0] = contents(t, stdout)
	r.stderr, r.sizes[1] = contents(t, stderr)
	return r
}

// maxStarved is the most waiting for a processor that does not count.
const maxStarved = time.Minute

// starved returns how long the threads of a process were ready to run while others ran,
// divided by the number of processors, or 0 where the system does not report it. See
// https://docs.kernel.org/scheduler/sched-stats.html.
func starved(pid int) time.Duration {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	if err != nil {
		return 0
	}
	var total time.Duration
	for _, name := range threads {
		text, _ := os.ReadFile(name) // the thread may have ended
		if fields := strings.Fields(string(text)); len(fields) == 3 {
			nanoseconds, _ := strconv.ParseInt(fields[1], 10, 64)
			total += time.Duration(nanoseconds)
		}
	}
	return total / time.Duration(runtime.NumCPU())
}

func create(t *testing.T, dir, name string) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func contents(t *testing.T, file *os.File) (text string, size int64) {
	t.Helper()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, min(info.Size(), maxOutput))
	if _, err := file.ReadAt(start, 0); err != nil {
		t.Fatal(err)
	}
	return string(start), info.Size()
}

// peakMemory returns the most memory that a process has ever had. The resource usage
// that Wait returns would also count the parent's memory, which the child shares
// until it runs its program.
func peakMemory(pid int) int64 {
	file, err := os.Open("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if text, found := strings.CutPrefix(lines.Text(), "VmHWM:"); found {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// removedUsage returns the size of the files that a process has open although they have
// no name any more.
func removedUsage(pid int) int64 {
	folder := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0
	}
	var total int64
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		if target, err := os.Readlink(name); err != nil || !strings.HasSuffix(target, " (deleted)") {
			continue
		}
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
		}
	}
	return total
}

// usage returns the size of all files in dir. Files may disappear meanwhile.
func usage(dir string) int64 {
	var total int64
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
