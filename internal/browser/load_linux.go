package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// A load measures what the processes of a browser have of the machine. Its zero value has measured nothing yet.
type load struct {
	own, busy, idle int64            // processor time of the browser, and of the machine, in clock ticks
	processes       map[string]int64 // the same of each process of the browser
	waits           map[string]int64 // nanoseconds that each thread has waited for a processor; nil while some are idle
}

// measure ends the processes of a group, other than its first, that have more private memory than a limit. It
// returns how much memory all of them have, and for how many nanoseconds since the last measurement one of their
// threads waited for a processor that another program had.
func (l *load) measure(group int, limit int64) (memory, lost int64) {
	before := *l
	l.processes, l.waits = map[string]int64{}, nil
	l.busy, l.idle = readMachine()
	busy := l.busy - before.busy
	// A twentieth is idle also where programs wait.
	isFull := before.processes != nil && busy > 0 && (l.idle-before.idle)*20 < busy
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		pid, err := strconv.Atoi(filepath.Base(process))
		if err != nil {
			continue
		}
		if of, err := syscall.Getpgid(pid); err != nil || of != group {
			continue
		}
		used := readMemory(process)
		memory += used
		if used > limit && pid != group {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		l.processes[process] = readTime(process)
		l.own += max(0, l.processes[process]-before.processes[process])
		if isFull {
			l.addWaits(process)
		}
	}
	for thread, wait := range l.waits {
		if earlier, known := before.waits[thread]; known {
			lost = max(lost, wait-earlier)
		}
	}
	others := max(0, busy-(l.own-before.own))
	return memory, int64(float64(lost) * float64(others) / float64(max(busy, 1)))
}

// addWaits adds for how long the threads of a process have waited (Documentation/scheduler/sched-stats.rst of Linux).
func (l *load) addWaits(process string) {
	if l.waits == nil {
		l.waits = map[string]int64{}
	}
	threads, _ := filepath.Glob(process + "/task/*/schedstat")
	for _, thread := range threads {
		l.waits[thread] = sum(readFields(thread), 1)
	}
}

// readMemory returns the private memory of a process, 0 when it ended.
func readMemory(process string) int64 {
	pages := readFields(process + "/statm")
	return (sum(pages, 1) - sum(pages, 2)) * int64(os.Getpagesize())
}

// readTime returns the processor time of a process in clock ticks (proc_pid_stat(5)).
func readTime(process string) int64 {
	text, _ := os.ReadFile(process + "/stat")
	_, rest, _ := strings.Cut(string(text), ") ") // the name before it may have spaces
	return sum(strings.Fields(rest), 11, 12)
}

// readMachine returns the time of all processors, in clock ticks, in which they had something to do, and in which
// they had not (proc_stat(5)).
func readMachine() (busy, idle int64) {
	fields := readFields("/proc/stat") // the first line is that of all
	return sum(fields, 1, 2, 3, 6, 7, 8), sum(fields, 4, 5)
}

// readFields returns the fields of a file, none when it is gone.
func readFields(name string) []string {
	text, _ := os.ReadFile(name)
	return strings.Fields(string(text))
}

// sum returns the sum of some numbers in a line; one that is missing is 0.
func sum(fields []string, at ...int) (total int64) {
	for _, i := range at {
		if i < len(fields) {
			n, _ := strconv.ParseInt(fields[i], 10, 64)
			total += n
		}
	}
	return total
}
