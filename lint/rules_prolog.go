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
var stylesheetRules = []*Rule{
	{ID: "xsl-cross-origin", Severity: SeverityWarning,
		Source: "https://developer.mozilla.org/en-US/docs/Web/Security/Same-origin_policy",
		checkFile: func(f *fileCheck) {
			origin := f.scope.Address
			for _, href := range prologOf(f).stylesheets {
				u, err := url.Parse(href)
				if err != nil || u.Host == "" || origin == nil {
					continue
				}
				if u = origin.ResolveReference(u); !strings.EqualFold(u.Host, origin.Host) || u.Scheme != origin.Scheme {
					site := origin.Scheme + "://" + printable(origin.Host)
					f.report(newText("rule.xsl-cross-origin.found", printable(href), site))
				}
			}
		}},
	{ID: "xsl-unsafe-url", Severity: SeverityWarning, Source: stylesheetText,
		checkFile: func(f *fileCheck) {
			for _, href := range prologOf(f).stylesheets {
				scheme, _, found := strings.Cut(strings.ToLower(strings.TrimSpace(href)), ":")
				if found && !strings.ContainsAny(scheme, "/?#") && scheme != "http" && scheme != "https" {
					f.report(newText("rule.xsl-unsafe-url.found", printable(href)))
				}
			}
		}},
	{ID: "pi-after-root", Severity: SeverityWarning,
		Source: stylesheetText + "#the-xml-stylesheet-processing-instruction",
		checkFile: func(f *fileCheck) {
			if offset, line, column := f.Reader().Inspect().LateStylesheet(); line > 0 {
				f.reportAt(offset, line, column, newText("rule.pi-after-root.found"))
			}
		}},
}

const stylesheetText = "https://www.w3.org/TR/xml-stylesheet/"
