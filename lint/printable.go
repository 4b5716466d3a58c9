package lint

import "strings"

func printable(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }
