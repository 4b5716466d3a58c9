package web_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestExports exports every list of a result, and what differs between two crawls.
func TestExports(t *testing.T) {
	t.Parallel()
	site := newTarget(t, false)
	server, _ := newApplication(t, nil)
	old := strings.TrimPrefix(crawlSite(t, server, site.URL), "/crawls/")
	site.change()
	result := crawlSite(t, server, site.URL)
	compare := "/compare/export?old=" + old + "&new=" + strings.TrimPrefix(result, "/crawls/")
	for path, want := range map[string]string{
		result + "/export?list=findings&rule=link-broken&severity=error": "/gone",
		result + "/export?list=findings&rule=anchor-missing":             "/about#team",
		result + "/export?list=findings&rule=tls-expiry":                 "",
		result + "/export?rule=title-duplicate":                          "/shop/2",
		result + "/export?list=changes":                                  "/shop/3",
		result + "/export?list=changes&kind=newly-broken":                "/shop/1",
		result + "/export?list=folders":                                  site.URL + "/",
		result + "/export?list=links&page=1":                             "/shop/2",
		result + "/export?list=links&page=1&direction=out":               "to /about",
		compare:                        "/shop/3",
		compare + "&kind=newly-broken": "/shop/1",
	} {
		table := fetchExport(t, server+path+"&format=csv")
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil || want != "" && (len(rows) < 2 || !strings.Contains(table, want)) || want == "" && len(rows) != 1 {
			t.Errorf("%s: %v, no %s in %s", path, err, want, table)
		}
		text := fetchExport(t, server+path+"&format=json")
		var list []map[string]any
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Errorf("%s: %v: %s", path, err, text)
		}
	}
	for _, wrong := range []string{
		"/export?list=changes&kind=x&format=csv", "/export?list=links&page=x&format=csv", "/export?list=changes&format=xml",
		"/export?list=links&page=4711&format=csv", "/export?list=findings&rule=none&format=csv",
	} {
		response, err := http.Get(server + result + wrong)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		policy := response.Header.Get("Content-Security-Policy")
		if response.StatusCode/100 != 4 || strings.Contains(policy, "sandbox") {
			t.Errorf("%s: %s with the policy %s", wrong, response.Status, policy)
		}
	}
}

// fetchExport returns a file that a browser would save.
func fetchExport(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	saved := strings.HasPrefix(response.Header.Get("Content-Disposition"), "attachment")
	if err != nil || response.StatusCode != http.StatusOK || !saved {
		t.Errorf("%s: %s, %v: %s", address, response.Status, err, text)
	}
	return string(text)
}

// TestExportFormulas writes no cell that a spreadsheet takes for a formula.
func TestExportFormulas(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>=1+1</title><p>Some words <a href="/a">=HYPERLINK("http://evil.example")</a>`)
	}))
	t.Cleanup(site.Close)
	server, _ := newApplication(t, nil)
	result := crawlSite(t, server, site.URL)
	table := fetchExport(t, server+result+"/export?list=links&page=1&direction=out&format=csv")
	if !strings.Contains(table, `'=HYPERLINK`) {
		t.Errorf("a text is a formula: %s", table)
	}
}

// TestExportLanguages checks that spreadsheets open tables right: as UTF-8, and with the separator and the decimal
// sign of the language.
func TestExportLanguages(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, nil)
	result := crawlSite(t, server, newLargeSite(t))
	for language, want := range map[string]struct{ separator, decimal, duration, message, broken string }{
		"en":    {",", ".", "Response time (ms)", "Message", "Broken link"},
		"es-ES": {";", ",", "Tiempo de respuesta (ms)", "Mensaje", "Enlace roto"},
	} {
		for _, list := range []string{"", "&list=folders", "&list=findings&rule=link-broken", "&list=links&page=1"} {
			request, err := http.NewRequest(http.MethodGet, server+result+"/export?format=csv"+list, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept-Language", language)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			plain, marked := strings.CutPrefix(string(text), "\ufeff")
			table := csv.NewReader(strings.NewReader(plain))
			table.Comma = rune(want.separator[0])
			rows, err := table.ReadAll()
			if err != nil || !marked || len(rows) < 2 || len(rows[0]) < 4 {
				t.Fatalf("%s%s: %v, %q", language, list, err, text)
			}
			at := slices.Index(rows[0], want.duration)
			switch {
			case list == "" && (at < 0 || !strings.Contains(rows[1][at], want.decimal)):
				t.Errorf("%s: no number with %q: %q", language, want.decimal, rows[:2])
			case strings.Contains(list, "findings") && (rows[0][6] != want.message || rows[1][1] != "link-broken" ||
				rows[1][2] != want.broken):
				t.Errorf("%s: findings %q", language, rows[:2])
			}
		}
	}
}
