// Package measure runs the programs that benchmarks compare, and prints what they cost.
package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// command makes the benchmark run another program and report on it. A process
// starts with the peak memory of the one that started it, so a program must not
// be started by the process that holds the truth in memory.
const command = "measure"

// A Cost is what wait4 says about a process.
type Cost struct {
	CPU    time.Duration // user and system
	Wall   time.Duration
	Memory int64 // bytes resident at most
	Exit   int   // its exit code; -1 after a signal
	End    time.Time
}

// Serve ends the process that [Run] or [RunTree] has started, once its command is done. A benchmark
// calls it first of all. In any other process it does nothing.
func Serve() {
	if len(os.Args) < 4 {
		return
	}
	measures := map[string]func(string, []string) (Cost, error){command: observe, treeCommand: observeTree}
	measure, known := measures[os.Args[1]]
	if !known {
		return
	}
	c, err := measure(os.Args[2], os.Args[3:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func observe(output string, arguments []string) (Cost, error) {
	file, err := os.Create(output)
	if err != nil {
		return Cost{}, err
	}
	defer file.Close()
	process := exec.Command(arguments[0], arguments[1:]...)
	process.Stdout = file
	process.Stderr = os.Stderr
	// The program dies with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	start := time.Now()
	if err := process.Start(); err != nil {
		return Cost{}, err
	}
	go func() {
		<-stop
		_ = process.Process.Kill() // it may have ended
	}()
	err = process.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return Cost{}, err
	}
	state := process.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	return Cost{
		CPU:    state.UserTime() + state.SystemTime(),
		Wall:   time.Since(start),
		Memory: usage.Maxrss << 10,
		Exit:   state.ExitCode(),
		End:    time.Now(),
	}, nil
}

// Run runs a command with its standard output and error in two files. When ctx ends first, the command is
// killed, and Run returns what it cost until then with the error of ctx.
func Run(ctx context.Context, output, complaints string, arguments ...string) (Cost, error) {
	return runSelf(ctx, command, output, complaints, arguments)
}

// RunTree is like [Run], but the cost is that of the command and all processes that it starts:
// their CPU time, and as Memory the largest sum of their proportional set sizes.
func RunTree(ctx context.Context, output, complaints string, arguments ...string) (Cost, error) {
	return runSelf(ctx, treeCommand, output, complaints, arguments)
}

// runSelf lets a process of this program run a command and measure it.
func runSelf(ctx context.Context, measure, output, complaints string, arguments []string) (Cost, error) {
	self, err := os.Executable()
	if err != nil {
		return Cost{}, err
	}
	messages, err := os.Create(complaints)
	if err != nil {
		return Cost{}, err
	}
	defer messages.Close()
	process := exec.CommandContext(ctx, self, append([]string{measure, output}, arguments...)...)
	process.Stderr = messages
	process.Cancel = func() error { return process.Process.Signal(syscall.SIGTERM) }
	report, err := process.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", arguments[0], err)
	}
	var c Cost
	if len(report) > 0 {
		err = errors.Join(err, json.Unmarshal(report, &c))
	}
	return c, err
}
