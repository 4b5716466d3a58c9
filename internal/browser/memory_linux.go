package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// limitMemory ends the processes of a group, other than its first, that have more private memory than a
// limit, and returns what all of them have.
func limitMemory(group int, limit int64) (all int64) {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		pid, err := strconv.Atoi(filepath.Base(process))
		if err != nil {
			continue
		}
		if of, err := syscall.Getpgid(pid); err != nil || of != group {
			continue
		}
		memory := readMemory(process)
		all += memory
		if memory > limit && pid != group {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return all
}

// readMemory returns the private memory of a process, 0 when it ended.
func readMemory(process string) int64 {
	text, _ := os.ReadFile(filepath.Join(process, "statm"))
	fields := strings.Fields(string(text))
	if len(fields) < 3 {
		return 0
	}
	resident, _ := strconv.ParseInt(fields[1], 10, 64)
	shared, _ := strconv.ParseInt(fields[2], 10, 64)
	return (resident - shared) * int64(os.Getpagesize())
}
