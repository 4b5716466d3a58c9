package robots

import (
	"strings"
	"testing"
)

// TestGoogle has the test cases of google/robotstxt, except where RFC 9309 differs:
// URLs are normalized here, so the
// unescaped ツ and the escaped baz of its encoding test match.
func TestGoogle(t *testing.T) {
	groups := text(
		"allow: /foo/bar/", "", "user-agent: FooBot", "disallow: /", "allow: /x/",
		"user-agent: BarBot", "disallow: /", "allow: /y/", "", "", "allow: /w/",
		"user-agent: BazBot", "", "user-agent: FooBot", "allow: /z/", "disallow: /")
	global := text("user-agent: *", "allow: /", "user-agent: FooBot", "disallow: /")
	spaced := text("User-Agent: *", "Disallow: /", "User-Agent: Foo Bar", "Allow: /x/", "Disallow: /")
	foo := func(rules ...string) string { return text(append([]string{"user-agent: FooBot"}, rules...)...) }
	for _, j := range []judgement{
		{"nothing", "", "FooBot", []string{"", "/", "http://foo.bar/x/y"}, nil},
		{"no name", foo("disallow: /"), "", []string{"", "/x"}, nil},
		{"no URL", foo("disallow: /"), "FooBot", nil, []string{""}},
		{"other keys", text("foo: FooBot", "bar: /"), "FooBot", []string{"/x/y"}, nil},
		{"no colon", text("user-agent FooBot", "disallow /"), "FooBot", nil, []string{"/x/y"}},
		{"upper case", text("USER-AGENT: FooBot", "ALLOW: /x/", "DISALLOW: /"), "fooBOT", []string{"/x/y"}, []string{"/a/b"}},
		{"groups, FooBot", groups, "FooBot", []string{"/x/b", "/z/d"}, []string{"/y/c", "/foo/bar/"}},
		{"groups, BarBot", groups, "BarBot", []string{"/y/c", "/w/a"}, []string{"/z/d", "/foo/bar/"}},
		{"groups, BazBot", groups, "BazBot", []string{"/z/d"}, []string{"/foo/bar/"}},
		{"sitemap closes no group", text("User-agent: BarBot", "Sitemap: https://foo.bar/sitemap", "User-agent: *",
			"Disallow: /"),
			"BarBot", nil, []string{"/"}},
		{"unknown closes no group", text("User-agent: FooBot", "Invalid-Unknown-Line: unknown", "User-agent: *",
			"Disallow: /"),
			"BarBot", nil, []string{"/"}},
		{"agent to the first space", spaced, "Foo", []string{"/x/y"}, []string{"/"}},
		{"agent with a space", spaced, "Foo Bar", nil, []string{"/x/y"}},
		{"star and more", text("User-agent: * all of you", "Disallow: /"), "FooBot", nil, []string{"/"}},
		{"own group first", global, "FooBot", nil, []string{"/x/y"}},
		{"else the general one", global, "BarBot", []string{"/x/y"}, nil},
		{"else none", foo("disallow: /"), "QuxBot", []string{"/x/y"}, nil},
		{"case of paths", foo("disallow: /X/"), "FooBot", []string{"/x/y"}, []string{"/X/y"}},
		{"longest 1", foo("disallow: /x/page.html", "allow: /x/"), "FooBot", []string{"/x/"}, []string{"/x/page.html"}},
		{"longest 2", foo("allow: /x/page.html", "disallow: /x/"), "FooBot", []string{"/x/page.html"}, []string{"/x/"}},
		{"empty values", foo("disallow: ", "allow: "), "FooBot", []string{"/x/page.html"}, nil},
		{"tie", foo("disallow: /x/page.html", "allow: /x/page.html"), "FooBot", []string{"/x/page.html"}, nil},
		{"star beats prefix", foo("allow: /page", "disallow: /*.html"), "FooBot", []string{"/page"}, []string{"/page.html"}},
		{"prefix beats star", foo("allow: /x/page.", "disallow: /*.html"), "FooBot", []string{"/x/page.html"},
			[]string{"/x/y.html"}},
		{"URL in query", foo("Disallow: /", "Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par"), "FooBot",
			[]string{"http://foo.bar/foo/bar?qux=taz&baz=http://foo.bar?tar&par"}, nil},
		{"star", foo("Disallow: /foo/bar/quz", "Allow: /foo/*/qux"), "FooBot",
			[]string{"/foo/quz", "/foo//quz", "/foo/bax/quz"}, []string{"/foo/bar/quz"}},
		{"dollar", foo("Disallow: /foo/bar$", "Allow: /foo/bar/qux"), "FooBot",
			[]string{"/foo/bar/qux", "/foo/bar/", "/foo/bar/baz"}, []string{"/foo/bar"}},
		{"comment", foo("# Disallow: /", "Disallow: /foo/quz#qux", "Allow: /"), "FooBot", []string{"/foo/bar"},
			[]string{"/foo/quz"}},
		{"index page", text("User-Agent: *", "Allow: /allowed-slash/index.html", "Disallow: /"), "foobot",
			[]string{"/allowed-slash/", "/allowed-slash/index.html"}, []string{"/allowed-slash/index.htm", "/anyother-url"}},
		{"index page refused", text("User-Agent: *", "Disallow: /a/index.html"), "foobot", []string{"/a/"},
			[]string{"/a/index.html"}},
		{"/fish", foo("disallow: /", "allow: /fish"), "FooBot",
			[]string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html",
				"/fish.html?id=anything"},
			[]string{"/bar", "/Fish.asp", "/catfish", "/?id=fish"}},
		{"/fish*", foo("disallow: /", "allow: /fish*"), "FooBot",
			[]string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.html?id=anything"},
			[]string{"/bar", "/Fish.bar", "/catfish", "/?id=fish"}},
		{"/fish/", foo("disallow: /", "allow: /fish/"), "FooBot",
			[]string{"/fish/", "/fish/salmon", "/fish/?salmon", "/fish/?id=anything"},
			[]string{"/bar", "/fish", "/fish.html", "/Fish/Salmon.html"}},
		{"/*.php", foo("disallow: /", "allow: /*.php"), "FooBot",
			[]string{"/filename.php", "/folder/filename.php?parameters", "http://foo.bar//folder/any.php.file.html",
				"/filename.php/", "/index?f=filename.php/"},
			[]string{"/bar", "/php/", "/index?php", "/windows.PHP"}},
		{"/*.php$", foo("disallow: /", "allow: /*.php$"), "FooBot",
			[]string{"/filename.php", "/folder/filename.php"},
			[]string{"/filename.php?parameters", "/filename.php/", "/filename.php5", "/php/", "/filename?php", "/aaaphpaaa"}},
		{"/fish*.php", foo("disallow: /", "allow: /fish*.php"), "FooBot",
			[]string{"/fish.php", "/fishheads/catfish.php?parameters"}, []string{"/bar", "/Fish.PHP"}},
		{"precedence 1", foo("allow: /p", "disallow: /"), "FooBot", []string{"/page"}, []string{"/"}},
		{"precedence 2", foo("allow: /page", "disallow: /*.htm"), "FooBot", nil, []string{"/page.htm"}},
		{"precedence 3", foo("allow: /$", "disallow: /"), "FooBot", []string{"/", ""}, []string{"/page.html"}},
	} {
		j.check(t)
	}
}

