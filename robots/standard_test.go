package robots

import (
	"strings"
	"testing"
)

// text is shorthand for a file of the given lines.
func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func parse(t testing.TB, content string) *File {
	t.Helper()
	f, err := Parse(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// judgement is one file, one crawler, and the URLs that are allowed and disallowed.
type judgement struct {
	name    string
	file    string
	agent   string
	allowed []string
	refused []string
}

func (j judgement) check(t *testing.T) {
	t.Run(j.name, func(t *testing.T) {
		group := parse(t, j.file).Group(j.agent)
		for _, url := range j.allowed {
			if v := group.Verdict(url); !v.Allowed {
				t.Errorf("%s %s: %v", j.agent, url, v)
			}
		}
		for _, url := range j.refused {
			if v := group.Verdict(url); v.Allowed {
				t.Errorf("%s %s: %v", j.agent, url, v)
			}
		}
	})
}

// TestExamples has the examples of RFC 9309, section 5, and the tables of
// sections 2.2.2 and 2.2.3.
func TestExamples(t *testing.T) {
	simple := text(
		"User-Agent: *", "Disallow: *.gif$", "Disallow: /example/", "Allow: /publications/", "",
		"User-Agent: foobot", "Disallow:/", "Allow:/example/page.html", "Allow:/example/allowed.gif", "",
		"User-Agent: barbot", "User-Agent: bazbot", "Disallow: /example/page.html", "",
		"User-Agent: quxbot")
	longest := text("User-Agent: foobot", "Allow: /example/page/", "Disallow: /example/page/disallowed.gif")
	only := func(pattern string) string { return text("User-agent: *", "Disallow: /", "Allow: "+pattern) }
	for _, j := range []judgement{
		{"5.1 every crawler", simple, "otherbot",
			[]string{"/", "/publications/a", "/a.gif.html", "/a.gif?b"},
			[]string{"/a.gif", "/b/a.gif", "/example/", "/example/page.html"}},
		{"5.1 foobot", simple, "FooBot",
			[]string{"/example/page.html", "/example/allowed.gif", "/example/page.html?a"},
			[]string{"/", "/publications/", "/example/"}},
		{"5.1 barbot", simple, "barbot", []string{"/", "/a.gif", "/example/"}, []string{"/example/page.html"}},
		{"5.1 bazbot", simple, "bazbot", []string{"/", "/a.gif"}, []string{"/example/page.html"}},
		{"5.1 quxbot", simple, "quxbot", []string{"/", "/a.gif", "/example/page.html"}, nil},
		{"5.2", longest, "foobot", []string{"/example/page/", "/example/page/allowed.gif"},
			[]string{"/example/page/disallowed.gif"}},
		{"2.2.2 query", only("/foo/bar?baz=quz"), "a", []string{"/foo/bar?baz=quz"}, []string{"/foo/bar"}},
		{"2.2.2 URL in query", only("/foo/bar?baz=https://foo.bar"), "a",
			[]string{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f/foo.bar"},
			[]string{"/foo/bar?baz=https//foo.bar"}},
		{"2.2.2 URL encoded in rule", only("/foo/bar?baz=https%3A%2F%2Ffoo.bar"), "a",
			[]string{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"}, nil},
		{"2.2.2 octets outside ASCII", only("/foo/bar/ツ"), "a",
			[]string{"/foo/bar/ツ", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"}, []string{"/foo/bar/"}},
		{"2.2.2 escaped octets", only("/foo/bar/%e3%83%84"), "a",
			[]string{"/foo/bar/ツ", "/foo/bar/%E3%83%84"}, []string{"/foo/bar/%E3%83"}},
		{"2.2.2 unreserved octets", only("/foo/bar/%62%61%7A"), "a",
			[]string{"/foo/bar/baz", "/foo/bar/%62%61%7A", "/foo/bar/b%61z"}, []string{"/foo/bar/b"}},
		{"2.2.2 the slash is structure", only("/a%2Fb"), "a", []string{"/a%2fb"}, []string{"/a/b"}},
		{"2.2.2 robots.txt", text("User-agent: *", "Disallow: /"), "a",
			[]string{"/robots.txt", "https://example.com/robots.txt#x"}, []string{"/robots.txt.html", "/a/robots.txt"}},
		{"2.2.3 star", only("/path/file-with-a-%2A.html"), "a",
			[]string{"/path/file-with-a-*.html", "/path/file-with-a-%2a.html"}, []string{"/path/file-with-a-b.html"}},
		{"2.2.3 dollar", only("/path/foo-%24"), "a",
			[]string{"/path/foo-$", "/path/foo-$bar", "/path/foo-%24"}, []string{"/path/foo-"}},
		{"2.2.3 dollar inside", only("/a$b$"), "a", []string{"/a$b", "/a%24b"}, []string{"/a", "/a$bc"}},
		{"2.2.4", text("User-agent: a", "Sitemap: https://example.com/s.xml", "User-agent: b", "Disallow: /"), "a",
			nil, []string{"/"}},
		{"2.3.1.5", text("\x00\xff", ":", "user-agent", "User-agent: a", "??? what", "Disallow: /"), "a", nil, []string{"/"}},
	} {
		j.check(t)
	}
}

// TestReserved tests when both spellings of a reserved octet are equal.
func TestReserved(t *testing.T) {
	refuse := func(pattern string) string { return text("User-agent: *", "Disallow: "+pattern) }
	for _, j := range []judgement{
		{"in the path", refuse("/wiki/Special:"), "a", nil, []string{"/wiki/Special:Search", "/wiki/Special%3ASearch"}},
		{"star before the query", refuse("/*/foo"), "a", nil, []string{"/a/foo", "/a?b=/foo"}},
		{"escape before the query", refuse("/*u=http%3A%2F%2F"), "a", nil, []string{"/a?u=http%3A%2F%2Fb", "/a?u=http://b"}},
		{"percent sign", refuse("/*%"), "a", []string{"/a,b?c=/d:e", "/a%62"}, []string{"/a%20", "/a b"}},
		{"digits of an escape", refuse("/*2F"), "a", []string{"/a?b=/c"}, []string{"/a%2Fb"}},
		{"space", refuse("/a b"), "a", []string{"/a+b"}, []string{"/a b", "/a%20b"}},
		{"equal spellings tie", text("User-agent: *", "Disallow: /a%3Ab", "Allow: /a:b"), "a", []string{"/a:b", "/a%3ab"},
			nil},
	} {
		j.check(t)
	}
}

// TestReported has files from bug reports of other parsers.
func TestReported(t *testing.T) {
	for _, j := range []judgement{
		{"leading star", text("user-agent: *", "disallow: */test"), "a", []string{"/", "/tes"},
			[]string{"http://mysite.com/test", "/a/test"}},
		{"star inside", text("user-agent: *", "disallow: /users/*/replies"), "a", []string{"/anything", "/users/replies"},
			[]string{"/users/a/replies"}},
		{"two slashes", text("User-agent: *", "Disallow: //"), "a", []string{"/", "/a"}, []string{"http://a.example//"}},
		{"unscoped delay", text("Crawl-delay: 1", "", "User-agent: *", "Disallow: /*%", "Disallow: /*.aspx"), "my",
			[]string{"http://learningnetwork.example"}, []string{"/a.aspx"}},
		{"delay closes no group", text(
			"User-agent: *", "Crawl-delay: 10", "", "User-agent: badbot", "Disallow: /", "", "User-agent: *", "Disallow:"),
			"Googlebot", nil, []string{"/"}},
		{"query only", text("User-agent: *", "Disallow: /*?*"), "a", []string{"/", "/index.html"},
			[]string{"/index.html?foo"}},
		{"one parameter", text("User-agent: *", "Disallow: /", "Allow: /$", "Allow: /p/*/issues/detail?id=*",
			"Disallow: /p/*/issues/detail?id=*&*", "Crawl-delay: 10"), "a",
			[]string{"/", "/p/project-zero/issues/detail?id=1139"},
			[]string{"/p/project-zero/issues/detail?id=1139&a=b", "/p/"}},
	} {
		j.check(t)
	}
}
