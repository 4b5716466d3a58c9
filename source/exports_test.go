package source_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/mapatools/mapa/source"
)

// TestExports reads tables as widespread programs write them.
func TestExports(t *testing.T) {
	for _, test := range []struct {
		about, text  string
		want, faults []string
	}{
		{"Screaming Frog", `"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Title 1","Last Modified"` +
			"\n" + `"https://example.com/","text/html; charset=UTF-8","200","OK","Indexable","","Home","Fri, 02 Jan 2026 03:04:05 GMT"` +
			"\n" + `"https://example.com/gone","text/html","404","Not Found","Non-Indexable","Client Error","",""` +
			"\n" + `"https://example.com/old","","301","Moved Permanently","Non-Indexable","Redirected","",""` +
			"\n" + `"https://example.com/dead","","0","Connection Timeout","Non-Indexable","No Response","",""` +
			"\n" + `"https://example.com/secret","text/html","200","OK","Non-Indexable","noindex","",""` +
			"\n" + `"https://example.com/a.css","text/css","200","OK","Indexable","","",""` + "\n",
			[]string{"/ 2026-01-02T03:04:05Z Home"},
			[]string{"line 3: Status Code: 404", "line 4: Status Code: 301", "line 5: Status Code: 0",
				"line 6: Indexability: Non-Indexable", "line 7: Content Type: text/css"}},
		{"Screaming Frog in Spanish", "Dirección,Código de respuesta,Indexabilidad,Título 1,Última modificación\n" +
			"https://example.com/a,200,Indexable,A,2026-01-02\nhttps://example.com/b,404,No indexable,B,\n",
			[]string{"/a 2026-01-02 A"}, []string{"line 3: Código de respuesta: 404"}},
		{"Screaming Frog in German", "Adresse,Status-Code,Indexierbarkeit\nhttps://example.com/a,200,Indexierbar\n" +
			"https://example.com/b,200,Nicht indexierbar\n",
			[]string{"/a"}, []string{"line 3: Indexierbarkeit: Nicht indexierbar"}},
		{"Google Search Console", "Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/a,5,9,1%,3\n", []string{"/a"}, nil},
		{"Google Search Console in Spanish", "Páginas principales,Clics,Impresiones,CTR,Posición\nhttps://example.com/a,5,9,1%,3\n",
			[]string{"/a"}, nil},
		{"page indexing", "URL,Last crawled\nhttps://example.com/a,2026-01-02\n", []string{"/a"}, nil},
		{"Google Analytics", "# ----------------------------------------\n# Pages and screens: Page path and screen class\n" +
			"# Account: x, y\n# 20260101-20260131\n# ----------------------------------------\n\n" +
			"Page path and screen class,Views,Users,Date\n/,120,42,20260102\n/a?b=c,10,4,20260102\n(not set),3,1,\nTotal,133,47,\n",
			[]string{"/", "/a?b=c"},
			[]string{"line 10: Page path and screen class: (not set)", "line 11: Page path and screen class: Total"}},
		{"Google Analytics in Spanish", "# x\nPágina y clase de pantalla,Vistas\n/a,1\n,1\n", []string{"/a"}, nil},
		{"landing pages", "Landing page,Sessions\n/a,1\n(not set),1\n", []string{"/a"}, []string{"line 3: Landing page: (not set)"}},
		{"WordPress", "ID,Title,Permalink,Date,Slug,Status,Post Modified Date\n1,A,https://example.com/a/,2025-01-01,a,publish,2026-01-02 10:00:00\n" +
			"2,B,https://example.com/?p=2,2025-01-01,b,draft,2026-01-02 10:00:00\n",
			[]string{"/a/ 2026-01-02 A"}, []string{"line 3: Status: draft"}},
		{"the database of WordPress", "post_name,post_modified,post_status\na,2026-01-02 10:00:00,publish\nb,0000-00-00 00:00:00,trash\n",
			[]string{"/shop/a 2026-01-02"}, []string{"line 3: post_status: trash"}},
		{"Shopify", "Handle,Title,Body (HTML),Vendor,Published,Option1 Value,Status\nred-tea,Red tea,<p>x</p>,V,true,1kg,active\n" +
			"red-tea,,,,,2kg,\ngreen-tea,Green tea,,V,false,,draft\ngreen-tea,,,,,2kg,\nold,Old,,V,true,,archived\nblue,Blue,,V,TRUE,,active\n",
			[]string{"/shop/products/red-tea Red tea", "/shop/products/blue Blue"},
			[]string{"line 4: Published: false", "line 6: Status: archived"}},
		{"Magento", "sku,name,product_online,visibility,url_key,updated_at\n1,A,1,\"Catalog, Search\",a,2026-01-02 10:00:00\n" +
			"2,B,1,Not Visible Individually,b,\n3,C,2,\"Catalog, Search\",c,\n",
			[]string{"/shop/a.html 2026-01-02"},
			[]string{"line 3: visibility: Not Visible Individually", "line 4: product_online: 2"}},
		{"a report of Mapa", "url,decision,detail,target,status,title,lastmod\nhttps://example.com/,listed,,,200,Home,2026-01-02\n" +
			"https://example.com/x,client-error,Not Found,,404,,\nhttps://example.com/y,,,,200,Y,\n",
			[]string{"/ 2026-01-02 Home", "/y Y"}, []string{"line 3: decision: client-error"}},
		{"a report of Mapa in JSONL", `{"url":"https://example.com/","decision":"listed","listed":true,"status":200,"images_without_alt":0}` +
			"\n" + `{"url":"https://example.com/x","decision":"noindex","status":200}` + "\n",
			[]string{"/"}, []string{"line 2: decision: noindex"}},
		{"semicolons", "Enlace;Actualizado;Prioridad\n/a;2026-01-02;0,5\n", []string{"/a 2026-01-02 0.5"}, nil},
		{"a comment in a table", "url,title\n/a,A\n#comentario\n#/b,B\n/c,C\n", []string{"/a A", "/c C"}, nil},
		{"a column of numbers", "#,url\n1,/a\n#2,/b\n", []string{"/a", "/b"}, nil},
		{"paths without a header", "/a,2026-01-02\n/b,2026-01-03\n", []string{"/a", "/b"}, nil},
		{"a loose date", "url,data\n/a,many things\n/b,2026-01-02\n", []string{"/a", "/b 2026-01-02"}, nil},
	} {
		t.Run(test.about, func(t *testing.T) {
			found, faults := rows(t, test.text, source.RowOptions{})
			if !slices.Equal(found, test.want) || !slices.Equal(faults, test.faults) {
				t.Errorf("got %q\nand %q,\nwant %q\nand %q", found, faults, test.want, test.faults)
			}
		})
	}
}

