package extract

import (
	"strings"
	"testing"
)

const before = `<!DOCTYPE html><html><head><title>A page</title><script>var nonce="a1";</script></head><body>
<header><a href=/>Home</a> Signed in as A</header>
<nav><a href=/a>A</a></nav>
<div class="sidebar wide">Latest: one</div>
<article>
<h1>How to make bread</h1>
<p>Mix 500 g of flour with water for $2.50 and wait.</p>
<p>Version 1.2.3 of this recipe is by Ada, who may change it. Updated Saturday, 21 November 2026 at 05:33:12 PM UTC.</p>
<p>Viewed 1,234 times. Token: 8f3a9b2c0d1e4f56, session 550e8400-e29b-41d4-a716-446655440000, id A1b2C3d4E5f6G7h8.</p>
<p>See <a href="/flour">flour</a> for more on the matter of what to put into it.</p>
<ul><li><a href="/r/1">A related recipe</a></li><li><a href="/r/2">Another one</a> (3 min)</li></ul>
<form><input type=hidden name=csrf value=0a1b2c><button>Like (7)</button><select><option>One</select></form>
</article>
<aside>Weather: rain</aside>
<footer>Served in 12 ms</footer>
</body></html>`

func digestOf(t *testing.T, page string) uint64 {
	t.Helper()
	var s Scanner
	found := s.Scan([]byte(page), "text/html; charset=utf-8", Options{})
	if found.Words == 0 {
		t.Fatalf("no words in %q", page)
	}
	return found.Digest
}

// TestChurn changes what must not move the digest.
func TestChurn(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"date", "Saturday, 21 November 2026", "Sunday, 3 May 2027"},
		{"clock", "05:33:12 PM", "11:07:59 AM"},
		{"counter", "1,234", "98,765"},
		{"counter grows a digit", "1,234", "999"},
		{"hexadecimal token", "8f3a9b2c0d1e4f56", "00112233445566778899aabbccddeeff"},
		{"uuid", "550e8400-e29b-41d4-a716-446655440000", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
		{"mixed token", "A1b2C3d4E5f6G7h8", "Zz9Yy8Xx7Ww6Vv5U"},
		{"nonce in a script", `nonce="a1"`, `nonce="b2"; var more = "words"`},
		{"hidden field", "0a1b2c", "9f8e7d"},
		{"button", "Like (7)", "You and others like this"},
		{"navigation", "<a href=/a>A</a>", "<a href=/a>A</a> new item"},
		{"header", "Signed in as A", "Sign in"},
		{"sidebar", "Latest: one", "Latest: two and three"},
		{"aside", "Weather: rain", "Weather: sun"},
		{"advertisement", "<ul><li>", `<div class="wide ad"><ins class="adsbygoogle"></ins> Buy <b>umbrellas</b></div><ul><li>`},
		{"footer", "Served in 12 ms", "Served by another machine"},
		{"related link", "A related recipe", "Something else entirely"},
		{"related links", `<li><a href="/r/2">Another one</a> (3 min)</li>`, ""},
		{"address of a link", `"/flour"`, `"/flour?sid=1"`},
		{"white space", "How to make bread", "How\n  to\tmake   bread"},
		{"markup around", "<h1>", `<h1 class="x" data-nonce=7>`},
		{"comment", "<article>", "<article><!-- rendered in a hurry -->"},
		{"title", "A page", "(3) A page"},
		{"hidden part", "<article>", "<article><div hidden>Dear cookie <div>eater</div></div><div role=dialog>Subscribe!</div>"},
		{"time element that is not closed", "and wait.</p>", "and wait. <time datetime=2026-01-01 />10 May</p>"},
		{"time element", "Updated ", "Updated <time>yesterday</time> "},
	}
	want := digestOf(t, before)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after := strings.Replace(before, test.old, test.new, 1)
			if after == before {
				t.Fatal("nothing changed")
			}
			if digestOf(t, after) != want {
				t.Error("the digest moved")
			}
		})
	}
}

// TestChange changes what must move the digest.
func TestChange(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"heading", "make bread", "bake bread"},
		{"word", "wait", "pray"},
		{"word added", "and wait.", "and wait longer."},
		{"word removed", "of flour ", "flour "},
		{"words swapped", "flour with water", "water with flour"},
		{"price", "$2.50", "$2.60"},
		{"version", "1.2.3", "1.2.4"},
		{"month that is a verb", "may change", "might change"},
		{"name of a month", "by Ada, who may", "by Ada, who May"},
		{"text of a link in a sentence", ">flour</a>", ">rye</a>"},
		{"paragraph", "<ul>", "<p>A new paragraph of words.</p><ul>"},
		{"long word", "recipe is", "electroencephalographically is"},
		{"case", "Mix", "mix"},
	}
	want := digestOf(t, before)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after := strings.Replace(before, test.old, test.new, 1)
			if after == before {
				t.Fatal("nothing changed")
			}
			if digestOf(t, after) == want {
				t.Error("the digest stayed")
			}
		})
	}
}

