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
)

// spanishGuides are the first guides in Spanish, in their order.
var spanishGuides = []string{"install", "first-crawl", "sitemaps", "submit"}

// guideSite is the site at example.com that the guides crawl.
var guideSite = map[string]string{
	"index.html": `<html lang="es"><title>Panadería de la plaza</title><p>Pan y tartas.</p><a href="/pan/">Pan</a> <a href="/tartas/">Tartas</a> ` +
		`<a href="/pagina/">Borrador</a> <a href="/horario">Horario</a>`,
	"pan/index.html":    `<html lang="es"><title>Pan de la plaza</title><h1>Pan</h1><p>Pan de trigo y de centeno.</p>`,
	"tartas/index.html": `<html lang="es"><title>Tartas de la plaza</title><h1>Tartas</h1><p>De queso y de manzana.</p>`,
	"pagina/index.html": `<html lang="es"><title>Borrador de la carta</title><meta name="robots" content="noindex"><p>Aún sin precios.</p>`,
}

// TestSpanishGuides runs the commands of the first guides in Spanish, each in a folder with what the guides before
// left, and looks for the output that they quote. The site at example.com is on this machine.
func TestSpanishGuides(t *testing.T) {
	guides := map[string]string{}
	for _, name := range spanishGuides {
		text, err := os.ReadFile(filepath.Join("..", "..", "site", "content", "es", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		guides[name] = string(text)
	}
	t.Chdir(t.TempDir())
	for name, text := range guideSite {
		for _, folder := range []string{"www", "public"} {
			writeGuideFile(t, filepath.Join(folder, name), text)
		}
	}
	writeGuideFile(t, "sitemap.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/carta</loc>`+
		`<priority>0.5 </priority></url></urlset>`)
	site := httptest.NewServer(http.FileServer(http.Dir("www")))
	defer site.Close()
	for name, value := range map[string]string{"LC_ALL": "", "LC_MESSAGES": "", "MAPA_LANG": "", "LANG": "es_ES.UTF-8"} {
		t.Setenv(name, value)
	}
	block := regexp.MustCompile("(?s)```console\n(.*?)```")
	local := strings.NewReplacer("crawl example.com", "crawl "+site.URL+" -o example.com",
		"http://localhost:8080", site.URL, "why https://example.com/", "why example.com "+site.URL+"/")
	public := strings.NewReplacer(site.URL, "https://example.com")
	seconds := regexp.MustCompile(` en [0-9,]+ s`)
	ran := 0
	for _, name := range spanishGuides {
		for _, quoted := range block.FindAllStringSubmatch(guides[name], -1) {
			output := ""
			for line := range strings.Lines(quoted[1]) {
				line = strings.TrimSuffix(line, "\n")
				if command, is := strings.CutPrefix(line, "$ mapa "); is {
					var stdout, stderr bytes.Buffer
					code := Run(t.Context(), strings.Fields(local.Replace(command)), strings.NewReader(""), &stdout, &stderr)
					output = seconds.ReplaceAllString(public.Replace(stdout.String()+stderr.String()), " en X s")
					if ran++; code == exitUsage || code == exitUnreachable {
						t.Errorf("%s: %s: exit code %d\n%s", name, line, code, output)
					}
				} else if strings.HasPrefix(line, "$ ") || line == "…" {
					continue
				} else if !strings.Contains(output, seconds.ReplaceAllString(line, " en X s")) {
					t.Errorf("%s: nothing prints %q:\n%s", name, line, output)
				}
			}
		}
	}
	if ran < 9 {
		t.Errorf("only %d commands", ran)
	}
}

func writeGuideFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
