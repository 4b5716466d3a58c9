package documents

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// newSet opens a set of files in a new folder.
func newSet(t *testing.T, files map[string]string, names ...string) (s *Set, folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		name = filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return openSet(t, folder, nil, names...), folder
}

func openSet(t *testing.T, folder string, stdin io.Reader, names ...string) *Set {
	t.Helper()
	o := Options{Root: folder, Stdin: stdin, Origin: "http://files.invalid", Path: "/"}
	for _, name := range names {
		o.Names = append(o.Names, filepath.Join(folder, name))
	}
	s, err := Open(&o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// get returns the status and the body of the answer to a request.
func get(t *testing.T, s *Set, path string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://files.invalid"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestSetPaths finds the documents of folders, and no hidden files, packages and symbolic links.
func TestSetPaths(t *testing.T) {
	t.Parallel()
	s, folder := newSet(t, map[string]string{
		"a #1?.md": "", "é.md": "", "b.HTM": "", "c/d.txt": "", "c/e.go": "", ".f.md": "", ".g/h.md": "",
		"node_modules/i/j.md": "", "k%2e.mdx": "",
	}, ".")
	if err := os.Symlink("é.md", filepath.Join(folder, "link.md")); err != nil {
		t.Skip(err)
	}
	paths := slices.Sorted(s.Paths())
	want := []string{"/%C3%A9.md", "/a%20%231%3F.md", "/b.HTM", "/c/d.txt", "/k%252e.mdx"}
	if !slices.Equal(paths, want) || s.Unread() != nil {
		t.Errorf("%q, %v, want %q", paths, s.Unread(), want)
	}
	for _, path := range want {
		name, err := filepath.Abs(s.Name(path))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s is %s: %v", path, name, err)
		}
	}
}

// TestSetFinds answers for every way to name a file, and for none outside the folder.
func TestSetFinds(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.md"), []byte("# Secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, folder := newSet(t, map[string]string{
		"a.md": "# A", "B.md": "# B", "x/README.md": "# X", "x/y/z.bin": "z", "page.html": "<p id=p>", "empty.md": "",
		"50%.md": "# Half", "a b#c?.md": "# Odd", "%2e.md": "# Dot", "bad-\xff.md": "# Bad",
	}, ".")
	links := map[string]string{
		"out.md": filepath.Join(outside, "secret.md"), "up.md": "../" + filepath.Base(outside) + "/secret.md",
		"in.md": "a.md", "loop.md": "loop.md", "folder": "x",
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]int{
		"/a.md": 200, "/A.md": 404, "/b.md": 404, "/": 200, "/x": 200, "/x/": 200, "/x/y": 200, "/x/y/z.bin": 200,
		"/page": 200, "/page.html?v=1": 200, "/none.md": 404, "/a.md/": 200, "/a.md/b": 404, "/empty.md": 200,
		"/50%.md": 200, "/50%25.md": 200, "/a%20b%23c%3f.md": 200, "/%252e.md": 200, "/%2e.md": 404,
		"/../" + filepath.Base(outside) + "/secret.md": 404, "/%2e%2e/" + filepath.Base(outside) + "/secret.md": 404,
		"/x/../a.md": 200, "/x%2f..%2fa.md": 200, "/..%5ca.md": 404, "/a.md%00": 404, "/a%0a.md": 404,
		"/bad-%ff.md": 200, "/out.md": 404, "/up.md": 404, "/in.md": 200, "/loop.md": 404, "/folder/README.md": 200,
		"/" + strings.Repeat("a", 10_000): 404, "/a.md?part=7": 200, "/x/README.md?part=-1": 200,
	} {
		status, body := requestTo(t, s, path)
		if status != want || strings.Contains(body, "ecret") {
			t.Errorf("%q: %d %q, want %d", path, status, body, want)
		}
	}
	if _, body := get(t, s, "/x"); body != `<p id="x">` {
		t.Errorf("a folder has no anchors of its README: %q", body)
	}
}

// requestTo is get, also for paths that are no URLs.
func requestTo(t *testing.T, s *Set, path string) (status int, body string) {
	t.Helper()
	page, err := s.find(unescape(strings.Split(path, "?")[0]), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return http.StatusNotFound, page.text
	} else if err != nil {
		t.Fatal(err)
	}
	return http.StatusOK, page.text
}

