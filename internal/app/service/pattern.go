package service

import (
	"maps"
	"regexp/syntax"
	"slices"
)

// maxPatternSize is the size that all patterns of a stranger's crawl may have together.
// The program of a regular expression takes some 40 bytes for each part, and a match with
// it as many steps for each byte of a URL. A short text such as (a{1000}){9} is large.
const maxPatternSize = 2000

// largePattern returns the option with which the patterns of a crawl are too large. Every
// value may be a pattern, or contain one.
func largePattern(options map[string][]string) (name string, is bool) {
	size := 0
	for _, name := range slices.Sorted(maps.Keys(options)) {
		for _, value := range options[name] {
			size += min(patternSize(value), maxPatternSize+1)
			if size > maxPatternSize {
				return name, true
			}
		}
	}
	return "", false
}

// patternSize returns the approximate number of parts of a regular expression, and the
// length of any other text.
func patternSize(pattern string) int {
	expression, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return len(pattern)
	}
	return max(len(pattern), sizeOfExpression(expression))
}

func sizeOfExpression(e *syntax.Regexp) int {
	size := 1 + len(e.Rune)
	for _, part := range e.Sub {
		size = min(size+sizeOfExpression(part), maxPatternSize+1)
	}
	if e.Op == syntax.OpRepeat {
		size *= max(e.Min, e.Max, 1)
	}
	return min(size, maxPatternSize+1)
}
