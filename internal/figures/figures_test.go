package figures

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/urlnorm"
)

var today = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// written is when files were written.
var written = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// site has the key of a crawl with its defaults.
var site = &Site{
	Start: "https://example.com/", Key: urlnorm.KeyOptions{Strip: urlnorm.PageParameters(), SortQuery: true},
}

// folderOf writes files to a folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(folder, name), written, written); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(folder, written, written); err != nil {
		t.Fatal(err)
	}
	return folder
}

func open(t *testing.T) *File {
	t.Helper()
	f, err := Open(t.Context(), filepath.Join(t.TempDir(), Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// rowsOf returns the rows of all exports, sorted.
func rowsOf(t *testing.T, f *File) (rows []string) {
	t.Helper()
	const text = "select url, clicks, impressions, position, crawl, joined from figure"
	err := f.db.Query(text, func(r sqlite.Row) bool {
		rows = append(rows, strings.TrimSpace(fmt.Sprint(r.Text(0), " ", r.Number(1), " ", r.Number(2), " ", r.Number(3), " ",
			r.Text(4), " ", r.Text(5))))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// indexExport is the export of the Page indexing report in a language: chart, reasons, metadata.
type indexExport struct{ chart, reasons, metadata string }

// days follow the headings of a chart: the first day has no numbers yet.
const days = "\n2026-10-01,,,3\n2026-10-02,1205,510,0\n2026-10-03,1250,509,12"

// indexExports have the headings of published exports.
var indexExports = map[string]indexExport{
	"English": {"Date,Not indexed,Indexed,Impressions",
		"Reason,Source,Validation,Pages\nNot found (404),Website,Not Started,45\nPage with redirect,Website,N/A,1205",
		"Property,Value\nSitemap,All known pages"},
	"Spanish": {"Fecha,Sin indexar,Indexadas,Impresiones",
		"Motivo,Fuente,Validación,Páginas\nNo se ha encontrado (404),Sitio web,Error,45\nPágina con redirección,Sitio web,N/D,1205",
		"Propiedad,Valor\nSitemap,Todas las páginas conocidas"},
	"German": {"Datum,Nicht indexiert,Indexiert,Impressionen",
		"Grund,Quelle,Validierung,Seiten\nNicht gefunden (404),Website,Gestartet,45\nSeite mit Weiterleitung,Website,Gestartet,1205",
		"Property,Wert\nSitemap,Alle bekannten Seiten"},
	"Portuguese": {"Data,Não indexadas,Indexados,Impressões",
		"Motivo,Fonte,Validação,Páginas\nNão encontrado (404),Site,Falha,45\nPágina com redirecionamento,Site,Falha,1205",
		"Propriedade,Valor\nSitemap,Todas as páginas conhecidas"},
	"Japanese": {"日付,未登録,登録済み,表示回数",
		"理由,ソース,確認,ページ\n見つかりませんでした（404）,ウェブサイト,開始前,45\nページにリダイレクトがあります,ウェブサイト,開始前,1205",
		"プロパティ,値\nサイトマップ,すべての既知のページ"},
}

// TestIndex reads the numbers of indexed pages in each language.
func TestIndex(t *testing.T) {
	for language, e := range indexExports {
		f := open(t)
		folder := folderOf(t, map[string]string{"a.csv": e.chart + days, "b.csv": e.reasons, "c.csv": e.metadata})
		exports, err := f.Read(t.Context(), []string{folder}, site, today)
		if err != nil {
			t.Errorf("%s: %v", language, err)
			continue
		}
		want := []Export{{Name: filepath.Base(folder), Engine: Google, Kind: KindIndex, Scope: ScopeAll, Since: "2026-10-02",
			Until: "2026-10-03", Indexed: 509, NotIndexed: 1250, id: 1}}
		equal(t, language, exports, want)
		about, err := f.about(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, language, about.Days, []Day{{ScopeAll, "2026-10-02", 510, 1205}, {ScopeAll, "2026-10-03", 509, 1250}})
		equal(t, language, about.Reasons, []Reason{{ScopeAll, "redirect", 1205}, {ScopeAll, "not-found", 45}})
	}
}

// TestUnknownLanguage reads the chart of a language that is not known by its shape, if the reasons next to it say that
// it is the one of indexed pages: the charts of other reports look the same.
func TestUnknownLanguage(t *testing.T) {
	chart := "Päivä,Ei indeksoitu,Indeksoitu,Näyttökerrat" + days
	reasons := "Syy,Lähde,Vahvistus,Sivut\nEi löydy (404),Sivusto,Aloitettu,45"
	f := open(t)
	folder := folderOf(t, map[string]string{"a.csv": chart, "b.csv": reasons})
	exports, err := f.Read(t.Context(), []string{folder}, site, today)
	if err != nil || len(exports) != 1 || !exports[0].ByShape {
		t.Errorf("%+v, %v", exports, err)
	}
	about, err := f.about(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "days", about.Days, []Day{{"", "2026-10-02", 510, 1205}, {"", "2026-10-03", 509, 1250}})
	for name, chart := range map[string]string{
		"alone":        chart,
		"rich results": "Date,Invalid,Valid,Impressions" + days,
	} {
		f := open(t)
		_, err := f.Read(t.Context(), []string{folderOf(t, map[string]string{"a.csv": chart})}, site, today)
		if !errors.Is(err, errNoExport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// pagesCSV is a performance export, and pagesRows are its rows.
const pagesCSV = "Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/,1250,10500,11.9%,3.27\n" +
	"\"https://example.com/a,b\",3,120,2.5%,14.2\nhttps://example.com/ñ,1,7,14.29%,8\nhttps://example.com/none,0,0,,\n"

var pagesRows = []string{
	"https://example.com/ 1250 10500 3270", "https://example.com/%C3%B1 1 7 8000", "https://example.com/a,b 3 120 14200",
	"https://example.com/none 0 0 0",
}

// excel returns a table as Excel saves it where the decimal separator is a comma.
func excel(text string) string {
	replacer := strings.NewReplacer(",", ";", "\"https://example.com/a,b\"", "https://example.com/a,b",
		"11.9%", "11,9%", "2.5%", "2,5 %", "14.29%", "14,29%", "3.27", "3,27", "14.2", "14,2", "10500", "10.500")
	return strings.ReplaceAll(replacer.Replace(text), "\n", "\r\n")
}

// TestSavedAgain reads a table as spreadsheets and editors save it.
func TestSavedAgain(t *testing.T) {
	encoder := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()
	utf16, err := encoder.String(strings.ReplaceAll(pagesCSV, ",", "\t"))
	if err != nil {
		t.Fatal(err)
	}
	utf16 = strings.ReplaceAll(utf16, "a\x00\t\x00b", "a\x00,\x00b")
	latin, err := charmap.Windows1252.NewEncoder().String(excel(pagesCSV))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"as downloaded": strings.TrimSuffix(pagesCSV, "\n"), "byte order mark": "\ufeff" + pagesCSV,
		"CRLF": strings.ReplaceAll(pagesCSV, "\n", "\r\n"), "semicolons": excel(pagesCSV),
		"BOM and semicolons": "\ufeff" + excel(pagesCSV),
		"sep=":               "sep=;\r\n" + excel(pagesCSV), "UTF-16": utf16, "Windows-1252": latin,
		"Spanish": strings.Replace(pagesCSV, "Top pages,Clicks,Impressions,CTR,Position",
			"Páginas principales,Clics,Impresiones,CTR,Posición", 1),
		"unknown language": strings.Replace(pagesCSV, "Top pages,Clicks,Impressions,CTR,Position", "Suosituimmat,K,N,CTR,S", 1),
		"thousands":        strings.Replace(pagesCSV, "1250,10500", "\"1,250\",\"10,500\"", 1),
		"empty lines":      strings.ReplaceAll(pagesCSV, "\n", "\n\n"),
	} {
		f := open(t)
		exports, err := f.Read(t.Context(), []string{folderOf(t, map[string]string{"x.csv": text})}, site, today)
		if err != nil || len(exports) != 1 {
			t.Errorf("%s: %+v, %v", name, exports, err)
			continue
		}
		e := &exports[0]
		if e.Kind != KindSearch || e.Engine != Google || e.Rows != 4 || e.ByShape != (name == "unknown language") {
			t.Errorf("%s: %+v", name, e)
		}
		equal(t, name+": sums", []int64{e.Clicks, e.Impressions}, []int64{1254, 10627})
		equal(t, name, rowsOf(t, f), pagesRows)
	}
}

// TestReason reads the pages with one reason, and those that are indexed.
func TestReason(t *testing.T) {
	table := "URL,Last crawled\nhttps://example.com/old,2026-09-03\n\"https://example.com/a\nb\",2026-09-01\n" +
		"https://example.com/never,1970-01-01"
	rows := []string{
		"https://example.com/ab 0 0 0 2026-09-01", "https://example.com/never 0 0 0", "https://example.com/old 0 0 0 2026-09-03",
	}
	chart := "Date,Affected pages\n2026-10-01,2\n2026-10-02,"
	metadata := "Property,Value\nSitemap,https://example.com/sitemap.xml"
	for name, test := range map[string]struct {
		files map[string]string
		want  Export
	}{
		"reason": {map[string]string{"T.csv": table, "C.csv": chart + "3",
			"M.csv": metadata + "\nIssue,Crawled - currently not indexed"},
			Export{Scope: "https://example.com/sitemap.xml", Reason: "crawled", Since: "2026-10-01", Until: "2026-10-02",
				Pages: 3}},
		"cut off": {map[string]string{"T.csv": table, "C.csv": chart + "4",
			"M.csv": "Property,Value\nIssue,Soft 404\nSitemap,All submitted pages"},
			Export{Scope: ScopeSubmitted, Reason: "soft-404", Since: "2026-10-01", Until: "2026-10-02", Cut: true, Pages: 4}},
		"unknown reason": {map[string]string{"T.csv": table, "M-2026-10-05.csv": "Property,Value\nSitemap,x\nIssue,Too many hats"},
			Export{Scope: "x", Reason: "Too many hats", Until: "2026-11-18"}},
		"Spanish": {map[string]string{"T.csv": strings.Replace(table, "Last crawled", "Último rastreo", 1),
			"M.csv": "Propiedad,Valor\nIncidencia,Descubierta: actualmente sin indexar\nSitemap,Todas las páginas conocidas"},
			Export{Scope: ScopeAll, Reason: "discovered", Until: "2026-11-18"}},
		"indexed": {map[string]string{"T.csv": table, "M.csv": metadata},
			Export{Scope: "https://example.com/sitemap.xml", Until: "2026-11-18"}},
		"no metadata": {map[string]string{"T.csv": table}, Export{NoReason: true, Until: "2026-11-18"}},
	} {
		f := open(t)
		exports, err := f.Read(t.Context(), []string{folderOf(t, test.files)}, site, today)
		if err != nil || len(exports) != 1 {
			t.Errorf("%s: %+v, %v", name, exports, err)
			continue
		}
		e := exports[0]
		e.id, e.Covers = 0, nil
		test.want.Name, test.want.Kind, test.want.Engine, test.want.Rows = "T.csv", KindReason, Google, 3
		if test.want.Since == "" {
			test.want.FileDate = true // no day of the export is known
		}
		equal(t, name, e, test.want)
		equal(t, name, rowsOf(t, f), rows)
	}
}

// TestValidation leaves out the pages that have their problem no more.
func TestValidation(t *testing.T) {
	f := open(t)
	table := "URL,Last crawled,Status\nhttps://example.com/a,2026-09-03,Pending\nhttps://example.com/b,2026-09-03,Passed"
	files := map[string]string{"T.csv": table, "M.csv": "Property,Value\nIssue,Soft 404\nSitemap,All known pages"}
	if _, err := f.Read(t.Context(), []string{folderOf(t, files)}, site, today); err != nil {
		t.Fatal(err)
	}
	equal(t, "rows", rowsOf(t, f), []string{"https://example.com/a 0 0 0 2026-09-03"})
}

// TestBing reads the exports of Bing, whose impressions come first.
func TestBing(t *testing.T) {
	f := open(t)
	folder := folderOf(t, map[string]string{
		"example.com_PageTrafficReport_4_13_2026.csv": "\"Page\",\"Impressions\",\"Clicks\",\"CTR\",\"Avg. Position\"\r\n" +
			"\"https://example.com/\",\"1564\",\"48\",\"3.0700000000000003%\",\"4.120821739130435\"\r\n",
		"example.com_SiteExplorerUrls_4_13_2026.csv": "\"URL\",\"Impressions\",\"Clicks\",\"Last crawled\"," +
			"\"Discovered on\",\"HTTP code\",\"Document size\",\"Backlinks\"\r\n" +
			"\"https://example.com/b\",\"5\",\"1\",\"2026-04-09\",\"2022-09-28\",\"304\",\"9\",\"0\"\r\n",
	})
	exports, err := f.Read(t.Context(), []string{folder}, site, today)
	if err != nil || len(exports) != 2 {
		t.Fatalf("%+v, %v", exports, err)
	}
	for i, want := range []string{"bing search 2026-04-13", " table 2026-04-13"} {
		equal(t, "export", fmt.Sprint(exports[i].Engine, " ", exports[i].Kind, " ", exports[i].Until), want)
	}
	equal(t, "rows", rowsOf(t, f), []string{"https://example.com/ 48 1564 4121", `https://example.com/b 0 0 0  {"Backlinks":"0",` +
		`"Clicks":"1","Discovered on":"2022-09-28","Document size":"9","HTTP code":"304","Impressions":"5","Last crawled":"2026-04-09"}`})
}

// TestTable joins any table with URLs. Cells are texts, whatever they say.
func TestTable(t *testing.T) {
	f := open(t)
	text := "id;url;owner;=cmd\n1;/a?b=1&utm_source=x;=HYPERLINK(1);x\n2;mailto:x@example.com;b;\n3;HTTPS://EXAMPLE.com:443/c#d;;\n"
	name := filepath.Join(folderOf(t, map[string]string{"owners.csv": text}), "owners.csv")
	exports, err := f.Read(t.Context(), []string{name}, site, today)
	if err != nil {
		t.Fatal(err)
	}
	e := exports[0]
	e.id, e.Until = 0, ""
	equal(t, "export", e, Export{
		Name: "owners.csv", Kind: KindTable, FileDate: true, Rows: 2, Skipped: 1, Columns: []string{"id", "owner", "=cmd"},
		Covers: []string{"https://example.com/"},
	})
	equal(t, "rows", rowsOf(t, f), []string{
		`https://example.com/a?b=1&utm_source=x 0 0 0  {"=cmd":"x","id":"1","owner":"=HYPERLINK(1)"}`,
		`https://example.com/c#d 0 0 0  {"id":"3"}`})
}

// TestNewer replaces an export by a newer one, and takes only the days of an older one.
func TestNewer(t *testing.T) {
	f := open(t)
	read := func(files map[string]string) Export {
		t.Helper()
		exports, err := f.Read(t.Context(), []string{folderOf(t, files)}, site, today)
		if err != nil || len(exports) != 1 {
			t.Fatalf("%+v, %v", exports, err)
		}
		return exports[0]
	}
	chart := func(days ...string) string { return "Date,Clicks,Impressions,CTR,Position" + strings.Join(days, "") }
	const march, may, june = "\n2026-03-01,1,2,50%,1", "\n2026-05-31,1,2,50%,1", "\n2026-06-30,1,2,50%,1"
	read(map[string]string{"P.csv": pagesCSV, "C.csv": chart(march, may)})
	const other = "Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/x,1,2,50%,1\n"
	if e := read(map[string]string{"P.csv": other, "C.csv": chart(march)}); !e.Older {
		t.Errorf("an older export is %+v", e)
	}
	equal(t, "after an older one", rowsOf(t, f), pagesRows)
	read(map[string]string{"P.csv": other, "C.csv": chart(march, june)})
	equal(t, "after a newer one", rowsOf(t, f), []string{"https://example.com/x 1 2 1000"})

	index := indexExports["English"]
	read(map[string]string{"a.csv": index.chart + days, "b.csv": index.reasons, "c.csv": index.metadata})
	older := "\n2026-09-30,9,8,0\n2026-10-02,1,1,1"
	if e := read(map[string]string{"a.csv": index.chart + older, "c.csv": index.metadata}); !e.Older {
		t.Errorf("an older index is %+v", e)
	}
	about, err := f.about(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "days", about.Days, []Day{
		{ScopeAll, "2026-09-30", 8, 9}, {ScopeAll, "2026-10-02", 510, 1205}, {ScopeAll, "2026-10-03", 509, 1250},
	})
	equal(t, "reasons", len(about.Reasons), 2)
	equal(t, "exports", len(about.Exports), 2)
}

// archive writes a ZIP archive.
func archive(t *testing.T, files ...[2]string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "example.com-Coverage-2026-10-04.zip")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	for _, one := range files {
		part, err := w.Create(one[0])
		if err == nil {
			_, err = part.Write([]byte(one[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestArchive reads archives, one export a folder.
func TestArchive(t *testing.T) {
	index, f := indexExports["Spanish"], open(t)
	table, meta := "URL,Last crawled\nhttps://example.com/x,2026-09-03", "Property,Value\nSitemap,All known pages\nIssue,"
	name := archive(t, [2]string{"Gr\x82fico.csv", index.chart + days}, [2]string{"Metadatos.csv", index.metadata},
		[2]string{"a/Table.csv", table}, [2]string{"a/Metadata.csv", meta + "Soft 404"}, [2]string{"a/Notes.pdf", "x"},
		[2]string{"../../b/Table.csv", table}, [2]string{"../../b/Metadata.csv", meta + "Not found (404)"})
	exports, err := f.Read(t.Context(), []string{name}, site, today)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range exports {
		kinds = append(kinds, strings.TrimSpace(fmt.Sprint(e.Kind, " ", e.Reason, " ", e.Until)))
	}
	equal(t, "exports", kinds, []string{"index  2026-10-03", "reason soft-404 2026-10-04", "reason not-found 2026-10-04"})
}

// TestHostile refuses what is no export, with the reason, and keeps what was there before.
func TestHostile(t *testing.T) {
	whole, err := os.ReadFile(archive(t, [2]string{"Pages.csv", pagesCSV}))
	if err != nil {
		t.Fatal(err)
	}
	var many [][2]string
	for i := range maxEntries + 1 {
		many = append(many, [2]string{fmt.Sprint(i, ".csv"), ""})
	}
	zeros := strings.Repeat("\x00", 20<<20)
	file := func(name, text string) string { return filepath.Join(folderOf(t, map[string]string{name: text}), name) }
	for name, test := range map[string]struct {
		file string
		want error
	}{
		"cut archive":       {file("a.zip", string(whole[:len(whole)/2])), errDamaged},
		"no archive":        {file("a.zip", pagesCSV), errDamaged},
		"many files":        {archive(t, many...), errManyEntries},
		"many tables":       {archive(t, many[:maxParts+1]...), errManyParts},
		"zeros":             {archive(t, [2]string{"Pages.csv", zeros}), errNoTable},
		"zeros after":       {archive(t, [2]string{"Pages.csv", pagesCSV + zeros}), errNoTable},
		"workbook":          {archive(t, [2]string{"[Content_Types].xml", ""}), errWorkbook},
		"empty archive":     {archive(t), errNoParts},
		"nothing":           {file("a.csv", ""), errNoExport},
		"HTML":              {file("a.csv", "<!doctype html>\n<p>Log in, please, here\n"), errNoExport},
		"open quote":        {file("a.csv", pagesCSV+"\"https://example.com/"+strings.Repeat("a", 2*maxRecord)), errRowSize},
		"one long line":     {file("a.csv", strings.Repeat("a", maxRecord+1)), errRowSize},
		"missing":           {filepath.Join(t.TempDir(), "none.csv"), os.ErrNotExist},
		"many reasons":      {file("a.csv", "Reason,Source,X,Pages"+strings.Repeat("\nx,y,z,1", maxReasons+1)), errManyRows},
		"many columns":      {file("a.csv", "url"+strings.Repeat(",c", maxJoined+1)+"\nhttp://example.com/"), errManyColumns},
		"no row":            {file("a.csv", "Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/,x,1,1%,1"), errNoRow},
		"open quote at end": {file("a.csv", pagesCSV+"\"https://example.com/x\n"), csv.ErrQuote},
		"future":            {file("a.csv", "Date,Not indexed,Indexed\n2030-01-01,1,2"), errFuture},
		"stdin":             {"-", errStdin},
		"device":            {os.DevNull, errNoFile},
		"only the heading":  {file("a.csv", "Top pages,Clicks,Impressions,CTR,Position\n"), errNoExport},
	} {
		f := open(t)
		if _, err := f.Read(t.Context(), []string{file("a.csv", pagesCSV)}, site, today); err != nil {
			t.Fatal(err)
		}
		_, err := f.Read(t.Context(), []string{file("b.csv", "url,owner\n/a,b"), test.file}, site, today)
		var failed *FileError
		isNamed := errors.As(err, &failed) && strings.Contains(failed.Name, filepath.Base(test.file))
		if !errors.Is(err, test.want) || !isNamed {
			t.Errorf("%s: %v", name, err)
		}
		equal(t, name, rowsOf(t, f), pagesRows)
	}
}

// TestLimit ends a table after its limit.
func TestLimit(t *testing.T) {
	in := &byteLimit{strings.NewReader(strings.Repeat("a,b\n", 100)), 50, errTooLarge}
	read, err := newTable(in)
	if !errors.Is(err, errTooLarge) {
		t.Errorf("%v, %v", read, err)
	}
}

// TestCanceled ends with its context, without a change.
func TestCanceled(t *testing.T) {
	f := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.Read(ctx, []string{folderOf(t, map[string]string{"a.csv": pagesCSV})}, site, today)
	if !errors.Is(err, context.Canceled) || len(rowsOf(t, f)) > 0 {
		t.Errorf("%v, %q", err, rowsOf(t, f))
	}
}

// TestValues reads numbers and days.
func TestValues(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "1234": 1234, "1,234": 1234, "1.234": 1234, "1 234": 1234, "1\u202f234\u00a0567": 1234567, "1'234": 1234,
		"12,34": -1, "": -1, "-5": -1, "1e3": -1, "x": -1, "9999999999999": -1, "99999999999999999999": -1, "1,2345": -1,
	} {
		if n, ok := parseCount(text); ok != (want >= 0) || ok && n != want {
			t.Errorf("parseCount(%q) = %d, %t", text, n, ok)
		}
	}
	for text, want := range map[string]int64{
		"3.27": 3270, "3,27": 3270, "8": 8000, "4.120821739130435": 4121, "1,234.5": 1234500, "1.234,5": 1234500, "0.1": 100,
		".5": 500, "": -1, "NaN": -1, "Inf": -1, "-1": -1, ".": -1, "1.2x": -1,
	} {
		if n, ok := parseDecimal(text); ok != (want >= 0) || ok && n != want {
			t.Errorf("parseDecimal(%q) = %d, %t", text, n, ok)
		}
	}
	for _, test := range []struct {
		days  string
		comma rune
		want  string
	}{
		{"2026-01-31", ',', "2026-01-31"}, {"31/1/2026", ',', "2026-01-31"}, {"1/31/2026", ',', "2026-01-31"},
		{"31.01.2026", ';', "2026-01-31"}, {"Jan 31, 2026", ',', "2026-01-31"}, {"7/1/2025 12:00:00 AM", ',', "2025-07-01"},
		{"1/2/2026 2/2/2026 3/2/2026", ',', "2026-02-01"}, {"1/2/2026 1/3/2026 1/4/2026", ';', "2026-01-02"},
		{"3/4/2026", ';', "2026-04-03"}, {"3/4/2026", ',', "2026-03-04"}, {"1969-12-31", ',', ""}, {"never", ',', ""},
		{"2026-01-31T10:00:00Z", ',', "2026-01-31"},
	} {
		column := strings.Fields(test.days)
		if strings.Contains(test.days, "AM") || strings.Contains(test.days, "Jan") {
			column = []string{test.days}
		}
		if got := newDayReader(column, test.comma).read(column[0]); got != test.want {
			t.Errorf("%q with %q is %q, want %q", test.days, test.comma, got, test.want)
		}
	}
}
