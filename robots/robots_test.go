package robots

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestFromResponse(t *testing.T) {
	refuse := "User-agent: *\nDisallow: /\n"
	for _, test := range []struct {
		status int
		body   string
		want   string
	}{
		{200, refuse, "disallowed by line 2: Disallow: /"},
		{200, "", "allowed: no group applies"},
		{200, "User-agent: *\nAllow: /b", "allowed: no rule matches"},
		{301, refuse, "allowed: robots.txt answered 301"},
		{401, refuse, "allowed: robots.txt answered 401"},
		{403, refuse, "allowed: robots.txt answered 403"},
		{404, refuse, "allowed: robots.txt answered 404"},
		{429, refuse, "allowed: robots.txt answered 429"},
		{499, refuse, "allowed: robots.txt answered 499"},
		{100, "", "disallowed: robots.txt answered 100"},
		{304, "", "disallowed: robots.txt answered 304"},
		{500, "", "disallowed: robots.txt answered 500"},
		{503, "", "disallowed: robots.txt answered 503"},
		{600, "", "disallowed: robots.txt answered 600"},
	} {
		got := FromResponse(test.status, strings.NewReader(test.body)).Group("Mapa").Verdict("/a").String()
		if got != test.want {
			t.Errorf("status %d: %q, want %q", test.status, got, test.want)
		}
	}
}

func TestUnreachable(t *testing.T) {
	reset := errors.New("connection reset")
	broken := io.MultiReader(strings.NewReader("User-agent: *\n"), iotest.ErrReader(reset))
	for want, f := range map[string]*File{
		"disallowed: robots.txt is unreachable: connection reset": Unreachable(reset),
		"disallowed: read robots.txt: connection reset":           FromResponse(200, broken),
		"disallowed: ": DisallowAll(""),
	} {
		if got := f.Group("Mapa").Verdict("/a").String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if v := f.Group("Mapa").Verdict("/robots.txt"); !v.Allowed {
			t.Errorf("%q: /robots.txt is %v", want, v)
		}
	}
	if _, err := Parse(iotest.ErrReader(reset)); !errors.Is(err, reset) {
		t.Errorf("Parse gave %v, which does not wrap the reader's error", err)
	}
}

func TestZeroFile(t *testing.T) {
	var f File
	if v := f.Group("Mapa").Verdict("/a"); !v.Allowed || v.Reason != "no group applies" {
		t.Errorf("the zero file: %v", v)
	}
}

func TestReadLimit(t *testing.T) {
	head := "User-agent: *\nDisallow: /a\n"
	rule := "Disallow: /b\n"
	pad := func(size int) string { return strings.Repeat("#", size-1) + "\n" }
	for _, test := range []struct {
		name      string
		content   string
		truncated bool
		refused   bool
	}{
		{"rule at the limit", head + pad(ReadLimit-len(head)-len(rule)) + rule, false, true},
		{"line end beyond", head + pad(ReadLimit-len(head)-len(rule)+1) + rule, true, true},
		{"rule across", head + pad(ReadLimit-len(head)-len(rule)+2) + rule, true, false},
		{"rule beyond", head + pad(ReadLimit-len(head)) + rule, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := parse(t, test.content)
			if f.Truncated() != test.truncated {
				t.Errorf("truncated is %t", f.Truncated())
			}
			group := f.Group("Mapa")
			if v := group.Verdict("/a"); v.Line != 2 {
				t.Errorf("/a: %v", v)
			}
			if v := group.Verdict("/b"); v.Allowed == test.refused {
				t.Errorf("/b: %v", v)
			}
		})
	}
	oneLine := parse(t, strings.Repeat("a", ReadLimit+1))
	if lines := slices.Collect(oneLine.Lines()); len(lines) > 0 {
		t.Errorf("a single line beyond the limit gave %d lines", len(lines))
	}
}

func TestByteOrderMark(t *testing.T) {
	for mark, bom := range map[string]bool{"": false, "\xEF\xBB\xBF": true, "\xEF\xBB": true, "\xEF": true} {
		f := parse(t, mark+"User-Agent: foo\nDisallow: /\n")
		if v := f.Group("foo").Verdict("/"); v.Line != 2 || f.BOM() != bom {
			t.Errorf("mark %q: BOM is %t, %v", mark, f.BOM(), v)
		}
	}
	for _, broken := range []string{"\xEF\x11\xBFUser-Agent: foo\nDisallow: /\n",
		"\n\xEF\xBB\xBFUser-Agent: foo\nDisallow: /\n"} {
		if v := parse(t, broken).Group("foo").Verdict("/"); !v.Allowed {
			t.Errorf("%q: %v", broken, v)
		}
	}
}

