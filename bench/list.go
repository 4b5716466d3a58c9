package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// The environment variables of tasks: the program, and the files that they read.
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
	var seconds []float64
	for range b.rounds {
		spent, err := b.timeList(program, pattern)
		if err != nil {
			return err
		}
		seconds = append(seconds, spent)
	}
	b.table.add(line{
		name:     fmt.Sprintf("mapa list --count, %d files", b.size.files),
		required: "<1.5 s",
		measured: fmt.Sprintf("%.2f s", measure.Median(seconds)),
		passed:   passedText(1.5, measure.Median(seconds) < 1.5),
		cost:     fmt.Sprintf("%.0f", measure.Median(seconds)*1e9/float64(b.size.files*b.size.urls)),
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

// buildProgram builds mapa as it is released, without cgo.
func buildProgram(path string) error {
	build := exec.Command("go", "build", "-o", path, "./cmd/mapa")
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building mapa: %w: %s", err, bytes.TrimSpace(output))
	}
	return nil
}

// timeList returns how many seconds mapa takes to count the URLs of the files.
func (b *bench) timeList(program, pattern string) (seconds float64, err error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return 0, err
	}
	command := exec.Command(program, append([]string{"list", "--count"}, files...)...)
	command.Env = append(os.Environ(), "GOMAXPROCS=2")
	command.Stderr = os.Stderr
	start := time.Now()
	output, err := command.Output()
	seconds = time.Since(start).Seconds()
	if err != nil {
		return 0, err
	}
	count, err := strconv.Atoi(string(bytes.TrimSpace(output)))
	if want := b.size.files * b.size.urls; err == nil && count != want {
		err = fmt.Errorf("mapa list counted %d URLs of %d", count, want)
	}
	return seconds, err
}