// TestLanguages knows the names of columns in many languages, however they are written.
func TestLanguages(t *testing.T) {
	for _, header := range []string{
		"URL,Last modified,Title", "url,LAST_MODIFIED,title", "Dirección,Última modificación,Título",
		"direccion,ultima modificacion,titulo", "Endereço,Última atualização,Título", "Adresse,Dernière modification,Titre",
		"Adresse,Zuletzt geändert,Titel", "Indirizzo,Ultima modifica,Titolo", "Adreça,Darrera modificació,Títol",
		"Adres,Laatst gewijzigd,Titel", "Adres,Ostatnia modyfikacja,Tytuł", "Адрес,Дата изменения,Заголовок",
		"网址,更新时间,标题", "網址,更新時間,標題", "アドレス,最終更新日,タイトル", "Permalink,Updated,Title", "slug,updated_at,title",
		"Path,Date,Title", "Ruta,Fecha,Título", "Seite,Datum,Titel",
		"\xdaRL,x,y\nDirecci\xf3n,\xdaltima modificaci\xf3n,T\xedtulo",
	} {
		if _, rest, found := strings.Cut(header, "\n"); found {
			header = rest
		}
		found, faults := rows(t, header+"\n/a,2026-01-02,A\n", source.RowOptions{})
		if !slices.Equal(found, []string{"/a 2026-01-02 A"}) || faults != nil {
			t.Errorf("%s: %q, %q", header, found, faults)
		}
	}
}

// TestNoColumn refuses tables without a column for the address.
func TestNoColumn(t *testing.T) {
	for _, test := range []struct{ name, text, columns, likely string }{
		{"a.csv", "Código;Nombre\n1;A\n", "Código, Nombre", "Código"},
		{"a.csv", "Código;Sitio\n1;https://example.com/a\n", "Código, Sitio", "Sitio"},
		{"a.csv", "Código;Sitio\n1;seats/a\n", "Código, Sitio", "Sitio"},
		{"a.csv", "Código;Nombre\n", "Código, Nombre", "Código"},
		{"a.json", `[{"id":1,"where":"/a"}]`, "id, where", "where"},
		{"a.json", `{"data":[{"id":1}]}`, "id", "id"},
		{"a.jsonl", `{"id":1,"where":"/a"}`, "id, where", "where"},
	} {
		name := write(t, test.name, test.text)
		var missing *source.ColumnError
		count := 0
		for _, err := range source.Rows(t.Context(), name, &source.RowOptions{Base: "https://example.com/"}) {
			errors.As(err, &missing)
			count++
		}
		if missing == nil || count != 1 || missing.Likely != test.likely || missing.Column != "" ||
			missing.Error() != "no column for the URL; the columns are "+test.columns {
			t.Errorf("%q: %v, %d rows", test.text, missing, count)
		}
	}
	for _, text := range []string{"Código;Sitio\n1;https://example.com/a\n", `[{"id":1},{"loc":"https://example.com/a"}]`} {
		name := write(t, "a.csv", text)
		if strings.HasPrefix(text, "[") {
			name = write(t, "a.json", text)
		}
		if got, _ := collect(source.Lists([]string{name}, nil)); len(got) != 1 && strings.HasPrefix(text, "C") {
			t.Errorf("a list of seeds: %q", got)
		}
	}
}

