package crawl

import (
	"bytes"
	"hash/maphash"
	"math"
)

// A kin is what addresses have in common that differ in what looks random, or in
// their parameters alone.
type kin struct {
	trap  string
	limit int
	key   uint64
}

// kinOf finds the kins of an address.
func (t *trapper) kinOf(address []byte) (all [3]kin, n int) {
	add := func(trap string, limit int, parts ...[]byte) {
		all[n] = kin{trap, limit, t.key(trap, parts...)}
		n++
	}
	_, path := splitAddress(address)
	path, query, found := bytes.Cut(path, []byte{'?'})
	if token := tokenIn(path); token != nil {
		before, after, _ := bytes.Cut(path, token)
		add(trapTokens, t.limits.Tokens, before, after)
	}
	if !found {
		return all, n
	}
	if tokenIn(query) != nil {
		add(trapTokens, t.limits.Tokens, path, nil)
	}
	if bytes.Count(query, []byte{'&'}) >= 2 {
		add(trapFacets, t.limits.Facets, path)
	} else {
		add(trapVariants, t.limits.Variants, path)
	}
	return all, n
}

// farBeyond is how many times its limit a kin may have addresses at all.
const farBeyond = 40

// count takes a new address into account and names the trap that it is one too
// many of, or nothing. Combinations of parameters multiply with what a page of
// them links to, and say something new each: they are limited when they are found.
// Topics of a forum do not differ from them in their addresses but for the number
// of parameters, and may be many.
func (t *trapper) count(address []byte) string {
	all, n := t.kinOf(address)
	for _, k := range all[:n] {
		limit := k.limit
		if k.trap != trapFacets {
			limit = min(limit, math.MaxInt/farBeyond) * farBeyond
		}
		if t.tally(k.key) > limit {
			return k.trap
		}
	}
	return ""
}

// spent names the trap whose pages have said nothing new too often for another to
// be asked for, or nothing.
func (t *trapper) spent(address string) string {
	all, n := t.kinOf([]byte(address))
	for _, k := range all[:n] {
		if t.counts[k.key^staleSalt]-t.counts[k.key^freshSalt] > k.limit {
			return k.trap
		}
	}
	return ""
}

// learn takes into account whether a page said something new. A title that repeats
// the address is nothing new.
func (t *trapper) learn(address string, digest uint64, isCopy bool) {
	all, n := t.kinOf([]byte(address))
	if n == 0 {
		return
	}
	salt := uint64(freshSalt)
	if isCopy || t.tally(digest^textSalt) > 1 {
		salt = staleSalt
	}
	for _, k := range all[:n] {
		t.tally(k.key ^ salt)
	}
}

const (
	staleSalt = 0x9e3779b97f4a7c15
	freshSalt = 0xbf58476d1ce4e5b9
	textSalt  = 0x94d049bb133111eb
)

func (t *trapper) key(name string, parts ...[]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	h.WriteString(name)
	for _, part := range parts {
		h.WriteByte(0)
		h.Write(part)
	}
	return h.Sum64()
}

func (t *trapper) tally(key uint64) int {
	if len(t.counts) >= mostForms && t.counts[key] == 0 {
		return 0
	}
	t.counts[key]++
	return t.counts[key]
}

// What a run of letters and digits must have to look random: fewer of both where all
// are hexadecimal, as programs print them.
const (
	shortestToken, fewestChanges = 16, 4
	shortestHex, fewestHex       = 12, 2
)

// tokenIn finds a run of letters and digits that looks random: long, with both
// in turn many times.
func tokenIn(text []byte) []byte {
	for at := 0; at < len(text); {
		end, changes, isHex := at, 0, true
		for end < len(text) && isAlphanumeric(text[end]) {
			if end > at && isDigit(text[end]) != isDigit(text[end-1]) {
				changes++
			}
			isHex = isHex && (isDigit(text[end]) || text[end]|0x20 <= 'f')
			end++
		}
		if length := end - at; length >= shortestToken && changes >= fewestChanges || isHex && length >= shortestHex && changes >= fewestHex {
			return text[at:end]
		}
		at = end + 1
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlphanumeric(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