func TestLines(t *testing.T) {
	const (
		unix = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n"
		last = "User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /"
	)
	for _, content := range []string{unix, strings.ReplaceAll(unix, "\n", "\r\n"), strings.ReplaceAll(unix, "\n", "\r"),
		last} {
		var numbers []int
		for line := range parse(t, content).Lines() {
			numbers = append(numbers, line.Number)
		}
		if !slices.Equal(numbers, []int{1, 2, 3, 6}) {
			t.Errorf("%q: lines %v", content, numbers)
		}
	}
}

func TestRecords(t *testing.T) {
	for text, want := range map[string]Line{
		"User-agent: Foo":                 {Kind: KindUserAgent, Key: "User-agent", Value: "Foo"},
		"useragent:Foo":                   {Kind: KindUserAgent, Key: "useragent", Value: "Foo"},
		"USER AGENT: Foo":                 {Kind: KindUserAgent, Key: "USER AGENT", Value: "Foo"},
		"user agent:Foo":                  {Kind: KindUserAgent, Key: "user agent", Value: "Foo"},
		"user-agent\tFoo":                 {Kind: KindUserAgent, Key: "user-agent", Value: "Foo"},
		"user-agent :Foo":                 {Kind: KindUserAgent, Key: "user-agent", Value: "Foo"},
		"Allow : /a b":                    {Kind: KindAllow, Key: "Allow", Value: "/a b"},
		"Dissallow: /":                    {Kind: KindDisallow, Key: "Dissallow", Value: "/"},
		"dissalow: /":                     {Kind: KindDisallow, Key: "dissalow", Value: "/"},
		"disalow: /":                      {Kind: KindDisallow, Key: "disalow", Value: "/"},
		"diasllow: /":                     {Kind: KindDisallow, Key: "diasllow", Value: "/"},
		"disallaw: /":                     {Kind: KindDisallow, Key: "disallaw", Value: "/"},
		"Disallow /a:b":                   {Kind: KindDisallow, Key: "Disallow", Value: "/a:b"},
		"Disallow:":                       {Kind: KindDisallow, Key: "Disallow"},
		"Disallow":                        {},
		"Disallow /a /b":                  {},
		": /":                             {Value: "/"},
		"Sitemap: /relative.xml":          {Kind: KindSitemap, Key: "Sitemap", Value: "/relative.xml"},
		"Sitemaps: https://a.example/b":   {Kind: KindSitemap, Key: "Sitemaps", Value: "https://a.example/b"},
		"site-map: https://a.example/b":   {Kind: KindSitemap, Key: "site-map", Value: "https://a.example/b"},
		"Sitemap https://a.example/b":     {Kind: KindSitemap, Key: "Sitemap", Value: "https://a.example/b"},
		"Sitemap URL: https://a.example/": {Kind: KindSitemap, Key: "Sitemap URL", Value: "https://a.example/"},
		"crawl-delay: 5":                  {Kind: KindCrawlDelay, Key: "crawl-delay", Value: "5"},
		"Crawldelay 5":                    {Kind: KindCrawlDelay, Key: "Crawldelay", Value: "5"},
		"Host: example.com":               {Key: "Host", Value: "example.com"},
	} {
		lines := slices.Collect(parse(t, " \t"+text+"  # comment").Lines())
		want.Number, want.Text = 1, text
		if len(lines) != 1 || lines[0] != want {
			t.Errorf("%q: %+v, want %+v", text, lines, want)
		}
	}
}

func TestSitemaps(t *testing.T) {
	f := parse(t, text("Sitemap: https://a.example/1.xml", "User-agent: a", "Disallow: /", "sitemap:",
		"sitemaps: /2.xml # second", "User-agent: b", "SITE-MAP https://a.example/3.xml"))
	var got []string
	for _, line := range f.Sitemaps() {
		got = append(got, line.Value)
	}
	if want := []string{"https://a.example/1.xml", "/2.xml", "https://a.example/3.xml"}; !slices.Equal(got, want) {
		t.Errorf("sitemaps %q, want %q", got, want)
	}
}

