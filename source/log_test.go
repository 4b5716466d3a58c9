package source_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/source"
)

const stamp = ` [10/Oct/2000:13:55:36 -0700] `

func TestLogs(t *testing.T) {
	tests := []struct {
		about, line string
		want        string // empty for what does not count
		junk        bool
	}{
		{about: "Apache's example of the Common Log Format",
			line: `127.0.0.1 - frank` + stamp + `"GET /apache_pb.gif HTTP/1.0" 200 2326`, want: "/apache_pb.gif"},
		{about: "of the Combined Log Format",
			line: `127.0.0.1 - frank` + stamp +
				`"GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"`,
			want: "/apache_pb.gif"},
		{about: "nginx, IPv6, HTTP/2",
			line: `2001:db8::1 - - [02/Jan/2026:03:04:05 +0000] "GET /a?b=c&d HTTP/2.0" 304 0 "-" "-"`, want: "/a?b=c&d"},
		{about: "a virtual host before", line: `www.example.com:443 192.0.2.1 - -` + stamp + `"GET / HTTP/1.1" 200 -`,
			want: "/"},
		{about: "without bytes", line: `h - -` + stamp + `"GET / HTTP/1.1" 200`, want: "/"},
		{about: "a redirect", line: `h - -` + stamp + `"GET /old HTTP/1.1" 301 5`, want: "/old"},
		{about: "HTTP/0.9", line: `h - -` + stamp + `"GET /" 200 5`, want: "/"},
		{about: "escapes", line: `h - -` + stamp + `"GET /a\"b\\c\xc3\xA4 HTTP/1.1" 200 5`, want: "/a%22b%5Cc%C3%A4"},
		{about: "bytes of no charset", line: "h - -" + stamp + "\"GET /\xe4 HTTP/1.1\" 200 5", want: "/%E4"},
		{about: "a blank in the path", line: `h - -` + stamp + `"GET /a b HTTP/1.1" 200 5`, want: "/a%20b"},
		{about: "two slashes are a path", line: `h - -` + stamp + `"GET //other.example/x HTTP/1.1" 200 5`,
			want: "//other.example/x"},
		{about: "a number sign is no fragment", line: `h - -` + stamp + `"GET /a#b HTTP/1.1" 200 5`, want: "/a%23b"},
		{about: "an absolute address", line: `h - -` + stamp + `"GET http://base.example/x HTTP/1.1" 200 5`,
			want: "http://base.example/x"},
		{about: "a user with blanks and brackets", line: `h - a b [c]` + stamp + `"GET /x HTTP/1.1" 200 5`, want: "/x"},
		{about: "a user who forges", line: `h - a [x] \"GET /forged HTTP/1.1\" 200 5` + stamp + `"GET /x HTTP/1.1" 200 5`,
			want: "/x"},
		{about: "a user who is a time", line: `h -` + stamp + `x` + stamp + `"GET /x HTTP/1.1" 200 5`, want: "/x"},

		{about: "HEAD", line: `h - -` + stamp + `"HEAD /x HTTP/1.1" 200 5`, want: "/x"},
		{about: "Caddy", line: `{"level":"info","ts":1700000000.5,"logger":"http.log.access","msg":"handled request",` +
			`"request":{"remote_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"base.example","uri":"/caf%C3%A9?a=b",` +
			`"headers":{"User-Agent":["x"]}},"duration":0.01,"size":10,"status":200}`, want: "/caf%C3%A9?a=b"},
		{about: "Caddy, another host", want: "https://other.example/x",
			line: `{"request":{"method":"GET","host":"other.example","uri":"/x"},"status":200}`},
		{about: "Caddy, POST", line: `{"request":{"method":"POST","host":"base.example","uri":"/x"},"status":200}`},
		{about: "nginx in JSON", line: `{"request_method":"GET","request_uri":"/a b#c?d=e","status":"200","host":"Base.example"}`,
			want: "/a%20b%23c?d=e"},
		{about: "nginx in JSON, without a method", line: `{"request_uri":"/x","status":404}`},
		{about: "nginx in JSON, the whole request", line: `{"request":"GET /x?y HTTP/1.1","status":200}`, want: "/x?y"},
		{about: "Traefik", line: `{"RequestMethod":"GET","RequestHost":"base.example:443","RequestPath":"/x","DownstreamStatus":200}`,
			want: "/x"},

		{about: "another object", line: `{"url":"https://base.example/x","status":200}`, junk: true},
		{about: "an invalid host", line: `{"request_uri":"/x","host":"a/b","status":200}`, want: "/x"},
		{about: "a broken object", line: `{"request_uri":"/x","status":200`, junk: true},
		{about: "another method", line: `h - -` + stamp + `"POST / HTTP/1.1" 200 5`},
		{about: "a dead page", line: `h - -` + stamp + `"GET / HTTP/1.1" 404 5`},
		{about: "an error", line: `h - -` + stamp + `"GET / HTTP/1.1" 500 5`},
		{about: "bytes of TLS", line: `h - -` + stamp + `"\x16\x03\x01" 400 226 "-" "-"`},
		{about: "no request", line: `h - -` + stamp + `"-" 408 -`},

		{about: "no line of a log", line: `hello`, junk: true},
		{about: "no time", line: `h - - [now] "GET / HTTP/1.1" 200 5`, junk: true},
		{about: "no user", line: `h -` + stamp + `"GET / HTTP/1.1" 200 5`, junk: true},
		{about: "cut off in the request", line: `h - -` + stamp + `"GET / HT`, junk: true},
		{about: "cut off in the escape", line: `h - -` + stamp + `"GET /\`, junk: true},
		{about: "no status", line: `h - -` + stamp + `"GET / HTTP/1.1" -`, junk: true},
		{about: "four digits", line: `h - -` + stamp + `"GET / HTTP/1.1" 2000 5`, junk: true},
		{about: "an invalid escape", line: `h - -` + stamp + `"GET /\u0041 HTTP/1.1" 200 5`, junk: true},
		{about: "a control character", line: `h - -` + stamp + `"GET /a\x0ab HTTP/1.1" 200 5`, junk: true},
		{about: "an invalid target", line: `h - -` + stamp + `"GET page HTTP/1.1" 200 5`, junk: true},
		{about: "another scheme", line: `h - -` + stamp + `"GET ftp://a.example/ HTTP/1.1" 200 5`, junk: true},
		{about: "not HTTP", line: `h - -` + stamp + `"GET / SIP/2.0" 200 5`, junk: true},
		{about: "too long for an address", line: `h - -` + stamp + `"GET /` + strings.Repeat("a", 9000) + ` HTTP/1.1" 200 5`,
			junk: true},
	}
	for _, test := range tests {
		t.Run(test.about, func(t *testing.T) {
			in := strings.NewReader(test.line)
			got, faults := collect(source.Logs([]string{"-"},
				&source.LineOptions{Stdin: in, Base: "https://base.example/folder/"}))
			var want []string
			if strings.HasPrefix(test.want, "/") {
				want = []string{"https://base.example" + test.want}
			} else if test.want != "" {
				want = []string{test.want}
			}
			if !slices.Equal(got, want) || (len(faults) > 0) != test.junk {
				t.Errorf("got %q and %q, want %q, junk %t", got, faults, want, test.junk)
			}
		})
	}
}

func TestLogsCountJunk(t *testing.T) {
	name := write(t, "access.log", "x\n\nh - -"+stamp+"\"GET /a HTTP/1.1\" 200 5\ny\n")
	var skipped *source.SkippedError
	for _, err := range source.Logs([]string{name}, &source.LineOptions{Base: "https://a.example/"}) {
		errors.As(err, &skipped)
	}
	if skipped == nil || skipped.Lines != 2 || skipped.First != 1 || !errors.Is(skipped, source.ErrNotLogLine) {
		t.Errorf("skipped %+v", skipped)
	}
	if _, faults := collect(source.Logs([]string{name}, nil)); len(faults) != 1 || faults[0] != source.ErrNoBase.Error() {
		t.Errorf("without a base: %q", faults)
	}
}

// logLine is the oracle of FuzzLogs: the format in one expression.
var logLine = regexp.MustCompile(`^[^\n]* [^\n]* [^\n]*?\[\d\d/[A-Za-z]{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "((?:[^"\\]|\\.)*)" (\d{3})(?: |$)`)

// plainRequest is one that must count when its status does.
var plainRequest = regexp.MustCompile(`^(?:GET|HEAD) /[a-z0-9./?=&-]{0,99} HTTP/[0-9.]+$`)

func FuzzLogs(f *testing.F) {
	f.Add(`127.0.0.1 - frank` + stamp + `"GET /apache_pb.gif HTTP/1.0" 200 2326 "a" "b"`)
	f.Add(`h - -` + stamp + `"GET /a\"b\\c\xc3 HTTP/1.1" 301 5`)
	f.Add(`h - a` + stamp + `"` + stamp + `"GET //x" 200`)
	f.Fuzz(func(t *testing.T, line string) {
		line, _, _ = strings.Cut(line, "\n")
		if strings.HasPrefix(line, "\x1f\x8b") || strings.HasPrefix(line, "\ufeff") ||
			strings.HasPrefix(strings.TrimSpace(line), "{") {
			t.Skip("another file")
		}
		in := strings.NewReader(line)
		got, faults := collect(source.Logs([]string{"-"}, &source.LineOptions{Stdin: in, Base: "https://base.example/"}))
		if len(got)+len(faults) > 1 {
			t.Fatalf("%q gives %q and %q", line, got, faults)
		}
		match := logLine.FindStringSubmatch(strings.TrimSpace(line))
		if len(got) == 0 {
			if match != nil && strings.Count(line, `] "`) == 1 && plainRequest.MatchString(match[1]) && match[2] >= "200" &&
				match[2] < "400" {
				t.Errorf("%q gives nothing but %q", line, faults)
			}
			return
		}
		if match == nil {
			t.Fatalf("%q gives %q and is no line of a log", line, got)
		}
		if !strings.HasPrefix(match[1], "GET ") && !strings.HasPrefix(match[1], "HEAD ") ||
			match[2] < "200" || match[2] > "399" {
			t.Errorf("%q gives %q: request %q, status %s", line, got, match[1], match[2])
		}
		if !strings.HasPrefix(got[0], "https://") && !strings.HasPrefix(got[0], "http://") ||
			strings.ContainsAny(got[0], " \"\n\\") {
			t.Errorf("%q gives %q", line, got)
		}
	})
}

func BenchmarkLogs(b *testing.B) {
	text := bytes.Repeat([]byte(`203.0.113.195 - - [02/Jan/2026:03:04:05 +0000] "GET /section-1/page-23.html?a=b HTTP/1.1" 200 5120 "https://example.com/" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"`+"\n"), 10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		count := 0
		for _, err := range source.Logs([]string{"-"},
			&source.LineOptions{Stdin: bytes.NewReader(text), Base: "https://example.com/"}) {
			if err != nil {
				b.Fatal(err)
			}
			count++
		}
		if count != 10_000 {
			b.Fatalf("%d addresses", count)
		}
	}
}

func ExampleLogs() {
	var log io.Reader = strings.NewReader(`192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET /orphan HTTP/1.1" 200 512 "-" "-"`)
	options := &source.LineOptions{Stdin: log, Base: "https://example.com/"}
	for address, err := range source.Logs([]string{"-"}, options) {
		fmt.Println(address, err)
	}
	// Output: https://example.com/orphan <nil>
}
