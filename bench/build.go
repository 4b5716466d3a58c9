package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// tableVariable names the table that the building task reads.
const tableVariable = "MAPA_BENCH_TABLE"

// mostOfBase is how many times the cost of reading a table with encoding/csv, and of
// writing a set, "mapa build" may take.
const mostOfBase = 1.5

// build makes the set of a table with the program itself. It costs processor time on one
// core, which is compared with that of reading the table and of writing as many URLs.
func (b *bench) build() error {
	name, program := filepath.Join(b.dir, "table.csv"), filepath.Join(b.dir, "mapa")
	p := makeArticles(cycle)
	if err := writeTable(name, &p, b.size.many); err != nil {
		return err
	}
	if err := buildProgram(program); err != nil {
		return err
	}
	var base, ours, ratios, megabytes []float64
	for range b.rounds {
		cost, err := b.baseOfBuild(name, &p)
		if err != nil {
			return err
		}
		built, err := b.task(taskBuild, programVariable+"="+program, tableVariable+"="+name)
		if err != nil {
			return err
		}
		if built.URLs != b.size.many {
			return fmt.Errorf("mapa build listed %d URLs of %d", built.URLs, b.size.many)
		}
		base, ours = append(base, cost), append(ours, built.Seconds)
		ratios = append(ratios, built.Seconds/cost)
		megabytes = append(megabytes, float64(built.Resident)/1e6)
	}
	urls := float64(b.size.many)
	b.table.add(line{
		name:     fmt.Sprintf("mapa build, %d rows of CSV, against encoding/csv and writing a set", b.size.many),
		required: fmt.Sprintf("<%.1f", mostOfBase),
		measured: fmt.Sprintf("%.2f", measure.Median(ratios)),
		passed:   passedText(mostOfBase, measure.Median(ratios) < mostOfBase),
		base:     fmt.Sprintf("%.0f", measure.Median(base)*1e9/urls),
		cost:     fmt.Sprintf("%.0f", measure.Median(ours)*1e9/urls),
	})
	b.table.add(line{
		name:     "the same, resident memory",
		required: "<300 MB",
		measured: fmt.Sprintf("%.1f MB", measure.Median(megabytes)),
		passed:   passedText(300, measure.Median(megabytes) < 300),
	})
	return os.Remove(name)
}

// writeTable writes n different pages as CSV.
func writeTable(name string, p *pages, n int) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(out, "loc,lastmod,changefreq,priority")
	var row []byte
	for i := range n {
		u := p.ours[i%len(p.ours)]
		row = append(row[:0], u.Loc...)
		row = strconv.AppendInt(append(row, '-'), int64(i), 10)
		row = u.LastMod.AppendTo(append(row, ','))
		weight, _ := u.Priority.Value()
		row = append(append(append(row, ','), u.ChangeFreq...), ',')
		row = strconv.AppendFloat(row, weight, 'f', 1, 64)
		if _, err := out.Write(append(row, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// baseOfBuild returns the seconds of the processor that it takes to read the table and to
// write a set.
func (b *bench) baseOfBuild(name string, p *pages) (float64, error) {
	folder := filepath.Join(b.dir, "ours")
	if err := emptied(folder); err != nil {
		return 0, err
	}
	begin := processorTime()
	if err := readTable(name, b.size.many); err != nil {
		return 0, err
	}
	if err := writeFolder(folder, p.ours, b.size.many, false); err != nil {
		return 0, err
	}
	spent := processorTime() - begin
	return spent.Seconds(), emptied(folder)
}

// readTable reads all records of a table.
func readTable(name string, want int) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.ReuseRecord = true
	for read := -1; ; read++ {
		if _, err := reader.Read(); err == io.EOF && read == want {
			return nil
		} else if err != nil {
			return fmt.Errorf("after %d rows: %w", read, err)
		}
	}
}

// processorTime returns the time of the processor that this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// buildMany is the task: it runs mapa into the working directory.
func buildMany() (peak, error) {
	defer os.RemoveAll("built")
	command := exec.Command(os.Getenv(programVariable), "build", os.Getenv(tableVariable), "--base-url", baseURL,
		"-o", "built", "--format", "json")
	command.Env = append(os.Environ(), "GOMAXPROCS=1")
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return peak{}, err
	}
	var result struct{ Listed int }
	if err := json.Unmarshal(bytes.TrimSpace(output), &result); err != nil {
		return peak{}, err
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	spent := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	return peak{URLs: result.Listed, Resident: usage.Maxrss << 10, Seconds: spent.Seconds()}, nil
}
