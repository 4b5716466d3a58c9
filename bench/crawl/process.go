package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// measureCommand makes this program run another one and report on it. A process
// starts with the peak memory of the one that started it, so a crawler must not
// be started by the process that holds the truth in memory.
const measureCommand = "measure"

// A cost is what wait4 says about a process.
type cost struct {
	CPU    time.Duration // user and system
	Wall   time.Duration
	Memory int64 // bytes resident at most
	Exit   int   // its exit code; -1 after a signal
}

// measureHere runs a command with its output in a file, and prints its cost.
func measureHere(output string, arguments []string) int {
	c, err := observe(output, arguments)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "crawl:", err)
		return 1
	}
	return 0
}

func observe(output string, arguments []string) (cost, error) {
	file, err := os.Create(output)
	if err != nil {
		return cost{}, err
	}
	defer file.Close()
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Stdout = file
	command.Stderr = os.Stderr
	// The crawler dies with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	start := time.Now()
	err = command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return cost{}, err
	}
	state := command.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	return cost{
		CPU:    state.UserTime() + state.SystemTime(),
		Wall:   time.Since(start),
		Memory: usage.Maxrss << 10,
		Exit:   state.ExitCode(),
	}, nil
}

// measure runs a command with its standard output and error in two files.
func measure(ctx context.Context, output, complaints string, arguments ...string) (cost, error) {
	self, err := os.Executable()
	if err != nil {
		return cost{}, err
	}
	messages, err := os.Create(complaints)
	if err != nil {
		return cost{}, err
	}
	defer messages.Close()
	command := exec.CommandContext(ctx, self, append([]string{measureCommand, output}, arguments...)...)
	command.Stderr = messages
	report, err := command.Output()
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w", arguments[0], err)
	}
	var c cost
	return c, json.NewDecoder(bytes.NewReader(report)).Decode(&c)
}
