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

// What is known of a kin.
type kinCounts struct {
	found        int // addresses
	fresh, stale int // pages that said something new, and that did not
}

// farBeyond is how many times its limit a kin may have addresses at all.
const farBeyond = 40

// count takes a new address into account and names the trap that it is one too
// many of, or nothing. Combinations of parameters are limited when they are found:
// they multiply with what a page of them links to, and each says something new. One
// or two parameters may tell the topics of a forum apart, which are many.
func (t *trapper) count(address []byte) string {
	all, n := t.kinOf(address)
	for _, k := range all[:n] {
		counts := t.counts(k.key)
		if counts == nil {
			continue
		}
		limit := k.limit
		if k.trap != trapFacets {
			limit = min(limit, math.MaxInt/farBeyond) * farBeyond
		}
		if counts.found++; counts.found > limit {
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
		if counts := t.kins[k.key]; counts != nil && counts.stale-counts.fresh > k.limit {
			return k.trap
		}
	}
	return ""
}

// learn takes into account what a page says. A title that repeats the address is
// nothing new, so the main text alone counts.
func (t *trapper) learn(address string, digest uint64, isCopy bool) {
	all, n := t.kinOf([]byte(address))
	if n == 0 {
		return
	}
	fresh := !isCopy && t.isNew(digest)
	for _, k := range all[:n] {
		switch counts := t.counts(k.key); {
		case counts == nil:
		case fresh:
			counts.fresh++
		default:
			counts.stale++
		}
	}
}

// isNew reports whether no page of any kin had a text before.
func (t *trapper) isNew(digest uint64) bool {
	if t.texts[digest] {
		return false
	}
	if t.hasRoom() {
		t.texts[digest] = true
	}
	return true
}

// counts returns what is known of a kin, to be changed; nil where there is no room
// for another.
func (t *trapper) counts(key uint64) *kinCounts {
	counts := t.kins[key]
	if counts == nil && t.hasRoom() {
		counts = &kinCounts{}
		t.kins[key] = counts
	}
	return counts
}

func (t *trapper) hasRoom() bool { return len(t.kins)+len(t.texts) < mostKins }

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
