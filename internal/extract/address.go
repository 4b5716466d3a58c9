package extract

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// ThisPage is used instead of the hash of a URL for links of a page to itself.
const ThisPage = 0x7068697374686973

// HashAddress returns a hash of a URL without what changes while it leads to the same: tokens of sessions, signatures,
// times at which it ends, versions of files, and the hash of a build in the name of a file. It is the same in every
// process.
func HashAddress(address []byte) uint64 {
	address = bytes.TrimPrefix(bytes.TrimPrefix(address, []byte("http:")), []byte("https:"))
	if at := bytes.IndexByte(address, '#'); at >= 0 {
		address = address[:at]
	}
	path, query := address, []byte(nil)
	if at := bytes.IndexByte(address, '?'); at >= 0 {
		path, query = address[:at], address[at+1:]
	}
	path = withoutIndex(path)
	slash := bytes.LastIndexByte(path, '/') + 1
	name := path[slash:]
	var hash uint64
	if hasAnyDigit(path) {
		hash = hashName(hashFolders(path[:slash]), name)
	} else { // nothing to leave out
		hash = hashBytes(0, path)
	}
	if len(query) == 0 {
		return hash
	}
	isFile := bytes.IndexByte(name, '.') > 0 && !isProgram(name)
	for parameter := range bytes.SplitSeq(query, []byte{'&'}) {
		if len(parameter) > 0 && !changes(parameter, isFile) {
			hash = hashBytes(hash, parameter)
		}
	}
	return hash
}

// isProgram reports whether the name of a file is that of a page or of a program that makes pages.
func isProgram(name []byte) bool {
	switch string(name[bytes.LastIndexByte(name, '.')+1:]) {
	case "php", "asp", "aspx", "jsp", "cgi", "pl", "do", "html", "htm":
		return true
	}
	return false
}

// hasAnyDigit reports whether a text has a digit.
func hasAnyDigit(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		if hasDigit(binary.LittleEndian.Uint64(text)) {
			return true
		}
	}
	return slices.ContainsFunc(text, isDigit)
}

// hashName continues a hash with the name of a file, without the hash of a build, unless that is all of the name.
func hashName(hash uint64, name []byte) uint64 {
	stem, _, _ := bytes.Cut(name, []byte{'.'})
	for len(name) > 0 {
		end := 0
		for end < len(name) && !isNameSeparator(name[end]) {
			end++
		}
		if part := name[:end]; len(part) == len(stem) || !isBuildHash(part) {
			hash = hashBytes(hash, part)
		}
		if name = name[end:]; len(name) > 0 {
			hash = mix(hash ^ uint64(name[0]))
			name = name[1:]
		}
	}
	return hash
}

// hashFolders returns a hash of the folders of a URL without those whose name is a long token.
func hashFolders(path []byte) (hash uint64) {
	const minFolderHash = 16
	token := false
	for folder := range bytes.SplitSeq(path, []byte{'/'}) {
		token = len(folder) >= minFolderHash && isBuildHash(folder)
		if token {
			break
		}
	}
	if !token {
		return hashBytes(0, path)
	}
	for folder := range bytes.SplitSeq(path, []byte{'/'}) {
		if len(folder) < minFolderHash || !isBuildHash(folder) {
			hash = hashBytes(hash, folder)
		}
	}
	return hash
}

func isNameSeparator(c byte) bool { return c == '.' || c == '-' || c == '_' || c == '~' || c == '!' }

// isBuildHash reports whether a part of the name of a file looks like a hash: hexadecimal with letters and digits,
// or a mixture of lower case, upper case and digits.
func isBuildHash(part []byte) bool {
	const minLength, minChanges = 7, 2 // a word and a year change once
	if len(part) < minLength {
		return false
	}
	var letters, digits, capitals, small, changes int
	isHex := true
	for i, c := range part {
		if i > 0 && isDigit(c) != isDigit(part[i-1]) {
			changes++
		}
		switch {
		case isDigit(c):
			digits++
		case !isLetter(c):
			return false
		default:
			letters++
			if isHex = isHex && lower(c) <= 'f'; c < 'a' {
				capitals++
			} else {
				small++
			}
		}
	}
	return changes >= minChanges && letters > 0 && (isHex || capitals > 0 && small > 0)
}

// changingParameters are names of parameters of a query that change while the URL leads to the same, and
// changingPrefixes the beginnings of others.
var (
	changingParameters = newNames([]string{"",
		"expires", "expire", "expiry", "exp", "signature", "sig", "token", "nonce", "policy", "key-pair-id", "hash", "hmac",
		"ts", "timestamp", "cb", "cachebuster", "cachebust", "sid", "phpsessid", "jsessionid", "session", "sessionid",
		"skoid", "sktid", "skt", "ske", "_", "_t", "rand", "random",
	})
	fileParameters   = newNames([]string{"", "v", "ver", "version", "t", "h", "rev"})
	changingPrefixes = []string{"x-amz-", "x-goog-", "utm_"}
)

// changes reports whether a parameter of a query changes while the URL leads to the same.
func changes(parameter []byte, isFile bool) bool {
	name, value, _ := bytes.Cut(parameter, []byte{'='})
	isOfFile := fileParameters.find(name) != 0
	if changingParameters.find(name) != 0 || isOfFile && (isFile || isUnixTime(value)) ||
		isToken(value) && !isDigits(value) {
		return true
	}
	for _, prefix := range changingPrefixes {
		if hasPrefixFold(name, prefix) {
			return true
		}
	}
	return false
}

func isDigits(text []byte) bool { return len(bytes.Trim(text, "0123456789")) == 0 }

// isUnixTime reports whether a number is a time of our days in seconds or milliseconds since 1970.
func isUnixTime(value []byte) bool {
	return (len(value) == len("1700000000") || len(value) == len("1700000000000")) && value[0] == '1' && isDigits(value)
}

// withoutIndex returns a path without the slash at its end, and without the file that is sent for a folder.
func withoutIndex(path []byte) []byte {
	slash := bytes.LastIndexByte(path, '/')
	switch string(path[slash+1:]) {
	case "", "index.html", "index.htm", "index.php":
		return path[:max(slash, 0)]
	}
	return path
}

// isSamePage reports whether two URLs are the usual spellings of the address of one page.
func isSamePage(a, b []byte) bool {
	for _, address := range [...]*[]byte{&a, &b} {
		*address, _, _ = bytes.Cut(*address, []byte{'#'})
		if _, rest, found := bytes.Cut(*address, []byte("://")); found {
			*address = rest
		}
	}
	pathA, queryA, _ := bytes.Cut(a, []byte{'?'})
	pathB, queryB, _ := bytes.Cut(b, []byte{'?'})
	return bytes.Equal(withoutIndex(pathA), withoutIndex(pathB)) && bytes.Equal(queryA, queryB)
}
