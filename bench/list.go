package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// The environment variables of the listing task.
const (
	programVariable = "MAPA_BENCH_PROGRAM"
	patternVariable = "MAPA_BENCH_PATTERN"
)

// list counts the URLs of many files with the program itself, on two cores.
func (b *bench) list() error {
	program, pattern, err := b.listed()
	if err != nil {
		return err
	}
	var seconds, megabytes []float64
	for range b.rounds {
		p, err := b.task(taskList, programVariable+"="+program, patternVariable+"="+pattern)
		if err != nil {
			return err
		}
		if want := b.size.files * b.size.urls; p.URLs != want {
			return fmt.Errorf("mapa list counted %d URLs of %d", p.URLs, want)
		}
		seconds = append(seconds, p.Seconds)
		megabytes = append(megabytes, float64(p.Resident)/1e6)
	}
	b.table.add(line{
		name:     fmt.Sprintf("mapa list --count, %d files", b.size.files),
		required: "<1.5 s",
		measured: fmt.Sprintf("%.2f s", median(seconds)),
		passed:   passedText(1.5, median(seconds) < 1.5),
		cost:     fmt.Sprintf("%.0f", median(seconds)*1e9/float64(b.size.files*b.size.urls)),
	})
	b.table.add(line{
		name:     "the same, resident memory",
		required: "<20 MB",
		measured: fmt.Sprintf("%.1f MB", median(megabytes)),
		passed:   passedText(20, median(megabytes) < 20),
	})
	return nil
}

// listed makes the program and the files that it is to list, and returns where
// they are.
func (b *bench) listed() (program, pattern string, err error) {
	program, pattern = filepath.Join(b.dir, "mapa"), filepath.Join(b.dir, "list-*.xml")
	if made, _ := filepath.Glob(pattern); len(made) == b.size.files {
		return program, pattern, nil
	}
	for i := range b.size.files {
		name := fmt.Sprintf("list-%03d.xml", i)
		if _, err := b.input(name, newStream(plainRecord, i*b.size.urls, (i+1)*b.size.urls)); err != nil {
			return "", "", err
		}
	}
	return program, pattern, buildProgram(program)
}

// buildProgram builds mapa as it is released, without cgo, and installs it. A copy is
// needed: Linux maps pages of a program in the pieces in which the file was written, and
// those that the linker leaves differ by 2 MB of resident memory from build to build.
// Those of a copy are like those of a program that was unpacked, or read from the disk.
func buildProgram(path string) error {
	linked := path + "-linked"
	build := exec.Command("go", "build", "-o", linked, "./cmd/mapa")
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building mapa: %w: %s", err, bytes.TrimSpace(output))
	}
	defer os.Remove(linked)
	return install(linked, path)
}

// install copies a program.
func install(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// listMany runs mapa. It does so in a process of its own because Linux charges
// a child with the memory of the process that started it.
func listMany() (peak, error) {
	files, err := filepath.Glob(os.Getenv(patternVariable))
	if err != nil {
		return peak{}, err
	}
	command := exec.Command(os.Getenv(programVariable), append([]string{"list", "--count"}, files...)...)
	command.Env = append(os.Environ(), "GOMAXPROCS=2")
	command.Stderr = os.Stderr
	start := time.Now()
	output, err := command.Output()
	spent := time.Since(start)
	if err != nil {
		return peak{}, err
	}
	count, err := strconv.Atoi(string(bytes.TrimSpace(output)))
	if err != nil {
		return peak{}, err
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	return peak{URLs: count, Resident: usage.Maxrss << 10, Seconds: spent.Seconds()}, nil
}
