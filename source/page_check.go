package source

import (
	"bytes"
	"strings"
)

// An UnlistedError reports a row whose source says that the page is not one for sitemaps:
// it is broken, a draft, not indexable. The row is no mistake.
type UnlistedError struct{ Column, Value string }

// Error returns the column and its value.
func (e *UnlistedError) Error() string { return e.Column + ": " + e.Value }

// A pageCheck says which values of a column mean that a page must not be listed. An empty
// value means nothing.
type pageCheck uint8

const (
	checkStatus    pageCheck = iota // the status of a response, or that of a text
	checkIndexable                  // anything but yes
	checkYes                        // no
	checkNo                         // yes
	checkRobots                     // noindex
	checkMediaType                  // other files
)

// refuses reports whether a value means that the page must not be listed.
func (c pageCheck) refuses(value []byte) bool {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return false
	}
	if c == checkMediaType {
		return isOtherMedia(strings.ToLower(string(value)))
	}
	key := columnKey(string(value))
	isNegative := value[0] == '-' // -1 is a draft in WooCommerce
	switch c {
	case checkStatus:
		if code, is := statusCode(value); is {
			return code < 200 || code > 299
		}
		return unlistedWords[key]
	case checkIndexable:
		return isNegative || !yesWords[key]
	case checkYes:
		return isNegative || noWords[key] || unlistedWords[key]
	case checkNo:
		return !isNegative && yesWords[key]
	}
	return strings.Contains(key, "noindex") || key == "none"
}

// statusCode returns the status that a value begins with, such as "404" or "404 Not Found".
// 0 is that of a page that did not answer.
func statusCode(value []byte) (code int, is bool) {
	digits := len(value) - len(bytes.TrimLeft(value, "0123456789"))
	if digits < len(value) && value[digits] != ' ' && value[digits] != '.' { // 404.0 of a spreadsheet
		return 0, false
	}
	for _, digit := range value[:min(digits, 3)] {
		code = 10*code + int(digit-'0')
	}
	return code, digits == 3 && code >= 100 || digits == 1 && code == 0
}

// isOtherMedia reports whether a media type is that of a file that belongs to pages. Values
// that are no media type say something else.
func isOtherMedia(value string) bool {
	kind, name, _ := strings.Cut(value, "/")
	name, _, _ = strings.Cut(name, ";")
	switch kind {
	case "image", "audio", "video", "font":
		return name != ""
	case "text":
		return name == "css" || strings.Contains(name, "javascript") || strings.Contains(name, "xml")
	case "application":
		return strings.Contains(name, "javascript") || strings.HasPrefix(name, "json") || strings.HasSuffix(name, "+json") ||
			name == "xml" || strings.HasPrefix(name, "rss") || strings.HasPrefix(name, "atom") || strings.Contains(name, "font")
	}
	return false
}

// keySet returns words for look-ups by [columnKey].
func keySet(words ...string) map[string]bool {
	keys := map[string]bool{}
	for _, word := range words {
		keys[columnKey(word)] = true
	}
	return keys
}

// The words of such columns.
var (
	yesWords = keySet(
		"yes", "true", "1", "y", "t", "on", "listed", "added", "index", "indexed", "indexable", "index, follow",
		"sí", "sim", "oui", "ja", "tak", "да", "是", "はい",
		"indexável", "indexierbar", "indicizzabile", "indexeerbaar", "indeksowalny", "indeksowalna", "индексируемый",
		"可索引", "可编入索引", "インデックス可能",
	)
	noWords = keySet(
		"no", "false", "0", "2", "n", "f", "off", "não", "non", "nein", "nee", "nie", "нет", "否", "いいえ",
		"Not Visible Individually",
	)
	// unlistedWords are the states of texts and products, and of responses in words.
	unlistedWords = keySet(
		"draft", "auto-draft", "pending", "pending review", "private", "trash", "trashed", "future", "scheduled",
		"archived", "inherit", "disabled", "unpublished", "hidden", "deleted", "inactive", "unlisted", "not listed",
		"noindex", "non-indexable", "not indexable", "not indexed", "excluded", "blocked", "blocked by robots.txt",
		"redirect", "redirected", "broken", "moved permanently", "moved temporarily", "found", "see other",
		"temporary redirect", "permanent redirect", "bad request", "unauthorized", "forbidden", "not found", "gone",
		"too many requests", "internal server error", "bad gateway", "service unavailable", "gateway timeout",
		"client error", "server error", "error", "timeout", "connection timeout", "connection error",
		"borrador", "pendiente", "privado", "privada", "papelera", "archivado", "archivada", "inactivo", "oculto",
		"rascunho", "pendente", "lixeira", "arquivado", "inativo", "brouillon", "en attente", "corbeille", "archivé",
		"privé", "entwurf", "ausstehend", "privat", "papierkorb", "archiviert", "inaktiv", "bozza", "privato", "cestino",
		"archiviato", "esborrany", "pendent", "concept", "prullenbak", "gearchiveerd", "szkic", "prywatny", "kosz",
		"черновик", "корзина", "草稿", "私密", "下書き", "非公開",
	)
)
