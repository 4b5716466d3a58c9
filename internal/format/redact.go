package format

import "strings"

// CutUser splits the user information, NAME:PASSWORD, from a URL. It also does so where
// the URL is not valid, because a password has a "/" or a "#".
func CutUser(url string) (clean, user string) {
	scheme := strings.Index(url, "://")
	if scheme < 0 {
		return url, ""
	}
	start := scheme + len("://")
	authority := authorityOf(url[start:])
	at := strings.LastIndexByte(authority, '@')
	if last := strings.LastIndexByte(url[start:], '@'); at < 0 && isName(authority, url[start+last+1:]) {
		at = last
	}
	if at < 0 {
		return url, ""
	}
	return url[:start] + url[start+at+1:], url[start : start+at]
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
	if !strings.Contains(text, "://") || !strings.Contains(text, "@") {
		return text
	}
	var b strings.Builder
	for text != "" {
		end := strings.IndexAny(text, " \t\r\n\"<>") + 1
		if end == 0 {
			end = len(text)
		}
		clean, _ := CutUser(text[:end])
		b.WriteString(clean)
		text = text[end:]
	}
	return b.String()
}
