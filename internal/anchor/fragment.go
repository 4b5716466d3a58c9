package anchor

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxFragment is how many bytes of a fragment are kept as text.
const maxFragment = 64

const (
	// shortenedMark is between the text of a shortened fragment and the hash of the
	// whole, which is hashDigits hexadecimal digits.
	shortenedMark = "…"
	hashDigits    = 16

	// textDirective begins the part of a fragment that only browsers read
	// (https://wicg.github.io/scroll-to-text-fragment/).
	textDirective = ":~:"
)

// Fragment returns the fragment of a link. A long one is shortened, because a page
// can have thousands of links that differ in nothing else.
func Fragment(link []byte) string {
	mark := bytes.IndexByte(link, '#')
	if mark < 0 {
		return ""
	}
	fragment := link[mark+1:]
	if len(fragment) <= maxFragment {
		return string(fragment)
	}
	return shortenFragment(fragment)
}

// shortenFragment returns the beginning of a fragment and the hash of the id that all
// of it points to.
func shortenFragment(fragment []byte) string {
	id, _, found := bytes.Cut(fragment, []byte(textDirective))
	switch {
	case found && len(id) == 0:
		return textDirective
	case len(id) <= maxFragment:
		return string(id)
	}
	cut := maxFragment
	if escape := bytes.LastIndexByte(id[:cut], '%'); escape > cut-len("%xx") {
		cut = escape
	}
	for cut > maxFragment-utf8.UTFMax && !utf8.RuneStart(id[cut]) {
		cut--
	}
	return fmt.Sprintf("%s%s%0*x", id[:cut], shortenedMark, hashDigits, hashText(decodeFragment(string(id))))
}

// HashFragment returns the hash of the id that a fragment points to, which [Fragment] may
// have shortened.
func HashFragment(fragment string) uint32 {
	if at := len(fragment) - hashDigits; len(fragment) > maxFragment && strings.HasSuffix(fragment[:at], shortenedMark) {
		if hash, err := strconv.ParseUint(fragment[at:], 16, 64); err == nil {
			return foldHash(hash)
		}
	}
	return Hash(decodeFragment(fragment))
}

func decodeFragment(fragment string) string {
	if decoded, err := url.PathUnescape(fragment); err == nil {
		return decoded
	}
	return fragment
}
