package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A process is a server in a process of its own.
type process struct {
	command *exec.Cmd
	input   io.Closer // closing it ends the server
	address string
}

// startProcess starts a server that prints its address.
func startProcess(databaseURL, program string, arguments ...string) (*process, error) {
	p := &process{command: exec.Command(program, arguments...)}
	p.command.Env = append(os.Environ(), "DATABASE_URL="+databaseURL)
	p.command.Stderr = os.Stderr
	input, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.input = input
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s: no address: %w", program, err)
	}
	p.address = strings.TrimSpace(line)
	return p, nil
}

func (p *process) stop() {
	p.input.Close()
	_ = p.command.Wait()
}

// cpu returns the processor time that the process has used.
func (p *process) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var ticks int64
	for _, field := range fields[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// peak returns the most memory that was resident at once, in bytes.
func (p *process) peak() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	rest, _, _ = strings.Cut(rest, "kB")
	kilobytes, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
	return kilobytes << 10, err
}

// A timing is how one request went.
type timing struct {
	first, whole time.Duration
	bytes        int64
}

// fetch requests a file as a search engine does, compressed, and reads it.
func (p *process) fetch(path string) (timing, error) {
	var t timing
	request, err := http.NewRequest("GET", p.address+path, nil)
	if err != nil {
		return t, err
	}
	request.Header.Set("Accept-Encoding", "gzip")
	start := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return t, err
	}
	defer response.Body.Close()
	one := make([]byte, 1)
	if _, err := io.ReadFull(response.Body, one); err != nil {
		return t, err
	}
	t.first = time.Since(start)
	t.bytes, err = io.Copy(io.Discard, response.Body)
	t.whole = time.Since(start)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, response.Status)
	}
	return t, err
}