// TestStatusColumn names or ignores the columns that say whether a page is listed.
func TestStatusColumn(t *testing.T) {
	const table = "url,status,online\n/a,404,yes\n/b,200,404\n"
	for _, test := range []struct {
		columns map[string]string
		want    []string
	}{
		{nil, []string{"/b"}},
		{map[string]string{"status": ""}, []string{"/a", "/b"}},
		{map[string]string{"status": "Online"}, []string{"/a"}},
	} {
		if found, _ := rows(t, table, source.RowOptions{Columns: test.columns}); !slices.Equal(found, test.want) {
			t.Errorf("%v: %q", test.columns, found)
		}
	}
}

// TestGivenColumn takes the cells of a named column as they are.
func TestGivenColumn(t *testing.T) {
	for _, header := range []string{"Handle", "url_key", "Landing page"} {
		found, _ := rows(t, header+"\ntea\n", source.RowOptions{Columns: map[string]string{"loc": header}})
		if !slices.Equal(found, []string{"/shop/tea"}) {
			t.Errorf("%q: %q", header, found)
		}
	}
}

// TestJSONDocuments reads JSON that is not one object a line.
func TestJSONDocuments(t *testing.T) {
	for _, test := range []struct {
		about, text  string
		want, faults []string
	}{
		{"an array", "[\n {\"url\": \"/a\",\n  \"title\": \"A \\\"]\"},\n\n {\"url\": \"/b\"}, 7, {\"url\": 1}\n]\n",
			[]string{"/a A \"]", "/b", "/shop/1"}, []string{"line 5, column 1: not a JSON object"}},
		{"texts", `["https://example.com/a", "/b", 5]`, []string{"/a", "/b"}, []string{"line 1, column 1: not a JSON object"}},
		{"inside of objects", `{"x":{"y":[1,2]},"z":"]","data":{"items":[{"link":"/a"},{"link":"/b"}]},"more":[{"id":1}]}`,
			[]string{"/a", "/b"}, nil},
		{"several lines", "{\n\"urls\": [\n{\"loc\":\"/a\"}]}", []string{"/a"}, nil},
		{"WordPress", `[{"id":1,"date":"2025-01-01T00:00:00","modified_gmt":"2026-01-02T10:00:00","slug":"a","status":"publish",` +
			`"link":"https://example.com/a/","title":{"rendered":"Tea &amp; cake"}},{"link":"https://example.com/b/","status":"private"}]`,
			[]string{"/a/ 2026-01-02 Tea & cake"}, []string{"line 1: status: private"}},
		{"Shopify", `{"products":[{"id":1,"title":"Tea","handle":"tea","updated_at":"2026-01-02T10:00:00+01:00"}]}`,
			[]string{"/shop/products/tea 2026-01-02T10:00:00+01:00 Tea"}, nil},
		{"JSON Feed", `{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"/a","date_modified":"2026-01-02"}]}`,
			[]string{"/a 2026-01-02"}, nil},
		{"cut off", `[{"url":"/a"},{"url":`, []string{"/a"}, []string{"line 1: not JSON, or cut off"}},
		{"no JSON", `[{"url":"/a"} {"url":"/b"}]`, []string{"/a"}, []string{"line 1: not JSON, or cut off"}},
		{"a large element", `[{"url":"/a"},{"x":"` + strings.Repeat("y", 2<<20) + `"},{"url":"/b"}]`, []string{"/a", "/b"},
			[]string{"line 1: longer than 1 MiB"}},
		{"deep nesting", strings.Repeat(`{"a":`, 1000), nil, []string{"line 1: not JSON, or cut off"}},
		{"values of other types", `[{"url":"/a","lastmod":["x"],"title":true,"date":{}}]`, []string{"/a"}, []string{
			"line 1, column 23: lastmod: neither a text nor a number", "line 1, column 37: title: neither a text nor a number"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			found, faults := rows(t, test.text, source.RowOptions{})
			if !slices.Equal(found, test.want) || !slices.Equal(faults, test.faults) {
				t.Errorf("got %q\nand %q,\nwant %q\nand %q", found, faults, test.want, test.faults)
			}
		})
	}
}

