package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/bench/measure"
)

// A pairing is a command that Mapa and another program run in turns.
type pairing struct {
	name      string
	arguments []string
}

// pairings returns the commands, and writes what they read.
func (b *bench) pairings(output string) ([]pairing, error) {
	_, pattern, err := b.listed()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	table, p := filepath.Join(b.dir, "table.csv"), makeArticles(cycle)
	if err := writeTable(table, &p, b.size.many); err != nil {
		return nil, err
	}
	some := files[:len(files)/10]
	urls := b.size.files * b.size.urls
	return []pairing{
		{"version", []string{"version"}},
		{fmt.Sprintf("list --count, %d URLs", urls), append([]string{"list", "--count"}, files...)},
		{fmt.Sprintf("list --format jsonl, %d URLs", urls/10), append([]string{"list", "--format", "jsonl"}, some...)},
		{fmt.Sprintf("lint, %d URLs", urls), append([]string{"lint"}, files...)},
		{fmt.Sprintf("build, %d rows", b.size.many),
			[]string{"build", table, "--base-url", baseURL, "-o", output, "--format", "json"}},
	}, nil
}

// pairs prints what commands of Mapa cost in times what they cost another program. That program runs twice in each
// round: what it costs in times itself is the spread.
func (b *bench) pairs(ctx context.Context, base string) error {
	output := filepath.Join(b.dir, "built")
	pairings, err := b.pairings(output)
	if err != nil {
		return err
	}
	programs := []string{filepath.Join(b.dir, "mapa"), base, base}
	lines := [][]string{{"", "CPU s", "base, CPU s", "MB", "base, MB", "times the base", "from..to",
		"the base, times itself", "from..to"}}
	for _, c := range pairings {
		var cpu, memory [3][]float64
		for round := range b.rounds {
			for turn := range programs {
				i := (turn + round) % len(programs)
				spent, err := b.runPairing(ctx, output, append([]string{programs[i]}, c.arguments...))
				if err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
				cpu[i] = append(cpu[i], spent.CPU.Seconds())
				memory[i] = append(memory[i], float64(spent.Memory)/1e6)
			}
		}
		ratio, span := measure.Ratios(cpu[0], cpu[1])
		spread, spreadSpan := measure.Ratios(cpu[2], cpu[1])
		lines = append(lines, []string{c.name,
			fmt.Sprintf("%.2f", measure.Median(cpu[0])), fmt.Sprintf("%.2f", measure.Median(cpu[1])),
			fmt.Sprintf("%.0f", measure.Median(memory[0])), fmt.Sprintf("%.0f", measure.Median(memory[1])),
			ratio, span, spread, spreadSpan})
	}
	measure.PrintTable(os.Stdout, lines)
	return nil
}

// runPairing runs a command. Exit code 1 says that lint has findings.
func (b *bench) runPairing(ctx context.Context, output string, command []string) (measure.Cost, error) {
	if err := emptied(output); err != nil {
		return measure.Cost{}, err
	}
	messages := filepath.Join(b.dir, "stderr")
	spent, err := measure.Run(ctx, os.DevNull, messages, command...)
	if err == nil && (spent.Exit < 0 || spent.Exit > 1) {
		said, _ := os.ReadFile(messages)
		err = fmt.Errorf("exit code %d: %.500s", spent.Exit, said)
	}
	return spent, err
}