func TestProductToken(t *testing.T) {
	for _, test := range []struct {
		line, token string
		want        bool
	}{
		{"Mapa", "mapa", true},
		{"MAPA/1.0", "Mapa", true},
		{"Mapa 1.0", "Mapa", true},
		{"Mapa2", "Mapa", true},
		{"Mapa-News", "Mapa", false},
		{"Map", "Mapa", false},
		{"Mapa", "Map", false},
		{"MJ12bot", "MJ12bot", true},
		{"MJ12bot/v1.4", "mj12bot", true},
		{"ツ", "", false},
		{"", "Mapa", false},
		{"*Mapa", "Mapa", false},
	} {
		group := parse(t, text("User-agent: "+test.line, "Disallow: /")).Group(test.token)
		if got := !group.Verdict("/").Allowed; got != test.want {
			t.Errorf("line %q, token %q: %t", test.line, test.token, got)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	shared := text("User-agent: a", "Crawl-delay: 5", "User-agent: b", "Crawl-delay: 7.5", "User-agent: c", "Disallow: /x",
		"Crawl-delay: 9", "User-agent: *", "Crawl-delay: 11", "Disallow: /y")
	one := func(values ...string) string {
		return "User-agent: *\nCrawl-delay: " + strings.Join(values, "\nCrawl-delay: ")
	}
	for _, test := range []struct {
		name, file, agent string
		delay             time.Duration
		asked             bool
	}{
		{"named before it", shared, "a", 5 * time.Second, true},
		{"not those before", shared, "b", 7500 * time.Millisecond, true},
		{"after the rules", shared, "c", 9 * time.Second, true},
		{"in general", shared, "d", 11 * time.Second, true},
		{"not from the general group", text("User-agent: a", "Disallow: /x", one("5")), "a", 0, false},
		{"unscoped", "Crawl-delay: 5", "a", 0, false},
		{"zero", one("0"), "a", 0, true},
		{"longest", one("1", "3", "2"), "a", 3 * time.Second, true},
		{"too long", one("1000000000000"), "a", MaxAge, true},
		{"no numbers", one("-1", "1e9", "NaN", "Inf", "0x10", "1.2.3", ".", "", "5s"), "a", 0, false},
	} {
		delay, asked := parse(t, test.file).Group(test.agent).CrawlDelay()
		if delay != test.delay || asked != test.asked {
			t.Errorf("%s: %v, %t, want %v, %t", test.name, delay, asked, test.delay, test.asked)
		}
	}
	if v := parse(t, shared).Group("a").Verdict("/x"); v.Line != 6 {
		t.Errorf("the delay should not close the group: %v", v)
	}
}

// TestHostileFile bounds the time for a file that is made to be slow; a
// backtracking matcher would not finish it.
func TestHostileFile(t *testing.T) {
	var content bytes.Buffer
	content.WriteString("User-agent: *\n")
	for content.Len() < ReadLimit {
		content.WriteString("Disallow: /" + strings.Repeat("*a", 8000) + "*b$\n")
	}
	path := "/" + strings.Repeat("a", 16000)
	if v := parse(t, content.String()).Group("Mapa").Verdict(path); !v.Allowed {
		t.Error(v)
	}
}

func TestVerdictAllocatesNothing(t *testing.T) {
	group := parse(t, usual).Group("Mapa")
	for _, url := range []string{
		"https://www.example.com/catalogue/shoes/red?page=2&sort=price",
		"/wiki/Caf%c3%a9:_(disambiguation)?ref=https://example.com/",
		"/" + strings.Repeat("a", usualLength-1),
	} {
		if n := testing.AllocsPerRun(100, func() { group.Verdict(url) }); n > 0 {
			t.Errorf("%s: %v allocations", url, n)
		}
	}
}

// TestGroupMemory wants a Group to hold about as much memory as Size says, and not
// the file.
func TestGroupMemory(t *testing.T) {
	var others, own strings.Builder
	others.WriteString("User-agent: mapa\nDisallow: /private\nUser-agent: other\n")
	own.WriteString("User-agent: mapa\n")
	for i := 0; others.Len() < ReadLimit-100; i++ {
		fmt.Fprintf(&others, "Disallow: /folder/%d\n", i)
		fmt.Fprintf(&own, "Disallow: /folder/%d*page=%%2F$\n", i)
	}
	for name, text := range map[string]string{"of others": others.String(), "own": own.String()} {
		const count = 10
		var groups [count]*Group
		before := heap()
		size := 0
		for i := range groups {
			file, err := Parse(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			groups[i] = file.Group("Mapa")
			size += groups[i].Size()
		}
		held := int(heap() - before)
		if slack := count * 4 << 10; held > size*5/4+slack || size > held*5/4+slack {
			t.Errorf("rules %s: %d bytes held, %d by Size", name, held, size)
		}
		runtime.KeepAlive(groups)
	}
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
