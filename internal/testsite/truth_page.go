package testsite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A truthPage is one response of a [TruthSite].
type truthPage struct {
	status int
	header []string // "Name: value"; $ORIGIN is the site's
	about  string   // target, for links to itself

	mediaType string // other than HTML
	raw       string // its body

	lang, title string
	head        string
	nav         string
	paragraphs  []string
	extra       string // in the main part, no text of its own
	layout      int
	still       bool // the same bytes at every request

	modified time.Time // Last-Modified
	stamped  bool      // Last-Modified is the time of the answer
	etag     bool
}

// missingPage is the page for missing targets.
var missingPage = truthPage{lang: "en", title: "Not here", paragraphs: []string{
	"We are sorry, but the page that you are looking for is not here.",
	"Perhaps it never was, or somebody took it away while you were on your way.",
}}

// A churn is what differs between two requests for an unchanged page.
type churn struct {
	number int
	now    time.Time
}

func (c churn) token() string { return fmt.Sprintf("%016x", uint64(c.number+1)*0x9e3779b97f4a7c15) }

// render returns the body.
func (p *truthPage) render(origin string, c churn) string {
	if p.raw != "" {
		return p.raw
	}
	var head, top, inside, aside, bottom string
	if !p.still {
		head = c.inHead(p)
		top, inside, aside, bottom = c.top(p), c.inside(p), c.aside(), c.bottom()
	}
	layout := truthLayouts[p.layout]
	body := strings.NewReplacer(
		"$TOP", top, "$NAV", p.nav,
		"$MAIN", "<h1>"+p.title+"</h1>\n<p>"+strings.Join(p.paragraphs, "</p>\n<p>")+"</p>\n"+p.extra+inside,
		"$ASIDE", aside, "$BOTTOM", bottom,
	).Replace(layout)
	return strings.ReplaceAll(fmt.Sprintf("<!DOCTYPE html>\n<html lang=%q>\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n%s\n%s</head>\n%s</html>\n",
		p.lang, p.title, p.head, head, body), "$ORIGIN", origin)
}

// truthLayouts are three ways to lay out a page.
var truthLayouts = []string{
	"<body>\n<header><a href=\"/\">Home</a> $TOP</header>\n<nav>$NAV</nav>\n<main>\n$MAIN</main>\n<aside>$ASIDE</aside>\n<footer>$BOTTOM</footer>\n</body>\n",
	"<body>\n<header><a href=\"/\">Home</a> $TOP</header>\n<nav>$NAV</nav>\n<article>\n$MAIN</article>\n<aside>$ASIDE</aside>\n<footer>$BOTTOM</footer>\n</body>\n",
	"<body>\n<div id=\"header\"><a href=\"/\">Home</a> $TOP</div>\n<div class=\"menu\" role=\"navigation\">$NAV</div>\n<div id=\"content\">\n$MAIN</div>\n<div class=\"sidebar\">$ASIDE</div>\n<div id=\"footer\">$BOTTOM</div>\n</body>\n",
}

func (c churn) inHead(*truthPage) string {
	return fmt.Sprintf(`<meta name="csrf-token" content="%[1]s">
<link rel="stylesheet" href="/style.css?v=%[1]s"><script src="/app.js?build=%[2]d" nonce="%[1]s"></script>
<script nonce="%[1]s">window.state = {"token": "%[1]s", "served": %[2]d};</script>
`, c.token(), c.number)
}

func (c churn) top(p *truthPage) string {
	return fmt.Sprintf(`<form action="/about"><input type="hidden" name="csrf" value="%s"><button>%d items in your basket</button></form> <span>%s</span>`,
		c.token(), c.number%7, c.now.Format("15:04:05"))
}

