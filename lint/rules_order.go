package lint

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// orderRules are about the order of the children of an entry.
var orderRules = []*Rule{
	{ID: "element-order", Severity: SeverityInfo, Overlay: onlySchema, Source: urlsetSchema, needs: scan.Unordered,
		checkEntry: func(e *entryCheck) {
			last := 0
			for _, name := range childrenOf(e) {
				rank := coreRank(name)
				if rank == len(coreOrder) {
					continue
				}
				if rank < last {
					e.report(coreOrder[rank], 0, "", newText("rule.element-order.found", coreOrder[rank], coreOrder[last]))
					return
				}
				last = rank
			}
		}},
	{ID: "extension-before-core", Severity: SeverityInfo, Overlay: onlySchema, Source: urlsetSchema,
		needs: scan.Unordered,
		checkEntry: func(e *entryCheck) {
			extended := false
			for _, name := range childrenOf(e) {
				rank := coreRank(name)
				if extended && rank < len(coreOrder) {
					e.report(coreOrder[rank], 0, "", newText("rule.extension-before-core.found", coreOrder[rank]))
					return
				}
				extended = extended || rank == len(coreOrder)
			}
		}},
}

// coreOrder is the order of the schema.
var coreOrder = []string{"loc", "lastmod", "changefreq", "priority"}

// childrenOf returns the names of the children of an entry, without the entry's own
// prefix.
func childrenOf(e *entryCheck) (names []string) {
	depth, own := 0, ""
	raw := e.Source().Raw()
	for {
		open := bytes.IndexByte(raw, '<')
		if open < 0 || open+1 == len(raw) {
			return names
		}
		raw = raw[open+1:]
		closing := ">"
		switch {
		case bytes.HasPrefix(raw, []byte("!--")):
			closing = "-->"
		case bytes.HasPrefix(raw, []byte("![CDATA[")):
			closing = "]]>"
		case raw[0] == '?':
			closing = "?>"
		}
		end := bytes.Index(raw, []byte(closing))
		if end < 0 {
			return names
		}
		tag := raw[:end]
		raw = raw[end:]
		switch {
		case closing != ">" || len(tag) == 0:
		case tag[0] == '/':
			depth--
		default:
			switch name := tagName(tag); depth {
			case 0:
				own = name[:strings.IndexByte(name, ':')+1]
			case 1:
				names = append(names, strings.TrimPrefix(name, own))
			}
			if tag[len(tag)-1] != '/' {
				depth++
			}
		}
	}
}

func tagName(tag []byte) string {
	if i := bytes.IndexAny(tag, " \t\r\n/"); i >= 0 {
		tag = tag[:i]
	}
	return string(tag)
}

// coreRank returns the position of a child in the order. Extensions are last.
func coreRank(name string) int {
	for i, core := range coreOrder {
		if name == core {
			return i
		}
	}
	return len(coreOrder)
}
