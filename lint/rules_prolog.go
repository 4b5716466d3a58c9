package lint

import (
	"bytes"
	"encoding/xml"
	"net/url"
	"strings"
)

// prolog is the part of a file before its first entry.
type prolog struct {
	stylesheets []string   // their addresses, as written
	root        xml.Name   // of the root element, with its prefix in place of the namespace
	attributes  []xml.Attr // of the root element
}

// namespace returns the namespace of the root element, or nothing.
func (p *prolog) namespace() string {
	for _, a := range p.attributes {
		if p.root.Space == "" && a.Name.Space == "" && a.Name.Local == "xmlns" ||
			p.root.Space != "" && a.Name.Space == "xmlns" && a.Name.Local == p.root.Space {
			return a.Value
		}
	}
	return ""
}

// prologOf parses what the reader has kept, as far as it is well-formed.
func prologOf(f *fileCheck) (p prolog) {
	decoder := xml.NewDecoder(bytes.NewReader(withoutDeclaration(f.Reader().Inspect().Prolog())))
	decoder.Strict = false
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return p
		}
		switch t := token.(type) {
		case xml.ProcInst:
			if t.Target == "xml-stylesheet" {
				p.stylesheets = append(p.stylesheets, pseudoAttribute(string(t.Inst), "href"))
			}
		case xml.StartElement:
			p.root, p.attributes = t.Name, t.Attr
			return p
		}
	}
}

// withoutDeclaration removes the XML declaration. The reader has converted its charset.
func withoutDeclaration(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte("<?xml ")) {
		return text
	}
	_, rest, _ := bytes.Cut(text, []byte("?>"))
	return rest
}

// pseudoAttribute returns a pseudo-attribute of a processing instruction
// (https://www.w3.org/TR/xml-stylesheet/).
func pseudoAttribute(text, name string) string {
	_, rest, found := strings.Cut(text, name+"=")
	if !found || rest == "" {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return strings.ReplaceAll(value, "&amp;", "&")
}

// stylesheetRules are about the stylesheet that shows a sitemap to people.
var stylesheetRules = []*Rule{stylesheetCrossOrigin, stylesheetUnsafe, lateInstruction}

const stylesheetText = "https://www.w3.org/TR/xml-stylesheet/"

var stylesheetCrossOrigin = &Rule{
	ID:       "xsl-cross-origin",
	Title:    "stylesheet is on another host",
	Why:      "Browsers load XSL only from the scheme, host and port of the sitemap, so people see a blank page. Search engines are not affected.",
	Fix:      `Name the stylesheet without a host: href="/sitemap.xsl".`,
	Severity: SeverityWarning,
	Source:   "https://developer.mozilla.org/en-US/docs/Web/Security/Same-origin_policy",
	Since:    "0.1",
	Bad: `<?xml-stylesheet type="text/xsl" href="https://cdn.example/sitemap.xsl"?>` + "\n" + goodHead + goodURL +
		"</urlset>\n",
	Good: `<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	checkFile: func(f *fileCheck) {
		origin := f.scope.Address
		for _, href := range prologOf(f).stylesheets {
			u, err := url.Parse(href)
			if err != nil || u.Host == "" || origin == nil {
				continue
			}
			if u = origin.ResolveReference(u); !strings.EqualFold(u.Host, origin.Host) || u.Scheme != origin.Scheme {
				f.report("the stylesheet " + printable(href) + " is not on " + origin.Scheme + "://" + printable(origin.Host))
			}
		}
	},
}

var stylesheetUnsafe = &Rule{
	ID:       "xsl-unsafe-url",
	Title:    "stylesheet URL is neither http nor https",
	Why:      "Chromium applies an XSL stylesheet in a data: URL, and scripts in it run with the rights of the site for everybody who opens the sitemap. Browsers ignore javascript: and most other schemes, so people see the raw XML.",
	Fix:      "Remove the instruction and find out who wrote it.",
	Severity: SeverityWarning,
	Source:   stylesheetText,
	Since:    "0.1",
	Bad:      `<?xml-stylesheet type="text/xsl" href="data:text/xml,x"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	Good:     `<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>` + "\n" + goodHead + goodURL + "</urlset>\n",
	checkFile: func(f *fileCheck) {
		for _, href := range prologOf(f).stylesheets {
			scheme, _, found := strings.Cut(strings.ToLower(strings.TrimSpace(href)), ":")
			if found && !strings.ContainsAny(scheme, "/?#") && scheme != "http" && scheme != "https" {
				f.report("the stylesheet is at " + printable(href))
			}
		}
	},
}

var lateInstruction = &Rule{
	ID:       "pi-after-root",
	Title:    "stylesheet is named after the start of the root element",
	Why:      "Browsers look for a stylesheet only before the root element, so people see the raw XML. Search engines are not affected.",
	Fix:      "Move <?xml-stylesheet ...?> before the root element.",
	Severity: SeverityWarning,
	Source:   stylesheetText + "#the-xml-stylesheet-processing-instruction",
	Since:    "0.1",
	Bad:      goodSitemap + `<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>` + "\n",
	Good:     stylesheetCrossOrigin.Good,
	checkFile: func(f *fileCheck) {
		if offset, line, column := f.Reader().Inspect().LateStylesheet(); line > 0 {
			f.reportAt(offset, line, column, "<?xml-stylesheet ...?> has no effect here: move it before the root element")
		}
	},
}
