package source

// columnNames are names of columns: those of exports of widespread programs, and those that
// people give them in many languages. Of each field, the surest come first. Case, accents,
// spaces and punctuation do not matter.
var columnNames = []struct {
	role  columnRole
	names []string
}{
	{columnRole{field: fieldLoc, form: formReference}, []string{
		"url", "loc", "address", "permalink", "link", "href", "page url", "page link", "full url", "web address", "uri",
		"dirección", "dirección web", "dirección url", "enlace", "enlace permanente", "vínculo", "url de la página",
		"endereço", "endereço web", "link permanente", "ligação", "url da página",
		"adresse", "adresse url", "adresse web", "lien", "lien permanent", "permalien", "url de la page",
		"webadresse", "seiten-url", "url der seite", "verknüpfung",
		"indirizzo", "indirizzo web", "collegamento", "url della pagina",
		"adreça", "adreça web", "enllaç", "enllaç permanent", "url de la pàgina",
		"adres", "webadres", "koppeling", "pagina-url", "url van pagina",
		"adres url", "adres strony", "odnośnik", "łącze", "url strony",
		"адрес", "url-адрес", "адрес страницы", "ссылка", "постоянная ссылка", "url страницы",
		"网址", "網址", "链接", "鏈接", "連結", "地址", "页面网址", "页面链接", "永久链接", "固定链接", "永久連結",
		"アドレス", "リンク", "パーマリンク", "ページurl", "ページのurl",
	}},
	{columnRole{field: fieldLoc, form: formReference}, []string{
		"page", "página", "seite", "pagina", "pàgina", "strona", "страница", "页面", "頁面", "網頁", "网页", "ページ",
	}},
	// Google Search Console: pages by clicks.
	{columnRole{field: fieldLoc, form: formPath}, []string{
		"top pages", "páginas principales", "principais páginas", "páginas mais populares", "pages les plus populaires",
		"die häufigsten seiten", "häufigste seiten", "pagine principali", "pagine più popolari", "pàgines principals",
		"toppagina's", "populairste pagina's", "najpopularniejsze strony", "самые популярные страницы",
		"верхние страницы", "热门网页", "排名靠前的网页", "熱門網頁", "上位のページ",
	}},
	// Google Analytics: paths of pages and of landing pages.
	{columnRole{field: fieldLoc, form: formPath}, []string{
		"page path and screen class", "page path + query string and screen class", "page path", "page path + query string",
		"landing page", "landing page + query string", "page location",
		"página y clase de pantalla", "ruta de página y clase de pantalla", "ruta de página", "página de destino",
		"página de destino + cadena de consulta",
		"caminho da página e classe da tela", "caminho da página e classe de ecrã", "página e classe da tela",
		"chemin de la page et classe de l'écran", "page et classe de l'écran", "chemin de la page", "page de destination",
		"seitenpfad und bildschirmklasse", "seitenpfad", "landingpage",
		"percorso pagina e classe schermata", "percorso pagina", "pagina di destinazione",
		"camí de la pàgina i classe de pantalla", "camí de la pàgina", "pàgina de destinació",
		"paginapad en schermklasse", "paginapad", "landingspagina",
		"ścieżka strony i klasa ekranu", "ścieżka strony", "strona docelowa",
		"путь к странице и класс экрана", "путь к странице", "целевая страница", "страница входа",
		"网页路径和屏幕类", "网页路径", "着陆页", "網頁路徑和畫面類別", "到達網頁",
		"ページパスとスクリーン クラス", "ページパス", "ランディング ページ",
	}},
	{columnRole{field: fieldLoc, form: formReference}, []string{
		"path", "url path", "slug", "url slug", "post_name", "ruta", "caminho", "chemin", "pfad", "url-pfad", "percorso",
		"camí", "pad", "ścieżka", "путь", "слаг", "路径", "路徑", "别名", "別名", "パス", "スラッグ",
	}},
	{columnRole{field: fieldLoc, form: formHandle}, []string{"handle", "url handle"}}, // Shopify
	{columnRole{field: fieldLoc, form: formKey}, []string{"url_key"}},                 // Magento

	{columnRole{field: fieldLastMod}, []string{
		"lastmod", "last mod", "last modified", "last modified date", "last modification", "last updated", "last update",
		"last change", "last changed", "updated_at", "updated on", "updated", "update date", "update time", "date updated",
		"modified_at", "modified on", "modified", "modified date", "modification date", "date modified", "changed_at",
		"changed", "post_modified_gmt", "post_modified", "post modified date", "modified_gmt",
		"última modificación", "fecha de última modificación", "fecha de modificación", "fecha modificación", "modificado",
		"modificado el", "última actualización", "fecha de actualización", "actualizado", "actualizado el",
		"última modificação", "data de modificação", "data da modificação", "última atualização", "data de atualização",
		"última alteração", "atualizado", "atualizado em",
		"dernière modification", "date de modification", "date de dernière modification", "modifié", "modifié le",
		"dernière mise à jour", "date de mise à jour", "mis à jour", "mis à jour le",
		"zuletzt geändert", "zuletzt geändert am", "letzte änderung", "änderungsdatum", "geändert", "geändert am",
		"zuletzt aktualisiert", "letzte aktualisierung", "aktualisiert", "aktualisiert am",
		"ultima modifica", "data di modifica", "data ultima modifica", "modificato", "modificato il",
		"ultimo aggiornamento", "data di aggiornamento", "aggiornato", "aggiornato il",
		"darrera modificació", "última modificació", "data de modificació", "modificat", "darrera actualització",
		"última actualització", "data d'actualització", "actualitzat",
		"laatst gewijzigd", "laatst gewijzigd op", "laatste wijziging", "wijzigingsdatum", "gewijzigd", "gewijzigd op",
		"laatst bijgewerkt", "laatste update", "bijgewerkt", "bijgewerkt op",
		"ostatnia modyfikacja", "ostatnio zmodyfikowano", "data modyfikacji", "zmodyfikowano", "ostatnia zmiana",
		"ostatnia aktualizacja", "data aktualizacji", "zaktualizowano",
		"последнее изменение", "дата изменения", "дата последнего изменения", "изменено", "изменён",
		"последнее обновление", "дата обновления", "обновлено", "обновлён",
		"最后修改", "最后修改时间", "最后修改日期", "修改时间", "修改日期", "最后更新", "最后更新时间", "更新时间", "更新日期",
		"最後修改", "最後修改時間", "修改時間", "最後更新", "最後更新時間", "更新時間",
		"最終更新", "最終更新日", "最終更新日時", "更新日", "更新日時", "最終変更日", "変更日",
	}},
	// Of a table of visits, the day of the visits.
	{columnRole{field: fieldLastMod, isLoose: true}, []string{
		"date", "fecha", "data", "datum", "дата", "日期", "日付", "date gmt", "post_date",
	}},

	{columnRole{field: fieldChangeFreq}, []string{
		"changefreq", "change freq", "change frequency", "update frequency",
		"frecuencia de cambio", "frecuencia de actualización", "frequência de alteração", "frequência de atualização",
		"fréquence de modification", "fréquence de mise à jour", "änderungshäufigkeit", "änderungsfrequenz",
		"frequenza di modifica", "frequenza di aggiornamento", "freqüència de canvi", "wijzigingsfrequentie",
		"częstotliwość zmian", "частота изменения", "частота обновления", "更新频率", "更新頻率", "更新頻度",
	}},
	{columnRole{field: fieldChangeFreq, isLoose: true}, []string{
		"frequency", "frecuencia", "frequência", "fréquence", "häufigkeit", "frequenza", "freqüència", "frequentie",
		"częstotliwość", "частота",
	}},
	{columnRole{field: fieldPriority}, []string{
		"priority", "prioridad", "prioridade", "priorité", "priorität", "priorità", "prioritat", "prioriteit", "priorytet",
		"приоритет", "优先级", "優先級", "優先順位", "優先度",
	}},
	{columnRole{field: fieldTitle}, []string{
		"title", "page title", "post title", "title 1", "título", "título 1", "título de la página", "título da página",
		"titre", "titre 1", "titre de la page", "titel", "seitentitel", "titel 1", "titolo", "titolo 1",
		"titolo della pagina", "títol", "títol de la pàgina", "paginatitel", "tytuł", "tytuł strony", "заголовок",
		"заголовок страницы", "标题", "標題", "页面标题", "タイトル", "ページタイトル",
	}},

	{columnRole{field: fieldStatus, check: checkStatus}, []string{
		"status", "status code", "http status", "http status code", "http code", "response code", "response status",
		"post_status", "post status", "page status",
		"estado", "estado http", "código de estado", "código de respuesta", "código http",
		"código de status", "código de resposta", "status http",
		"statut", "statut http", "code http", "code de statut", "code de réponse", "code d'état",
		"http-status", "antwortcode", "statuscode",
		"stato", "stato http", "codice di stato", "codice di risposta", "codice http",
		"estat", "estat http", "codi d'estat", "codi de resposta",
		"http-statuscode", "responscode", "kod statusu", "kod odpowiedzi", "kod http", "stan",
		"статус", "код статуса", "код состояния", "код ответа", "код ответа сервера",
		"状态", "状态码", "响应代码", "http状态码", "狀態", "狀態碼", "ステータス", "ステータスコード", "状態",
	}},
	{columnRole{field: fieldStatus, check: checkIndexable}, []string{
		"decision", "indexability", "indexability status", "indexable", "is indexable", "indexed",
		"indexabilidad", "estado de indexabilidad", "indexabilidade", "status de indexabilidade",
		"indexabilité", "statut d'indexabilité", "indexierbarkeit", "indexierbarkeitsstatus", "indexierbar",
		"indicizzabilità", "stato di indicizzabilità", "indicizzabile", "indexabilitat", "estat d'indexabilitat",
		"indexeerbaarheid", "indeksowalność", "индексируемость", "可索引性", "インデックス可否",
	}},
	{columnRole{field: fieldStatus, check: checkYes}, []string{
		"listed", "published", "is published", "published on online store", "product_online", "visibility",
	}},
	{columnRole{field: fieldStatus, check: checkNo}, []string{
		"noindex", "draft", "is draft", "hidden", "is hidden", "deleted", "is deleted",
	}},
	{columnRole{field: fieldStatus, check: checkRobots}, []string{
		"meta robots", "meta robots 1", "robots", "x-robots-tag 1",
	}},
	{columnRole{field: fieldStatus, check: checkMediaType}, []string{
		"content type", "media_type", "mime type", "tipo de contenido", "tipo de conteúdo", "type de contenu", "inhaltstyp",
		"tipo di contenuto", "tipus de contingut", "contenttype", "typ zawartości", "тип содержимого", "内容类型",
		"コンテンツ タイプ",
	}},
}
