package catalog

// spanishReasons explain why URLs are, or are not, in the sitemap.
func spanishReasons() map[string]string {
	return map[string]string{
		"reason.listed.name":     "En el sitemap",
		"reason.listed.brief":    "páginas correctas",
		"reason.listed.plural":   "Páginas correctas. Deben estar en el sitemap.",
		"reason.listed.singular": "Una página correcta: debe estar en el sitemap.",

		"reason.added.name":     "Añadida",
		"reason.added.brief":    "añadidas con --add sin visitarlas",
		"reason.added.plural":   "Añadidas al sitemap sin visitarlas, porque coinciden con un patrón de --add.",
		"reason.added.singular": "Añadida al sitemap sin visitarla, porque coincide con un patrón de --add.",

		"reason.client-error.name":  "No encontrada",
		"reason.client-error.brief": "no encontradas (4xx)",
		"reason.client-error.plural": "El servidor no tiene estas páginas (4xx). Corrige los enlaces a ellas o " +
			"redirígelas.",
		"reason.client-error.singular": "El servidor no tiene esta página (4xx). Corrige los enlaces a ella o redirígela.",

		"reason.server-error.name":     "Error del servidor",
		"reason.server-error.brief":    "con errores del servidor (5xx)",
		"reason.server-error.plural":   "El servidor falla al responder (5xx). Los visitantes también ven un error.",
		"reason.server-error.singular": "El servidor falla al responder (5xx). Los visitantes también ven un error.",

		"reason.unreachable.name":     "Sin respuesta",
		"reason.unreachable.brief":    "sin respuesta",
		"reason.unreachable.plural":   "El dominio no existe, o la conexión se rechaza o se agota el tiempo.",
		"reason.unreachable.singular": "El dominio no existe, o la conexión se rechaza o se agota el tiempo.",

		"reason.redirect-loop.name":     "Bucle de redirecciones",
		"reason.redirect-loop.brief":    "en bucles de redirecciones",
		"reason.redirect-loop.plural":   "Redirigen en bucle. Los visitantes ven un error.",
		"reason.redirect-loop.singular": "Redirige en bucle. Los visitantes ven un error.",

		"reason.soft-404.name":     "Soft 404",
		"reason.soft-404.brief":    "páginas que no existen y responden con código 200 (soft 404)",
		"reason.soft-404.plural":   "Páginas que no existen, pero responden 200 OK. Deberían responder 404.",
		"reason.soft-404.singular": "Una página que no existe, pero responde 200 OK. Debería responder 404.",

		"reason.inconclusive.name":  "Denegada",
		"reason.inconclusive.brief": "denegadas a los rastreadores (401, 403, 429)",
		"reason.inconclusive.plural": "Denegadas a los rastreadores (401, 403, 429), quizá no a las personas. " +
			"Compruébalas en un navegador.",
		"reason.inconclusive.singular": "Denegada a los rastreadores (401, 403, 429), quizá no a las personas. " +
			"Compruébala en un navegador.",

		"reason.redirect.name":     "Redirección",
		"reason.redirect.brief":    "redirecciones",
		"reason.redirect.plural":   "Redirigen a otra URL, que está en el sitemap en su lugar si es una página correcta.",
		"reason.redirect.singular": "Redirige a otra URL, que está en el sitemap en su lugar si es una página correcta.",

		"reason.canonical.name":     "Canónica distinta",
		"reason.canonical.brief":    "con otra página como canónica",
		"reason.canonical.plural":   "Su URL canónica es otra página, que los buscadores muestran en su lugar.",
		"reason.canonical.singular": "Su URL canónica es otra página, que los buscadores muestran en su lugar.",

		"reason.noindex.name":     "Noindex",
		"reason.noindex.brief":    "con noindex",
		"reason.noindex.plural":   "Piden a los buscadores que no las muestren (noindex).",
		"reason.noindex.singular": "Pide a los buscadores que no la muestren (noindex).",

		"reason.robots.name":     "Bloqueada por robots.txt",
		"reason.robots.brief":    "bloqueadas por robots.txt",
		"reason.robots.plural":   "robots.txt bloquea a los rastreadores.",
		"reason.robots.singular": "robots.txt bloquea a los rastreadores.",

		"reason.nofollow.name":     "Solo nofollow",
		"reason.nofollow.brief":    "solo con enlaces nofollow",
		"reason.nofollow.plural":   "Todos los enlaces a ellas son nofollow, así que el rastreo no los siguió.",
		"reason.nofollow.singular": "Todos los enlaces a ella son nofollow, así que el rastreo no los siguió.",

		"reason.duplicate.name":     "Duplicada",
		"reason.duplicate.brief":    "idénticas a otra página",
		"reason.duplicate.plural":   "Idénticas a otra página byte por byte. Esa página está en el sitemap en su lugar.",
		"reason.duplicate.singular": "Idéntica a otra página byte por byte. Esa página está en el sitemap en su lugar.",

		"reason.parameter-variant.name":     "Variante por parámetros",
		"reason.parameter-variant.brief":    "idénticas a otra página salvo por los parámetros de la URL",
		"reason.parameter-variant.plural":   "Idénticas a otra página salvo por los parámetros de la URL.",
		"reason.parameter-variant.singular": "Idéntica a otra página salvo por los parámetros de la URL.",

		"reason.trap.name":  "Trampa",
		"reason.trap.brief": "en partes sin fin del sitio (trampas para rastreadores)",
		"reason.trap.plural": "Partes sin fin del sitio, como calendarios y filtros. " +
			"Hacen perder el tiempo a los rastreadores.",
		"reason.trap.singular": "Una parte sin fin del sitio, como un calendario o un filtro. " +
			"Hace perder el tiempo a los rastreadores.",

		"reason.limit.name":     "Más allá de un límite",
		"reason.limit.brief":    "más allá de un límite",
		"reason.limit.plural":   "El rastreo alcanzó antes un límite.",
		"reason.limit.singular": "El rastreo alcanzó antes un límite.",

		"reason.too-large.name":     "Demasiado grande",
		"reason.too-large.brief":    "demasiado grandes para leerlas enteras",
		"reason.too-large.plural":   "Demasiado grandes para leerlas enteras. El rastreo leyó solo el principio.",
		"reason.too-large.singular": "Demasiado grande para leerla entera. El rastreo leyó solo el principio.",

		"reason.unlistable.name":     "No admitida en un sitemap",
		"reason.unlistable.brief":    "con una URL que ningún sitemap puede contener",
		"reason.unlistable.plural":   "Sus URL no pueden estar en un sitemap, casi siempre por tener más de 2047 caracteres.",
		"reason.unlistable.singular": "Su URL no puede estar en un sitemap, casi siempre por tener más de 2047 caracteres.",

		"reason.excluded.name":     "Excluida",
		"reason.excluded.brief":    "excluidas por un patrón",
		"reason.excluded.plural":   "Excluidas por un patrón de --include o --exclude.",
		"reason.excluded.singular": "Excluida por un patrón de --include o --exclude.",

		"reason.no-list.name":  "Fuera del sitemap por --no-list",
		"reason.no-list.brief": "que coinciden con --no-list",
		"reason.no-list.plural": "Visitadas y con sus enlaces seguidos, pero fuera del sitemap, porque coinciden con un " +
			"patrón de --no-list.",
		"reason.no-list.singular": "Visitada y con sus enlaces seguidos, pero fuera del sitemap, porque coincide con un " +
			"patrón de --no-list.",

		"reason.not-a-page.name":     "No es una página",
		"reason.not-a-page.brief":    "que no son páginas (imágenes, feeds, otros archivos)",
		"reason.not-a-page.plural":   "Imágenes, feeds, scripts y otros archivos que no son páginas.",
		"reason.not-a-page.singular": "Una imagen, un feed, un script u otro archivo que no es una página.",

		"reason.out-of-scope.name":     "Otro sitio",
		"reason.out-of-scope.brief":    "en otros sitios",
		"reason.out-of-scope.plural":   "En otro sitio, o fuera de la parte del sitio que se rastrea.",
		"reason.out-of-scope.singular": "En otro sitio, o fuera de la parte del sitio que se rastrea.",

		"reason.waiting.name":     "Pendiente",
		"reason.waiting.brief":    "pendientes de visitar",
		"reason.waiting.plural":   "Encontradas, pero aún sin visitar: el rastreo no ha terminado.",
		"reason.waiting.singular": "Encontrada, pero aún sin visitar: el rastreo no ha terminado.",
	}
}