// inside is the churn in the middle of the page. A page always has the same parts of
// it.
func (c churn) inside(p *truthPage) string {
	all := []string{
		fmt.Sprintf(`<p>It is %s now.</p>`, c.now.Add(time.Duration(c.number)*time.Second).Format("15:04:05")),
		fmt.Sprintf(`<p>Updated %d minutes ago.</p>`, 2+c.number%50),
		fmt.Sprintf(`<p>You are visitor number %d.</p>`, 12_000+c.number),
		fmt.Sprintf(`<p>Viewed 1,%03d times.</p>`, c.number%1000),
		fmt.Sprintf(`<p>Today is %s.</p>`, c.now.AddDate(0, 0, c.number).Format("Monday, 2 January 2006")),
		fmt.Sprintf(`<div class="related"><h2>Related</h2><ul><li><a href="/hub-1?PHPSESSID=%s">%s</a></li><li><a href="/about">%s</a></li></ul></div>`,
			c.token()+c.token(), pick(c.number), pick(c.number*7+3)),
		fmt.Sprintf(`<div class="ad"><ins class="adsbygoogle" data-ad-slot="%d"></ins> %s</div>`, c.number, pick(c.number*5)),
		fmt.Sprintf(`<p><a href="/about?sid=%s#comments">%s</a></p>`, c.token(),
			fmt.Sprintf("%d comments", 2+c.number)),
		"<p>" + c.today() + "</p>",
		fmt.Sprintf(`<form method="post" action="/about"><input type="hidden" name="nonce" value="%s"><button>Send (%d)</button></form>`, c.token(), c.number),
		fmt.Sprintf(`<script nonce="%s">track(%d)</script>`, c.token(), c.number),
		fmt.Sprintf(`<p>Request %s</p>`, c.token()),
	}
	var some strings.Builder
	for i, one := range all {
		if (len(p.title)+len(p.about)+i)%3 == 0 {
			some.WriteString(one + "\n")
		}
	}
	return some.String()
}

// today is the date in some languages.
func (c churn) today() string {
	day := c.now.AddDate(0, 0, c.number)
	weekday := day.Weekday()
	return fmt.Sprintf("Heute ist %s, %d. %s %d; nous sommes %s %d %s %d; hoy es %s, %d de %s de %d; 今日は %d年%d月%d日 です",
		[]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}[weekday], day.Day(),
		[]string{"Januar", "Mai", "Dezember"}[c.number%3], day.Year(),
		[]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}[weekday], day.Day(),
		[]string{"janvier", "août", "décembre"}[c.number%3], day.Year(),
		[]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}[weekday], day.Day(),
		[]string{"enero", "mayo", "diciembre"}[c.number%3], day.Year(),
		day.Year(), day.Month(), day.Day())
}

func (c churn) aside() string {
	return fmt.Sprintf(`<h2>Most read</h2><ul><li><a href="/hub-1">%s</a></li></ul> <p>%d people are here</p>`,
		pick(c.number*3), c.number%40)
}

func (c churn) bottom() string {
	return fmt.Sprintf(`<p>%s. Served in %d ms by %s</p>`,
		c.now.AddDate(0, 0, c.number%20).Format("Monday, January 2, 2006"), 3+c.number%70, c.token()[:6])
}

// pick is a title by number.
func pick(n int) string {
	words := truthWords
	return words[n%len(words)] + " and " + words[(n*13+5)%len(words)]
}

// truthWords are the words of the texts.
var truthWords = strings.Fields(`apple barley cedar daisy elder fennel ginger hazel iris juniper kale lavender maple nutmeg
olive parsley quince rosemary sage thyme umbrella violet walnut yarrow anchor basket candle drawer engine feather garden hammer
island jacket kettle ladder mirror needle orchard pencil quilt ribbon saddle table vessel window yellow bridge copper desert
forest harbour lantern meadow mountain river silver stone valley winter`)

// A truthText writes unique texts.
type truthText struct{ random *rand.Rand }

func newText(random *rand.Rand) truthText { return truthText{random} }

func (t truthText) word() string { return truthWords[t.random.IntN(len(truthWords))] }

func (t truthText) title() string {
	word := t.word()
	return strings.ToUpper(word[:1]) + word[1:] + ", " + t.word() + " and " + t.word()
}

func (t truthText) paragraphs() []string {
	var all []string
	for range 3 {
		var p strings.Builder
		for range 3 {
			fmt.Fprintf(&p, "The %s %s keeps a %s near the %s %s. ", t.word(), t.word(), t.word(), t.word(), t.word())
		}
		all = append(all, strings.TrimSpace(p.String()))
	}
	return all
}