// TestDigestPlaces shows that a run of text has one digest wherever it stands in
// the page: the words are read eight bytes at a time.
func TestDigestPlaces(t *testing.T) {
	const text = "a word or two and internationalisation of interoperability x on Monday the 3rd, in May ab"
	want := digestOf(t, "<p>"+text)
	for i := range 40 {
		page := strings.Repeat(" ", i) + "<p>" + strings.Repeat("\n", i%3) + text + strings.Repeat(" ", i%5)
		if digestOf(t, page) != want {
			t.Errorf("the digest differs at %d", i)
		}
		if digestOf(t, page+"<!--"+strings.Repeat("-", i)) != want {
			t.Errorf("the digest differs with %d bytes behind", i)
		}
	}
}

func TestDigestIsStored(t *testing.T) {
	const want = 0xac42c898fe4c331b // it is kept in files: a change makes every page look changed
	if got := digestOf(t, before); got != want {
		t.Errorf("got %#x, want %#x", got, uint64(want))
	}
}

// TestWords counts the words of texts in several scripts.
func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"one":                      1,
		"one two":                  2,
		"été à l’eau":              3,
		"漢":                        1,
		"漢字":                       1,
		"漢字漢":                      2,
		"カタカナとひらがな":                5,
		"漢字 漢字 漢字":                 3,
		"a 漢字漢字 b":                 4,
		"漢，字。":                     1,
		"오늘은 입니다":                  2,
		"Это слова":                2,
		"２０２６年":                    1,
		"今日は 2026年11月21日 です":       3,
		strings.Repeat("漢", 100):   50,
		strings.Repeat("漢字 ", 100): 100,
	} {
		var s Scanner
		for _, page := range []string{"<p>" + text, "<main>" + text + "</main>" + strings.Repeat("<!-- -->", 20)} {
			if got := s.Scan([]byte(page), "text/html; charset=utf-8", Options{}).Words; got != want {
				t.Errorf("%q: %d words, want %d", text, got, want)
			}
		}
	}
}

func TestMainCounts(t *testing.T) {
	page := "<div>Ticker %</div><main><p>Text of the page</p></main><div>More ticker %</div>"
	a := digestOf(t, strings.ReplaceAll(page, "%", "one"))
	b := digestOf(t, strings.ReplaceAll(page, "%", "two"))
	if a != b {
		t.Error("text outside main moves the digest")
	}
	empty := "<div>Text %</div><main></main>"
	if digestOf(t, strings.ReplaceAll(empty, "%", "one")) == digestOf(t, strings.ReplaceAll(empty, "%", "two")) {
		t.Error("an empty main hides the text of the page")
	}
	unclosed := "<nav><ul><li>Menu</ul></div><main><p>Text %</main>"
	if digestOf(t, strings.ReplaceAll(unclosed, "%", "one")) == digestOf(t, strings.ReplaceAll(unclosed, "%", "two")) {
		t.Error("a nav that is not closed hides main")
	}
}

// TestSameButForChurn has pairs of texts that differ in what changes by itself.
func TestSameButForChurn(t *testing.T) {
	tests := []struct{ name, one, other string }{
		{"German date", "Heute ist Samstag, 21. November 2026", "Heute ist Sonntag, 1. Dezember 2026"},
		{"French date", "Nous sommes le samedi 21 novembre 2026", "Nous sommes le dimanche 1 août 2027"},
		{"French date at the beginning", "Samedi 21 novembre 2026, il pleut", "Dimanche 1 août 2027, il pleut"},
		{"Spanish date", "Hoy es sábado, 21 de noviembre de 2026", "Hoy es miércoles, 3 de febrero de 2027"},
		{"Italian date", "Oggi è sabato 21 novembre 2026", "Oggi è lunedì 4 gennaio 2027"},
		{"Portuguese date", "Hoje é segunda-feira, 2 de março de 2026", "Hoje é domingo, 1 de novembro de 2026"},
		{"Dutch date", "Vandaag: zaterdag 21 november 2026", "Vandaag: maandag 2 maart 2026"},
		{"Polish date", "Dziś jest sobota, 21 listopada 2026", "Dziś jest środa, 6 stycznia 2027"},
		{"Japanese date", "今日は 2026年11月21日 です", "今日は 2027年1月3日 です"},
		{"Korean date", "오늘은 2026년 11월 21일 입니다", "오늘은 2027년 1월 3일 입니다"},
		{"one and more", "There is 1 comment.", "There is 12 comments."},
		{"stock", "There are 12 in stock now", "There are 7 in stock now"},
		{"milliseconds", "Made in 12ms here", "Made in 7ms here"},
	}
	for _, test := range tests {
		if digestOf(t, "<p>"+test.one) != digestOf(t, "<p>"+test.other) {
			t.Errorf("%s: the digest moved", test.name)
		}
	}
	for _, test := range []struct{ name, one, other string }{
		{"measure", "The wall is 12 metres high.", "The wall is 15 metres high."},
		{"month without a number", "il arrive en mars", "il arrive en avril"},
		{"small verb", "they may go", "they mai go"},
	} {
		if digestOf(t, "<p>"+test.one) == digestOf(t, "<p>"+test.other) {
			t.Errorf("%s: the digest stayed", test.name)
		}
	}
}