func TestLineTooLong(t *testing.T) {
	start := "Disallow: /x/"
	kept := start + strings.Repeat("a", lineLimit-len(start))
	group := parse(t, text("User-agent: *", kept+"/qux")).Group("FooBot")
	path := strings.TrimPrefix(kept, "Disallow: ")
	if v := group.Verdict(path + "fux"); v.Allowed {
		t.Errorf("what the limit leaves of the rule should match: %v", v.Reason)
	}
	if v := group.Verdict(path[:len(path)-1]); !v.Allowed {
		t.Error("the rule should be as long as the limit leaves it")
	}
}

func TestPathAndQuery(t *testing.T) {
	for url, want := range map[string]string{
		"":                          "/",
		"http://www.example.com":    "/",
		"http://www.example.com/":   "/",
		"http://www.example.com/a/": "/a/",
		"http://www.example.com/a/b?c=http://d.e/":    "/a/b?c=http://d.e/",
		"http://www.example.com/a/b?c=d&e=f#fragment": "/a/b?c=d&e=f",
		"http://www.example.com#/a":                   "/",
		"http://www.example.com//a":                   "//a",
		"example.com":                                 "/",
		"example.com/a/":                              "/a/",
		"a":                                           "/",
		"a/":                                          "/",
		"/a":                                          "/a",
		"a/b":                                         "/b",
		"example.com?a":                               "/?a",
		"http://example.com?a=/b":                     "/?a=/b",
		"example.com/a;b#c":                           "/a;b",
		"//a/b/c":                                     "/b/c",
		"/go?to=http://example.com/":                  "/go?to=http://example.com/",
		"HTTPS://user@example.com:8080/a?b?c":         "/a?b?c",
	} {
		if got := pathAndQuery(url); got != want {
			t.Errorf("pathAndQuery(%q) = %q, want %q", url, got, want)
		}
	}
}
