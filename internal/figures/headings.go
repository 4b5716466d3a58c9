package figures

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mapatools/mapa/internal/page"
)

// A field is what a column of an export has.
type field uint8

const (
	fieldNone field = iota
	fieldURL
	fieldNotIndexed
	fieldIndexed
	fieldAffected // pages with one reason
	fieldCrawled  // the last visit of the engine
	fieldClicks
	fieldImpressions
	fieldPosition
)

// headings are those of exports, in lower case, as published ones have them: Search Console in English, Spanish,
// French, German, Japanese, Portuguese and Russian, and Bing Webmaster Tools in English.
var headings = map[string]field{
	"url": fieldURL, "page": fieldURL, "pages": fieldURL, "address": fieldURL, "landing page": fieldURL, "loc": fieldURL,
	"top pages": fieldURL, "páginas principales": fieldURL, "pages les plus populaires": fieldURL,
	"популярные страницы": fieldURL, "página": fieldURL, "páginas": fieldURL,

	"not indexed": fieldNotIndexed, "sin indexar": fieldNotIndexed, "non indexées": fieldNotIndexed,
	"nicht indexiert": fieldNotIndexed, "未登録": fieldNotIndexed, "não indexadas": fieldNotIndexed,
	"indexed": fieldIndexed, "indexadas": fieldIndexed, "dans l'index": fieldIndexed, "indexiert": fieldIndexed,
	"登録済み": fieldIndexed, "indexados": fieldIndexed, "indexed pages": fieldIndexed, "páginas indexadas": fieldIndexed,

	"affected pages": fieldAffected, "páginas afectadas": fieldAffected, "páginas afetadas": fieldAffected,

	"last crawled": fieldCrawled, "último rastreo": fieldCrawled, "zuletzt gecrawlt": fieldCrawled,
	"último rastreamento": fieldCrawled,

	"clicks": fieldClicks, "clics": fieldClicks, "klicks": fieldClicks, "cliques": fieldClicks, "kлики": fieldClicks,
	"impressions": fieldImpressions, "impresiones": fieldImpressions, "impressionen": fieldImpressions,
	"impressões": fieldImpressions, "показы": fieldImpressions, "表示回数": fieldImpressions,
	"position": fieldPosition, "posición": fieldPosition, "posição": fieldPosition, "позиция": fieldPosition,
	"avg. position": fieldPosition, "average position": fieldPosition, "avg position": fieldPosition,
}

// otherReports are headings of the reports of Search Console on rich results, whose charts have the form of the one of
// the Page indexing report.
var otherReports = []string{
	"valid", "invalid", "valides", "non valide", "válidos", "no válidos", "válido", "no válido", "gültig", "ungültig",
	"válidas", "inválidos", "inválidas", "有効", "無効",
}

func headingOf(text string) field { return headings[strings.ToLower(text)] }

// isOtherReport reports whether a table is the chart of another report.
func isOtherReport(heading []string) bool {
	return slices.ContainsFunc(heading, func(text string) bool {
		return slices.Contains(otherReports, strings.ToLower(text))
	})
}

