package format

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// lead matches what is before the authority of a URL, also where a scheme is repeated or
// its slashes are too few, too many or the wrong ones.
var lead = regexp.MustCompile(`^(?i)\s*(?:https?:[/\\]+|[a-z][a-z0-9+.-]*://|[/\\]{2,})*`)

// CutUser splits the user information, NAME:PASSWORD, from a URL. It also does so where
// the URL is not valid, because a password has a "/" or a "#", or because the scheme is
// missing or misspelled. Then there must be a ":" in the user information.
func CutUser(url string) (clean, user string) {
	if !strings.Contains(url, "@") {
		return url, ""
	}
	start := len(lead.FindString(url))
	authority := authorityOf(url[start:])
	at := strings.LastIndexByte(authority, '@')
	if last := strings.LastIndexByte(url[start:], '@'); at < 0 && start > 0 && isName(authority, url[start+last+1:]) {
		at = last
	}
	if at < 0 || !strings.Contains(url[:start], "://") && !isPassword(authority[:min(at, len(authority))]) {
		return url, ""
	}
	return url[:start] + url[start+at+1:], url[start : start+at]
}

// WithoutUser returns a URL without its user information, see [CutUser].
func WithoutUser(url []byte) []byte {
	if bytes.IndexByte(url, '@') < 0 {
		return url
	}
	clean, _ := CutUser(string(url))
	return []byte(clean)
}

// users matches the user information after "//", also of a URL that was cut before its "@":
// then it has a ":" that no port follows.
var users = sync.OnceValue(func() *regexp.Regexp {
	const (
		end    = `\s"'<>/\\?#`
		whole  = `[^` + end + `]*@`
		cutOff = `[^` + end + `@:.]+:[^` + end + `@]*[^` + end + `@0-9][^` + end + `@]*$`
	)
	return regexp.MustCompile(`[/\\]{2}(` + whole + `|` + cutOff + `)`)
})

// MaskUser replaces the user information of every URL in a line by as many asterisks, so
// that the columns of the rest stay the same.
func MaskUser(line string) string {
	if !strings.ContainsAny(line, "@:") {
		return line
	}
	return users().ReplaceAllStringFunc(line, func(found string) string {
		user := strings.TrimSuffix(found[2:], "@")
		return found[:2] + strings.Repeat("*", len(user)) + found[2+len(user):]
	})
}

// isPassword reports whether what is before an "@" looks like NAME:PASSWORD.
func isPassword(text string) bool {
	name, _, found := strings.Cut(text, ":")
	return found && !strings.EqualFold(name, "mailto")
}

// authorityOf returns what is before the path of a URL without its scheme.
func authorityOf(rest string) string {
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		return rest[:end]
	}
	return rest
}

// isName reports whether an authority without "@" is rather the beginning of NAME:PASSWORD,
// given what is after the next "@". What looks like a port may begin a password: then the
// name must not look like a host, and a host must follow.
func isName(authority, rest string) bool {
	host, port, found := strings.Cut(authority[strings.LastIndexByte(authority, ']')+1:], ":")
	switch {
	case !found:
		return false
	case strings.Trim(port, "0123456789:") != "":
		return true
	}
	isHost := host == "" || strings.Contains(host, ".") || strings.EqualFold(host, "localhost")
	return !isHost && port != "" && strings.Contains(authorityOf(rest), ".")
}

// Redact removes the user information from every URL in a text.
func Redact(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var b strings.Builder
	for text != "" {
		end := endOf(text, " \t\r\n\"<>")
		if beginsUser(text[:end]) {
			end = endOf(text, "\r\n\"<>")
		}
		clean, _ := CutUser(text[:end])
		b.WriteString(clean)
		text = text[end:]
	}
	return b.String()
}

// endOf returns the length of a text up to and with the first of the characters.
func endOf(text, characters string) int {
	if end := strings.IndexAny(text, characters) + 1; end > 0 {
		return end
	}
	return len(text)
}

// beginsUser reports whether a word is rather the beginning of a URL whose password has a
// space: it has no "@", and what would be its port is not a number.
func beginsUser(word string) bool {
	start := len(lead.FindString(word))
	authority := strings.TrimSpace(authorityOf(word[start:]))
	return start > 0 && !strings.Contains(word, "@") && isName(authority, "")
}
