package measure

import (
	"fmt"
	"slices"
)

// Median returns the median of one value or more.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// Ratios compares two programs that took turns: it returns the median of their ratios, and the least and the
// greatest. Both are empty if one of them has not run.
func Ratios(of, to []float64) (median, span string) {
	var ratios []float64
	for i := range min(len(of), len(to)) {
		ratios = append(ratios, of[i]/to[i])
	}
	if len(ratios) == 0 {
		return "", ""
	}
	return fmt.Sprintf("%.2f", Median(ratios)), fmt.Sprintf("%.2f..%.2f", slices.Min(ratios), slices.Max(ratios))
}