// reasons are the sentences of the Page indexing report, in the form of plainReason.
var reasons = map[string]string{
	"server error 5xx": "server-error", "error del servidor 5xx": "server-error",
	"redirect error": "redirect-error", "error de redirección": "redirect-error",
	"blocked by robots txt": "blocked-robots", "url blocked by robots txt": "blocked-robots",
	"bloqueada por robots txt": "blocked-robots", "bloqueado por robots txt": "blocked-robots",
	"bloqueada pelo robots txt": "blocked-robots", "durch robots txt datei blockiert": "blocked-robots",
	"excluded by noindex tag": "noindex", "url marked noindex": "noindex", "excluida por una etiqueta noindex": "noindex",
	"soft 404": "soft-404",
	"blocked due to unauthorized request 401": "unauthorized",
	"not found 404":                                       "not-found",
	"blocked due to access forbidden 403":                 "forbidden",
	"blocked due to other 4xx issue":                      "other-4xx",
	"blocked by page removal tool":                        "blocked-removal-tool",
	"bloqueada por la herramienta de retirada de páginas": "blocked-removal-tool",

	"crawled currently not indexed": "crawled", "rastreada actualmente sin indexar": "crawled",
	"gecrawlt zurzeit nicht indexiert": "crawled", "rastreada mas não indexada no momento": "crawled",
	"explorée actuellement non indexée":   "crawled",
	"discovered currently not indexed":    "discovered",
	"descubierta actualmente sin indexar": "discovered", "gefunden zurzeit nicht indexiert": "discovered",
	"détectée actuellement non indexée": "discovered", "detectada mas não indexada no momento": "discovered",

	"alternate page with proper canonical tag":                     page.IndexAlternate,
	"alternative page with proper canonical tag":                   page.IndexAlternate,
	"página alternativa con etiqueta canónica adecuada":            page.IndexAlternate,
	"alternative seite mit richtigem kanonischen tag":              page.IndexAlternate,
	"autre page avec balise canonique correcte":                    page.IndexAlternate,
	"página alternativa com tag canônica adequada":                 page.IndexAlternate,
	"duplicate without user selected canonical":                    "duplicate-no-canonical",
	"duplicada el usuario no ha indicado ninguna versión canónica": "duplicate-no-canonical",
	"duplikat vom nutzer nicht als kanonisch festgelegt":           "duplicate-no-canonical",
	"cópia sem página canônica selecionada pelo usuário":           "duplicate-no-canonical",

	"duplicate google chose different canonical than user":                               page.IndexOtherCanonical,
	"duplicate submitted url not selected as canonical":                                  page.IndexOtherCanonical,
	"duplicada google ha elegido una versión canónica diferente a la del usuario":        page.IndexOtherCanonical,
	"duplikat google hat eine andere seite als der nutzer als kanonische seite bestimmt": page.IndexOtherCanonical,

	"page with redirect": "redirect", "página con redirección": "redirect", "seite mit weiterleitung": "redirect",
	"page avec redirection": "redirect", "página com redirecionamento": "redirect",
	"クロール済み インデックス未登録": "crawled", "検出 インデックス未登録": "discovered",
	"重複しています ユーザーにより 正規ページとして選択されていません": "duplicate-no-canonical",
	"ページにリダイレクトがあります":                   "redirect",

	"indexed though blocked by robots txt":                  "indexed-though-blocked",
	"indexada aunque un archivo robots txt la ha bloqueado": "indexed-though-blocked",
	"page indexed without content":                          "indexed-without-content",
	"página indexada sin contenido":                         "indexed-without-content",
}

// parts of reasons that mean the same in every language, after those that have a sentence of their own.
var reasonParts = []struct{ part, reason string }{
	{"noindex", "noindex"}, {"soft 404", "soft-404"}, {"404", "not-found"}, {"401", "unauthorized"}, {"403", "forbidden"},
	{"4xx", "other-4xx"}, {"5xx", "server-error"},
}

// reasonOf returns the name of a reason, or its words where they are not known.
func reasonOf(text string) string {
	plain := plainReason(text)
	if name, known := reasons[plain]; known {
		return name
	}
	for _, one := range reasonParts {
		if strings.Contains(plain, one.part) {
			return one.reason
		}
	}
	return text
}

// plainReason returns a sentence in lower case without punctuation.
func plainReason(text string) string {
	isPunctuation := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), isPunctuation), " ")
}

// isIndexed reports whether Google says that pages with a reason are in its index all the same.
func isIndexed(reason string) bool { return strings.HasPrefix(reason, "indexed-") }

// The scopes of the Page indexing report, besides a single sitemap.
const (
	ScopeAll       = "all"
	ScopeSubmitted = "submitted"
)

// scopes are what the reports cover, in lower case.
var scopes = map[string]string{
	"all known pages": ScopeAll, "todas las páginas conocidas": ScopeAll, "alle bekannten seiten": ScopeAll,
	"todas as páginas conhecidas": ScopeAll, "すべての既知のページ": ScopeAll, "toutes les pages connues": ScopeAll,
	"all submitted pages": ScopeSubmitted, "todas las páginas enviadas": ScopeSubmitted,
	"alle eingereichten seiten": ScopeSubmitted, "todas as páginas enviadas": ScopeSubmitted,
	"toutes les pages envoyées": ScopeSubmitted,
}

// scopeOf returns what a report covers: one of the scopes, a sitemap, or the words of the export.
func scopeOf(text string) string {
	if scope, known := scopes[strings.ToLower(text)]; known {
		return scope
	}
	return text
}

// isScopeName reports whether a row of the metadata says what a report covers.
func isScopeName(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "sitemap") || text == "サイトマップ"
}

// passedWords are how a validation says that a page has its problem no more.
var passedWords = []string{"passed", "bestanden", "correcta", "superada", "correcto", "réussie", "aprovada"}
