package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/mapatools/mapa/bench/measure"
	"github.com/mapatools/mapa/lint"
)

// lint checks the files of the row list by every rule, on two cores, and holds
// the time against that of listing them.
func (b *bench) lint() error {
	program, pattern, err := b.listed()
	if err != nil {
		return err
	}
	var seconds, ratios, megabytes []float64
	for range b.rounds {
		base, err := b.timeList(program, pattern)
		if err != nil {
			return err
		}
		p, err := b.task(taskLint, patternVariable+"="+pattern)
		if err != nil {
			return err
		}
		seconds = append(seconds, p.Seconds)
		ratios = append(ratios, p.Seconds/base)
		megabytes = append(megabytes, float64(p.Resident)/1e6)
	}
	urls := float64(b.size.files * b.size.urls)
	b.table.add(line{
		name:     fmt.Sprintf("lint with every rule, %d files, to mapa list --count", b.size.files),
		required: "<4×",
		measured: fmt.Sprintf("%.2f×", measure.Median(ratios)),
		passed:   passedText(4, measure.Median(ratios) < 4),
		cost:     fmt.Sprintf("%.0f", measure.Median(seconds)*1e9/urls),
	})
	b.table.add(line{
		name:     "the same, resident memory",
		required: "<300 MB",
		measured: fmt.Sprintf("%.1f MB", measure.Median(megabytes)),
		passed:   passedText(300, measure.Median(megabytes) < 300),
	})
	return nil
}

// lintMany checks files under every rule set.
func lintMany() (peak, error) {
	runtime.GOMAXPROCS(2)
	files, err := filepath.Glob(os.Getenv(patternVariable))
	if err != nil {
		return peak{}, err
	}
	start := time.Now()
	findings := 0
	linter, err := lint.New(&lint.Options{Engines: lint.EngineAll})
	if err != nil {
		return peak{}, err
	}
	for _, err := range linter.Check(context.Background(), files...) {
		if err != nil {
			return peak{}, err
		}
		findings++
	}
	return peak{URLs: findings, Seconds: time.Since(start).Seconds()}, nil
}
