package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
)

// notWords are the parts of a line that are the same in all languages: URLs and paths, flags with a list, rule IDs,
// commands, examples, the names that Search Console has for a problem; and causes, which are English: of what is
// wrong with a robots.txt, and of what a repair left.
var notWords = regexp.MustCompile(`^(Search Console|informe de Yandex|robots\.txt:|  \S+:\d+: removed:) .*$|^  [-+ ] .*$|` +
	`^[a-z0-9-]+  |\S*[/.]\w\S*|--fail-on \S+|--?[a-z]\S*|\[[a-z0-9-]+\]|\bmapa [a-z]+.*$|\b[a-z]+-[a-z-]+\b`)

// englishWords returns the words that only the English catalogue has.
func englishWords() map[string]bool {
	words := regexp.MustCompile(`\p{L}{3,}`)
	of := func(language catalog.Language) map[string]bool {
		found := map[string]bool{}
		for _, text := range catalog.For(language).WithPrefix("") {
			for _, word := range words.FindAllString(strings.ToLower(text), -1) {
				found[word] = true
			}
		}
		return found
	}
	english := of(catalog.English)
	for word := range of(catalog.Spanish) {
		delete(english, word)
	}
	return english
}

// spanishFiles are a site, a list and sitemaps, with something to say about each.
var spanishFiles = map[string]string{
	"public/index.html": `<html lang="es"><title>Inicio</title><p>Pan y tartas</p><a href="a.html">Pan</a> <a href="falta.html">Falta</a>` +
		`<a href="#ancla">Ancla</a><a href="b.html">Tartas</a>`,
	"public/a.html":          `<html lang="es"><title>Pan</title><h1>Pan</h1><p>Pan de trigo</p>`,
	"public/b.html":          `<html lang="es"><title>Tartas</title><meta name="robots" content="noindex"><p>Tarta de queso</p>`,
	"public/sola.html":       `<html lang="es"><title>Sola</title><p>Nadie la enlaza</p>`,
	"paginas.csv":            "loc,lastmod\nhttps://tarta.example/a,2026-01-01\nhttps://tarta.example/a,2026-01-02\nnada de nada,\nhttps://otra.example/,\nhttps://tarta.example/b,ayer\n",
	"viejo.xml":              `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://tarta.example/a</loc><lastmod>2026-01-01</lastmod></url><url><loc>https://tarta.example/b</loc></url></urlset>`,
	"antes.xml":              `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://tarta.example/a</loc><lastmod>2026-01-01</lastmod></url></urlset>`,
	"nuevo.xml":              `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://tarta.example/a</loc><lastmod>2026-02-01</lastmod></url><url><loc>https://tarta.example/c</loc><priority>7</priority></url><url><loc>/d</loc></url></urlset>`,
	"notas/leer.md":          "# Notas\n\n[falta](falta.md) y [ancla](#nada)\n",
	"errores/sitemap.xml":    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>`,
	"www/sitemap.xml":        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>SITE/a</loc></url></urlset>`,
	"www/robots.txt":         "User-agent: *\nAllow: /\n",
	"mapa-vacio/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`,
}