// TestSetUnread reports documents that cannot be read, and takes links to them for good.
func TestSetUnread(t *testing.T) {
	t.Parallel()
	s, folder := newSet(t, map[string]string{"a.md": "[b](b.md)", "c/d.md": "d", "gone.md": "", "z.html": ""}, ".")
	huge := filepath.Join(folder, "huge.md")
	err := errors.Join(os.WriteFile(huge, nil, 0o600), os.Truncate(huge, maxDocument+1),
		os.Truncate(filepath.Join(folder, "z.html"), maxDocument+1))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"huge.md: too large", "z.html: too large"}
	paths := slices.Collect(s.Paths())
	if i := slices.Index(paths, "/gone.md"); i < 0 || os.Remove(filepath.Join(folder, "gone.md")) != nil {
		t.Fatal(paths)
	}
	if status, _ := get(t, s, "/gone.md"); status != http.StatusNotFound {
		t.Errorf("a file that is gone: %d", status)
	}
	want = slices.Insert(want, 0, "gone.md: ")
	var got []string
	for _, err := range s.Unread() {
		got = append(got, err.Error())
	}
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	for _, path := range []string{"/huge.md", "/z.html"} {
		if status, _ := get(t, s, path); status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// TestSetForbidden reports what the user may not read.
func TestSetForbidden(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("every file can be read")
	}
	s, folder := newSet(t, map[string]string{"a.md": "", "b/c.md": "", "d.md": ""}, ".")
	err := errors.Join(os.Chmod(filepath.Join(folder, "a.md"), 0), os.Chmod(filepath.Join(folder, "b"), 0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(folder, "b"), 0o700) })
	if paths := slices.Collect(s.Paths()); !slices.Equal(paths, []string{"/d.md"}) || len(s.Unread()) != 2 {
		t.Errorf("%q, %v", paths, s.Unread())
	}
	if status, _ := get(t, s, "/a.md"); status != http.StatusOK {
		t.Errorf("a link to it: %d", status)
	}
}

// TestSetParts reads a list of any length, also from standard input, in parts that cut no URL.
func TestSetParts(t *testing.T) {
	t.Parallel()
	const lines = 60_000
	var list strings.Builder
	list.WriteString("https://site.example.org/first é ")
	for i := range lines {
		fmt.Fprintf(&list, "http://127.0.0.1/%d/%s", i, strings.Repeat("x", i%50))
		list.WriteString([]string{"\n", " ", "\r\n", `" "`}[i%4])
	}
	fromFile, _ := newSet(t, map[string]string{"list.txt": list.String()}, "list.txt")
	fromStdin := openSet(t, ".", strings.NewReader(list.String()))
	for name, s := range map[string]*Set{"file": fromFile, "stdin": fromStdin} {
		wantLine, wantColumn, next, paths := 1, 34, 0, 0
		for path := range s.Paths() {
			paths++
			_, body := get(t, s, path)
			for at, line := range strings.Split(body, "\n") {
				_, line, found := strings.Cut(line, `<a href="http://127.0.0.1/`)
				if !found {
					continue
				}
				if !strings.HasPrefix(line, fmt.Sprintf("%d/%s\"", next, strings.Repeat("x", next%50))) {
					t.Fatalf("%s: link %d: %s", name, next, line)
				}
				if l, c := s.Position(path, at+1, 1); l != wantLine || c != wantColumn {
					t.Fatalf("%s: link %d: %d:%d, want %d:%d", name, next, l, c, wantLine, wantColumn)
				}
				wantColumn += len(fmt.Sprintf("http://127.0.0.1/%d/", next)) + next%50 + []int{0, 1, 0, 3}[next%4]
				if next%2 == 0 {
					wantLine, wantColumn = wantLine+1, 1
				}
				next++
			}
		}
		if next != lines || paths < 3 {
			t.Errorf("%s: %d links in %d parts", name, next, paths)
		}
	}
	if name := fromStdin.Name(slices.Collect(fromStdin.Paths())[1]); name != Stdin {
		t.Errorf("the second part is %q", name)
	}
}

// TestSetCutText cuts a text without spaces, and keeps every byte.
func TestSetCutText(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, partSize - 1, partSize, partSize + 1, 3 * partSize} {
		parts, err := cutText(strings.NewReader(strings.Repeat("x", size)))
		if err != nil {
			t.Fatal(err)
		}
		var at int64
		for _, p := range parts {
			if p.start != at || p.end-p.start > partSize {
				t.Errorf("%d bytes: %+v", size, parts)
			}
			at = p.end
		}
		if at != int64(size) {
			t.Errorf("%d bytes: %+v", size, parts)
		}
	}
}

