package extract

import (
	"strings"
	"testing"
	"time"
)

// contentOf returns the sums of a page that was answered at noon of 28 November 2026.
func contentOf(t *testing.T, page string) Content {
	t.Helper()
	var s Scanner
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	options := Options{URL: "https://example.com/shop/", Time: now}
	content := s.Scan([]byte(page), "text/html; charset=utf-8", options).Content
	content.Today = 0
	return content
}

// TestContent replaces a text of a page by another one, which is content or is not.
func TestContent(t *testing.T) {
	const dated = `<script type="application/ld+json">
{"@type":"Article","datePublished":"2026-02-01","dateModified":"2026-03-01"}</script>`
	ld := func(properties string) string {
		return `<script type="application/ld+json">{"@type":"Product",` + properties + `}</script>`
	}
	for name, test := range map[string]struct {
		page, old, new string
		isSame         bool
	}{
		// numbers
		"price":            {"<p>Price: 12 euros", "12", "15", false},
		"number alone":     {"<table><tr><td>Apples<td>12<td>15", "12", "13", false},
		"columns swapped":  {"<table><tr><td>Apples<td>12<td>15", "12<td>15", "15<td>12", false},
		"same elsewhere":   {"<p>A<p>12<p>B<p>15<p>C<p>12", "B<p>15", "B<p>12", false},
		"telephone":        {"<p>Call 912345678", "912345678", "913333333", false},
		"opening hours":    {"<p>Monday 9:00 - 17:00", "9:00", "10:00", false},
		"weekday":          {"<p>Monday 9:00", "Monday", "Tuesday", false},
		"months":           {"<p>It takes 6 months", "6", "8", false},
		"in bold":          {"<p>It costs <b>12</b> euros", "12", "15", false},
		"year":             {"<p>Founded in 1999", "1999", "1998", false},
		"decimal":          {"<p>It costs 12.50", "12.50", "12.60", false},
		"small number":     {"<p>We have 3 rooms", "3", "4", false},
		"results of years": {"<p>Results 2024 of the race", "2024", "2025", false},

		// counters, relative times and tokens
		"views":            {"<p>1,204 views", "1,204", "1,205", true},
		"visits before":    {"<p>Visits: 77", "77", "1078", true},
		"visits in bold":   {"<p>Visitas: <b>77</b>", "77", "78", true},
		"me gusta":         {"<p>5 me gusta", "5", "6", true},
		"online":           {"<p>12 users online", "12", "31", true},
		"en línea":         {"<p>12 en línea", "12", "13", true},
		"en stock":         {"<p>12 en stock", "12", "13", false},
		"ago":              {"<p>3 days ago", "3", "4", true},
		"hace":             {"<p>hace 3 días", "3", "4", true},
		"vor":              {"<p>vor 3 Tagen", "3", "4", true},
		"il y a":           {"<p>il y a 3 jours", "3", "4", true},
		"fa":               {"<p>3 giorni fa", "3", "4", true},
		"a time of travel": {"<p>The trip takes 3 days", "3", "4", false},
		"token":            {"<p>Session a8f5f167f44f4964e6c998", "a8f5f", "b8f5f", true},

		"open for visits": {"<p>Visitas: 10:00 a 14:00", "10:00", "11:00", false},
		"date of visits":  {"<p>Próximas visitas: 12/05/2027", "12/05", "19/05", false},
		"year of results": {"<p>Annual results: 2025 report", "2025", "2026", false},
		"score":           {"<p>Resultado: 3 - 1", "3", "4", false},
		"tickets online":  {"<p>Tickets online 12 Euro", "12", "13", false},
		"bank account":    {"<p>IBAN ES9121000418450200051332", "1332", "1444", false},

		// dates
		"event":             {"<p>Concert on 1 May 2027", "1 May", "2 May", false},
		"event of numbers":  {"<p>Concert on 01/05/2027", "01/05", "02/05", false},
		"event in time":     {"<p>Concert <time>1 May</time>", "1 May", "2 May", false},
		"event by datetime": {`<p>Concert <time datetime="2027-05-01">soon</time>`, "2027-05-01", "2027-05-02", false},
		"event in Spanish":  {"<p>Concierto el 1 de mayo de 2027", "1 de", "2 de", false},
		"own date":          {dated + "<p>Updated on 1 March 2026", "1 March 2026", "1 February 2026", true},
		"own numbers":       {dated + "<p>Published 01.02.2026, updated 2026-03-01", "01.02.2026", "1/3/2026", true},
		"own in Spanish":    {dated + "<p>Actualizado el 1 de marzo de 2026", "1 de marzo", "1 de febrero", true},
		"own in Japanese":   {dated + "<p>2026年3月1日", "2026年3月1日", "2026年2月1日", true},
		"own in time":       {dated + `<time datetime="2026-03-01">x</time>`, `2026-03-01">x`, `2026-02-01">x`, true},
		"not its own":       {dated + "<p>Due on 1 March 2026", "1 March 2026", "5 March 2026", false},
		"today":             {"<p>Today is Saturday, November 28, 2026", "November 28", "November 29", true},
		"today with a time": {"<p>28.11.2026 10:15", "10:15", "11:30", true},

		// order and repetition
		"other order":  {"<p>one two<p>three four", "<p>one two<p>three four", "<p>three four<p>one two", true},
		"twice":        {"<p>one two<p>three", "<p>three", "<p>three<p>one two", true},
		"other words":  {"<p>one two<p>three", "two", "ten", false},
		"navigation":   {"<nav>one 2</nav><p>three", "2", "3", true},
		"outside main": {"<p>one 2</p><main><p>three</p></main>", "2", "3", true},

		// JSON-LD
		"data":              {ld(`"brand":"Oak"`), "Oak", "Beech", false},
		"price in data":     {ld(`"offers":[{"price":10.5}]`), "10.5", "11", false},
		"order of data":     {ld(`"a":"b","c":"d"`), `"a":"b","c":"d"`, `"c":"d","a":"b"`, true},
		"dates of data":     {ld(`"dateModified":"2026-01-01"`), "01-01", "02-02", true},
		"start of an event": {ld(`"startDate":"2027-01-01"`), "01-01", "02-02", false},
		"validity":          {ld(`"offers":{"priceValidUntil":"2026-01-01"}`), "01-01", "02-02", true},
		"statistics":        {ld(`"interactionStatistic":[{"a":{"userInteractionCount":5}}]`), "5", "6", true},
		"own address": {ld(`"@id":"https://example.com/shop/#p"`), "https://example.com/shop/#p",
			`http:\/\/example.com\/shop\/index.html`, true},
		"escaped": {ld(`"name":"a \" } b","x":1`), `"x":1`, `"x":2`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(test.page, test.old) {
				t.Fatal("the text is not there")
			}
			before := contentOf(t, test.page)
			if after := contentOf(t, strings.Replace(test.page, test.old, test.new, 1)); before == after != test.isSame {
				t.Errorf("%+v and %+v", before, after)
			}
		})
	}
}

