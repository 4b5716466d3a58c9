project = "Harbour"
html_baseurl = "https://example.com/docs/"
extensions = ["sphinx_sitemap"]
sitemap_url_scheme = "{link}"
exclude_patterns = ["_build", "draft.rst"]
