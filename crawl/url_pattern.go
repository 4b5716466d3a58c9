package crawl

import (
	"bytes"
	"hash/maphash"
)

// urlPattern groups URLs that differ only in parameters or in a random-looking
// token.
type urlPattern struct {
	trap  TrapKind // of a group that is too large
	bound int
	key   uint64
}

// patterns returns the patterns of a URL.
func (c *trapCounter) patterns(address []byte) (all [3]urlPattern, n int) {
	add := func(trap TrapKind, bound int, parts ...[]byte) {
		all[n] = urlPattern{trap, bound, c.key(trap, parts...)}
		n++
	}
	_, path := splitURL(address)
	path, query, hasQuery := bytes.Cut(path, []byte{'?'})
	if token := findToken(path); token != nil {
		before, after, _ := bytes.Cut(path, token)
		add(TrapTokens, c.bounds.Tokens, before, after)
	}
	if !hasQuery {
		return all, n
	}
	if findToken(query) != nil {
		add(TrapTokens, c.bounds.Tokens, path, nil)
	}
	if bytes.Count(query, []byte{'&'}) >= 2 {
		add(TrapFacets, c.bounds.Facets, path)
	} else {
		add(TrapVariants, c.bounds.Variants, path)
	}
	return all, n
}

func (c *trapCounter) key(trap TrapKind, parts ...[]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	h.WriteByte(byte(trap))
	for _, part := range parts {
		h.WriteByte(0)
		h.Write(part)
	}
	return h.Sum64()
}

// A run of letters and digits looks random if it has this length and changes between
// letters and digits this often. Hexadecimal runs, as programs print them, need less.
const (
	tokenMinLength, tokenMinChanges = 16, 4
	hexMinLength, hexMinChanges     = 12, 2
)

// findToken returns the first random-looking run of letters and digits, or nil.
func findToken(text []byte) []byte {
	for at := 0; at < len(text); {
		end, changes, isHex := at, 0, true
		for end < len(text) && isAlphanumeric(text[end]) {
			if end > at && isDigit(text[end]) != isDigit(text[end-1]) {
				changes++
			}
			isHex = isHex && (isDigit(text[end]) || text[end]|0x20 <= 'f')
			end++
		}
		length := end - at
		if length >= tokenMinLength && changes >= tokenMinChanges ||
			isHex && length >= hexMinLength && changes >= hexMinChanges {
			return text[at:end]
		}
		at = end + 1
	}
	return nil
}
