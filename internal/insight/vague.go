package insight

import "strings"

// isVague reports whether the text of a link says nothing about its target, in English or Spanish
// (https://developer.chrome.com/docs/lighthouse/seo/link-text).
func isVague(text string) bool { return len(text) <= maxVague && vagueTexts[strings.ToLower(text)] }

// maxVague is the length of the longest of the texts.
const maxVague = len("más información")

var vagueTexts = map[string]bool{
	"click here": true, "click this": true, "go": true, "here": true, "information": true, "learn more": true,
	"more": true, "more info": true, "more information": true, "right here": true, "read more": true, "see more": true,
	"start": true, "this": true,

	"click aquí": true, "click aqui": true, "clicka aquí": true, "clicka aqui": true, "pincha aquí": true,
	"pincha aqui": true,
	"aquí":        true, "aqui": true, "más": true, "mas": true, "más información": true, "más informacion": true,
	"mas información": true, "mas informacion": true, "este": true, "enlace": true, "este enlace": true, "empezar": true,
	"leer más": true, "leer mas": true, "ver más": true, "ver mas": true, "haz clic aquí": true, "haz clic aqui": true,
	"saber más": true, "saber mas": true,
}