// TestFetchedTables reads JSON and tables from servers.
func TestFetchedTables(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api":
			w.Header().Set("Content-Encoding", "gzip")
			zip := gzip.NewWriter(w)
			zip.Write([]byte("\ufeff\n [{\"url\":\"/a\"},{\"url\":\"/b\"}]"))
			zip.Close()
		case "/lines":
			w.Write([]byte("{\"url\":\"/a\"}\n{\"url\":\"/b\"}\n"))
		case "/table":
			w.Header().Set("Content-Type", "text/csv; charset=utf-8")
			w.Write([]byte("Enlace;Título\n/a;A\n/b;B\n"))
		case "/sitemap.xml":
			w.WriteHeader(http.StatusNonAuthoritativeInfo)
			w.Write([]byte("<urlset><url><loc>https://example.com/a</loc></url>" +
				"<url><loc>https://example.com/b</loc></url></urlset>"))
		case "/index.xml":
			w.Write([]byte("<sitemapindex><sitemap><loc>http://" + r.Host + "/sitemap.xml</loc></sitemap></sitemapindex>"))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	for _, path := range []string{"/api", "/lines", "/table", "/sitemap.xml", "/index.xml"} {
		var got []string
		for row, err := range source.Rows(t.Context(), server.URL+path, &source.RowOptions{Base: "https://example.com/"}) {
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got = append(got, row.Loc)
		}
		if !slices.Equal(got, []string{"https://example.com/a", "https://example.com/b"}) {
			t.Errorf("%s: %q", path, got)
		}
	}
	for _, err := range source.Rows(t.Context(), server.URL+"/none", &source.RowOptions{Base: "https://example.com/"}) {
		var status *source.StatusError
		if !errors.As(err, &status) || status.Status != http.StatusNotFound || !errors.Is(err, source.ErrOpen) {
			t.Errorf("nothing there: %v", err)
		}
	}
}

// TestProbes leaves out of a log what attackers look for and what is no page.
func TestProbes(t *testing.T) {
	var log strings.Builder
	for _, path := range []string{
		"/.env", "/.git/config", "/x/.env", "/wp-login.php", "/wp-admin/", "/blog/wp-admin/setup.php", "/xmlrpc.php",
		"/wp-json/wp/v2/users", "/phpinfo.php", "/backup.sql", "/config.yml", "/.well-known/security.txt", "/ads.txt",
		"/wp-content/plugins/x/y.php", "/index.php~", "/page", "/wp-guide/", "/wp-content/uploads/a.pdf", "/envelope",
		"/a.php",
	} {
		log.WriteString(`h - -` + stamp + `"GET ` + path + ` HTTP/1.1" 200 5` + "\n")
	}
	log.WriteString(`h - -` + stamp + `"HEAD /head HTTP/1.1" 200 5` + "\n")
	log.WriteString(`{"request":{"method":"GET","host":"example.com","uri":"/json"},"status":200}` + "\n")
	log.WriteString(`{"request":{"method":"GET","host":"example.com","uri":"/wp-login.php"},"status":200}` + "\n")
	found, faults := rows(t, log.String(), source.RowOptions{})
	want := []string{"/page", "/wp-guide/", "/wp-content/uploads/a.pdf", "/envelope", "/a.php", "/head", "/json"}
	if !slices.Equal(found, want) || faults != nil {
		t.Errorf("%q, %q", found, faults)
	}
	const nginx = `{"request_uri":"/a","status":"200"}` + "\n" + `{"request_uri":"/b","status":"500"}` + "\n"
	found, faults = rows(t, nginx, source.RowOptions{})
	if !slices.Equal(found, []string{"/a"}) || faults != nil {
		t.Errorf("nginx: %q, %q", found, faults)
	}
}

// FuzzJSON compares the titles in an array with those that encoding/json reads, whatever is
// around them.
func FuzzJSON(f *testing.F) {
	f.Add("a \"b\" [c]", ` "x": {"y": [1, "]"]}, `, "\n")
	f.Add("\\", `"z":"\\u005d\\"",`, "\t")
	f.Fuzz(func(t *testing.T, title, members, space string) {
		if strings.Trim(space, " \n\t\r") != "" {
			return
		}
		quoted, _ := json.Marshal(title)
		text := "[" + space + "{" + members + space + `"loc":"https://example.com/a"}` + "," + space +
			`{"loc":"https://example.com/b","title":` + string(quoted) + space + "}" + space + "]"
		var want []map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil || len(want) != 2 || want[0]["loc"] == nil || want[1] == nil {
			return
		}
		json.Unmarshal(quoted, &title)
		var last *source.Row
		for row, err := range source.Rows(t.Context(), "-", &source.RowOptions{
			Stdin: strings.NewReader(text), Base: "https://example.com/",
		}) {
			if err == nil && row.Loc == "https://example.com/b" {
				last = &source.Row{Title: row.Title}
			}
		}
		if last == nil || last.Title != title {
			t.Errorf("%q: %+v", text, last)
		}
	})
}