// TestSpanish reads what each command prints in Spanish for words that only the English catalogue has. The cause of
// an error, which is the second line of its message, is English.
func TestSpanish(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	site := httptest.NewServer(http.FileServer(http.Dir("www")))
	defer site.Close()
	for name, text := range spanishFiles {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "SITE", site.URL)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "MAPA_LANG"} {
		t.Setenv(name, "")
	}
	t.Setenv("LANG", "es_ES.UTF-8")
	english := englishWords()
	for _, test := range []struct {
		command string // S is the site
		code    int
		want    string
	}{
		{"crawl public --base-url https://tarta.example/ -o out --fail-on broken", 1, "páginas en el sitemap"},
		{"crawl public --base-url https://tarta.example/ -o out --fail-on broken", 1, "404, no existe"},
		{"crawl public --base-url https://tarta.example/ -o out -q --fail-on broken", 1, "hace fallar la orden"},
		{"crawl public --base-url https://tarta.example/ -o cortado --max-pages 1 --announce", 0, "El rastreo se detuvo en"},
		{"report out", 0, "Rastreo de"},
		{"report out --findings", 0, "error: "},
		{"report out --fail-on error", 1, "hacen? fallar"},
		{"report out --format markdown", 0, "aviso"},
		{"why https://tarta.example/b.html out", 0, "fuera del sitemap: "},
		{"why https://tarta.example/falta.html out", 0, "404, no existe"},
		{"why https://tarta.example/nunca.html out", 1, "El rastreo no encontró"},
		{"links notas", 1, "comprobado: 1 documento"},
		{"lint nuevo.xml", 1, "Más sobre una regla"},
		{"lint viejo.xml", 0, ""},
		{"lint nuevo.xml --format html -o lint.html", 1, "errores?, "},
		{"lint nuevo.xml --format github", 1, ""},
		{"lint nuevo.xml --fix copias", 3, "sin corregir"},
		{"build paginas.csv --base-url https://tarta.example/ -o hecho", 3, "Descartadas:"},
		{"build paginas.csv --base-url https://tarta.example/ -o hecho -q", 3, "descartadas"},
		{"list antes.xml --since 2027-01-01", 0, "ninguna página ha cambiado"},
		{"list mapa-vacio", 0, "ningún sitemap incluye páginas"},
		{"diff viejo.xml nuevo.xml", 1, "nueva"},
		{"diff viejo.xml viejo.xml", 2, "hay que cambiar la orden"},
		{"diff viejo.xml nuevo.xml --format markdown", 1, "Qué ha cambiado"},
		{"announce S/sitemap.xml --ledger a.sqlite --dry-run", 0, "Simulación"},
		{"announce S/sitemap.xml --ledger a.sqlite", 0, "No hay un estado anterior"},
		{"announce status S/sitemap.xml --ledger a.sqlite", 0, "No se preguntó a ningún buscador"},
		{"rules", 0, "GRAVEDAD"},
		{"rules title-length", 0, "Solución: "},
		{"rules loc-relative", 0, "Mal"},
		{"demo", 0, "5 páginas en el sitemap:"},
		{"watch S/ --no-initial --state w.sqlite", 0, "aprendido: 1 página de 1 sitio nuevo"},
		{"crawl https://no-hay-tal.invalid/ -o nada", 4, "comprueba cómo se escribe"},
		{"crawl --nada", 2, "Ejecuta 'mapa crawl --help'"},
		{"why https://tarta.example/ no-esta", 2, "rastrea antes el sitio"},
		{"lint errores/sitemap.xml", 1, "error: "},
	} {
		var stdout, stderr bytes.Buffer
		args := strings.Fields(strings.ReplaceAll(test.command, "S/", site.URL+"/"))
		code := Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		output := stdout.String() + stderr.String()
		if code != test.code || !regexp.MustCompile(test.want).MatchString(output) {
			t.Errorf("%s: exit code %d, want %d, and no %q in\n%s", test.command, code, test.code, test.want, output)
		}
		if bad := englishIn(output, english); bad != "" {
			t.Errorf("%s: English words: %s in\n%s", test.command, bad, output)
		}
	}
	page, err := os.ReadFile("lint.html")
	if err != nil || !strings.Contains(string(page), `<html lang="es">`) {
		t.Errorf("lint.html: %v\n%s", err, page)
	}
}

// englishIn returns the words of an output that only the English catalogue has.
func englishIn(output string, english map[string]bool) string {
	var bad []string
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		if i > 0 && strings.HasPrefix(lines[i-1], "mapa: ") && strings.HasSuffix(lines[i-1], ":") {
			continue // the cause of an error
		}
		for _, word := range regexp.MustCompile(`\p{L}{3,}`).FindAllString(notWords.ReplaceAllString(line, " "), -1) {
			if english[strings.ToLower(word)] {
				bad = append(bad, word)
			}
		}
	}
	return strings.Join(bad, " ")
}