// TestSetRewrites keeps the links that can be checked, with the paths of the files that they lead to.
func TestSetRewrites(t *testing.T) {
	t.Parallel()
	const rest = "\n\n# Fünf süße Äpfel\n\n## a_b c\n\n## A\n\n## A\n\n*term*{ #named }\n\nword\n: what it means\n\n[^1]\n\n[^1]: x\n"
	s, _ := newSet(t, map[string]string{
		"plain.md": "plain" + rest, "x.rst": "x", "x.go": "package x", "front/front.md": "---\na: b\n---\n" + rest,
		"site/book.toml": "", "site/README.md": "readme", "site/src/a.md": "a" + rest,
		"site/src/open.md": "{{#include x}}\n# Known name",
		"site/src/b.md":    "b", "site/src/c/index.md": "# C", "bare.md": "x",
	}, ".")
	for _, test := range []struct{ from, link, want string }{
		{"plain.md", "plain.md#Fünf-sÜße-Äpfel", "/plain.md"},
		{"plain.md", "plain.md#f%C3%BCnf-s%C3%BC%C3%9Fe-%C3%84pfel", "/plain.md"},
		{"plain.md", "plain.md#user-content-a-1", "/plain.md"},
		{"plain.md", "plain.md#fn-1", "/plain.md"}, {"plain.md", "#", ""},
		{"plain.md", "x.rst#section", "/x.rst"}, {"plain.md", "x.go#L3-L9", "/x.go"}, {"plain.md", "x.go#main", "/x.go#main"},
		{"plain.md", "front/front.md#L3C1-L9C2", "/front/front.md"}, {"plain.md", "none.html", "none.html"},
		{"plain.md", "none", "none"}, {"plain.md", "bare", "/bare.md"}, {"plain.md", "/none.md", "/none.md"},
		{"plain.md", "#A_B c", "#a_b%20c"}, {"plain.md", "https://www.example.com/x", ""},
		{"plain.md", "http://files.invalid/x#Y", "http://files.invalid/x#Y"}, {"plain.md", "#a:b", "#a:b"},
		{"plain.md", "mailto:me@host.test", "mailto:me@host.test"}, {"plain.md", "//host.test/x", "//host.test/x"},
		{"plain.md", "%7B%7Bsite.url%7D%7D/x", ""}, {"plain.md", "front/front.md#a-b-c", "/front/front.md"},
		{"plain.md", "front/front.md#x", "/front/front.md#x"}, {"plain.md", "plain.md#a-b-c", "/plain.md#a-b-c"},
		{"plain.md", "tower_http::cors", ""}, {"plain.md", "../../issues", ""},
		{"front/front.md", "none.html", "none.html"}, {"front/front.md", "none", "none"},
		{"front/front.md", "/there/none", ""}, {"front/front.md", "none.md", "none.md"},
		{"front/front.md", "../x.rst", "/x.rst"}, {"front/front.md", "#a-b-c", ""}, {"front/front.md", "#named", ""},
		{"front/front.md", "#word", ""}, {"front/front.md", "#other", "#other"},
		{"site/README.md", "src/none.html", "src/none.html"}, {"site/src/a.md", "none.html", "none.html"},
		{"site/src/a.md", "b.html", "/site/src/b.md"}, {"site/src/a.md", "/c/", "/site/src/c/index.md"},
		{"site/src/a.md", "b.md#none", "/site/src/b.md#none"}, {"site/src/a.md", "open.md#any", "/site/src/open.md"},
		{"site/src/a.md", "open.md#knownnane", "/site/src/open.md#knownnane"},
		{"site/src/a.md", "open.md#known-name", "/site/src/open.md"}, {"site/src/a.md", "../other/x.html", "../other/x.html"},
	} {
		d, err := s.load(test.from, 0)
		if err != nil {
			t.Fatal(err)
		}
		w := s.rewriterOf(partName{name: test.from}, d)
		if got, _ := w.rewrite(1, &Link{URL: test.link}); got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.from, test.link, got, test.want)
		}
	}
}

// TestSetTemplates reads HTML with placeholders as the source of pages.
func TestSetTemplates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<a href=none.html>x</a>":                                    "<a href=none.html>x</a>",
		"<pre>{{ x }}</pre> <a href=none.html>x</a>":                 "<pre>{{ x }}</pre> <a href=none.html>x</a>",
		"<p>\n<a href='{{ x }}'>x</a><a href=/none>y</a><img src=i>": "\n\n\n",
		" {{ define }}<a href=none.html>x</a><a href=a.html>x</a>":   "\n<a href=\"/a.html\">x</a>\n",
	} {
		s, _ := newSet(t, map[string]string{"a.html": text}, ".")
		path := slices.Collect(s.Paths())[0]
		if _, body := get(t, s, path); body != want {
			t.Errorf("%q: %q, want %q", text, body, want)
		}
	}
	s, _ := newSet(t, map[string]string{"a.html": "<p>\n <a href='{{ x }}'>x</a> <a href=https://host.test/>y</a>"}, ".")
	for path := range s.Paths() {
		get(t, s, path)
		if line, column := s.Position(path, 2, 1); line != 2 || column != 26 {
			t.Errorf("%d:%d", line, column)
		}
	}
}

// TestSetStops reads no names of files after the time of the run ended.
func TestSetStops(t *testing.T) {
	t.Parallel()
	s, _ := newSet(t, map[string]string{"a.md": "[b](b.md)", "b.md": ""}, ".")
	done := make(chan struct{})
	close(done)
	s.done = done
	if x := s.indexOf(); !x.full || len(x.files) > 0 {
		t.Errorf("full: %t, files: %q", x.full, x.files)
	}
}
