package catalog

// spanishMail are the texts of notifications by e-mail.
func spanishMail() map[string]string {
	return map[string]string{
		"mail.broken.one":   "%s página rota nueva: %s",
		"mail.broken.other": "%s páginas rotas nuevas: %s",
		"mail.failed":       "El rastreo falló: %s",
		"mail.refused":      "El sitemap no se publicó: %s",
		"mail.counts":       "%s páginas, %s en el sitemap, %s URL rotas",
		"mail.more.one":     "y %s más",
		"mail.more.other":   "y %s más",
	}
}