// TestHashAddress compares spellings of URLs.
func TestHashAddress(t *testing.T) {
	for _, test := range []struct {
		a, b   string
		isSame bool
	}{
		{"/a.jpg", "/b.jpg", false},
		{"/a.jpg", "/a.png", false},
		{"/a_b1.html", "/a-b1.html", false},
		{"/a.jpg#x", "/a.jpg#y", true},
		{"/logo.3f9a2b1c.png", "/logo.90aabb12.png", true},
		{"/assets/hero-BfU7Lk3q.webp", "/assets/hero-Zx81mNp0.webp", true},
		{"/img/DSC01234.jpg", "/img/DSC01235.jpg", false},
		{"/img/12345678.jpg", "/img/12345679.jpg", false},
		{"/3f9a2b1c4d5e.jpg", "/90aabb121234.jpg", false},
		{"/embed/dQw4w9WgXcQ", "/embed/aQw4w9WgXcQ", false},
		{"/static/3f9a2b1c4d5e6f708192/a.png", "/static/90aabb12123456789abc/a.png", true},
		{"/a.jpg?Expires=1790000000&Signature=abc", "/a.jpg?Expires=1790086400&Signature=xyz", true},
		{"/a.jpg?w=100", "/a.jpg?w=200", false},
		{"/a.css?v=1.2", "/a.css?v=1.3", true},
		{"/page?v=1", "/page?v=2", false},
		{"/page/", "/page", true},
		{"/page/index.html?a", "/page?a", true},
		{"/", "/page", false},
		{"/p?id=12345678", "/p?id=12345679", false},
		{"/p?t=1790000000", "/p?t=1790000001", true},
		{"/p?id=1790000000", "/p?id=1790000001", false},
		{"/viewtopic.php?t=123", "/viewtopic.php?t=124", false},
		{"/menu_Sommer2025.jpg", "/menu_Sommer2026.jpg", false},
		{"http://a.example/a.jpg", "https://a.example/a.jpg", true},
		{"/p?utm_source=a", "/p?utm_source=b", true},
		{"/p?nonce=a", "/p?nonce=b", true},
		{"/summer/", "/winter/", false},
		{"/background.jpg", "/backpack.jpg", false},
	} {
		if got := HashAddress([]byte(test.a)) == HashAddress([]byte(test.b)); got != test.isSame {
			t.Errorf("%s and %s: %t", test.a, test.b, got)
		}
	}
}

// TestSum adds the same items in several orders, some of them twice.
func TestSum(t *testing.T) {
	var one, other Sum
	for n := range uint64(3000) {
		one.Add(n * 0x9e3779b97f4a7c15)
		one.Add(n / 2 * 0x9e3779b97f4a7c15)
		other.Add((2999 - n) * 0x9e3779b97f4a7c15)
	}
	if one.Total != other.Total {
		t.Error("the sums depend on order or repetition")
	}
	one.Reset()
	if one.Total != 0 || !one.known.add(7) || one.known.add(7) {
		t.Error("a sum is not empty after a reset")
	}
}
