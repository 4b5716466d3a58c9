package xmlscan

import "testing"

// TestPlainTag compares the length of a start tag with that of its token: two readers of
// the same bytes agree, however many of them are in the window.
func TestPlainTag(t *testing.T) {
	for _, test := range []struct {
		tag     string
		isPlain bool
	}{
		{`<a>`, true}, {`<a/>`, true}, {`<a b="c">`, true}, {"<a\n\tb=\"c\"\n>", true}, {`<a b="c" d="e"/>`, true},
		{`<a b="c"d="e">`, true}, {`<a/b="c">`, true}, {`<a b=" c=">`, true},
		{`<a=" "><0`, false}, {`<a="b">`, false}, {`<a=" " b="c">`, false}, {`<a"b=" ">`, false}, {`<a b='c'>`, false},
		{`<a b="c>d">`, false}, {`<a b="c<d">`, false}, {`<a b "c">`, false}, {`<0>`, false},
		{`<a`, false}, {`<>`, false},
	} {
		length := PlainTag([]byte(test.tag[1:]))
		if (length > 0) != test.isPlain {
			t.Errorf("%s: length %d", test.tag, length)
		}
		if token, err := Scan([]byte(test.tag), 0); length > 0 && (err != nil || token.End != length+1) {
			t.Errorf("%s: length %d, but the token ends at %d: %v", test.tag, length, token.End, err)
		}
	}
}

// TestClosesAt finds an end tag only where a < begins it.
func TestClosesAt(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{{"</a>", true}, {"x/a>", false}, {"</a >", false}, {"</b>", false}, {"</aa>", false}, {"</a", false}, {"<", false}} {
		if _, closes := ClosesAt([]byte(test.text), 0, []byte("a")); closes != test.want {
			t.Errorf("%s: %v", test.text, closes)
		}
	}
}
