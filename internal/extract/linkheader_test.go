package extract

import (
	"slices"
	"testing"
)

// TestParseLinkHeader has the forms of RFC 8288, section 3.5, and what servers make
// of them.
func TestParseLinkHeader(t *testing.T) {
	for name, test := range map[string]struct {
		values []string
		want   []HeaderLink
	}{
		"plain": {[]string{`<https://a.example/>; rel="canonical"`},
			[]HeaderLink{{"https://a.example/", RelCanonical, ""}}},
		"token":             {[]string{`</x>;rel=canonical`}, []HeaderLink{{"/x", RelCanonical, ""}}},
		"several relations": {[]string{`</x>; rel="start Canonical"`}, []HeaderLink{{"/x", RelCanonical, ""}}},
		"other relation":    {[]string{`</x>; rel=next`}, []HeaderLink{{"/x", RelNext, ""}}},
		"list": {[]string{`</a>; rel=next, </b>; rel=canonical`, `</c>; rel=canonical`},
			[]HeaderLink{{"/a", RelNext, ""}, {"/b", RelCanonical, ""}, {"/c", RelCanonical, ""}}},
		"comma in address":    {[]string{`</a,b>; rel=canonical`}, []HeaderLink{{"/a,b", RelCanonical, ""}}},
		"comma in quotes":     {[]string{`</a>; title="one, two"; rel=canonical`}, []HeaderLink{{"/a", RelCanonical, ""}}},
		"semicolon in quotes": {[]string{`</a>; title="a; rel=next"; rel=canonical`}, []HeaderLink{{"/a", RelCanonical, ""}}},
		"bracket in quotes":   {[]string{`</a>; title="a <b>"; rel=canonical`}, []HeaderLink{{"/a", RelCanonical, ""}}},
		"escaped quote": {[]string{`</a>; title="\", </b>; rel=next"; rel="canon\ical"`},
			[]HeaderLink{{"/a", RelCanonical, ""}}},
		"languages": {[]string{`</de>; rel=alternate; hreflang="de", </fr>; rel=alternate; hreflang=fr`},
			[]HeaderLink{{"/de", RelAlternate, "de"}, {"/fr", RelAlternate, "fr"}}},
		"spaces":   {[]string{`</a> ; REL = canonical ; HREFLANG = "de"`}, []HeaderLink{{"/a", RelCanonical, "de"}}},
		"repeated": {[]string{`</a>; rel=next; rel=canonical`}, []HeaderLink{{"/a", RelNext, ""}}},
		"missing comma": {[]string{`</a>; rel=next </b>; rel=canonical`},
			[]HeaderLink{{"/a", RelNext, ""}, {"/b", RelCanonical, ""}}},
		"open quote": {[]string{`</a>; rel="canonical`}, []HeaderLink{{"/a", RelCanonical, ""}}},
		"broken":     {[]string{`</a; rel=canonical`, `rel=canonical`, ``, `<>`}, []HeaderLink{{}}},
	} {
		if got := ParseLinkHeader(test.values); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
