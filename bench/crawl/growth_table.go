package main

import (
	"fmt"

	"github.com/mapatools/mapa/bench/measure"
)

// growthTable returns a row for each work, size and program, with medians. The ratios are those of the CPU time to
// the first of the programs that Mapa is compared with, in the same round.
func growthTable(grown []*growth) [][]string {
	head := []string{"", "pages", "program", "CPU s", "CPU ms a page", "peak MB",
		"crawl.sqlite, bytes a page", "after the last response, ms a page"}
	if programs := grown[0].programs; len(programs) > 1 {
		head = append(head, "CPU, times "+programs[1].name, "from..to", "times its first crawl")
	}
	lines := [][]string{head}
	for _, w := range works {
		for _, g := range grown {
			lines = append(lines, g.lines(w)...)
		}
	}
	return lines
}

// lines has the programs that did a work.
func (g *growth) lines(w work) (lines [][]string) {
	for _, s := range g.subjects(w) {
		costs := s.costs[w.name]
		if len(costs) == 0 {
			continue
		}
		line := append([]string{w.name, fmt.Sprint(g.pages), s.name}, g.cells(costs)...)
		if len(g.programs) > 1 {
			base := g.programs[1].costs
			line = append(line, ratioCells(costs, base[w.name], base[firstCrawl])...)
		}
		lines = append(lines, line)
	}
	return lines
}

// cells are the medians of some runs.
func (g *growth) cells(costs []cost) []string {
	of := func(value func(cost) float64) float64 {
		var values []float64
		for _, c := range costs {
			values = append(values, value(c))
		}
		return measure.Median(values)
	}
	cpu := of(func(c cost) float64 { return c.CPU.Seconds() })
	pages := float64(g.pages)
	cells := []string{fmt.Sprintf("%.2f", cpu), fmt.Sprintf("%.3f", cpu*1000/pages),
		fmt.Sprintf("%.0f", of(func(c cost) float64 { return float64(c.Memory) / 1e6 })), "", ""}
	if costs[0].disk > 0 {
		cells[3] = fmt.Sprintf("%.0f", of(func(c cost) float64 { return float64(c.disk) })/pages)
		cells[4] = fmt.Sprintf("%.3f", of(func(c cost) float64 { return c.end.Seconds() * 1000 })/pages)
	}
	return cells
}

// ratioCells compares runs with those of the base in the same rounds.
func ratioCells(costs, base, first []cost) []string {
	median, span := measure.Ratios(seconds(costs), seconds(base))
	toFirst, _ := measure.Ratios(seconds(costs), seconds(first))
	return []string{median, span, toFirst}
}

// seconds are the CPU times of some runs.
func seconds(costs []cost) (all []float64) {
	for _, c := range costs {
		all = append(all, c.CPU.Seconds())
	}
	return all
}
