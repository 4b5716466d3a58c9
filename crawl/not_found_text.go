package crawl

import (
	"strings"
	"unicode"
)

// maxNotFoundWords is how many words a page may have, less one, that says it is missing.
const maxNotFoundWords = 150

// notFoundPhrase returns the phrase by which a page with status 200 says that it is missing:
// its whole title or h1, or the part before a dash, a bar or a colon. It returns "" for other
// pages.
func notFoundPhrase(p *Page) string {
	if p.Facts == nil || p.Words >= maxNotFoundWords {
		return ""
	}
	for _, text := range [...]string{p.Title, p.Facts.H1} {
		if len(text) > maxNotFoundText {
			continue
		}
		text = strings.ToLower(text)
		before := text
		if end := strings.IndexAny(text, "–|:"); end >= 0 {
			before = strings.TrimFunc(text[:end], unicode.IsSpace)
		}
		for _, phrase := range [...]string{text, before} {
			if notFoundPhrases[phrase] {
				return phrase
			}
		}
	}
	return ""
}

// maxNotFoundText is how many bytes a title or h1 may have that is looked at.
const maxNotFoundText = 300

// notFoundPhrases are what pages say that are missing, in lower case.
var notFoundPhrases = func() map[string]bool {
	phrases := map[string]bool{}
	for phrase := range strings.SplitSeq(notFoundTexts, "\n") {
		for one := range strings.SplitSeq(phrase, "; ") {
			phrases[one] = true
		}
	}
	delete(phrases, "")
	return phrases
}()

// notFoundTexts has a line for each language, or more.
const notFoundTexts = `
404; error 404; 404 error; http 404; 404 not found; 404 - not found; 404 page not found; 404 - page not found
not found; page not found; the page was not found; page cannot be found; this page could not be found
page can't be found; page does not exist; this page does not exist; page doesn't exist; this page doesn't exist
oops! page not found; sorry, page not found; file not found; document not found; nothing found; product not found
no encontrado; no encontrada; página no encontrada; la página no existe; esta página no existe; página no existe
error 404 página no encontrada; no se encontró la página; no se ha encontrado la página; página inexistente
page non trouvée; page introuvable; page inexistante; cette page n'existe pas; cette page n’existe pas
la page n'existe pas; la page n’existe pas; erreur 404; non trouvé; non trouvée; introuvable
seite nicht gefunden; nicht gefunden; die seite wurde nicht gefunden; diese seite existiert nicht; fehler 404
die seite existiert nicht; seite existiert nicht; 404 fehler; 404 - seite nicht gefunden
pagina non trovata; non trovato; non trovata; la pagina non esiste; questa pagina non esiste; errore 404
página não encontrada; não encontrado; não encontrada; a página não existe; esta página não existe; erro 404
pagina niet gevonden; niet gevonden; deze pagina bestaat niet; de pagina bestaat niet; fout 404
sidan hittades inte; sidan kunde inte hittas; sidan finns inte; hittades inte; sidan kan inte hittas; fel 404
siden blev ikke fundet; siden findes ikke; siden kunne ikke findes; ikke fundet; fejl 404
siden ble ikke funnet; siden finnes ikke; fant ikke siden; ikke funnet; feil 404
sivua ei löydy; sivua ei löytynyt; ei löytynyt; sivua ei ole olemassa; virhe 404
nie znaleziono; nie znaleziono strony; strona nie znaleziona; strona nie istnieje; strona nie została znaleziona; błąd 404
stránka nenalezena; stránka nebyla nalezena; nenalezeno; stránka neexistuje; chyba 404
stránka sa nenašla; stránka nebola nájdená; nenájdené; stránka nenájdená
az oldal nem található; nem található; oldal nem található; a keresett oldal nem található; 404-es hiba
pagina nu a fost găsită; pagină negăsită; pagina nu există; eroare 404
η σελίδα δεν βρέθηκε; δεν βρέθηκε; η σελίδα δεν υπάρχει; σφάλμα 404
страница не найдена; не найдено; страница не существует; такой страницы не существует; ошибка 404
сторінку не знайдено; не знайдено; сторінка не знайдена; помилка 404
страницата не е намерена; не е намерено; грешка 404
sayfa bulunamadı; aradığınız sayfa bulunamadı; bulunamadı; 404 hatası; hata 404
pàgina no trobada; no s'ha trobat la pàgina; la pàgina no existeix
halaman tidak ditemukan; tidak ditemukan
không tìm thấy trang; trang không tồn tại; không tìm thấy; lỗi 404
ページが見つかりません; ページが見つかりませんでした; お探しのページは見つかりませんでした; お探しのページは見つかりません; 見つかりません
页面不存在; 页面未找到; 找不到页面; 未找到页面; 您访问的页面不存在; 頁面不存在; 找不到頁面; 頁面未找到; 找不到网页
페이지를 찾을 수 없습니다; 페이지를 찾을 수 없음; 존재하지 않는 페이지입니다
الصفحة غير موجودة; لم يتم العثور على الصفحة; غير موجود
הדף לא נמצא; העמוד לא נמצא; לא נמצא
ไม่พบหน้า; ไม่พบหน้าที่คุณต้องการ
`
