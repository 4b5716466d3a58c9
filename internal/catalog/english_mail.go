package catalog

// englishMail are the texts of notifications by e-mail.
func englishMail() map[string]string {
	return map[string]string{
		"mail.broken.one":   "%s newly broken page: %s",
		"mail.broken.other": "%s newly broken pages: %s",
		"mail.failed":       "The crawl failed: %s",
		"mail.refused":      "The sitemap was not published: %s",
		"mail.counts":       "%s pages, %s in the sitemap, %s broken URLs",
		"mail.more.one":     "and %s more",
		"mail.more.other":   "and %s more",
	}
}
