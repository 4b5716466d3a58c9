package urlnorm

import (
	"bytes"
	"net/netip"
	"strconv"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxHost bounds the mapping of domain names, whose time is not linear. It is the
// length of the longest DNS name, 253 bytes, in UTF-8 outside the Basic Multilingual
// Plane.
const maxHost = 1024

// domainToASCII holds the settings of
// https://url.spec.whatwg.org/#concept-domain-to-ascii when not strict.
var domainToASCII = idna.New(
	idna.MapForLookup(),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.Transitional(false),
	idna.VerifyDNSLength(false),
)

// appendHost parses and serializes the host of a special URL
// (https://url.spec.whatwg.org/#host-parsing).
func appendHost(dst, host []byte) ([]byte, error) {
	if len(host) == 0 || len(host) > maxHost {
		return dst, ErrHost
	}
	if host[0] == '[' {
		return appendIPv6(dst, host)
	}
	start := len(dst)
	dst, ok := appendDomain(dst, decodeEscapes(host))
	domain := dst[start:]
	if !ok || len(domain) == 0 || plainLength(domain, forbiddenHost) < len(domain) {
		return dst[:start], ErrHost
	}
	if endsInNumber(domain) {
		address, ok := parseIPv4(domain)
		if !ok {
			return dst[:start], ErrHost
		}
		return netip.AddrFrom4(address).AppendTo(dst[:start]), nil
	}
	return dst, nil
}

// decodeEscapes percent-decodes s.
func decodeEscapes(s []byte) []byte {
	if bytes.IndexByte(s, '%') < 0 {
		return s
	}
	decoded := make([]byte, 0, len(s))
	for len(s) > 0 {
		if isEscape(s) {
			decoded = append(decoded, unhex(s[1])<<4|unhex(s[2]))
			s = s[3:]
			continue
		}
		decoded = append(decoded, s[0])
		s = s[1:]
	}
	return decoded
}

// appendDomain maps a domain name to ASCII. A name in ASCII is only put in lower
// case, unless a label has the prefix of punycode.
func appendDomain(dst, domain []byte) ([]byte, bool) {
	if isPlainDomain(domain) {
		return appendLower(dst, domain), true
	}
	if !utf8.Valid(domain) {
		return dst, false
	}
	ascii, err := domainToASCII.ToASCII(string(domain))
	return append(dst, ascii...), err == nil
}

func isPlainDomain(domain []byte) bool {
	for _, c := range domain {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	for label := range bytes.SplitSeq(domain, []byte{'.'}) {
		if len(label) >= 4 && bytes.EqualFold(label[:4], []byte("xn--")) {
			return false
		}
	}
	return true
}

// endsInNumber reports whether domain has to be an IPv4 address
// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
func endsInNumber(domain []byte) bool {
	domain = bytes.TrimSuffix(domain, []byte{'.'})
	last := domain[bytes.LastIndexByte(domain, '.')+1:]
	if len(last) == 0 {
		return false
	}
	if isDecimal(last) {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

func isDecimal(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// parseIPv4 parses one to four numbers. The last one fills the bytes that are left
// (https://url.spec.whatwg.org/#concept-ipv4-parser).
func parseIPv4(domain []byte) (address [4]byte, ok bool) {
	parts := bytes.Split(bytes.TrimSuffix(domain, []byte{'.'}), []byte{'.'})
	if len(parts) > len(address) {
		return address, false
	}
	last := len(parts) - 1
	for i, part := range parts {
		number, ok := parseIPv4Number(part)
		if !ok || i < last && number > 255 || number >= 1<<(8*(4-last)) {
			return address, false
		}
		if i < last {
			address[i] = byte(number)
			continue
		}
		for j := 3; j >= last; j-- {
			address[j] = byte(number)
			number >>= 8
		}
	}
	return address, true
}

// parseIPv4Number parses a decimal, octal (0…) or hexadecimal (0x…) number. The result
// for one that is too large for an address is also too large.
func parseIPv4Number(s []byte) (number uint64, ok bool) {
	radix := uint64(10)
	switch {
	case len(s) >= 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, radix = s[2:], 16
	case len(s) >= 2 && s[0] == '0':
		s, radix = s[1:], 8
	case len(s) == 0:
		return 0, false
	}
	for _, c := range s {
		if !isHex(c) || uint64(unhex(c)) >= radix {
			return 0, false
		}
		number = min(number*radix+uint64(unhex(c)), 1<<32)
	}
	return number, true
}

// appendIPv6 parses an address in brackets and serializes it as
// https://url.spec.whatwg.org/#concept-ipv6-serializer, which, unlike
// netip.Addr, has no dotted form.
func appendIPv6(dst, host []byte) ([]byte, error) {
	inner, closed := bytes.CutSuffix(host[1:], []byte{']'})
	if !closed || bytes.IndexByte(inner, '%') >= 0 {
		return dst, ErrHost
	}
	address, err := netip.ParseAddr(string(inner))
	if err != nil || !address.Is6() {
		return dst, ErrHost
	}
	dst = append(dst, '[')
	if address.Is4In6() {
		b := address.As16()
		dst = append(dst, "::ffff:"...)
		dst = strconv.AppendUint(dst, uint64(b[12])<<8|uint64(b[13]), 16)
		dst = append(dst, ':')
		dst = strconv.AppendUint(dst, uint64(b[14])<<8|uint64(b[15]), 16)
	} else {
		dst = address.AppendTo(dst)
	}
	return append(dst, ']'), nil
}
