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
	authority := url[start:]
	if end := strings.IndexAny(authority, `/\?#`); end >= 0 {
		authority = authority[:end]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 && !endsInPort(authority) {
		at = strings.LastIndexByte(url[start:], '@')
	}
	if at < 0 {
		return url, ""
	}
	return url[:start] + url[start+at+1:], url[start : start+at]
}

// endsInPort reports whether what follows the host can be a port, or nothing follows.
func endsInPort(authority string) bool {
	_, port, found := strings.Cut(authority[strings.LastIndexByte(authority, ']')+1:], ":")
	return !found || strings.Trim(port, "0123456789:") == ""
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
