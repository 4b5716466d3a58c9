<?xml version="1.0" encoding="UTF-8"?>
<!--
  Shows a sitemap, or an index of sitemaps, to a person who opens it in a browser.
  It runs no script, loads nothing, and writes every value of the sitemap as text.
-->
<xsl:stylesheet version="1.0"
                xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"
                xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
                xmlns:xhtml="http://www.w3.org/1999/xhtml"
                exclude-result-prefixes="s image xhtml">

  <xsl:output method="html" encoding="UTF-8" doctype-system="about:legacy-compat"/>

  <!-- Columns that would stay empty are left out. -->
  <xsl:variable name="images" select="boolean(/s:urlset/s:url/image:image)"/>
  <xsl:variable name="languages" select="boolean(/s:urlset/s:url/xhtml:link/@hreflang)"/>

  <xsl:template match="/s:urlset">
    <xsl:call-template name="page">
      <xsl:with-param name="heading">Sitemap</xsl:with-param>
      <xsl:with-param name="entries" select="s:url"/>
      <xsl:with-param name="noun">page</xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="/s:sitemapindex">
    <xsl:call-template name="page">
      <xsl:with-param name="heading">Sitemap index</xsl:with-param>
      <xsl:with-param name="entries" select="s:sitemap"/>
      <xsl:with-param name="noun">sitemap</xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="page">
    <xsl:param name="heading"/>
    <xsl:param name="entries"/>
    <xsl:param name="noun"/>
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="robots" content="noindex"/>
        <title><xsl:value-of select="$heading"/></title>
        <xsl:call-template name="style"/>
      </head>
      <body>
        <header>
          <h1><xsl:value-of select="$heading"/></h1>
          <p>
            <strong>
              <xsl:value-of select="concat(format-number(count($entries), '#,##0'), ' ', $noun)"/>
              <xsl:if test="count($entries) != 1">s</xsl:if>
            </strong>
            <xsl:text>, listed for search engines in the format of </xsl:text>
            <a href="https://www.sitemaps.org/">sitemaps.org</a>
            <xsl:text>.</xsl:text>
          </p>
        </header>
        <table>
          <thead>
            <tr>
              <th scope="col">URL</th>
              <xsl:if test="$images"><th scope="col" class="count">Images</th></xsl:if>
              <xsl:if test="$languages"><th scope="col">Languages</th></xsl:if>
              <th scope="col">Last change</th>
            </tr>
          </thead>
          <tbody>
            <xsl:apply-templates select="$entries"/>
          </tbody>
        </table>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="s:url | s:sitemap">
    <tr>
      <td class="url"><xsl:apply-templates select="s:loc"/></td>
      <xsl:if test="$images">
        <td class="count" data-label="Images"><xsl:if test="image:image"><xsl:value-of select="count(image:image)"/></xsl:if></td>
      </xsl:if>
      <xsl:if test="$languages">
        <td data-label="Languages">
          <xsl:for-each select="xhtml:link[@hreflang]">
            <xsl:if test="position() &gt; 1"><xsl:text> </xsl:text></xsl:if>
            <span><xsl:value-of select="@hreflang"/></span>
          </xsl:for-each>
        </td>
      </xsl:if>
      <td class="date" data-label="Last change"><xsl:value-of select="translate(s:lastmod, 'T', ' ')"/></td>
    </tr>
  </xsl:template>

  <!-- Any other scheme, javascript: above all, stays text. -->
  <xsl:template match="s:loc">
    <xsl:variable name="address" select="normalize-space(.)"/>
    <xsl:choose>
      <xsl:when test="starts-with($address, 'http://') or starts-with($address, 'https://')">
        <a href="{$address}"><xsl:value-of select="$address"/></a>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$address"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="style">
    <style>
      :root { color-scheme: light dark; --page: #fff; --ink: #1c2126; --faint: #5d6873; --line: #e2e6ea; --link: #0b57d0; --tag: #eef2f6 }
      @media (prefers-color-scheme: dark) {
        :root { --page: #15191d; --ink: #e4e8ec; --faint: #98a3ae; --line: #2c333a; --link: #8ab4f8; --tag: #262d34 }
      }
      body { margin: 0 auto; max-width: 72rem; padding: 2.5rem 1.5rem 4rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
      h1 { margin: 0; font-size: 1.75rem; line-height: 1.2 }
      header p { margin: .4rem 0 2rem; color: var(--faint) }
      header strong { color: var(--ink) }
      a { color: var(--link); text-decoration: none }
      a:hover, a:focus, header a { text-decoration: underline }
      a:visited { color: color-mix(in srgb, var(--link), var(--faint)) }
      table { width: 100%; border-collapse: collapse; font-size: .9375rem }
      th, td { padding: .55rem 1.25rem .55rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
      th { position: sticky; top: 0; background: var(--page); color: var(--faint); font-size: .8125rem; font-weight: 600; white-space: nowrap }
      th:last-child, td:last-child { padding-right: 0 }
      .count { text-align: right; font-variant-numeric: tabular-nums }
      .url { overflow-wrap: anywhere }
      .date { color: var(--faint); white-space: nowrap; font-variant-numeric: tabular-nums }
      span { display: inline-block; padding: 0 .4rem; border-radius: .25rem; background: var(--tag); font-size: .8125rem }
      @media (max-width: 40rem) {
        body { padding: 1.5rem 1rem 3rem }
        header p { margin-bottom: 1rem }
        thead { display: none }
        table, tbody, tr, td { display: block }
        tr { padding: .75rem 0; border-bottom: 1px solid var(--line) }
        td, td.count { padding: 0; border: 0; text-align: left }
        td:empty { display: none }
        td[data-label]::before { content: attr(data-label) " "; color: var(--faint); font-size: .8125rem }
      }
    </style>
  </xsl:template>

</xsl:stylesheet>
