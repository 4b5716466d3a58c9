package sample

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSampleIsStable wants the same sample for every order of the pages.
func TestSampleIsStable(t *testing.T) {
	var locs []string
	for i := range 5000 {
		locs = append(locs, fmt.Sprintf("https://example.com/%s/%d", []string{"a", "b", "c/d"}[i%3], i))
	}
	locs = append(locs, "https://example.com/", "https://example.com/about.html", "https://example.com/find?q=1")
	var first []string
	for range 5 {
		rand.Shuffle(len(locs), func(i, j int) { locs[i], locs[j] = locs[j], locs[i] })
		s := newSampler(40)
		for _, loc := range locs {
			stratum, hash := stratumOf(0, []byte(loc))
			s.offer(stratum, hash, 0, func() *Listing { return &Listing{Loc: loc} })
			if s.held > 4*40 {
				t.Fatalf("%d pages held", s.held)
			}
		}
		var got []string
		for _, c := range s.sample() {
			got = append(got, c.page.Loc)
		}
		slices.Sort(got)
		if first == nil {
			first = got
		}
		if len(got) != 40 || !slices.Equal(got, first) {
			t.Fatalf("%d pages, not those of the first order", len(got))
		}
	}
	for _, rare := range []string{"https://example.com/", "https://example.com/about.html",
		"https://example.com/find?q=1"} {
		if !slices.Contains(first, rare) {
			t.Errorf("%s is the only one of its kind and not chosen", rare)
		}
	}
	for _, folder := range []string{"/a/", "/b/", "/c/"} {
		n := 0
		for _, loc := range first {
			if strings.Contains(loc, folder) {
				n++
			}
		}
		if n != 12 && n != 13 {
			t.Errorf("%d pages of %s, want 12 or 13", n, folder)
		}
	}
}

func TestStrata(t *testing.T) {
	same := [][2]string{
		{"https://example.com/a/1", "https://example.com/a/2"},
		{"https://example.com/2024/x", "https://example.com/2025/y"},
		{"https://example.com/one", "https://example.com/two"},
		{"https://example.com/a?x=1&y=2", "https://example.com/b?x=3&y=4"},
	}
	for _, pair := range same {
		if one, _ := stratumOf(0, []byte(pair[0])); one != stratumSum(pair[1]) {
			t.Errorf("%s and %s are of one kind", pair[0], pair[1])
		}
	}
	apart := [][2]string{
		{"https://example.com/a/1", "https://example.com/b/1"},
		{"https://example.com/a/1", "https://example.com/a/1/2"},
		{"https://example.com/a", "https://example.net/a"},
		{"https://example.com/a", "https://example.com/a.pdf"},
		{"https://example.com/a?x=1", "https://example.com/a?y=1"},
	}
	for _, pair := range apart {
		if one, _ := stratumOf(0, []byte(pair[0])); one == stratumSum(pair[1]) {
			t.Errorf("%s and %s are of two kinds", pair[0], pair[1])
		}
	}
}

func stratumSum(loc string) uint64 {
	stratum, _ := stratumOf(0, []byte(loc))
	return stratum
}
